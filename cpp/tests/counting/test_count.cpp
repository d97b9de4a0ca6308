#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "core/counting/columns.hpp"
#include "core/counting/count.hpp"
#include "tests/doctest.h"
#include "tests/random_table.hpp"

namespace {

using Key = std::vector<std::uint32_t>;

Key key_of(const RandomTable& table, std::span<const int> variables, std::size_t row) {
  Key key;
  for (int variable : variables) key.push_back(table.codes[static_cast<std::size_t>(variable)][row]);
  return key;
}

// The naive reference: a map from value configurations to weights, then from weights to numbers of cells.
std::map<std::uint64_t, std::uint64_t> naive_profile(const RandomTable& table, std::span<const int> variables) {
  std::map<Key, std::uint64_t> counts;
  for (std::size_t row = 0; row < table.view.rows; ++row) counts[key_of(table, variables, row)] += table.weight(row);
  std::map<std::uint64_t, std::uint64_t> profile;
  for (const auto& [key, count] : counts) {
    if (count > 0) ++profile[count];
  }
  return profile;
}

bool same(const qnml::Profile& profile, const std::map<std::uint64_t, std::uint64_t>& expected) {
  if (profile.counts.size() != expected.size() || profile.cells.size() != expected.size()) return false;
  std::size_t i = 0;
  for (const auto& [count, cells] : expected) {
    if (profile.counts[i] != count || profile.cells[i] != cells) return false;
    ++i;
  }
  return true;
}

void compare_family(const RandomTable& table, qnml::Counter& counter, int child, const std::vector<int>& parents) {
  qnml::Profile cells, configs;
  counter.family(child, parents, cells, configs);
  std::vector<int> family = parents;
  family.push_back(child);
  CHECK(same(cells, naive_profile(table, family)));
  CHECK(same(configs, naive_profile(table, parents)));
}

}  // namespace

TEST_CASE("counts equal those of a map") {
  // Families small enough for a dense table, families with far more cells than rows, and products beyond 2^64.
  const std::vector<std::uint32_t> levels = {2, 3, 1, 256, 257, 65536, 60000, 50000, 40000, 5};
  for (bool weighted : {false, true}) {
    for (std::size_t rows : {std::size_t{0}, std::size_t{1}, std::size_t{37}, std::size_t{6000}}) {
      const RandomTable table(levels, rows, 7, weighted);
      qnml::Counter counter(table.view);
      compare_family(table, counter, 0, {});
      compare_family(table, counter, 2, {0});
      compare_family(table, counter, 1, {0, 2});
      compare_family(table, counter, 9, {0, 1, 3});
      compare_family(table, counter, 3, {4, 9});
      compare_family(table, counter, 5, {});
      compare_family(table, counter, 5, {6});
      compare_family(table, counter, 0, {5, 6, 7, 8, 4});
      compare_family(table, counter, 0, {1});  // scratch memory of the large family must not affect a small one
    }
  }
}

TEST_CASE("counts equal those of a map on every path through the counter") {
  struct Path {
    std::vector<std::uint32_t> levels;
    std::size_t rows;
  };
  const Path paths[] = {
      {{2, 3, 4, 2}, 10'007},       // a few cells: four parallel tallies; rows are not a multiple of a block
      {{30, 30, 30}, 4'099},        // too many cells for four tallies
      {{100, 100, 100, 3}, 2'500},  // more cells than four times the rows: labels, first by table, then hashed
      {{300, 300, 300, 300}, 3'001}, {{60'000, 2, 60'000}, 2'047},  // 16-bit codes, alone and next to 8-bit codes
      {{257, 256, 65'536}, 2'049},   {{1, 1, 1}, 5},
  };
  for (const auto& [levels, rows] : paths) {
    for (bool weighted : {false, true}) {
      const RandomTable table(levels, rows, static_cast<unsigned>(rows), weighted);
      qnml::Counter counter(table.view);
      for (int child = 0; child < static_cast<int>(levels.size()); ++child) {
        std::vector<int> parents;
        compare_family(table, counter, child, parents);
        for (int parent = 0; parent < static_cast<int>(levels.size()); ++parent) {
          if (parent == child) continue;
          parents.push_back(parent);
          compare_family(table, counter, child, parents);
          compare_family(table, counter, child, {parents.rbegin(), parents.rend()});
        }
      }
    }
  }
}

TEST_CASE("weights beyond 32 bits") {
  RandomTable table({2, 2}, 40, 1, true);
  for (std::uint64_t& weight : table.weights) weight <<= 40;
  qnml::Counter counter(table.view);
  compare_family(table, counter, 0, {1});
}

TEST_CASE("more parents than any product of levels can hold") {
  RandomTable table(std::vector<std::uint32_t>(70, 60'000), 300, 7);
  for (std::size_t column = 0; column < 70; ++column) {
    for (std::size_t row = 150; row < 300; ++row) {
      table.codes[column][row] = table.codes[column][row - 150];
      table.wide[column][row] = table.wide[column][row - 150];
    }
  }
  qnml::Counter counter(table.view);
  std::vector<int> parents;
  for (int parent = 1; parent < 70; ++parent) parents.push_back(parent);
  compare_family(table, counter, 0, parents);
}

TEST_CASE("a partition numbers configurations by first occurrence") {
  const RandomTable table({2, 3, 300}, 2000, 3);
  qnml::Counter counter(table.view);
  const std::vector<int> variables = {0, 2};
  std::vector<std::uint32_t> labels;
  const std::uint32_t used = counter.partition(variables, labels);
  std::map<Key, std::uint32_t> name;
  bool agrees = labels.size() == 2000;
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const auto next = static_cast<std::uint32_t>(name.size());
    agrees = agrees && name.emplace(key_of(table, variables, row), next).first->second == labels[row];
  }
  CHECK(agrees);
  CHECK(used == name.size());
}

TEST_CASE("codes beyond the levels are detected") {
  const RandomTable table({2, 3, 300}, 2000, 3);
  CHECK(qnml::has_valid_codes(table.view));
  for (std::size_t column : {std::size_t{0}, std::size_t{2}}) {
    qnml::Columns narrowed =
        table.view;  // 2000 rows contain every level of the first column, and a level above 1 of the third
    narrowed.columns[column].levels = 1;
    CHECK(!qnml::has_valid_codes(narrowed));
  }
}
