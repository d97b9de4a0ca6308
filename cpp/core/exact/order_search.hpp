// The best network over all orders, layer by layer, keeping only sets that can still be part of an optimal order
// (breadth-first branch and bound; Malone, Yuan, Hansen 2011, with the bounds of Yuan and Malone 2012).
#pragma once

#include <cstdint>

#include "core/base/control.hpp"
#include "core/exact/candidates.hpp"
#include "core/exact/order_solution.hpp"
#include "core/graph/tie_breaking.hpp"

namespace qnml {

struct OrderSearchResult {
  bool complete = false;  // the solution is optimal for the candidates given, within the tolerance
  OrderSolution solution;
  std::int64_t bound = 0;  // upper bound on the score of any network
  bool out_of_memory = false;
  bool outgrown = false;  // given up because more sets than allowed are expected
  std::uint64_t states = 0;
};

// `incumbent` is the score of a known network. The lists must hold all candidates that tie with one of their subsets
// within its tolerance, unless they say otherwise. The search is given up as soon as order_outlook.hpp predicts more
// than `most_states` states in total, long before it has kept that many.
OrderSearchResult order_search(const CandidateLists& lists, std::int64_t incumbent, TieRule rule, std::uint64_t seed,
                               double memory_limit, double most_states, Control& control, int threads);

}  // namespace qnml
