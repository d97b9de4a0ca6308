// Every move between DAGs satisfies detailed balance: each transition occurs as often as its reverse.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/random.hpp"
#include "core/chains/dag_moves.hpp"
#include "core/chains/parent_sums.hpp"
#include "core/chains/partition_chain.hpp"
#include "core/chains/structure_model.hpp"
#include "core/chains/uncommon_families.hpp"
#include "core/graph/rules.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/make_score.hpp"
#include "tests/doctest.h"
#include "tests/problem_of.hpp"
#include "tests/random_table.hpp"

namespace {

constexpr std::size_t kNodes = 4;
constexpr int kSteps = 150'000;
using Parents = std::vector<std::vector<int>>;
using Passed = std::map<std::pair<Parents, Parents>, double>;

// Guesses that are far off, in different ways: only the acceptance ratio corrects for them.
qnml::OutsideOdds guess() {
  qnml::OutsideOdds made;
  for (std::size_t arc = 0; arc < kNodes * kNodes; ++arc) made.odds.push_back(0.2 + 0.3 * static_cast<double>(arc % 5));
  for (std::size_t child = 0; child < kNodes; ++child) made.crowding.push_back(0.3 * static_cast<double>(child));
  return made;
}

Parents parents_of(const qnml::StructureModel& model, const qnml::ChainDag& dag) {
  Parents found;
  for (std::size_t child = 0; child < kNodes; ++child) found.push_back(model.parents(dag, child));
  return found;
}

// The number of frequent transitions, and how far the two directions differ beyond chance, in standard deviations.
std::pair<std::size_t, double> imbalance(const Passed& passed) {
  double sum = 0.0;
  std::size_t pairs = 0;
  for (const auto& [ends, there] : passed) {
    const auto way_back = passed.find({ends.second, ends.first});
    const double back = way_back == passed.end() ? 0.0 : way_back->second;
    if (there + back < 20.0 || (way_back != passed.end() && ends.second < ends.first)) continue;
    sum += (there - back) * (there - back) / (there + back);
    ++pairs;
  }
  const auto expected = static_cast<double>(pairs);
  return {pairs, (sum - expected) / std::sqrt(2.0 * expected)};
}

void check_balance(const qnml::StructureModel& model, std::uint64_t seed) {
  qnml::ChainState state = qnml::start_chain(model, seed, 0);
  qnml::DagMoves moves(model, state.dag);
  qnml::Xoshiro256 random(state.random);
  Passed families, arcs, single, chained;
  Parents before = parents_of(model, state.dag);
  auto make = [&](Passed& passed, bool is_changed) {
    Parents after = parents_of(model, state.dag);
    CHECK(is_changed == (after != before));
    if (is_changed) passed[{before, after}] += 1.0;
    before = std::move(after);
  };
  for (int step = 0; step < kSteps; ++step) {
    const Parents first = before;
    make(families, moves.draw_family(random));
    make(arcs, moves.reverse_arc(random));
    if (first != before) chained[{first, before}] += 1.0;
    make(single, moves.draw_parent(random));
  }
  for (const Passed* passed : {&families, &arcs, &single}) {
    const auto [pairs, excess] = imbalance(*passed);
    CHECK(pairs > 20);
    CHECK(std::fabs(excess) < 5.0);
  }
  // Negative control: two moves in sequence leave the weights invariant, but not in detailed balance.
  CHECK(imbalance(chained).second > 10.0);
}

}  // namespace

TEST_CASE("moves are in detailed balance") {
  const RandomTable table({2, 3, 2, 2}, 12, 5);
  qnml::Rules rules = qnml::Rules::none(kNodes);
  rules.max_parents = {3, 2, 3, 3};
  const qnml::SearchProblem problem = problem_of(table.view, qnml::ScoreKind::bdeu, 1.0, rules);
  // Arcs between 0 and 1 and between 2 and 3 can be reversed; later also some between 1 and 2.
  for (const Parents& candidates : {Parents{{1}, {0}, {3}, {2}}, Parents{{1}, {0, 2}, {1, 3}, {2}}}) {
    qnml::Control control;
    auto wide = std::make_shared<qnml::UncommonFamilies>(problem, 1e6);
    check_balance(qnml::StructureModel(qnml::parent_sums(problem, candidates, control), std::move(wide), guess()), 3);
  }
}
