#include "core/listed/listed_search.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/stopwatch.hpp"
#include "core/listed/listed_families.hpp"
#include "core/listed/listed_orders.hpp"
#include "core/listed/listed_problem.hpp"
#include "core/listed/listed_proof.hpp"
#include "core/local/local_search.hpp"

namespace qnml {
namespace {

// By effort: chains, perturbations in a row without a better network, families looked at by a chain, and cases of
// branch and bound. Chosen by hand.
struct Work {
  std::size_t chains;
  std::size_t least_patience;
  std::size_t patience_per_variable;
  double most_steps;
  std::size_t cases;
};

Work work_of(Effort effort) {
  switch (effort) {
    case Effort::quick:
      return {1, 10, 0, 1e8, 0};
    case Effort::usual:
      return {4, 100, 1, 3e9, 100};
    case Effort::thorough:
      return {16, 1000, 10, 1e15, 100'000};
  }
  return {};
}

// An order in which the parents of each variable come first.
std::vector<int> order_of(const std::vector<std::vector<int>>& parents) {
  std::vector<int> order;
  std::vector<char> is_placed(parents.size(), 0);
  while (order.size() < parents.size()) {
    for (std::size_t variable = 0; variable < parents.size(); ++variable) {
      if (is_placed[variable] != 0) continue;
      const auto& mine = parents[variable];
      if (!std::all_of(mine.begin(), mine.end(), [&](int p) { return is_placed[static_cast<std::size_t>(p)] != 0; })) {
        continue;
      }
      is_placed[variable] = 1;
      order.push_back(static_cast<int>(variable));
    }
  }
  return order;
}

}  // namespace

LocalSearchResult learn_listed(const ListedProblem& problem, const ListedSearchOptions& options, Control& control) {
  LocalSearchResult result;
  Stopwatch watch;
  control.start_stage("families", 0.0);
  ListedFamilies families = problem.families;
  families.drop_beaten(0, 0);
  result.sets_counted = families.n_admitted();
  result.candidates = families.n_kept();
  std::vector<int> order(static_cast<std::size_t>(families.n_variables()));
  std::iota(order.begin(), order.end(), 0);
  order = admitted_order(families, options.start.empty() ? order : order_of(options.start));
  watch.lap(result.seconds, "families");
  if (order.empty()) return result;

  const Work work = work_of(options.effort);
  const std::size_t patience = work.least_patience + work.patience_per_variable * order.size();
  control.start_stage("orders", static_cast<double>(work.chains));
  const ListedOrderResult found = search_listed_orders(
      families, order, {work.chains, patience, work.most_steps, problem.seed}, control, problem.threads);
  watch.lap(result.seconds, "orders");
  result.is_cut = found.is_cut;

  control.start_stage("proving", 0.0);
  const ListedProof proof = prove_listed(problem, families, found.choice, work.cases, control);
  watch.lap(result.seconds, "proving");
  result.network.score = families.given(proof.score);
  result.bound = families.given(proof.bound);
  result.optimal = proof.optimal;
  result.n_proven = proof.n_proven;
  for (int child = 0; child < families.n_variables(); ++child) {
    const auto& family = families.of(child)[proof.choice[static_cast<std::size_t>(child)]];
    const std::span<const int> parents = families.parents(family);
    result.network.parents.emplace_back(parents.begin(), parents.end());
  }
  return result;
}

}  // namespace qnml
