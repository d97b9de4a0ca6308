// A good network by searching over orders of the variables, for any number of them. Nothing is proven.
//
// In an order each variable takes its parents from those before it (parent_growth.hpp), and variables are moved to
// their best places until no move gains (order_state.hpp; best order score search, Andrews et al. 2023). Then iterated
// local search: shake the order a little, improve it again, keep what is not worse. Several such chains run side by
// side; after each round the worst of them goes on from a cross of its order with the best (a memetic search, as in
// C. Lee and P. van Beek, "Metaheuristics for score-and-search Bayesian network structure learning", 2017). The best
// network is polished by hill climbing over networks, where it is not bound to an order.
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
  int rounds = 0;  // of all chains; 0 for the first local optimum only
  int shakes = 0;  // for each chain in a round
  // Shakes per n (the number of variables) that re-root a subgraph; at most half of them.
  int reroots = 0;
  int patience = 0;  // rounds without a better network before the search ends
  // A share of the score: a network that gains less is kept, but does not keep the search going.
  double least_gain = 0.0;
  int pair_partners = 0;  // see ParentGrowth::begin
  bool tries_all_pairs = false;
  std::uint64_t seed = 0;
  double memory_bytes = 1e9;                                   // for the sets of parents that are kept
  double most_work = std::numeric_limits<double>::infinity();  // families scored, of all chains together
};

// The first chain starts from `start` (parents of each child, ascending, admitted and acyclic; empty: the required
// arcs), the others from random orders. With `candidates`, one ascending list for each child, only those become
// parents. Never below its start. The result depends on the seed, not on the number of threads, unless a stop comes
// early. Each round advances the control by one.
FoundNetwork best_order(FamilyCache& families, const Rules& rules, const std::vector<std::vector<int>>& start,
                        const std::vector<std::vector<int>>* candidates, const OrderOptions& options, Control& control,
                        int threads);

}  // namespace qnml
