#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/numbers/minus_infinity.hpp"
#include "core/proving/cluster_bound.hpp"
#include "core/proving/family_tree.hpp"
#include "core/proving/remaining_fits.hpp"
#include "core/scores/superset_bound.hpp"
#include "tests/all_scores.hpp"
#include "tests/close_to.hpp"
#include "tests/doctest.h"
#include "tests/proving/proving_cases.hpp"

namespace {

std::vector<qnml::Choice> list_families(const ProvingCase& problem, int child, std::uint64_t work) {
  const auto families = problem.make_cache();
  const qnml::SupersetBound bound(problem.make_score(), problem.table.view);
  const qnml::ClusterPrices prices(ProvingCase::kVariables);
  const qnml::LogCounts log_counts(problem.table.view.total);
  qnml::Control control;
  qnml::FamilyTree tree(*families, problem.rules, bound, log_counts, child);
  tree.start(work);
  tree.grow({&prices, qnml::kMinusInfinity}, work, std::size_t{1} << 30, control);
  return tree.choices();
}

// Every admitted family is listed, beaten by a listed subset, or bounded by an open node.
void check_child(const ProvingCase& problem, int child, std::uint64_t work, bool is_enough) {
  const std::vector<qnml::Choice> choices = list_families(problem, child, work);
  for (const qnml::Choice& choice : choices) {
    if (choice.is_open) {
      CHECK_FALSE(is_enough);
    } else {
      CHECK(choice.score == close_to(problem.score_of(child, choice.parents.members()), 1e-9));
    }
  }
  for (std::uint64_t set = 0; set < ProvingCase::kSets; ++set) {
    double at_most = qnml::kMinusInfinity;
    const qnml::VariableSet parents = qnml::VariableSet::of(members_of(set));
    for (const qnml::Choice& choice : choices) {
      if (choice.parents.is_inside(parents)) at_most = std::max(at_most, choice.score);
    }
    CHECK(at_most >= problem.local[static_cast<std::size_t>(child)][set] - 1e-7);
  }
}

}  // namespace

TEST_CASE("every family that no subset beats is listed or bounded") {
  for (qnml::ScoreKind kind : kAllScores) {
    for (ProvingCase::Rules rules : kAllRules) {
      for (qnml::PriorKind prior : kBothPriors) {
        for (std::size_t rows : {std::size_t{4}, std::size_t{25}, std::size_t{90}}) {
          const ProvingCase problem(kind, rules, rows, static_cast<unsigned>(rows), prior);
          for (int child = 0; child < ProvingCase::kVariables; ++child) {
            check_child(problem, child, 0, false);
            check_child(problem, child, 20 * rows, false);
            check_child(problem, child, 1'000'000'000, true);
          }
        }
      }
    }
  }
}
