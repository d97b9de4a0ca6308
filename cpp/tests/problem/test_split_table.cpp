// A table in which each family counts its own rows, against a dynamic program over plainly counted families.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/columns.hpp"
#include "core/exact/exact.hpp"
#include "core/graph/rules.hpp"
#include "core/k_best/k_best.hpp"
#include "core/local/local_search.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/family_cache.hpp"
#include "core/scores/score.hpp"
#include "core/sums/family_weights.hpp"
#include "tests/all_scores.hpp"
#include "tests/close_to.hpp"
#include "tests/doctest.h"
#include "tests/problem_of.hpp"
#include "tests/random_table.hpp"

namespace {

const std::vector<std::uint32_t> kLevels{2, 3, 2, 2, 3, 2};
constexpr int kSize = 6;

// The parts of a real table are some of its rows. To the core they are tables with the same levels.
struct SplitTable {
  SplitTable() : whole(kLevels, 90, 1), others(kLevels, 60, 2, true), none(kLevels, 0, 3) {
    whole.make_dependent(4);
    others.make_dependent(5);
    auto parts = std::make_shared<qnml::RowParts>();
    parts->tables = {whole.view, others.view, none.view};
    parts->of_child = {0, 1, 0, 1, 0, 2};
    view = whole.view;
    view.parts = parts;
  }

  RandomTable whole, others, none;
  qnml::Columns view;
};

std::vector<int> members(std::uint64_t set) {
  std::vector<int> list;
  for (; set != 0; set &= set - 1) list.push_back(std::countr_zero(set));
  return list;
}

double plain_score(const SplitTable& table, qnml::ScoreKind kind, int child, std::uint64_t parents) {
  const qnml::Columns& rows = table.view.of(child);
  return rows.rows == 0 ? 0.0 : local_score(rows, kind, 1.0, child, members(parents));
}

// The best score over all orders of the variables.
double best_score(const SplitTable& table, qnml::ScoreKind kind) {
  constexpr std::uint64_t kSets = std::uint64_t{1} << kSize;
  std::vector<std::vector<double>> best_inside(kSize, std::vector<double>(kSets));
  for (int child = 0; child < kSize; ++child) {
    for (std::uint64_t set = 0; set < kSets; ++set) {
      if ((set >> child & 1) != 0) continue;
      double& best = best_inside[static_cast<std::size_t>(child)][set];
      best = plain_score(table, kind, child, set);
      for (int member : members(set)) {
        best = std::max(best, best_inside[static_cast<std::size_t>(child)][set ^ std::uint64_t{1} << member]);
      }
    }
  }
  std::vector<double> best(kSets, 0.0);
  for (std::uint64_t set = 1; set < kSets; ++set) {
    best[set] = -1e300;
    for (int last : members(set)) {
      const std::uint64_t rest = set ^ std::uint64_t{1} << last;
      best[set] = std::max(best[set], best[rest] + best_inside[static_cast<std::size_t>(last)][rest]);
    }
  }
  return best.back();
}

}  // namespace

TEST_CASE("every search counts each family on its own rows") {
  const SplitTable table;
  for (qnml::ScoreKind kind : kAllScores) {
    const double best = best_score(table, kind);
    for (int threads : {1, 2}) {
      const qnml::SearchProblem problem = problem_of(table.view, kind, 1.0, threads);
      for (bool dense : {true, false}) {
        if (dense && dynamic_cast<const qnml::CellScore*>(problem.score.get()) == nullptr)
          continue;  // no sums over cells
        qnml::Control control;
        const qnml::ExactResult exact = qnml::learn_exact(problem, {.dense = dense}, control);
        CHECK(exact.optimal);
        CHECK(exact.score == close_to(best, 1e-9));
      }
      qnml::Control control;
      const qnml::LocalSearchResult local =
          qnml::learn_local(problem, {.method = qnml::LocalMethod::hill_climbing}, control);
      CHECK(local.network.score <= best + 1e-6);
      CHECK(local.bound >= best - 1e-6);
      qnml::Control other;
      const qnml::KBestResult ranked = qnml::k_best(problem, {.k = 3, .by_class = false}, other);
      REQUIRE(ranked.scores.size() == 3);
      CHECK(ranked.scores.front() == close_to(best, 1e-9));
    }
  }
}

TEST_CASE("families of a split table") {
  const SplitTable table;
  for (qnml::ScoreKind kind : kAllScores) {
    const qnml::SearchProblem problem = problem_of(table.view, kind, 1.0);
    qnml::FamilyCache cache(problem.table, problem.score, 1e300, 1e6, problem.part_scores);
    CHECK(!cache.is_equivalent());
    qnml::Control control;
    const std::vector<double> weights = qnml::family_log_scores(problem, control);
    for (int child = 0; child < kSize; ++child) {
      for (std::uint64_t others = 0; others < std::uint64_t{1} << (kSize - 1); ++others) {
        const std::uint64_t low = (std::uint64_t{1} << child) - 1;
        const std::uint64_t parents = (others & low) | (others & ~low) << 1;
        const double expected = plain_score(table, kind, child, parents);
        const std::size_t place = (static_cast<std::size_t>(child) << (kSize - 1)) + others;
        CHECK(weights[place] == close_to(expected, 1e-9));
        if (kind != qnml::ScoreKind::k2) CHECK(cache.score(child, members(parents)) <= expected + 1e-6);
      }
    }
  }
}
