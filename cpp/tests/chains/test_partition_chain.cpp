#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/chains/candidate_parents.hpp"
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

constexpr std::size_t kNodes = 5;

qnml::StructureModel make_model(const qnml::SearchProblem& problem) {
  qnml::Control control;
  // Two candidates each: some parents are drawn one by one.
  const auto candidates = qnml::choose_candidates(problem, 2, control);
  auto wide = std::make_shared<qnml::UncommonFamilies>(problem, 1e6);
  return qnml::StructureModel(qnml::parent_sums(problem, candidates, control), std::move(wide),
                              {std::vector<double>(kNodes * kNodes, 0.3), std::vector<double>(kNodes, 0.2)});
}

std::vector<qnml::ChainRecords> draw(const qnml::StructureModel& model, std::size_t records, int threads,
                                     std::vector<qnml::ChainState>& states) {
  qnml::Control control;
  if (states.empty()) {
    for (std::uint64_t chain = 0; chain < 3; ++chain) states.push_back(qnml::start_chain(model, 7, chain));
  }
  return qnml::run_chains(model, states, {3, 2, 2, 2, 3, 5, 4}, records, 1, threads, control);
}

}  // namespace

TEST_CASE("chains obey the limits and do not depend on threads or pauses") {
  const RandomTable table({2, 3, 2, 4, 2}, 10, 11);
  // 4 -> 0 and 0 -> 1 are required; 2 takes no parents.
  qnml::Rules rules = qnml::Rules::none(kNodes);
  rules.required.set(0, 4);
  rules.required.set(1, 0);
  for (int parent = 0; parent < static_cast<int>(kNodes); ++parent) rules.allowed.clear(2, parent);
  rules.max_parents = {3, 2, 4, 4, 4};
  const qnml::SearchProblem problem = problem_of(table.view, qnml::ScoreKind::bdeu, 1.0, rules, 2);
  const qnml::StructureModel model = make_model(problem);
  for (std::size_t node = 0; node < kNodes; ++node) CHECK(model.sums(node).candidates().size() <= 2);

  std::vector<qnml::ChainState> states, again, in_parts;
  const auto records = draw(model, 400, 1, states);
  const auto threaded = draw(model, 400, 3, again);
  auto parts = draw(model, 150, 2, in_parts);
  const auto rest = draw(model, 250, 2, in_parts);
  for (std::size_t chain = 0; chain < records.size(); ++chain) {
    CHECK(records[chain].dags == threaded[chain].dags);
    parts[chain].dags.insert(parts[chain].dags.end(), rest[chain].dags.begin(), rest[chain].dags.end());
    CHECK(records[chain].dags == parts[chain].dags);
    CHECK(qnml::is_admitted(model, states[chain].dag));
  }

  std::map<std::vector<std::uint64_t>, int> seen;
  for (const auto& chain : records) {
    CHECK(chain.log_weights.size() == 400);
    const std::vector<std::uint64_t> above = qnml::ancestors(chain.dags.data(), 400, kNodes, 2);
    for (std::size_t at = 0; at < 400; ++at) {
      const std::uint64_t* dag = &chain.dags[at * kNodes];
      ++seen[{dag, dag + kNodes}];
      for (std::size_t node = 0; node < kNodes; ++node) {
        CHECK((above[at * kNodes + node] >> node & 1) == 0);
        CHECK((dag[node] & ~above[at * kNodes + node]) == 0);
      }
      CHECK((dag[0] >> 4 & 1) == 1);
      CHECK((dag[1] & 1) == 1);
      CHECK(dag[2] == 0);
      CHECK((above[at * kNodes + 1] >> 4 & 1) == 1);
    }
  }
  CHECK(seen.size() > 5);

  // Arcs in both directions between 3 and 4, a parent that is not allowed, a set of candidates that does not exist.
  const qnml::ChainDag empty{qnml::ChosenParents(kNodes, 0), std::vector<std::vector<int>>(kNodes)};
  CHECK(qnml::is_admitted(model, empty));
  qnml::ChainDag cycle = empty;
  for (const auto& [child, parent] : {std::pair{3, 4}, std::pair{4, 3}}) {
    const auto node = static_cast<std::size_t>(child);
    const auto& candidates = model.sums(node).candidates();
    const auto place = std::find(candidates.begin(), candidates.end(), parent);
    if (place == candidates.end()) {
      cycle.outside[node] = {parent};
    } else {
      cycle.chosen[node] = std::uint32_t{1} << (place - candidates.begin());
    }
  }
  CHECK(!qnml::is_admitted(model, cycle));
  qnml::ChainDag strange = empty;
  strange.outside[2] = {0};
  CHECK(!qnml::is_admitted(model, strange));
  CHECK(!qnml::is_admitted(model, {qnml::ChosenParents(kNodes, 1U << 30), empty.outside}));
  CHECK(!qnml::is_admitted(model, {qnml::ChosenParents(kNodes - 1, 0), empty.outside}));
}
