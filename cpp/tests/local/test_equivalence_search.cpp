#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "core/base/control.hpp"
#include "core/graph/class_member.hpp"
#include "core/graph/class_moves.hpp"
#include "core/graph/found_network.hpp"
#include "core/graph/partial_dag.hpp"
#include "core/graph/rules.hpp"
#include "core/local/equivalence_search.hpp"
#include "core/scores/family_cache.hpp"
#include "core/scores/make_score.hpp"
#include "tests/doctest.h"
#include "tests/random_table.hpp"

namespace {

using qnml::ScoreKind;
using Network = std::vector<std::vector<int>>;

constexpr double kEverything = std::numeric_limits<double>::infinity();

bool are_alike(const qnml::PartialDag& a, const qnml::PartialDag& b) {
  for (int node = 0; node < a.size(); ++node) {
    if (!a.is_like(b, node)) return false;
  }
  return true;
}

double total(qnml::FamilyCache& families, const Network& network) {
  double sum = 0.0;
  for (std::size_t child = 0; child < network.size(); ++child) {
    sum += families.score(static_cast<int>(child), network[child]);
  }
  return sum;
}

// Random moves, in graphs too large to enumerate all networks: each leads to the class of a network whose score differs
// as predicted, and can be undone.
void wanders(int n, unsigned seed) {
  const RandomTable data(std::vector<std::uint32_t>(static_cast<std::size_t>(n), 2), 40, seed);
  const qnml::Rules none = qnml::Rules::none(n);
  const qnml::AdmittedClasses rules(data.view, none);
  CHECK(rules.are_of_classes());
  qnml::FamilyCache families(data.view, qnml::make_score(ScoreKind::bdeu, 1.0, data.view), kEverything, 1e7);
  qnml::PartialDag graph(n);
  std::mt19937_64 random(seed);
  double score = total(families, Network(static_cast<std::size_t>(n)));
  int made[3] = {0, 0, 0};
  for (int k = 0; k < 20000; ++k) {
    const auto kind = static_cast<qnml::MoveKind>(random() % 3);
    const int child = static_cast<int>(random() % static_cast<unsigned>(n));
    const int other = static_cast<int>(random() % static_cast<unsigned>(n));
    if (child == other || (kind == qnml::MoveKind::insert && graph.parents(child).size() > 4)) continue;
    const auto cliques = qnml::cliques_around(graph, child, 100);
    const qnml::ClassMove move{kind, child, other, cliques[random() % cliques.size()]};
    if (!qnml::is_valid(graph, move)) continue;
    for (const qnml::FamilyChange& change : qnml::family_changes(graph, move)) {
      const double local = families.score(change.child, change.parents);
      score += change.is_gained ? local : -local;
    }
    const qnml::PartialDag before = graph;
    graph.begin();
    qnml::make_move(graph, move);
    CHECK(!graph.changed().empty());
    graph.undo();
    CHECK(are_alike(graph, before));
    qnml::make_move(graph, move);
    CHECK(!are_alike(graph, before));
    ++made[static_cast<int>(kind)];
    const Network member = rules.member(graph);
    CHECK(are_alike(graph, qnml::PartialDag::of_network(member)));
    // To the last bit: values are multiples of the unit.
    CHECK(score == total(families, member));
  }
  for (int times : made) CHECK(times > 100);
}

// Two columns that determine the rest, with rules of every kind.
void searches(ScoreKind kind) {
  constexpr int kSize = 14;
  RandomTable data(std::vector<std::uint32_t>(kSize, 3), 300, 7);
  for (std::size_t column = 2; column < kSize; ++column) {
    for (std::size_t row = 0; row < 300; row += 1 + column % 3) {
      data.narrow[column][row] = data.narrow[column - 2 + row % 2][row];
    }
  }
  qnml::FamilyCache families(data.view, qnml::make_score(kind, 1.0, data.view), kEverything, 1e7);
  qnml::Rules rules = qnml::Rules::none(kSize);
  rules.required.set(3, 9);
  rules.required.set(4, 3);
  for (int parent = 0; parent < kSize; ++parent) rules.allowed.clear(7, parent);
  rules.max_parents[5] = 1;
  for (const qnml::Rules& each : {qnml::Rules::none(kSize), rules}) {
    for (int shakes : {0, 20}) {
      qnml::Control control;
      const qnml::EquivalenceOptions options{1024, shakes, shakes, 3};
      const qnml::FoundNetwork found = qnml::greedy_equivalence(families, each, {}, nullptr, options, control, 1);
      CHECK(found.score == total(families, found.parents));
      CHECK(found.score == found.trace.back().score);
      CHECK(found.score > found.trace.front().score);
      for (int child = 0; child < kSize; ++child) {
        const auto& parents = found.parents[static_cast<std::size_t>(child)];
        for (int parent : parents) CHECK(each.allowed.test(child, parent));
        for (int parent : each.required.members(child)) CHECK(std::count(parents.begin(), parents.end(), parent) == 1);
        CHECK(parents.size() <= static_cast<std::size_t>(each.max_parents[static_cast<std::size_t>(child)]));
      }
      for (int threads : {2, 3, 16}) {
        const qnml::FoundNetwork again =
            qnml::greedy_equivalence(families, each, {}, nullptr, options, control, threads);
        CHECK(again.parents == found.parents);
        CHECK(again.work == found.work);
      }
      // Nor does it matter if the work limit ends the search among perturbations that are tried together.
      for (double share : {0.3, 0.7, 0.9}) {
        qnml::EquivalenceOptions limited = options;
        limited.most_work = share * found.work;
        const qnml::FoundNetwork cut = qnml::greedy_equivalence(families, each, {}, nullptr, limited, control, 1);
        CHECK(cut.is_cut);
        for (int threads : {2, 16}) {
          const qnml::FoundNetwork also =
              qnml::greedy_equivalence(families, each, {}, nullptr, limited, control, threads);
          CHECK(also.parents == cut.parents);
          CHECK(also.work == cut.work);
          CHECK(also.is_cut);
        }
      }
      // Nor does the cache of gaining parents matter.
      qnml::EquivalenceOptions forgetful = options;
      forgetful.memory_bytes = 0.0;
      CHECK(qnml::greedy_equivalence(families, each, {}, nullptr, forgetful, control, 1).parents == found.parents);
      // At a local optimum it stays.
      const qnml::FoundNetwork rest =
          qnml::greedy_equivalence(families, each, found.parents, nullptr, {1024, 0, 0}, control, 1);
      CHECK(rest.score == found.score);
    }
  }
  qnml::Control stopped;
  stopped.stop();
  const qnml::FoundNetwork start = qnml::greedy_equivalence(families, rules, {}, nullptr, {}, stopped, 1);
  CHECK((start.parents[3] == std::vector<int>{9}));
  CHECK((start.parents[4] == std::vector<int>{3}));
  CHECK(start.score == total(families, start.parents));
}

// Node 0 is the parent of nodes 1 to `leaves`, and the last of them has one further child.
void looks_around(int leaves, bool goes_through) {
  Network parents(static_cast<std::size_t>(leaves) + 2, std::vector<int>{0});
  parents.front().clear();
  parents.back() = {leaves};
  const qnml::PartialDag graph = qnml::PartialDag::of_network(parents);
  CHECK(graph.within(0, 1).size() == static_cast<std::size_t>(leaves) + 1);
  CHECK(graph.within(0, 2).size() == parents.size());  // the node itself may have any degree
  CHECK(graph.within(leaves + 1, 2) == (std::vector<int>{0, leaves, leaves + 1}));
  if (goes_through) {
    CHECK(graph.within(1, 2).size() == static_cast<std::size_t>(leaves) + 1);
  } else {
    CHECK(graph.within(1, 2) == (std::vector<int>{0, 1}));
  }
}

}  // namespace

TEST_CASE("neighbourhoods stop at nodes of high degree") {
  looks_around(8, true);
  looks_around(9, false);
}

TEST_CASE("random moves lead to classes and can be undone") {
  wanders(4, 1);
  wanders(9, 2);
  wanders(16, 3);
}

TEST_CASE("the search obeys the rules and depends on neither threads nor memory") {
  for (ScoreKind kind : {ScoreKind::bic, ScoreKind::qnml, ScoreKind::bdeu}) searches(kind);
}
