#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/columns.hpp"
#include "core/exact/alive_sets.hpp"
#include "core/exact/family_scorer.hpp"
#include "core/scores/integer_score.hpp"
#include "core/scores/make_score.hpp"
#include "tests/all_scores.hpp"
#include "tests/close_to.hpp"
#include "tests/doctest.h"
#include "tests/random_table.hpp"

namespace {

constexpr int kVariables = 5;
constexpr std::uint64_t kSets = 1 << kVariables;

std::vector<std::uint64_t> all_sets() {
  std::vector<std::uint64_t> sets(kSets);
  std::iota(sets.begin(), sets.end(), std::uint64_t{0});
  return sets;
}

// Every family of one child has its local score, and no superset with at most `most` parents scores above its bound.
void check_child(const RandomTable& table, qnml::ScoreKind kind, qnml::PriorKind prior, int most, int child) {
  constexpr double kParameter = 0.7;
  const qnml::IntegerScore score(qnml::make_score(kind, kParameter, table.view, 1, prior), qnml::levels_of(table.view));
  qnml::Control control;
  qnml::NeededSets values;
  values.compute(table.view, score, all_sets(), qnml::NeededSets(), control, 1);
  const std::int64_t fit = qnml::best_fits(table.view, score, control, 1)[static_cast<std::size_t>(child)];
  qnml::FamilyScorer scorer(table.view, score, child, fit, most);

  std::vector<double> local(kSets);
  for (std::uint64_t set = 0; set < kSets; ++set) {
    if (set >> child & 1) continue;
    local[set] = local_score(table.view, kind, kParameter, child, members_of(set)) +
                 log_prior(prior, kVariables, std::popcount(set));
  }
  for (std::uint64_t set = 0; set < kSets; ++set) {
    if ((set >> child & 1) || std::popcount(set) > most) continue;
    const auto result = scorer(set, qnml::product_index(score, set), values);
    CHECK(static_cast<double>(result.score) * score.unit() == close_to(local[set], 1e-9));
    double best_above = local[set];
    for (std::uint64_t larger = set; larger < kSets; ++larger) {
      const bool is_superset = (larger & set) == set && (larger >> child & 1) == 0;
      if (is_superset && std::popcount(larger) <= most) best_above = std::max(best_above, local[larger]);
    }
    const double bound = static_cast<double>(result.bound) * score.unit();
    CHECK(bound >= best_above - 1e-9 * std::max(1.0, std::fabs(best_above)));
  }
}

}  // namespace

TEST_CASE("scores are local scores, and no superset scores above the bound") {
  for (qnml::ScoreKind kind : kAllScores) {
    for (unsigned seed = 0; seed < 12; ++seed) {
      const std::size_t rows[] = {3, 12, 60, 200};
      RandomTable table({2, 3, seed % 3 == 0 ? 1U : 4U, 2, 1 + seed % 4}, rows[seed % 4], seed, seed % 5 == 4);
      if (seed % 4 != 3) table.make_dependent(seed);
      if (table.view.total == 0) continue;
      for (int child = 0; child < kVariables; ++child) {
        check_child(table, kind, qnml::PriorKind::uniform, kVariables, child);
        for (int most = 1; most < kVariables; ++most) check_child(table, kind, qnml::PriorKind::sparse, most, child);
      }
    }
  }
}
