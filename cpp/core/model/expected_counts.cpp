// Expected counts of incomplete rows: one step of the EM algorithm.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/model/incomplete_rows.hpp"
#include "core/numbers/minus_infinity.hpp"

namespace qnml {
namespace {

constexpr std::size_t kRowsPerTask = 32;

// Shares of rows are added as whole numbers, so that the sum does not depend on the threads: multiples of 2^-bits, as
// fine as sums of this size allow.
int share_bits(double total) { return std::clamp(61 - static_cast<int>(std::ceil(std::log2(total + 1.0))), 1, 52); }

}  // namespace

double IncompleteRows::condition(std::size_t place, std::span<const double> probabilities, Workspace& mine) const {
  const Pattern& pattern = patterns_[pattern_of_row_[place]];
  const std::uint32_t* const starts = starts_of(place);
  mine.values.resize(pattern.open.size());
  std::size_t gathered = 0;
  for (std::size_t k = 0; k < pattern.open.size(); ++k) {
    if (!families_[pattern.open[k]].lists_all) gathered += entries_of(pattern, k);
  }
  mine.gathered.resize(gathered);
  double* next = mine.gathered.data();
  for (std::size_t k = 0; k < pattern.open.size(); ++k) {
    if (families_[pattern.open[k]].lists_all) {
      mine.values[k] = probabilities.data() + starts[k];
      continue;
    }
    mine.values[k] = next;
    const std::uint32_t* const slots = listed_slots_.data() + starts[k];
    for (std::size_t entry = 0; entry < entries_of(pattern, k); ++entry) *next++ = probabilities[slots[entry]];
  }
  return mine.posterior.condition(pattern.plan, mine.values);
}

std::size_t IncompleteRows::entries_of(const Pattern& pattern, std::size_t open) const {
  std::size_t entries = 1;
  for (const std::uint32_t variable : pattern.families[open].variables) entries *= table_.levels[variable];
  return entries;
}

void IncompleteRows::for_each_posterior(std::span<const double> probabilities, int threads, Control& control,
                                        const Visitor& visit) const {
  std::vector<Workspace> workspaces(static_cast<std::size_t>(std::max(threads, 1)));
  const std::size_t tasks = (incomplete_.size() + kRowsPerTask - 1) / kRowsPerTask;
  parallel_for(tasks, threads, [&](int thread, std::size_t task) {
    Workspace& mine = workspaces[static_cast<std::size_t>(thread)];
    const std::size_t end = std::min(incomplete_.size(), (task + 1) * kRowsPerTask);
    for (std::size_t place = task * kRowsPerTask; place < end && !control.is_stopped(); ++place) {
      const Pattern& pattern = patterns_[pattern_of_row_[place]];
      const double log_evidence = condition(place, probabilities, mine);
      visit(thread, {place, incomplete_[place], pattern.missing, pattern.plan, mine.posterior, log_evidence});
    }
  });
}

double IncompleteRows::expect(std::span<const double> probabilities, std::span<double> counts, int threads,
                              Control& control) const {
  double total = 0.0;
  for (const std::uint32_t row : incomplete_) total += static_cast<double>(table_.weight(row));
  const double unit = std::ldexp(1.0, share_bits(total));
  std::vector<std::vector<std::int64_t>> shares(static_cast<std::size_t>(std::max(threads, 1)));
  std::vector<double> evidence(incomplete_.size(), 0.0);
  for_each_posterior(probabilities, threads, control, [&](int thread, const ConditionedRow& row) {
    std::vector<std::int64_t>& mine = shares[static_cast<std::size_t>(thread)];
    if (mine.empty()) mine.assign(slots(), 0);
    const auto weight = static_cast<double>(table_.weight(row.row));
    evidence[row.place] = weight * row.log_evidence;
    if (row.log_evidence == kMinusInfinity) return;
    const Pattern& pattern = patterns_[pattern_of_row_[row.place]];
    const std::uint32_t* const starts = starts_of(row.place);
    row.posterior.marginals(row.plan, [&](std::uint32_t open, std::size_t offset, double probability) {
      const bool is_direct = families_[pattern.open[open]].lists_all;
      const std::size_t slot = is_direct ? starts[open] + offset : listed_slots_[starts[open] + offset];
      // The number is not negative, so truncation rounds; std::llround would be a call in this inner loop.
      // NOLINTNEXTLINE(bugprone-incorrect-roundings)
      mine[slot] += static_cast<std::int64_t>(probability * weight * unit + 0.5);
    });
  });
  std::vector<std::int64_t> sums(slots(), 0);
  for (const std::vector<std::int64_t>& some : shares) {
    for (std::size_t slot = 0; slot < some.size(); ++slot) sums[slot] += some[slot];
  }
  for (std::size_t slot = 0; slot < sums.size(); ++slot) {
    counts[slot] = observed_[slot] + static_cast<double>(sums[slot]) / unit;
  }
  double log_likelihood = log_likelihood_of_observed(probabilities);
  for (const double one : evidence) log_likelihood += one;
  return log_likelihood;
}

double IncompleteRows::log_likelihood_of_observed(std::span<const double> probabilities) const {
  double sum = 0.0;
  for (std::size_t slot = 0; slot < observed_.size(); ++slot) {
    if (observed_[slot] > 0.0) sum += observed_[slot] * std::log(probabilities[slot]);
  }
  return sum;
}

std::vector<double> IncompleteRows::spread(std::span<const double> marginals) const {
  std::vector<std::size_t> first(table_.levels.size() + 1, 0);
  for (std::size_t v = 0; v < table_.levels.size(); ++v) first[v + 1] = first[v] + table_.levels[v];
  std::vector<double> counts(observed_.begin(), observed_.end());
  std::vector<std::uint32_t> levels;
  std::vector<double> shares, longer;
  for (std::size_t place = 0; place < incomplete_.size(); ++place) {
    const Pattern& pattern = patterns_[pattern_of_row_[place]];
    for (std::size_t k = 0; k < pattern.open.size(); ++k) {
      // The products of the marginals, the first missing member varying fastest.
      shares.assign(1, static_cast<double>(table_.weight(incomplete_[place])));
      levels.clear();
      for (const std::uint32_t variable : pattern.families[k].variables) {
        levels.push_back(table_.levels[variable]);
        longer.clear();
        for (std::size_t level = 0; level < table_.levels[variable]; ++level) {
          for (const double share : shares) longer.push_back(share * marginals[first[variable] + level]);
        }
        shares.swap(longer);
      }
      const bool is_direct = families_[pattern.open[k]].lists_all;
      const std::uint32_t start = starts_of(place)[k];
      over_entries(levels, pattern.families[k].strides.data(), [&](std::size_t index, std::size_t offset) {
        counts[is_direct ? start + offset : listed_slots_[start + offset]] += shares[index];
      });
    }
  }
  return counts;
}

}  // namespace qnml
