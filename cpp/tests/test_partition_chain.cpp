#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "core/partition_chain.hpp"
#include "tests/check.hpp"
#include "tests/random_table.hpp"
#include "tests/tests.hpp"

namespace {

constexpr std::size_t kNodes = 5;

qnml::StructureModel make_model(const RandomTable& table, const qnml::ParentLimits& limits) {
  qnml::Control control;
  const auto score = qnml::make_score(qnml::ScoreKind::bdeu, 1.0, table.view.total, kNodes);
  const auto candidates = qnml::choose_candidates(table.view, *score, limits, 3, 2, control);
  return qnml::StructureModel(qnml::parent_sums(table.view, qnml::ScoreKind::bdeu, 1.0, limits, candidates,
                                                std::vector<double>(kNodes, 0.0), 2, control));
}

std::vector<qnml::ChainRecords> draw(const qnml::StructureModel& model, std::size_t records, int threads,
                                     std::vector<qnml::ChainState>& states) {
  qnml::Control control;
  if (states.empty()) {
    for (std::uint64_t chain = 0; chain < 3; ++chain) states.push_back(qnml::start_chain(model, 7, chain));
  }
  return qnml::run_chains(model, states, {3, 2, 2, 2, 3, 5}, records, 1, threads, control);
}

}  // namespace

void test_partition_chain() {
  const RandomTable table({2, 3, 2, 4, 2}, 10, 11);
  // 4 -> 0 and 0 -> 1 are required; 2 takes no parents.
  qnml::ParentLimits limits;
  limits.allowed = {{1, 2, 3}, {2, 3, 4}, {}, {0, 1, 2, 4}, {0, 1, 2, 3}};
  limits.required = {{4}, {0}, {}, {}, {}};
  limits.max_parents = {3, 2, 4, 4, 4};
  const qnml::StructureModel model = make_model(table, limits);
  for (std::size_t node = 0; node < kNodes; ++node) CHECK(model.sums[node].candidates().size() <= 3);

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
      CHECK((dag[0] >> 4 & 1) == 1 && (dag[1] & 1) == 1 && dag[2] == 0);
      CHECK((above[at * kNodes + 1] >> 4 & 1) == 1);
    }
  }
  CHECK(seen.size() > 5);

  // A cycle, and a set of candidates that does not exist.
  qnml::ChosenParents cycle(kNodes, 0);
  const auto& candidates = model.sums[4].candidates();
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    if (candidates[k] == 0 || candidates[k] == 1) cycle[4] = std::uint32_t{1} << k;
  }
  CHECK(cycle[4] == 0 || !qnml::is_admitted(model, cycle));
  CHECK(!qnml::is_admitted(model, qnml::ChosenParents(kNodes, 1U << 30)));
  CHECK(!qnml::is_admitted(model, qnml::ChosenParents(kNodes - 1, 0)));
}
