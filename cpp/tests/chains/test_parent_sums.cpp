#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "core/base/control.hpp"
#include "core/chains/parent_sums.hpp"
#include "core/numbers/minus_infinity.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/make_score.hpp"
#include "tests/all_scores.hpp"
#include "tests/close_to.hpp"
#include "tests/doctest.h"
#include "tests/problem_of.hpp"
#include "tests/random_table.hpp"

namespace {

using Lists = std::vector<std::vector<int>>;

Lists everyone_else(int n) {
  Lists lists;
  for (int child = 0; child < n; ++child) lists.push_back(members_of(((1ULL << n) - 1) ^ (1ULL << child)));
  return lists;
}

std::vector<qnml::ParentSums> sums_of(const RandomTable& table, qnml::ScoreKind kind, const Lists& candidates,
                                      const Lists& required) {
  qnml::SearchProblem problem = problem_of(table.view, kind, 0.5);
  for (std::size_t child = 0; child < required.size(); ++child) {
    for (int parent : required[child]) problem.rules.required.set(static_cast<int>(child), parent);
  }
  qnml::Control control;
  return qnml::parent_sums(problem, candidates, control);
}

// log of the sum of exp(term) over the sets that `takes` accepts.
template <class Takes>
double log_sum(const std::vector<double>& terms, const Takes& takes) {
  double largest = qnml::kMinusInfinity;
  for (std::uint32_t set = 0; set < terms.size(); ++set) {
    if (takes(set)) largest = std::max(largest, terms[set]);
  }
  if (largest == qnml::kMinusInfinity) return qnml::kMinusInfinity;
  double sum = 0.0;
  for (std::uint32_t set = 0; set < terms.size(); ++set) {
    if (takes(set)) sum += std::exp(terms[set] - largest);
  }
  return largest + std::log(sum);
}

}  // namespace

TEST_CASE("weights are local scores") {
  // Up to six columns, one walk of the lattice serves all children; the wider table needs one per child. The first
  // child has a required parent in addition to its candidates.
  for (int width : {6, 8}) {
    RandomTable table(std::vector<std::uint32_t>(static_cast<std::size_t>(width), 3), 60, 1);
    table.make_dependent(2);
    Lists candidates, required(static_cast<std::size_t>(width));
    for (int child = 0; child < width; ++child) candidates.push_back(members_of(0b11110U & ~(1U << child)));
    required[0] = {5};
    for (qnml::ScoreKind kind : kAllScores) {
      const std::vector<qnml::ParentSums> sums = sums_of(table, kind, candidates, required);
      for (std::size_t child = 0; child < sums.size(); ++child) {
        for (std::uint32_t set = 0; set < 1U << candidates[child].size(); ++set) {
          std::vector<int> parents = required[child];
          for (int place : members_of(set)) parents.push_back(candidates[child][static_cast<std::size_t>(place)]);
          const double expected = local_score(table.view, kind, 0.5, static_cast<int>(child), parents);
          CHECK(sums[child].log_weight(set) + sums[child].log_scale() == close_to(expected, 1e-9));
        }
      }
    }
  }
}

TEST_CASE("sums over sets that intersect others") {
  // With many rows, the terms span thousands of nats, and the sums cannot be computed as differences.
  for (std::size_t rows : {std::size_t{30}, std::size_t{30'000}}) {
    RandomTable table(std::vector<std::uint32_t>(7, 2), rows, 3);
    std::mt19937_64 random(rows);
    const unsigned noise[] = {0, 10, 20, 30, 45, 50, 50};  // per cent of the cells that differ from the first column
    for (std::size_t column = 1; column < 7; ++column) {
      for (std::size_t row = 0; row < rows; ++row) {
        const bool differs = (random() >> 11) % 100 < noise[column];
        table.narrow[column][row] = static_cast<std::uint8_t>(table.narrow[0][row] ^ (differs ? 1 : 0));
      }
    }
    const auto sums = sums_of(table, qnml::ScoreKind::qnml, everyone_else(7), Lists(7));
    int n_hard = 0;
    for (std::size_t child : {0, 1, 6}) {
      std::vector<double> weights;
      weights.reserve(64);
      for (std::uint32_t set = 0; set < 64; ++set) weights.push_back(sums[child].log_weight(set));
      for (std::uint32_t within = 0; within < 64; ++within) {
        for (std::uint32_t meeting : {1U, 2U, 8U, 16U, 32U, 48U, 63U}) {
          const double found = sums[child].log_meeting(within, meeting);
          const double expected =
              log_sum(weights, [&](std::uint32_t set) { return (set & ~within) == 0 && (set & meeting) != 0; });
          if (expected == qnml::kMinusInfinity) {
            CHECK(found == qnml::kMinusInfinity);
            continue;
          }
          CHECK(std::fabs(found - expected) < 5e-6);
          const double all = log_sum(weights, [&](std::uint32_t set) { return (set & ~within) == 0; });
          n_hard += all - found > std::log(1e6);
        }
      }
    }
    CHECK((n_hard > 0) == (rows == 30'000));
  }
}

TEST_CASE("more candidates than the error bound allows are rejected") {
  const std::vector<int> candidates(qnml::kMostCandidates + 1, 0);
  CHECK_THROWS_AS(qnml::ParentSums({}, candidates, {0.0}), std::invalid_argument);
}
