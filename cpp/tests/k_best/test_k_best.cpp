#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "core/base/control.hpp"
#include "core/graph/network_classes.hpp"
#include "core/k_best/k_best.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/make_score.hpp"
#include "tests/doctest.h"
#include "tests/problem_of.hpp"
#include "tests/random_table.hpp"

namespace {

qnml::KBestResult best_of(const RandomTable& table, qnml::ScoreKind kind, std::uint64_t k, bool by_class,
                          int threads = 1, double memory_limit = 1e9) {
  qnml::KBestOptions options;
  options.k = k;
  options.by_class = by_class;
  qnml::SearchProblem problem = problem_of(table.view, kind, 1.0, threads);
  problem.memory_limit = memory_limit;
  qnml::Control control;
  return qnml::k_best(problem, options, control);
}

// The numbers of acyclic graphs and of their classes are known (OEIS A003024 and A007984). None may be missing or
// listed twice, whatever the scores.
TEST_CASE("all networks are listed once") {
  const std::vector<std::size_t> networks = {1, 3, 25, 543, 29281};
  const std::vector<std::size_t> classes = {1, 2, 11, 185, 8782};
  for (std::size_t n = 1; n <= 5; ++n) {
    const RandomTable table(std::vector<std::uint32_t>(n, 2), 20 * n, static_cast<unsigned>(n));
    for (qnml::ScoreKind kind : {qnml::ScoreKind::qnml, qnml::ScoreKind::k2}) {
      const qnml::KBestResult all = best_of(table, kind, 100'000, false);
      CHECK(all.is_exhausted);
      CHECK(all.parents.size() == networks[n - 1]);
      CHECK(std::set(all.parents.begin(), all.parents.end()).size() == networks[n - 1]);
      CHECK(std::is_sorted(all.scores.rbegin(), all.scores.rend()));
      const qnml::KBestResult by_class = best_of(table, kind, 100'000, true);
      CHECK(by_class.is_exhausted);
      CHECK(by_class.parents.size() == classes[n - 1]);
      CHECK(std::is_sorted(by_class.scores.rbegin(), by_class.scores.rend()));
    }
  }
}

TEST_CASE("the result depends on neither the number of threads nor k") {
  const RandomTable table({2, 3, 2, 2, 4, 2, 3, 2, 2}, 90, 5);
  for (bool by_class : {false, true}) {
    const qnml::KBestResult many = best_of(table, qnml::ScoreKind::fnml, 200, by_class, 2);
    const qnml::KBestResult few = best_of(table, qnml::ScoreKind::fnml, 20, by_class);
    CHECK(many.parents.size() == 200);
    CHECK(few.parents.size() == 20);
    CHECK(std::equal(few.scores.begin(), few.scores.end(), many.scores.begin()));
    CHECK(few.bound >= many.scores[20]);
  }
}

TEST_CASE("limits end the search") {
  const RandomTable table({2, 3, 2, 2, 4, 2, 3, 2, 2}, 90, 5);
  const double fixed = qnml::k_best_bytes(9, 0, 1);
  const qnml::KBestResult cramped = best_of(table, qnml::ScoreKind::qnml, 10'000, false, 1, fixed + 1e5);
  CHECK(cramped.out_of_memory);
  CHECK(!cramped.is_exhausted);
  const qnml::KBestResult enough = best_of(table, qnml::ScoreKind::qnml, cramped.scores.size() + 1, false);
  CHECK(std::equal(cramped.scores.begin(), cramped.scores.end(), enough.scores.begin()));
  CHECK(cramped.bound >= enough.scores.back());
}

TEST_CASE("equivalence means the same skeleton and colliders") {
  const std::uint32_t chain[] = {0, 0b001, 0b010};     // a -> b -> c
  const std::uint32_t fork[] = {0b010, 0, 0b010};      // a <- b -> c
  const std::uint32_t collider[] = {0, 0b101, 0};      // a -> b <- c
  const std::uint32_t complete[] = {0, 0b001, 0b011};  // a -> b -> c, a -> c
  const std::uint32_t turned[] = {0b110, 0b100, 0};
  CHECK(qnml::are_equivalent(chain, fork, 3));
  CHECK(!qnml::are_equivalent(chain, collider, 3));
  CHECK(qnml::are_equivalent(complete, turned, 3));
  CHECK(!qnml::are_equivalent(chain, complete, 3));
}

}  // namespace
