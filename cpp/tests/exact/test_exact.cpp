#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/count.hpp"
#include "core/counting/lattice.hpp"
#include "core/exact/exact.hpp"
#include "core/exact/order_outlook.hpp"
#include "core/numbers/subset_transform.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/make_score.hpp"
#include "tests/doctest.h"
#include "tests/problem_of.hpp"
#include "tests/random_table.hpp"

namespace {

// Compares every set of the lattice with the counter, on tables that reach the corner cases of the walk: fewer
// variables than a block, more, wide columns, constant columns, weights.
TEST_CASE("lattice sums equal those of the counter") {
  const std::vector<std::vector<std::uint32_t>> cases = {
      {2}, {3, 2}, {2, 2, 3, 2, 4, 2, 3}, {2, 3, 2, 1, 4, 2, 2, 3, 2, 2}, {400, 2, 300, 3, 2, 2, 500, 2, 2, 2, 2}};
  unsigned seed = 1;
  for (const auto& levels : cases) {
    for (std::size_t rows : {std::size_t{1}, std::size_t{7}, std::size_t{150}}) {
      const RandomTable table(levels, rows, ++seed, rows == 7);
      for (int channels : {1, 4}) {
        qnml::CountTerms terms;
        terms.channels = channels;
        for (std::uint64_t count = 0; count <= table.view.total; ++count) {
          for (int k = 0; k < channels; ++k) terms.values.push_back(static_cast<std::int64_t>(count * count) * (k + 1));
        }
        const qnml::Lattice lattice(table.view, terms);
        std::vector<std::int64_t> sums(std::size_t{1} << levels.size(), -1);
        qnml::Control control;
        const auto stride = static_cast<std::size_t>(channels);
        CHECK(lattice.walk(
            [&](std::uint64_t first, std::size_t count, const std::int64_t* values) {
              for (std::size_t i = 0; i < count; ++i) sums[first + i] = values[i * stride + stride - 1];
            },
            control, 2));
        qnml::Counter counter(table.view);
        qnml::Profile cells, configs;
        bool all_equal = true;
        for (std::size_t set = 1; set < sums.size(); ++set) {
          std::vector<int> members;
          for (std::size_t rest = set; rest != 0; rest &= rest - 1) {
            members.push_back(lattice.column_of_bit()[static_cast<std::size_t>(std::countr_zero(rest))]);
          }
          const int child = members.back();
          members.pop_back();
          counter.family(child, members, cells, configs);
          std::int64_t expected = 0;
          for (std::size_t i = 0; i < cells.counts.size(); ++i) {
            expected += static_cast<std::int64_t>(cells.cells[i] * cells.counts[i] * cells.counts[i]) * channels;
          }
          all_equal &= sums[set] == expected;
        }
        CHECK(all_equal);
      }
    }
  }
}

TEST_CASE("transforms equal sums over all subsets") {
  std::mt19937_64 random(5);
  for (int bits : {1, 5, 15}) {
    const std::size_t size = std::size_t{1} << bits;
    std::vector<std::int32_t> given(size);
    for (auto& value : given) value = static_cast<std::int32_t>(random() % 1'000'000);
    std::vector<std::int32_t> largest = given;
    std::vector<std::uint32_t> smallest(given.begin(), given.end());
    qnml::largest_over_subsets(largest.data(), bits);
    qnml::smallest_over_subsets(smallest.data(), bits);
    bool all_equal = true;
    for (std::size_t trial = 0; trial < 50; ++trial) {
      const std::size_t set = random() % size;
      std::int32_t high = given[0];
      std::int32_t low = given[0];
      for (std::size_t sub = set; sub != 0; sub = (sub - 1) & set) {
        high = std::max(high, given[sub]);
        low = std::min(low, given[sub]);
      }
      all_equal &= largest[set] == high && smallest[set] == static_cast<std::uint32_t>(low);
    }
    CHECK(all_equal);
  }
}

// Counting many weights in one walk equals a walk for each, with more than one batch of lanes and both widths of
// counts.
TEST_CASE("counting many weights at once equals counting each alone") {
  for (std::size_t rows : {std::size_t{1}, std::size_t{90}}) {
    for (std::size_t replicates : {std::size_t{1}, std::size_t{16}, std::size_t{33}, std::size_t{70}}) {
      for (std::uint64_t heaviest : {std::uint64_t{3}, std::uint64_t{2000}}) {
        RandomTable table({2, 3, 2, 1, 4, 2, 2, 3, 2, 300}, rows, static_cast<unsigned>(rows + replicates));
        std::vector<std::vector<std::uint64_t>> weights(replicates);
        qnml::Lattice::ManyWeights all;
        std::mt19937_64 random(7);
        for (auto& mine : weights) {
          for (std::size_t row = 0; row < rows; ++row) mine.push_back(random() % (heaviest + 1));
          all.push_back(mine.data());
        }
        qnml::CountTerms terms;
        for (std::uint64_t count = 0; count <= heaviest * rows; ++count) {
          terms.values.push_back(static_cast<std::int64_t>(count * count));
        }
        qnml::Control control;
        const qnml::Lattice lattice(table.view, terms);
        const std::size_t sets = std::size_t{1} << lattice.n_variables();
        const std::size_t lanes = qnml::Lattice::lanes_for(replicates);
        std::vector<std::int64_t> many(sets * lanes);
        CHECK(lattice.walk_many(
            all, {},
            [&](std::uint64_t first, std::size_t count, const std::int64_t* sums) {
              std::copy_n(sums, count * lanes, many.data() + first * lanes);
            },
            control, 2));
        // Requested sets have the same sums if other sets are not requested.
        std::vector<std::uint8_t> wanted(sets);
        for (auto& flag : wanted) flag = random() % 16 == 0;
        std::vector<std::int64_t> some(sets * lanes);
        CHECK(lattice.walk_many(
            all, wanted,
            [&](std::uint64_t first, std::size_t count, const std::int64_t* sums) {
              std::copy_n(sums, count * lanes, some.data() + first * lanes);
            },
            control, 1));
        bool all_equal = true;
        for (std::size_t i = 0; i < many.size(); ++i) {
          all_equal &= wanted[i / lanes] == 0 || i % lanes >= replicates || some[i] == many[i];
        }
        for (std::size_t k = 0; k < replicates; ++k) {
          table.view.weights = weights[k].data();
          // The order of the variables depends on the weights; compare by column.
          const qnml::Lattice alone(table.view, terms);
          std::vector<std::int64_t> sums(sets);
          alone.walk([&](std::uint64_t first, std::size_t count,
                         const std::int64_t* values) { std::copy_n(values, count, sums.data() + first); },
                     control, 1);
          for (std::uint64_t set = 0; set < sets; ++set) {
            std::uint64_t same = 0;
            for (int bit = 0; bit < alone.n_variables(); ++bit) {
              const int column = lattice.column_of_bit()[static_cast<std::size_t>(bit)];
              const auto& others = alone.column_of_bit();
              const auto place = std::find(others.begin(), others.end(), column) - others.begin();
              if (set >> bit & 1) same |= std::uint64_t{1} << place;
            }
            all_equal &= many[set * lanes + k] == sums[same];
          }
        }
        CHECK(all_equal);
      }
    }
  }
}

// Both ways to compute candidates, with one or two threads, find the same network; stopping at once still returns one.
TEST_CASE("both computations of candidates and any number of threads agree") {
  const RandomTable table({2, 3, 2, 2, 4, 2, 3, 2, 2, 2}, 120, 9);
  for (qnml::ScoreKind kind :
       {qnml::ScoreKind::qnml, qnml::ScoreKind::bic, qnml::ScoreKind::bdeu, qnml::ScoreKind::fnml}) {
    std::vector<std::uint64_t> first;
    for (bool dense : {true, false}) {
      for (int threads : {1, 2}) {
        const qnml::SearchProblem problem = problem_of(table.view, kind, 1.0, threads);
        const qnml::ExactOptions options{.dense = dense};
        qnml::Control control;
        const qnml::ExactResult result = qnml::learn_exact(problem, options, control);
        CHECK(result.has_network);
        CHECK(result.optimal);
        if (first.empty()) first = result.parents;
        CHECK(result.parents == first);
        qnml::Control stopped;
        stopped.stop();
        const qnml::ExactResult early = qnml::learn_exact(problem, options, stopped);
        CHECK(early.has_network);
        CHECK(!early.optimal);
        CHECK(early.score <= result.score);
        CHECK(early.bound >= result.score);
      }
    }
  }
}

// Searches that share a walk find the same networks as alone.
TEST_CASE("tasks solved together equal tasks solved alone") {
  const RandomTable table({2, 3, 2, 2, 4, 2, 3, 2, 2, 5}, 90, 4);
  std::vector<qnml::SearchProblem> problems;
  for (qnml::ScoreKind kind :
       {qnml::ScoreKind::qnml, qnml::ScoreKind::bic, qnml::ScoreKind::bdeu, qnml::ScoreKind::fnml, qnml::ScoreKind::k2,
        qnml::ScoreKind::bdj, qnml::ScoreKind::bdq}) {
    problems.push_back(problem_of(table.view, kind, 1.0, 2));
  }
  std::vector<qnml::ExactTask> tasks;
  for (const qnml::SearchProblem& problem : problems) {
    for (bool dense : {true, false}) tasks.push_back({problem, {.dense = dense}});
  }
  qnml::Control control;
  const std::vector<qnml::ExactResult> together = qnml::learn_exact_together(tasks, control);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    qnml::SearchProblem problem = tasks[i].problem;
    problem.threads = 1;
    const qnml::ExactResult alone = qnml::learn_exact(problem, tasks[i].options, control);
    CHECK(together[i].optimal);
    CHECK(together[i].parents == alone.parents);
    CHECK(together[i].score == alone.score);
  }
}

// Measured layer sizes: of barley (48 variables), where the search ends, and of hailfinder (56).
TEST_CASE("the forecast is an upper bound") {
  const std::vector<std::size_t> ends = {
      1,       1,       1,       1,       1,       1,       1,       1,       1,       39,      427,     2657,
      11595,   39074,   107071,  247059,  493070,  866631,  1362196, 1935265, 2509750, 2993762, 3305676, 3401475,
      3275244, 2968895, 2542396, 2066194, 1599526, 1182711, 838036,  569365,  371709,  232580,  139649,  79885,
      43777,   22570,   11078,   5240,    2136,    1011,    337,     143,     70,      11,      12,      1};
  double all = 0.0;
  for (std::size_t size : ends) all += static_cast<double>(size);
  for (std::size_t layers = 1; layers <= ends.size(); ++layers) {
    const std::vector<std::size_t> first(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(layers));
    CHECK(qnml::expected_states(first, 48) <= 1.01 * all);
  }
  CHECK(qnml::expected_states(ends, 48) == all);
  CHECK(qnml::expected_states({1, 55, 1369, 21117, 230350, 1911681}, 56) > 1e8);
}

// Any known network leads to the same result; a limit that is too low is reported, with a valid bound.
TEST_CASE("a known network does not change the answer") {
  const RandomTable table(std::vector<std::uint32_t>(17, 3), 60, 5, false);
  const std::size_t n = 17;
  qnml::SearchProblem problem = problem_of(table.view, qnml::ScoreKind::bic, 0.0, 2);
  problem.rules.max_parents.assign(n, 2);
  qnml::Control control;
  const auto run = [&](const qnml::ExactOptions& options) { return qnml::learn_exact(problem, options, control); };
  const qnml::ExactResult found = run({.dense = false});
  CHECK(found.optimal);
  for (const auto& known : {std::vector<std::uint64_t>(n, 0), found.parents}) {
    qnml::ExactOptions again{.dense = false, .known = known};
    const qnml::ExactResult same = run(again);
    CHECK(same.optimal);
    CHECK(same.parents == found.parents);
    CHECK(same.score == found.score);
    again.most_states = 10.0;
    const qnml::ExactResult given_up = run(again);
    CHECK(!given_up.optimal);
    CHECK(given_up.outgrown);
    CHECK(!given_up.out_of_memory);
    CHECK(given_up.has_network);
    CHECK(given_up.bound >= found.score);
    CHECK(given_up.score <= found.score);
    again.most_sets = 10.0;
    CHECK(run(again).outgrown);
    CHECK(run(again).parents == known);
  }
}

}  // namespace
