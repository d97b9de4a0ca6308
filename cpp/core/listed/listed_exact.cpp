#include "core/listed/listed_exact.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/stopwatch.hpp"
#include "core/exact/candidates.hpp"
#include "core/exact/exact.hpp"
#include "core/exact/order_climb.hpp"
#include "core/exact/order_search.hpp"
#include "core/exact/order_solution.hpp"
#include "core/exact/pattern_bound.hpp"
#include "core/graph/tie_breaking.hpp"
#include "core/listed/listed_families.hpp"
#include "core/listed/listed_orders.hpp"
#include "core/listed/listed_problem.hpp"

namespace qnml {
namespace {

constexpr std::size_t kMostTies = std::size_t{1} << 14;  // of each child; with more, ties are not examined
constexpr int kRestarts = 64;
constexpr int kNoClimbUpTo = PatternBound::kLargestGroup;

std::uint64_t mask_of(std::span<const int> parents) {
  std::uint64_t mask = 0;
  for (int parent : parents) mask |= std::uint64_t{1} << parent;
  return mask;
}

CandidateLists candidates_of(const ListedFamilies& families) {
  CandidateLists lists;
  lists.families_scored = families.n_admitted();
  for (int child = 0; child < families.n_variables(); ++child) {
    std::vector<Candidate>& list = lists.of_bit.emplace_back();
    list.reserve(families.of(child).size());
    for (const ListedFamilies::Family& family : families.of(child)) {
      list.push_back({mask_of(families.parents(family)), family.score, family.size});
    }
  }
  sort_candidates(lists);
  return lists;
}

class ListedExact {
 public:
  ListedExact(const ListedProblem& problem, const ExactOptions& options, Control& control)
      : problem_(problem), options_(options), control_(control), families_(problem.families) {}

  ExactResult run() {
    result_.families_scored = families_.n_admitted();
    control_.start_stage("first answer", 0.0);
    if (!first_answer()) return result_;
    watch_.lap(result_.seconds, "first answer");
    control_.start_stage("orders", 1.0);
    const bool has_all_ties = families_.drop_beaten(tolerance(best_), kMostTies);
    CandidateLists lists = candidates_of(families_);
    lists.has_all_ties = has_all_ties;
    result_.candidates = families_.n_kept();
    bound_by_unrelated_families(lists);
    drop_hopeless(lists, best_ - tolerance(best_));
    if (families_.n_variables() > kNoClimbUpTo) {
      keep(order_climb(lists, kRestarts, 1, control_));
      drop_hopeless(lists, best_ - tolerance(best_));
    }
    search(lists);
    watch_.lap(result_.seconds, "orders");
    return result_;
  }

 private:
  // The best families along an order that admits a network, and those of the known network.
  bool first_answer() {
    std::vector<int> order(static_cast<std::size_t>(families_.n_variables()));
    std::iota(order.begin(), order.end(), 0);
    order = admitted_order(families_, order);
    if (order.empty()) return false;
    OrderSolution first{.found = true, .parents = std::vector<std::uint64_t>(order.size(), 0)};
    std::uint64_t before = 0;
    for (int variable : order) {
      for (const ListedFamilies::Family& family : families_.of(variable)) {
        const std::uint64_t parents = mask_of(families_.parents(family));
        if ((parents & ~before) != 0) continue;
        first.parents[static_cast<std::size_t>(variable)] = parents;
        first.score += family.score;
        break;
      }
      before |= std::uint64_t{1} << variable;
    }
    keep(first);
    keep_known();
    return true;
  }

  void keep_known() {
    if (options_.known.empty()) return;
    OrderSolution known{.found = true, .parents = options_.known};
    for (int child = 0; child < families_.n_variables(); ++child) {
      for (const ListedFamilies::Family& family : families_.of(child)) {
        if (mask_of(families_.parents(family)) != options_.known[static_cast<std::size_t>(child)]) continue;
        known.score += family.score;
        break;
      }
    }
    keep(known);
  }

  void keep(const OrderSolution& solution) {
    if (!solution.found || (result_.has_network && solution.score < best_)) return;
    best_ = solution.score;
    result_.has_network = true;
    result_.score = families_.given(best_);
    result_.parents = solution.parents;
  }

  // Each child takes its best family, even if the families form cycles.
  void bound_by_unrelated_families(const CandidateLists& lists) {
    std::int64_t bound = 0;
    for (const auto& list : lists.of_bit) bound += list.front().score;
    result_.bound = families_.given(bound);
  }

  void search(const CandidateLists& lists) {
    const OrderSearchResult found = order_search(lists, best_, options_.ties, problem_.seed, problem_.memory_limit,
                                                 options_.most_states, control_, problem_.threads);
    result_.states = found.states;
    result_.out_of_memory = found.out_of_memory;
    result_.outgrown = found.outgrown;
    if (!found.complete) {
      // A search that was stopped before it began has no bound of its own.
      if (found.states > 0) result_.bound = std::min(result_.bound, families_.given(found.bound));
      return;
    }
    result_.optimal = true;
    keep(found.solution);
    result_.parents = found.solution.parents;
    result_.score = result_.bound = families_.given(found.solution.score);
    result_.ties_examined = found.solution.ties_examined;
    result_.has_ties = found.solution.has_ties;
  }

  const ListedProblem& problem_;
  const ExactOptions& options_;
  Control& control_;
  ListedFamilies families_;
  Stopwatch watch_;
  ExactResult result_;
  std::int64_t best_ = 0;
};

}  // namespace

ExactResult learn_listed_exact(const ListedProblem& problem, const ExactOptions& options, Control& control) {
  return ListedExact(problem, options, control).run();
}

}  // namespace qnml
