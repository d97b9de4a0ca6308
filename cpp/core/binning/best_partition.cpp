#include "core/binning/best_partition.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <vector>

namespace qnml {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Costs that differ by less than this share of the largest sums are equal up to rounding; the smaller number of
// intervals wins. Sums of logarithms of a million rows are exact to about 1e-13 of their size.
constexpr double kTolerance = 1e-12;

// The smallest of first[i] + second[i]. Four minima side by side: a single one would wait for each comparison.
double least_sum(const double* first, const double* second, std::size_t size) {
  constexpr std::size_t kLanes = 4;
  double least[kLanes] = {kInfinity, kInfinity, kInfinity, kInfinity};
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const double sum = first[i + lane] + second[i + lane];
      least[lane] = sum < least[lane] ? sum : least[lane];
    }
  }
  for (; i < size; ++i) least[0] = std::min(least[0], first[i] + second[i]);
  return *std::min_element(std::begin(least), std::end(least));
}

// prefix[e]: the least cost of the pieces up to edge e in a given number of intervals.
using Prefix = std::vector<double>;

Prefix one_interval(const IntervalCosts& costs) {
  Prefix prefix(costs.pieces() + 1, kInfinity);
  for (std::size_t end = 1; end <= costs.pieces(); ++end) prefix[end] = costs.ending_at(end)[0];
  return prefix;
}

Prefix one_more(const Prefix& fewer, std::size_t intervals, const IntervalCosts& costs, Control& control) {
  Prefix prefix(costs.pieces() + 1, kInfinity);
  // With one interval fewer there is no shorter prefix.
  const std::size_t shortest = intervals - 1;
  for (std::size_t end = intervals; end <= costs.pieces() && !control.is_stopped(); ++end) {
    prefix[end] = least_sum(fewer.data() + shortest, costs.ending_at(end) + shortest, end - shortest);
  }
  return prefix;
}

double sum_of_pieces(const IntervalCosts& costs) {
  double sum = 0.0;
  for (std::size_t end = 1; end <= costs.pieces(); ++end) sum += costs.ending_at(end)[end - 1];
  return sum;
}

// lowest[k]: the lowest price of more than k intervals.
std::vector<double> lowest_beyond(std::span<const double> prices) {
  std::vector<double> lowest(prices.size() + 1, kInfinity);
  for (std::size_t k = prices.size(); k > 0; --k) lowest[k - 1] = std::min(lowest[k], prices[k - 1]);
  return lowest;
}

// Walks back through the prefixes. The sums are computed as they were, so that one of them is the minimum to the bit.
std::vector<std::int32_t> cuts_of(const std::vector<Prefix>& prefixes, std::size_t intervals,
                                  const IntervalCosts& costs) {
  std::vector<std::int32_t> cuts;
  std::size_t end = costs.pieces();
  for (std::size_t k = intervals; k > 1; --k) {
    std::size_t start = k - 1;
    while (prefixes[k - 2][start] + costs.ending_at(end)[start] != prefixes[k - 1][end]) ++start;
    cuts.push_back(static_cast<std::int32_t>(start));
    end = start;
  }
  std::reverse(cuts.begin(), cuts.end());
  return cuts;
}

}  // namespace

Partition best_partition(const IntervalCosts& costs, std::span<const double> prices, Control& control) {
  const std::size_t last = costs.pieces();
  const std::vector<double> lowest = lowest_beyond(prices);
  const double least_sum_of_all = sum_of_pieces(costs);
  std::vector<Prefix> prefixes{one_interval(costs)};
  std::size_t intervals = 1;
  double best = prefixes[0][last] + prices[0];
  const double tolerance = kTolerance * (std::abs(prefixes[0][last]) + std::abs(best));
  for (std::size_t k = 2; k <= std::min(prices.size(), last); ++k) {
    if (least_sum_of_all + lowest[k - 1] >= best) break;
    Prefix prefix = one_more(prefixes.back(), k, costs, control);
    if (control.is_stopped()) break;
    const double cost = prefix[last] + prices[k - 1];
    prefixes.push_back(std::move(prefix));
    if (cost < best - tolerance) {
      best = cost;
      intervals = k;
    }
  }
  return {cuts_of(prefixes, intervals, costs), best};
}

}  // namespace qnml
