#include "core/model/em.hpp"

#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/model/incomplete_rows.hpp"

namespace qnml {

void maximise(const IncompleteRows& rows, std::span<const double> counts, std::span<double> probabilities) {
  for (std::size_t family = 0; family < rows.families(); ++family) {
    const std::size_t levels = rows.table().levels[family];
    for (std::size_t slot = rows.first_slot(family); slot < rows.first_slot(family + 1); slot += levels) {
      double sum = 0.0;
      for (std::size_t level = 0; level < levels; ++level) sum += counts[slot + level];
      for (std::size_t level = 0; level < levels; ++level) {
        probabilities[slot + level] = sum > 0.0 ? counts[slot + level] / sum : 1.0 / static_cast<double>(levels);
      }
    }
  }
}

EmResult run_em(const IncompleteRows& rows, std::vector<double> counts, double tolerance, int most_steps, int threads,
                Control& control) {
  EmResult result;
  result.counts = std::move(counts);
  result.probabilities.resize(rows.slots());
  std::vector<double> next(rows.slots());
  std::vector<double> probabilities(rows.slots());
  for (int step = 0; step < most_steps && !result.is_converged; ++step) {
    maximise(rows, result.counts, probabilities);
    const double log_likelihood = rows.expect(probabilities, next, threads, control);
    if (control.is_stopped()) break;  // the counts are not those of all rows
    const double most = tolerance * std::fabs(log_likelihood);
    result.is_converged = !result.trace.empty() && log_likelihood - result.trace.back() <= most;
    result.trace.push_back(log_likelihood);
    result.counts.swap(next);
    result.probabilities.swap(probabilities);
    control.advance(1.0);
  }
  return result;
}

}  // namespace qnml
