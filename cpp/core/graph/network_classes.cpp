#include "core/graph/network_classes.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace qnml {
namespace {

constexpr int kMost = 32;

void adjacencies(const std::uint32_t* parents, int n, std::uint32_t* adjacent) {
  std::copy_n(parents, n, adjacent);
  for (int child = 0; child < n; ++child) {
    for (std::uint32_t rest = parents[child]; rest != 0; rest &= rest - 1) {
      adjacent[std::countr_zero(rest)] |= 1u << child;
    }
  }
}

}  // namespace

bool are_equivalent(const std::uint32_t* first, const std::uint32_t* second, int n) {
  std::uint32_t adjacent[kMost], others[kMost];
  adjacencies(first, n, adjacent);
  adjacencies(second, n, others);
  if (!std::equal(adjacent, adjacent + n, others)) return false;
  for (int child = 0; child < n; ++child) {
    if (first[child] == second[child]) continue;
    for (std::uint32_t rest = first[child] | second[child]; rest != 0; rest &= rest - 1) {
      const int parent = std::countr_zero(rest);
      // Parents that are not adjacent to this one; none if it is not a parent.
      const std::uint32_t apart = ~(adjacent[parent] | 1u << parent);
      const std::uint32_t one = first[child] >> parent & 1 ? first[child] & apart : 0;
      const std::uint32_t other = second[child] >> parent & 1 ? second[child] & apart : 0;
      if (one != other) return false;
    }
  }
  return true;
}

void ClassIndex::grow() {
  std::vector<std::uint64_t> keys(std::max<std::size_t>(1024, 2 * keys_.size()));
  std::vector<Place> places(keys.size());
  std::vector<std::uint8_t> used(keys.size(), 0);
  keys.swap(keys_);
  places.swap(places_);
  used.swap(used_);
  for (std::size_t old = 0; old < keys.size(); ++old) {
    if (!used[old]) continue;
    std::size_t slot = keys[old] & (keys_.size() - 1);
    while (used_[slot]) slot = (slot + 1) & (keys_.size() - 1);
    put(slot, keys[old], places[old]);
  }
}

}  // namespace qnml
