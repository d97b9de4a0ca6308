// The best prices of clusters, by linear programming.
//
// The program chooses shares of families: those of each child sum to one, and those that earn the price of a cluster
// sum to its rank at least. The prices of its rows are the best prices of these clusters. Violated clusters are added
// until there are none. A program of the choices near the best is solved first; others enter if they turn out to be
// better than these. Whatever the program returns, the bound is that of bound_of_prices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/proving/cluster_bound.hpp"

namespace qnml {

// Starts from known prices, and never returns a bound above theirs. Ends early after about `work` operations, and when
// the bound is not above `enough`.
ClusterBound cluster_program(const std::vector<std::vector<Choice>>& choices, const ClusterPrices& known, double enough,
                             std::uint64_t& work, Control& control);

}  // namespace qnml
