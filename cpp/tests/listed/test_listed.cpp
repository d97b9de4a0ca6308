// Searches among listed families, compared with all choices of families without cycles.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <vector>

#include "core/listed/listed_exact.hpp"
#include "core/listed/listed_k_best.hpp"
#include "core/listed/listed_problem.hpp"
#include "core/listed/listed_search.hpp"
#include "tests/doctest.h"

namespace {

struct Lists {
  int n;
  std::vector<std::int64_t> first{0}, offsets{0};
  std::vector<std::int32_t> parents;
  std::vector<double> scores;

  qnml::ListedProblem problem(int threads = 1) const {
    const qnml::Rules rules = qnml::Rules::none(n);
    return {qnml::ListedFamilies({first, offsets, parents, scores}, rules), rules,
            std::numeric_limits<double>::infinity(), threads, 1};
  }
};

// Families of random sets with small integer scores, some of them several times.
Lists random_lists(int n, std::mt19937& random) {
  Lists lists{n};
  for (int child = 0; child < n; ++child) {
    const int count = 1 + static_cast<int>(random() % 6);
    for (int k = 0; k < count; ++k) {
      for (int parent = 0; parent < n; ++parent) {
        if (parent != child && random() % 3 == 0) lists.parents.push_back(parent);
      }
      lists.offsets.push_back(static_cast<std::int64_t>(lists.parents.size()));
      lists.scores.push_back(static_cast<double>(random() % 16) - 10.0);
    }
    lists.first.push_back(static_cast<std::int64_t>(lists.scores.size()));
  }
  return lists;
}

// The best sum over choices of one family for each child without a cycle.
std::optional<double> best_of_all(const Lists& lists) {
  const auto n = static_cast<std::size_t>(lists.n);
  std::optional<double> best;
  std::vector<std::int64_t> chosen(lists.first.begin(), lists.first.end() - 1);
  for (bool more = true; more;) {
    std::uint32_t placed = 0;
    double sum = 0.0;
    for (std::size_t round = 0; round < n; ++round) {
      for (std::size_t child = 0; child < n; ++child) {
        const auto f = static_cast<std::size_t>(chosen[child]);
        bool fits = true;
        for (auto k = lists.offsets[f]; k < lists.offsets[f + 1]; ++k) {
          fits &= (placed >> lists.parents[static_cast<std::size_t>(k)] & 1) != 0;
        }
        if (fits) placed |= 1U << child;
      }
    }
    for (std::int64_t f : chosen) sum += lists.scores[static_cast<std::size_t>(f)];
    if (placed + 1 == 1U << n && (!best || sum > *best)) best = sum;
    more = false;
    for (std::size_t child = 0; child < n && !more; ++child) {
      more = ++chosen[child] < lists.first[child + 1];
      if (!more) chosen[child] = lists.first[child];
    }
  }
  return best;
}

}  // namespace

TEST_CASE("the best network of listed families is that of all choices") {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    const Lists lists = random_lists(1 + round % 5, random);
    const std::optional<double> best = best_of_all(lists);
    qnml::Control control;
    const qnml::ExactResult exact = qnml::learn_listed_exact(lists.problem(), {}, control);
    const qnml::LocalSearchResult orders = qnml::learn_listed(lists.problem(1 + round % 3), {}, control);
    qnml::KBestOptions options;
    options.k = 1;
    const qnml::KBestResult first = qnml::k_best_listed(lists.problem(), options, control);
    CHECK(exact.has_network == best.has_value());
    CHECK(orders.network.parents.empty() == !best.has_value());
    CHECK(first.scores.empty() == !best.has_value());
    if (!best) continue;
    CHECK(exact.optimal);
    CHECK(exact.score == *best);
    CHECK(orders.network.score == *best);
    CHECK(orders.bound >= *best);
    CHECK(first.scores.front() == *best);
  }
}

TEST_CASE("rounding keeps the order of scores and what doubles can tell apart") {
  const double next = std::nextafter(-1.0, 0.0);
  const Lists lists{2, {0, 2, 3}, {0, 0, 1, 1}, {1}, {-1.0, next, -1.0}};
  qnml::Control control;
  const qnml::ExactResult found = qnml::learn_listed_exact(lists.problem(), {}, control);
  CHECK(found.has_ties);  // within 1e-9 of the score
  const qnml::ListedProblem problem = lists.problem();
  const auto& list = problem.families.of(0);
  CHECK(list.size() == 2);
  CHECK(list[0].score >= list[1].score);
}

TEST_CASE("sets that a subset beats are left out, ties as far as wanted") {
  // Child 2: {} -5, {0} -3, {1} -5, {0, 1} -4, and {0} once more with -9.
  const Lists lists{3, {0, 1, 2, 7}, {0, 0, 0, 0, 1, 2, 4, 5}, {0, 1, 0, 1, 0}, {-1, -1, -5, -3, -5, -4, -9}};
  qnml::ListedProblem problem = lists.problem();
  CHECK(problem.families.n_admitted() == 7);
  qnml::ListedFamilies strict = problem.families;
  CHECK(!strict.drop_beaten(0, 0));
  CHECK(strict.of(2).size() == 2);
  qnml::ListedFamilies with_ties = problem.families;
  CHECK(with_ties.drop_beaten(0, 10));
  CHECK(with_ties.of(2).size() == 3);
  const std::vector<int> zero{0}, one{1};
  CHECK(strict.find(2, zero) == 0);
  CHECK(strict.find(2, one) == -1);
}
