// Fill and sort for large arrays that can be interrupted: a billion entries take seconds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/base/control.hpp"

namespace qnml {

// Returns whether it finished. Otherwise the contents are undefined.
template <class Entry>
bool fill_watched(std::vector<Entry>& entries, std::size_t size, const Entry& value, Control& control) {
  constexpr std::size_t kPiece = std::size_t{1} << 22;
  entries.clear();
  entries.reserve(size);
  while (entries.size() < size) {
    if (control.is_stopped()) return false;
    entries.resize(std::min(size, entries.size() + kPiece), value);
  }
  return true;
}

// Sorts pieces and merges them; equals std::sort for up to a million entries.
template <class Entry, class Less>
bool sort_watched(std::vector<Entry>& entries, Less less, Control& control) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const auto at = [&](std::size_t place) {
    return entries.begin() + static_cast<std::ptrdiff_t>(std::min(place, entries.size()));
  };
  for (std::size_t start = 0; start < entries.size(); start += kPiece) {
    if (control.is_stopped()) return false;
    std::sort(at(start), at(start + kPiece), less);
  }
  for (std::size_t half = kPiece; half < entries.size(); half *= 2) {
    for (std::size_t start = 0; start + half < entries.size(); start += 2 * half) {
      if (control.is_stopped()) return false;
      std::inplace_merge(at(start), at(start + half), at(start + 2 * half), less);
    }
  }
  return true;
}

}  // namespace qnml
