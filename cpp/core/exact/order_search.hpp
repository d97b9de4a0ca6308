// The best network over all orders, one layer of sets after the other, keeping only sets that can still be part of an
// optimal order (breadth-first branch and bound; Malone, Yuan, Hansen 2011, with the bounds of Yuan and Malone 2012).
#pragma once

#include <cstdint>

#include "core/base/control.hpp"
#include "core/exact/candidates.hpp"
#include "core/exact/order_solution.hpp"

namespace qnml {

struct OrderSearchResult {
  bool complete = false;  // the solution is optimal for the candidates given, within the tolerance
  OrderSolution solution;
  std::int64_t bound = 0;  // no network scores more
  bool out_of_memory = false;
  bool outgrown = false;  // it was given up: more sets than it may keep are to be expected
  std::uint64_t states = 0;
};

// `incumbent` is the score of a network that is known already. The lists must have all candidates that are equal to one
// of their subsets within its tolerance, unless they say otherwise. `most_states`, in all, are foretold by
// layer_outlook.hpp, so that the search is given up long before it has kept them.
OrderSearchResult order_search(const CandidateLists& lists, std::int64_t incumbent, TieRule rule, std::uint64_t seed,
                               double memory_limit, double most_states, Control& control, int threads);

}  // namespace qnml
