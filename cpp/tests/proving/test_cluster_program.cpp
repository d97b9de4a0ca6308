#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/random.hpp"
#include "core/numbers/variable_set.hpp"
#include "core/proving/cluster_bound.hpp"
#include "core/proving/cluster_cuts.hpp"
#include "core/proving/cluster_program.hpp"
#include "tests/close_to.hpp"
#include "tests/doctest.h"

namespace {

using qnml::Choice;
using qnml::Cluster;
using qnml::VariableSet;
using Lists = std::vector<std::vector<Choice>>;

constexpr std::size_t kVariables = 9;

VariableSet random_set(qnml::Xoshiro256& random, std::size_t below, unsigned of_ten) {
  VariableSet set;
  for (std::size_t member = 0; member < below; ++member) {
    if (random.next() % 10 < of_ten) set.add(static_cast<int>(member));
  }
  return set;
}

Lists random_lists(std::uint64_t seed, std::size_t length) {
  qnml::Xoshiro256 random = qnml::Xoshiro256::stream(11, seed);
  Lists lists(kVariables);
  for (std::size_t child = 0; child < kVariables; ++child) {
    lists[child].push_back({VariableSet(), -100.0});
    while (lists[child].size() < length) {
      Choice choice{random_set(random, kVariables, 3), -100.0 + 1e-3 * static_cast<double>(random.next() % 60'000)};
      choice.parents.remove(static_cast<int>(child));
      lists[child].push_back(choice);
    }
  }
  return lists;
}

double share_of(const Lists& lists, const qnml::ClusterBound& found, const Cluster& cluster) {
  double sum = 0.0;
  for (int member : cluster.members.members()) {
    const auto child = static_cast<std::size_t>(member);
    for (std::size_t c = 0; c < lists[child].size(); ++c) {
      if (cluster.is_earned(lists[child][c].parents)) sum += found.usage[child][c];
    }
  }
  return sum;
}

}  // namespace

TEST_CASE("every network satisfies the inequality of every cluster") {
  qnml::Xoshiro256 random = qnml::Xoshiro256::stream(12, 0);
  for (int round = 0; round < 2000; ++round) {
    // Variables come in the order of their numbers.
    std::vector<VariableSet> parents;
    parents.reserve(kVariables);
    for (std::size_t child = 0; child < kVariables; ++child) parents.push_back(random_set(random, child, 6));
    Cluster cluster{random_set(random, kVariables, 5)};
    for (cluster.rank = 1; cluster.rank <= cluster.members.size(); ++cluster.rank) {
      int earners = 0;
      for (int member : cluster.members.members()) {
        if (cluster.is_earned(parents[static_cast<std::size_t>(member)])) ++earners;
      }
      CHECK(earners >= cluster.rank);
    }
  }
}

// By the duality of linear programs, shares that satisfy the inequalities and prices that prove no more than what the
// shares score are both the best.
TEST_CASE("the program of clusters has the best prices and no violated cluster is left") {
  const double no_end = -std::numeric_limits<double>::infinity();
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Lists lists = random_lists(seed, 4 + seed % 12);
    qnml::Control control;
    std::uint64_t work = 1'000'000'000;
    const auto found = qnml::cluster_program(lists, qnml::ClusterPrices(kVariables), no_end, work, control);
    double score = 0.0;
    std::vector<std::vector<qnml::Share>> shares(kVariables);
    for (std::size_t child = 0; child < kVariables; ++child) {
      double sum = 0.0;
      for (std::size_t c = 0; c < lists[child].size(); ++c) {
        const double share = found.usage[child][c];
        CHECK(share >= 0.0);
        sum += share;
        score += share * lists[child][c].score;
        if (share > 0.0) shares[child].push_back({lists[child][c].parents, share});
      }
      CHECK(sum == close_to(1.0, 1e-6));
    }
    for (const auto& priced : found.prices.all()) {
      CHECK(priced.price > 0.0);
      CHECK(share_of(lists, found, priced.cluster) >= priced.cluster.rank - 1e-6);
    }
    CHECK(found.bound == close_to(score, 1e-5));
    CHECK(qnml::violated_clusters(shares, 10).empty());
    // Little work gives a weaker bound, or the same.
    std::uint64_t little = 2000;
    const auto hurried = qnml::cluster_program(lists, qnml::ClusterPrices(kVariables), no_end, little, control);
    CHECK(hurried.bound >= found.bound - 1e-6);
  }
}

TEST_CASE("violated clusters are found") {
  auto full = [](const std::vector<int>& parents) { return std::vector<qnml::Share>{{VariableSet::of(parents), 1.0}}; };
  // A cycle of three, and a variable outside that it needs not.
  const auto cycle = qnml::violated_clusters({full({1, 3}), full({2}), full({0}), full({})}, 10);
  REQUIRE(cycle.size() == 1);
  CHECK(cycle[0] == Cluster{VariableSet::of({0, 1, 2})});
  // Half of each of three families with the other two as parents: only the cluster of rank 2 is violated.
  const auto half = [](const std::vector<int>& parents) {
    return std::vector<qnml::Share>{{VariableSet::of(parents), 0.5}, {VariableSet(), 0.5}};
  };
  const auto of_rank_two = qnml::violated_clusters({half({1, 2}), half({0, 2}), half({0, 1})}, 10);
  REQUIRE(of_rank_two.size() == 1);
  CHECK(of_rank_two[0] == Cluster{VariableSet::of({0, 1, 2}), 2});
}
