#include "core/binning/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/binning/best_partition.hpp"
#include "core/binning/cut_candidates.hpp"
#include "core/binning/interval_costs.hpp"
#include "core/numbers/special.hpp"
#include "core/scores/regret.hpp"

namespace qnml {
namespace {

// h (log L - log h): what a bin adds, but for h log n, which adds up to the same for all bins. By the log-sum
// inequality, dividing a bin never raises it.
IntervalCosts costs_of_bins(const CutCandidates& column, Control& control) {
  IntervalCosts costs(column.pieces());
  for (std::size_t end = 1; end <= column.pieces() && !control.is_stopped(); ++end) {
    double* of_end = costs.ending_at(end);
    std::uint64_t rows = 0;
    for (std::size_t start = end; start > 0; --start) {
      rows += column.counts[start - 1];
      const auto h = static_cast<double>(rows);
      of_end[start - 1] = rows == 0 ? 0.0 : h * (column.log_width(start - 1, end) - std::log(h));
    }
  }
  return costs;
}

}  // namespace

std::vector<double> log_cut_choices(const CutCandidates& column) {
  std::vector<double> choices(column.pieces(), 0.0);
  for (std::size_t k = 1; k < choices.size(); ++k) {
    const auto cuts = static_cast<double>(k);
    choices[k] = log_rising(column.places - cuts + 1.0, cuts) - log_gamma(cuts + 1.0);
  }
  return choices;
}

std::vector<std::int32_t> nml_histogram(const CutCandidates& column, Control& control, std::size_t most_bins) {
  const std::uint64_t n = std::accumulate(column.counts.begin(), column.counts.end(), column.fixed_rows);
  std::vector<double> prices = log_cut_choices(column);
  prices.resize(std::min(prices.size(), std::max<std::size_t>(most_bins, 1)));
  const std::vector<double> regrets =
      regrets_by_levels(static_cast<std::int64_t>(n), prices.size() + column.fixed_bins);
  for (std::size_t k = 0; k < prices.size(); ++k) prices[k] += regrets[k + column.fixed_bins];
  return best_partition(costs_of_bins(column, control), prices, control).cuts;
}

std::vector<std::vector<std::int32_t>> nml_histograms(std::span<const CutCandidates> columns, int threads,
                                                      Control& control, std::size_t most_bins) {
  std::vector<std::vector<std::int32_t>> cuts(columns.size());
  parallel_for(columns.size(), threads,
               [&](int, std::size_t i) { cuts[i] = nml_histogram(columns[i], control, most_bins); });
  return cuts;
}

}  // namespace qnml
