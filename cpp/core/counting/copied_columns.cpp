#include "core/counting/copied_columns.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "core/counting/columns.hpp"

namespace qnml {

namespace {

constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15u;
// Most columns that are not copies differ within this many rows.
constexpr std::size_t kFirstRows = 2048;

using Key = std::pair<std::uint32_t, std::uint64_t>;  // declared levels and a hash

// Levels numbered in order of first appearance: copies have the same numbers in every row.
struct Appearance {
  std::uint64_t hash = 0;    // of the level numbers of the rows
  std::uint32_t levels = 0;  // observed
};

bool counts(const Columns& table, std::size_t row) { return table.weights == nullptr || table.weights[row] > 0; }

Appearance appearance(const Columns& table, const Column& column, std::size_t rows) {
  std::vector<std::uint32_t> number(column.levels, kUnseen);
  Appearance found;
  with_codes(column, [&](const auto* codes) {
    for (std::size_t row = 0; row < rows; ++row) {
      if (!counts(table, row)) continue;
      std::uint32_t& mine = number[codes[row]];
      if (mine == kUnseen) mine = found.levels++;
      found.hash = (found.hash ^ mine) * kOdd;
      found.hash ^= found.hash >> 29;
    }
  });
  return found;
}

// Whether the levels of the two columns correspond one to one.
bool are_copies(const Columns& table, const Column& one, const Column& other) {
  std::vector<std::uint32_t> there(one.levels, kUnseen), back(other.levels, kUnseen);
  return with_codes(one, [&](const auto* codes) {
    return with_codes(other, [&](const auto* others) {
      for (std::size_t row = 0; row < table.rows; ++row) {
        if (!counts(table, row)) continue;
        const std::uint32_t a = codes[row], b = others[row];
        if (there[a] == kUnseen && back[b] == kUnseen) {
          there[a] = b;
          back[b] = a;
        } else if (there[a] != b) {
          return false;
        }
      }
      return true;
    });
  });
}

}  // namespace

std::vector<std::vector<int>> copied_columns(const Columns& table) {
  const std::size_t first_rows = std::min(kFirstRows, table.rows);
  std::vector<Key> begins;
  std::map<Key, int> beginning;  // number of columns with the same beginning
  for (const Column& column : table.columns) {
    begins.emplace_back(column.levels, appearance(table, column, first_rows).hash);
    ++beginning[begins.back()];
  }
  std::map<Key, std::vector<std::size_t>> alike;  // groups, by the hash of all rows
  std::vector<std::vector<int>> groups;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (beginning[begins[i]] < 2) continue;
    const Column& column = table.columns[i];
    const Appearance mine = appearance(table, column, table.rows);
    if (mine.levels < 2) continue;
    std::vector<std::size_t>& known = alike[{column.levels, mine.hash}];
    bool is_copy = false;
    for (std::size_t k = 0; k < known.size() && !is_copy; ++k) {
      std::vector<int>& group = groups[known[k]];
      // Where they were set in different rows, their families count different rows.
      is_copy = table.part_of(group.front()) == table.part_of(static_cast<int>(i)) &&
                are_copies(table, table.at(group.front()), column);
      if (is_copy) group.push_back(static_cast<int>(i));
    }
    if (is_copy) continue;
    known.push_back(groups.size());
    groups.push_back({static_cast<int>(i)});
  }
  std::erase_if(groups, [](const std::vector<int>& group) { return group.size() < 2; });
  return groups;
}

}  // namespace qnml
