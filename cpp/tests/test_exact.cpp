#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "core/count.hpp"
#include "core/exact.hpp"
#include "core/lattice.hpp"
#include "core/subset_transform.hpp"
#include "tests/check.hpp"
#include "tests/random_table.hpp"
#include "tests/tests.hpp"

namespace {

// Every set of the lattice against the counter, for tables that reach the corners of the walk: fewer variables than a
// block, more, wide columns, constant columns, weights.
void lattice_sums_are_those_of_the_counter() {
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

void transforms_are_those_of_all_subsets() {
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

// Many weights in one walk give what each gives in a walk of its own; more than one batch of lanes, both widths of
// counts.
void many_weights_give_what_each_gives_alone() {
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
        // Sets that are asked for come out the same when others are not.
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
          // The order of the variables follows the weights; compare by column.
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

// Both ways to the candidates and one or two threads end at the same network; stopping at once still gives one.
void ways_and_threads_agree() {
  const RandomTable table({2, 3, 2, 2, 4, 2, 3, 2, 2, 2}, 120, 9);
  const std::size_t n = table.view.columns.size();
  qnml::Constraints constraints;
  for (std::size_t v = 0; v < n; ++v) {
    constraints.allowed.push_back(((std::uint64_t{1} << n) - 1) ^ std::uint64_t{1} << v);
    constraints.required.push_back(0);
    constraints.max_parents.push_back(static_cast<int>(n) - 1);
  }
  for (qnml::ScoreKind kind :
       {qnml::ScoreKind::qnml, qnml::ScoreKind::bic, qnml::ScoreKind::bdeu, qnml::ScoreKind::fnml}) {
    std::vector<std::uint64_t> first;
    for (bool dense : {true, false}) {
      for (int threads : {1, 2}) {
        const std::vector<qnml::ExactTask> tasks{{kind, 1.0, constraints, qnml::TieRule::simplest, 0, dense}};
        qnml::Control control;
        const qnml::ExactResult result = qnml::learn_exact(table.view, tasks, 1e9, control, threads).front();
        CHECK(result.found && result.optimal);
        if (first.empty()) first = result.parents;
        CHECK(result.parents == first);
        qnml::Control stopped;
        stopped.stop();
        const qnml::ExactResult early = qnml::learn_exact(table.view, tasks, 1e9, stopped, threads).front();
        CHECK(early.found && !early.optimal && early.score <= result.score && early.bound >= result.score);
      }
    }
  }
}

// Searches that share a walk find what they find alone.
void together_is_like_alone() {
  const RandomTable table({2, 3, 2, 2, 4, 2, 3, 2, 2, 5}, 90, 4);
  const std::size_t n = table.view.columns.size();
  qnml::Constraints constraints;
  for (std::size_t v = 0; v < n; ++v) {
    constraints.allowed.push_back(((std::uint64_t{1} << n) - 1) ^ std::uint64_t{1} << v);
    constraints.required.push_back(0);
    constraints.max_parents.push_back(static_cast<int>(n) - 1);
  }
  std::vector<qnml::ExactTask> tasks;
  for (qnml::ScoreKind kind :
       {qnml::ScoreKind::qnml, qnml::ScoreKind::bic, qnml::ScoreKind::bdeu, qnml::ScoreKind::fnml, qnml::ScoreKind::k2,
        qnml::ScoreKind::bdj, qnml::ScoreKind::bdq}) {
    for (bool dense : {true, false}) {
      tasks.push_back({kind, 1.0, constraints, qnml::TieRule::simplest, 0, dense});
    }
  }
  qnml::Control control;
  const std::vector<qnml::ExactResult> together = qnml::learn_exact(table.view, tasks, 1e9, control, 2);
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const qnml::ExactResult alone = qnml::learn_exact(table.view, {tasks[i]}, 1e9, control, 1).front();
    CHECK(together[i].optimal && together[i].parents == alone.parents && together[i].score == alone.score);
  }
}

}  // namespace

void test_exact() {
  lattice_sums_are_those_of_the_counter();
  transforms_are_those_of_all_subsets();
  many_weights_give_what_each_gives_alone();
  ways_and_threads_agree();
  together_is_like_alone();
}
