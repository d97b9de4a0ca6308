// Cuts a line into the intervals that cost least: a sum over the intervals plus a price for their number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/binning/interval_costs.hpp"

namespace qnml {

struct Partition {
  std::vector<std::int32_t> cuts;  // edges between the intervals, ascending; neither the first nor the last edge
  double cost = 0.0;               // of the intervals and their number
};

// The cheapest partition, by dynamic programming over the number of intervals; exact. prices[k - 1] is the price of k
// intervals, and there are at most prices.size() of them. Among partitions of equal cost: the fewest intervals, then
// the lowest cuts from the right.
//
// Requires that dividing an interval never raises the sum. Then no partition costs less than all pieces taken apart
// plus the lowest price of as many intervals, and the search ends when that exceeds the best so far.
//
// Stopped by `control`, it returns the best partition with the numbers of intervals examined so far; at least one.
Partition best_partition(const IntervalCosts& costs, std::span<const double> prices, Control& control);

}  // namespace qnml
