#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "core/base/control.hpp"
#include "core/exact/candidates.hpp"
#include "core/graph/rules.hpp"
#include "core/numbers/subset_transform.hpp"
#include "core/scores/family_scores.hpp"
#include "core/scores/integer_score.hpp"
#include "core/scores/make_score.hpp"
#include "tests/doctest.h"
#include "tests/random_table.hpp"

namespace {

using qnml::ScoreKind;

constexpr int kSize = 12;  // eight blocks of parent sets for each child

struct Scored {
  Scored(const RandomTable& table, ScoreKind kind, qnml::PriorKind prior)
      : score(qnml::make_score(kind, 1.0, table.view, 1, prior), qnml::levels_of(table.view)),
        families(table.view, score) {
    qnml::Control control;
    CHECK(qnml::FamilyScores::compute({&families}, control, 2));
    for (int column : families.column_of_bit()) {
      levels.push_back(table.view.columns[static_cast<std::size_t>(column)].levels);
    }
  }

  double cells(int bit, std::uint64_t parents) const {
    return score.product(families.product_index(parents)) * levels[static_cast<std::size_t>(bit)];
  }

  qnml::IntegerScore score;
  qnml::FamilyScores families;
  std::vector<std::uint32_t> levels;
};

// The admitted sets of a child with their scores.
std::map<std::uint64_t, std::int64_t> admitted(const Scored& scored, const qnml::MaskRules& rules, int bit) {
  std::map<std::uint64_t, std::int64_t> found;
  const std::vector<std::int64_t> prices = scored.families.prices(bit);
  for (std::uint64_t t = 0; t < std::uint64_t{1} << (kSize - 1); ++t) {
    const std::uint64_t parents = qnml::insert_zero(t, bit);
    if (!rules.admits(bit, parents, scored.cells(bit, parents))) continue;
    scored.families.fill(bit, prices, t, 1, &found[parents]);
  }
  return found;
}

// The list has every set that no subset beats by more than the tolerance, and none that a subset with one parent fewer
// beats.
void check_list(const std::map<std::uint64_t, std::int64_t>& values, const std::vector<qnml::Candidate>& list,
                std::uint64_t required, std::int64_t tolerance) {
  std::map<std::uint64_t, std::int64_t> listed;
  for (const qnml::Candidate& candidate : list) listed[candidate.parents] = candidate.score;
  bool has_all = true, has_no_more = true;
  std::map<std::uint64_t, std::int64_t> best;  // inside each set
  for (const auto& [parents, value] : values) {
    std::int64_t below = qnml::kImpossible, next = qnml::kImpossible;
    for (std::uint64_t rest = parents & ~required; rest != 0; rest &= rest - 1) {
      const std::uint64_t smaller = parents ^ (rest & (~rest + 1));
      below = std::max(below, best.at(smaller));
      next = std::max(next, values.at(smaller));
    }
    best[parents] = std::max(below, value);
    const auto mine = listed.find(parents);
    has_all &= value < below - tolerance || (mine != listed.end() && mine->second == value);
    has_no_more &= mine == listed.end() || value >= next - tolerance;
  }
  CHECK(has_all);
  CHECK(has_no_more);
  CHECK(std::all_of(listed.begin(), listed.end(), [&](const auto& one) { return values.contains(one.first); }));
}

qnml::MaskRules some_rules() {
  qnml::Rules rules = qnml::Rules::none(kSize);
  rules.required.set(2, 11);
  rules.required.set(2, 0);
  rules.required.set(5, 1);
  rules.max_parents[3] = 2;
  rules.max_parents[2] = 4;
  for (int parent : {1, 8, 10}) rules.allowed.clear(7, parent);
  rules.most_cells = 400.0;
  return qnml::MaskRules(rules);
}

void check_score(const RandomTable& table, ScoreKind kind, qnml::PriorKind prior) {
  const Scored scored(table, kind, prior);
  for (const qnml::MaskRules& rules : {qnml::MaskRules(qnml::Rules::none(kSize)), some_rules()}) {
    for (std::int64_t tolerance : {std::int64_t{0}, scored.score.price(0, 0) / 2}) {
      qnml::Control control;
      const qnml::Ties ties{tolerance, std::size_t{1} << 20};
      const qnml::CandidateLists lists =
          qnml::dense_candidates(scored.families, scored.score, scored.levels, rules, ties, control, 3);
      CHECK(lists.has_all_ties);
      std::uint64_t all = 0;
      for (int bit = 0; bit < kSize; ++bit) {
        const auto b = static_cast<std::size_t>(bit);
        const auto values = admitted(scored, rules, bit);
        all += values.size();
        check_list(values, lists.of_bit[b], rules.required[b], tolerance);
      }
      // Where a bound rules out blocks, their sets are not scored.
      CHECK(lists.families_scored <= all);
      if (tolerance == 0 && kind == ScoreKind::bic) CHECK(lists.families_scored < all);
      const bool has_bound = kind != ScoreKind::bdeu && kind != ScoreKind::k2;
      if (rules.is_free() && !has_bound && prior == qnml::PriorKind::uniform) CHECK(lists.families_scored == all);
    }
  }
}

TEST_CASE("candidates from the lattice are the sets that no subset beats") {
  RandomTable table({2, 3, 2, 4, 2, 2, 3, 2, 2, 3, 2, 2}, 150, 21);
  table.make_dependent(3);
  for (ScoreKind kind : {ScoreKind::qnml, ScoreKind::bic, ScoreKind::aic, ScoreKind::bdeu, ScoreKind::bdq,
                         ScoreKind::fnml, ScoreKind::k2, ScoreKind::loglik}) {
    for (qnml::PriorKind prior : {qnml::PriorKind::uniform, qnml::PriorKind::sparse}) check_score(table, kind, prior);
  }
}

}  // namespace
