#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/exact/candidate_filter.hpp"
#include "core/exact/candidates.hpp"
#include "core/exact/device_lattice.hpp"
#include "core/exact/exact.hpp"
#include "core/graph/rules.hpp"
#include "core/numbers/subset_transform.hpp"
#include "core/scores/family_scores.hpp"
#include "core/scores/integer_score.hpp"
#include "core/scores/make_score.hpp"
#include "tests/doctest.h"
#include "tests/problem_of.hpp"
#include "tests/random_table.hpp"

namespace {

using qnml::DeviceLattice;
using qnml::ScoreKind;

const std::vector<std::uint32_t> kLevels{2, 3, 2, 4, 2, 300, 3};
constexpr int kSize = 7;

qnml::FamilyScores scores_of(const RandomTable& table, const qnml::IntegerScore& score) {
  qnml::FamilyScores families(table.view, score);
  qnml::Control control;
  CHECK(qnml::FamilyScores::compute({&families}, control, 1));
  return families;
}

TEST_CASE("the values that a device is checked by are those of the walk") {
  RandomTable table(kLevels, 400, 5, true);
  table.make_dependent(6);
  for (ScoreKind kind : {ScoreKind::qnml, ScoreKind::bdeu, ScoreKind::fnml}) {
    const qnml::IntegerScore score(qnml::make_score(kind, 1.0, table.view), kLevels);
    const qnml::FamilyScores families = scores_of(table, score);
    qnml::Control control;
    const DeviceLattice lattice(table.view, score, qnml::MaskRules(qnml::Rules::none(kSize)), {}, control, 1);
    CHECK(lattice.lattice().column_of_bit() == families.column_of_bit());
    bool is_same = true;
    for (int bit = 0; bit < kSize; ++bit) {
      const std::vector<std::int64_t> prices = families.prices(bit);
      for (std::uint64_t t = 0; t < std::uint64_t{1} << (kSize - 1); ++t) {
        std::int64_t expected = 0;
        families.fill(bit, prices, t, 1, &expected);
        const std::uint64_t parents = qnml::insert_zero(t, bit);
        const std::array sets{parents | std::uint64_t{1} << bit, parents};
        const std::int64_t cells = lattice.counted_values(std::span(sets).first(1), -1)[0];
        const std::int64_t configs = lattice.counted_values(std::span(sets).last(1), lattice.config_class(bit))[0];
        is_same &= cells - configs - lattice.prices(bit)[families.product_index(parents)] == expected;
      }
    }
    CHECK(is_same);
  }
}

TEST_CASE("codes and weights are those of the merged rows") {
  const RandomTable table(kLevels, 2000, 7, true);
  const qnml::IntegerScore score(qnml::make_score(ScoreKind::bic, 0.0, table.view), kLevels);
  qnml::Control control;
  const DeviceLattice lattice(table.view, score, qnml::MaskRules(qnml::Rules::none(kSize)), {}, control, 1);
  const auto& weights = lattice.lattice().weights();
  CHECK(std::accumulate(weights.begin(), weights.end(), std::uint64_t{0}) == table.view.total);
  CHECK(lattice.lattice().byte_bits() == kSize - 1);  // 300 levels do not fit into a byte
  for (int bit = 0; bit < kSize; ++bit) {
    std::uint32_t most = 0;
    for (std::size_t row = 0; row < lattice.lattice().rows(); ++row) {
      most = std::max<std::uint32_t>(most, lattice.lattice().code(bit, row) + 1U);
    }
    CHECK(most == lattice.lattice().observed(bit));
  }
}

// Stands for a device: scores every parent set by counting, and compares it with all its subsets.
bool list_all(DeviceLattice& lattice) {
  const int n = lattice.n_variables();
  for (int bit = 0; bit < n; ++bit) {
    const std::vector<std::int64_t> prices = lattice.prices(bit);
    std::vector<std::uint64_t> parents;
    std::vector<std::int64_t> scores;
    for (std::uint64_t t = 0; t < std::uint64_t{1} << (n - 1); ++t) {
      parents.push_back(qnml::insert_zero(t, bit));
      const std::array sets{parents.back() | std::uint64_t{1} << bit, parents.back()};
      std::uint32_t index = 0;
      for (int other = 0; other < n; ++other) index += (parents.back() >> other & 1) != 0 ? lattice.stride(other) : 0;
      scores.push_back(lattice.counted_values(std::span(sets).first(1), -1)[0] -
                       lattice.counted_values(std::span(sets).last(1), lattice.config_class(bit))[0] - prices[index]);
    }
    std::vector<std::uint64_t> kept;
    std::vector<std::int64_t> values;
    std::vector<std::uint8_t> ranks;
    for (std::uint64_t t = 0; t < scores.size(); ++t) {
      auto rank = qnml::Rank::best;
      for (std::uint64_t u = (t - 1) & t; t != 0; u = (u - 1) & t) {
        if (scores[u] > scores[t] + lattice.ties().tolerance) rank = qnml::Rank::beaten;
        if (scores[u] >= scores[t] && rank == qnml::Rank::best) rank = qnml::Rank::tied;
        if (u == 0) break;
      }
      if (rank == qnml::Rank::beaten) continue;
      kept.push_back(parents[t]);
      values.push_back(scores[t]);
      ranks.push_back(static_cast<std::uint8_t>(rank));
    }
    lattice.take(bit, scores[0], kept, values, ranks, scores.size());
  }
  lattice.set_visits(42);
  return true;
}

TEST_CASE("a search with candidates from elsewhere gives what the core alone gives") {
  RandomTable table({2, 3, 2, 4, 2, 2}, 90, 8);
  table.make_dependent(9);
  for (ScoreKind kind : {ScoreKind::qnml, ScoreKind::bdeu, ScoreKind::k2}) {
    const qnml::SearchProblem problem = problem_of(table.view, kind, 1.0);
    qnml::ExactOptions options;
    qnml::Control control;
    const qnml::ExactResult alone = qnml::learn_exact(problem, options, control);
    options.source = list_all;
    const qnml::ExactResult found = qnml::learn_exact(problem, options, control);
    CHECK(found.optimal);
    CHECK(found.visits == 42);
    CHECK(found.parents == alone.parents);
    CHECK(found.score == alone.score);
    CHECK(found.has_ties == alone.has_ties);
    options.source = [](DeviceLattice&) { return false; };
    const qnml::ExactResult stopped = qnml::learn_exact(problem, options, control);
    CHECK(!stopped.optimal);
    CHECK(stopped.has_network);
  }
}

}  // namespace
