#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/counting/columns.hpp"
#include "core/scores/family_cache.hpp"
#include "core/scores/make_score.hpp"
#include "tests/all_scores.hpp"
#include "tests/close_to.hpp"
#include "tests/doctest.h"
#include "tests/random_table.hpp"

namespace {

using qnml::ScoreKind;

constexpr double kEverything = std::numeric_limits<double>::infinity();

std::vector<int> random_parents(std::mt19937_64& random, int n, int child, std::size_t size) {
  std::vector<int> parents;
  while (parents.size() < size) {
    const int parent = static_cast<int>(random() % static_cast<std::uint64_t>(n));
    if (parent != child && std::find(parents.begin(), parents.end(), parent) == parents.end()) {
      parents.push_back(parent);
    }
  }
  std::sort(parents.begin(), parents.end());
  return parents;
}

// Only families that score less than a whole network without arcs are left out, since no local score is above zero.
void check_score(double found, double expected, double without_arcs) {
  if (std::isinf(found)) {
    CHECK(expected < without_arcs);
  } else {
    CHECK(found == close_to(expected, 1e-11));
  }
}

// Every score agrees with the one computed from profiles, however the rows were partitioned.
void agrees(const qnml::Columns& table, unsigned seed) {
  const int n = static_cast<int>(table.columns.size());
  for (ScoreKind kind : kAllScores) {
    qnml::FamilyCache cache(table, qnml::make_score(kind, 0.5, table), kEverything, 1e6);
    double without_arcs = 0.0;
    for (int child = 0; child < n; ++child) without_arcs += local_score(table, kind, 0.5, child, {});
    std::mt19937_64 random(seed);
    for (int repeat = 0; repeat < 60; ++repeat) {
      const int child = static_cast<int>(random() % static_cast<std::uint64_t>(n));
      const std::vector<int> parents = random_parents(random, n, child, random() % 5);
      check_score(cache.score(child, parents), local_score(table, kind, 0.5, child, parents), without_arcs);
      std::vector<int> candidates;
      for (int other = 0; other < n; ++other) {
        if (other != child && !std::binary_search(parents.begin(), parents.end(), other)) candidates.push_back(other);
      }
      std::vector<double> scores(candidates.size());
      cache.additions(child, parents, candidates, scores.data());
      for (std::size_t k = 0; k < candidates.size(); ++k) {
        std::vector<int> more = parents;
        more.insert(std::lower_bound(more.begin(), more.end(), candidates[k]), candidates[k]);
        check_score(scores[k], local_score(table, kind, 0.5, child, more), without_arcs);
        CHECK(cache.score(child, more) == scores[k]);
      }
    }
  }
}

}  // namespace

TEST_CASE("scores equal those of one family at a time") {
  agrees(RandomTable({2, 3, 4, 2, 1, 5, 2, 70, 300}, 150, 3).view, 1);
  agrees(RandomTable({2, 3, 4, 2, 6, 5, 2, 3}, 3000, 4).view, 2);
  agrees(RandomTable({2, 3, 4, 2, 6, 5, 2, 300}, 90, 5, true).view, 3);
}

TEST_CASE("neither memory nor threads change a bit") {
  const RandomTable table({2, 3, 4, 2, 6, 5, 2, 3, 2, 2, 4}, 500, 6);
  for (ScoreKind kind : kAllScores) {
    qnml::FamilyCache roomy(table.view, qnml::make_score(kind, 0.5, table.view), kEverything, 1e8);
    qnml::FamilyCache narrow(table.view, qnml::make_score(kind, 0.5, table.view), kEverything, 1.0);
    constexpr std::size_t kFamilies = 1200;
    std::vector<double> first(kFamilies), second(kFamilies);
    auto fill = [&](qnml::FamilyCache& cache, std::vector<double>& scores, int threads) {
      qnml::parallel_for(kFamilies, threads, [&](int, std::size_t f) {
        std::mt19937_64 random(f % 400);
        const int child = static_cast<int>(random() % 11);
        scores[f] = cache.score(child, random_parents(random, 11, child, random() % 6));
      });
    };
    fill(roomy, first, 1);
    fill(narrow, second, 4);
    CHECK(first == second);
    CHECK(roomy.sets_counted() < narrow.sets_counted());
    // Multiples of the unit, so that sums are exact.
    for (double score : first) CHECK(std::fmod(score, roomy.unit()) == 0.0);
  }
}

TEST_CASE("families above the limit on cells are refused unless admitted") {
  const RandomTable table({2, 3, 4, 2, 6, 5, 2, 3, 2, 2, 4}, 500, 6);
  qnml::FamilyCache capped(table.view, qnml::make_score(ScoreKind::bic, 0.0, table.view), 24.0, 1e6);
  capped.admit(0, {2, 4});
  capped.admit(1, {2, 4});
  CHECK(std::isfinite(capped.score(2, {4})));
  CHECK(std::isfinite(capped.score(0, {2, 4})));
  CHECK(capped.score(3, {2, 4}) == -kEverything);
  CHECK(capped.score(1, {0, 2, 4}) == -kEverything);
  qnml::FamilyCache strict(table.view, qnml::make_score(ScoreKind::bic, 0.0, table.view), 1.0, 1e6);
  CHECK(std::isfinite(strict.score(4, {})));
}

TEST_CASE("prices beyond the range of a double") {
  const RandomTable many(std::vector<std::uint32_t>(120, 1000), 20, 7);
  qnml::FamilyCache wide(many.view, qnml::make_score(ScoreKind::bic, 0.0, many.view), kEverything, 1e6);
  qnml::FamilyCache quotient(many.view, qnml::make_score(ScoreKind::qnml, 0.0, many.view), kEverything, 1e6);
  std::vector<int> everyone;
  for (int variable = 1; variable < 120; ++variable) everyone.push_back(variable);
  CHECK(wide.score(0, everyone) == -kEverything);
  CHECK(quotient.score(0, everyone) == close_to(local_score(many.view, ScoreKind::qnml, 0.5, 0, everyone), 1e-9));
}
