// Order search: local search over orders of any number of variables. It proves nothing.
//
// Given an order, each variable takes its parents from its predecessors (parent_growth.hpp), and variables are moved to
// their best positions until no move gains (order_state.hpp; best order score search, Andrews et al. 2023). Iterated
// local search follows: perturb the order, improve it again, keep it unless it is worse. Several such chains run in
// parallel; after each round the worst chain continues from a crossover of its order with the best (a memetic search,
// as in C. Lee and P. van Beek, "Metaheuristics for score-and-search Bayesian network structure learning", 2017).
// Hill climbing over networks, which is not confined to an order, then improves the best network.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/control.hpp"
#include "core/graph/found_network.hpp"
#include "core/graph/rules.hpp"
#include "core/scores/family_cache.hpp"

namespace qnml {

struct OrderOptions {
  int chains = 4;
  int rounds = 0;  // of all chains; 0: stop at the first local optimum
  int shakes = 0;  // perturbations per chain and round
  // Perturbations per n (the number of variables) that re-root a subgraph (capped at n/2).
  int reroots = 0;
  int patience = 0;  // rounds without a better network before the search ends
  // Share of the score: a network that gains less is kept, but does not reset the patience.
  double least_gain = 0.0;
  int pair_partners = 0;  // see ParentGrowth::begin
  bool tries_all_pairs = false;
  std::uint64_t seed = 0;
  double memory_bytes = 1e9;                                   // for stored parent sets
  double most_work = std::numeric_limits<double>::infinity();  // families scored by all chains together
};

// The first chain starts from `start` (parents of each child, ascending, admitted and acyclic; empty: the required
// arcs), the others from random orders. If `candidates` is given, one ascending list per child, only those become
// parents. Never returns less than its start scores. The result depends on the seed but not on the number of threads,
// unless the search is stopped early. Each round advances the control by one.
FoundNetwork best_order(FamilyCache& families, const Rules& rules, const std::vector<std::vector<int>>& start,
                        const std::vector<std::vector<int>>* candidates, const OrderOptions& options, Control& control,
                        int threads);

}  // namespace qnml
