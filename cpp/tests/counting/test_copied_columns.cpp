#include <cstddef>
#include <vector>

#include "core/counting/copied_columns.hpp"
#include "tests/doctest.h"
#include "tests/random_table.hpp"

namespace {

using Groups = std::vector<std::vector<int>>;

// The naive reference, for columns that are not constant: rows agree in one exactly if they agree in the other.
bool agree(const RandomTable& table, std::size_t one, std::size_t other) {
  if (table.view.columns[one].levels != table.view.columns[other].levels) return false;
  const auto& a = table.codes[one];
  const auto& b = table.codes[other];
  for (std::size_t i = 0; i < table.view.rows; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (table.weight(i) == 0 || table.weight(j) == 0) continue;
      if ((a[i] == a[j]) != (b[i] == b[j])) return false;
    }
  }
  return true;
}

}  // namespace

TEST_CASE("columns that do not vary are not copies") {
  CHECK(qnml::copied_columns(RandomTable({}, 0, 1).view).empty());
  // With no row or one row, every column is constant.
  CHECK(qnml::copied_columns(RandomTable({2, 2}, 0, 1).view).empty());
  CHECK(qnml::copied_columns(RandomTable({2, 2}, 1, 1).view).empty());
}

TEST_CASE("copies equal those found by comparing all pairs of rows") {
  // With few rows, some columns are copies by chance.
  for (unsigned seed = 0; seed < 200; ++seed) {
    const RandomTable table({2, 2, 3, 2, 300, 300, 3, 2}, 4, seed, seed % 2 == 1);
    const std::size_t n = table.view.columns.size();
    std::vector<bool> is_placed(n);
    Groups expected;
    for (std::size_t i = 0; i < n; ++i) {
      bool changes = false;
      for (std::size_t row = 1; row < table.view.rows; ++row) {
        for (std::size_t other = 0; other < row; ++other) {
          if (table.weight(row) > 0 && table.weight(other) > 0 && table.codes[i][row] != table.codes[i][other])
            changes = true;
        }
      }
      if (!changes || is_placed[i]) continue;
      std::vector<int> group;
      for (std::size_t j = i; j < n; ++j) {
        if (is_placed[j] || !agree(table, i, j)) continue;
        is_placed[j] = true;
        group.push_back(static_cast<int>(j));
      }
      if (group.size() > 1) expected.push_back(group);
    }
    CHECK(qnml::copied_columns(table.view) == expected);
  }
}
