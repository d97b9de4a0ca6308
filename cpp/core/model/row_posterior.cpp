#include "core/model/row_posterior.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/model/elimination.hpp"
#include "core/numbers/minus_infinity.hpp"

namespace qnml {
namespace {

// Products below this may have lost precision to underflow.
constexpr double kSmall = 1e-200;

// Divides by the largest entry; returns it.
double normalise(double* values, std::size_t size) {
  const double largest = *std::max_element(values, values + size);
  if (largest > 0.0 && largest != 1.0) {
    for (std::size_t i = 0; i < size; ++i) values[i] /= largest;
  }
  return largest;
}

}  // namespace

double RowPosterior::condition(const EliminationPlan& plan, std::span<const double* const> values) {
  tables_.resize(plan.table_entries);
  messages_.resize(plan.message_entries);
  double log_evidence = 0.0;
  for (const EliminationPlan::Bucket& bucket : plan.buckets) {
    double log_scale = fill(plan, bucket, false, values);
    if (log_scale == kMinusInfinity) log_scale = fill(plan, bucket, true, values);
    if (log_scale == kMinusInfinity) return kMinusInfinity;
    log_evidence += log_scale;
    const double* entry = tables_.data() + bucket.table;
    double* const message = messages_.data() + bucket.message;
    const std::size_t levels = plan.levels[bucket.first_axis];
    for (std::size_t k = 0; k < bucket.size / levels; ++k) {
      double sum = 0.0;
      for (std::size_t level = 0; level < levels; ++level) sum += *entry++;
      message[k] = sum;
    }
    if (bucket.parent == EliminationPlan::kNone) log_evidence += std::log(message[0]);
  }
  return log_evidence;
}

// Multiplies the inputs of a bucket and divides by the largest product; returns its logarithm. With `is_careful` every
// partial product is divided, so that it cannot underflow; without, products that may have done so count as zero.
double RowPosterior::fill(const EliminationPlan& plan, const EliminationPlan::Bucket& bucket, bool is_careful,
                          std::span<const double* const> values) {
  double* const table = tables_.data() + bucket.table;
  std::fill_n(table, bucket.size, 1.0);
  double log_scale = 0.0;
  for (const EliminationPlan::Input& input : plan.inputs_of(bucket)) {
    const double* const factor =
        input.is_message ? messages_.data() + plan.buckets[input.source].message : values[input.source];
    over_entries(plan.levels_of(bucket), plan.strides_of(input),
                 [&](std::size_t index, std::size_t offset) { table[index] *= factor[offset]; });
    if (!is_careful) continue;
    const double largest = normalise(table, bucket.size);
    if (largest == 0.0) return kMinusInfinity;
    log_scale += std::log(largest);
  }
  const double largest = normalise(table, bucket.size);
  if (largest == 0.0 || (!is_careful && largest < kSmall)) return kMinusInfinity;
  return log_scale + std::log(largest);
}

// The beliefs of a bucket, from those of its parent: P(bucket) = P(separator) * table / message.
void RowPosterior::believe(const EliminationPlan& plan, const EliminationPlan::Bucket& bucket) {
  const std::size_t levels = plan.levels[bucket.first_axis];
  const std::size_t separator = bucket.size / levels;
  const double* const message = messages_.data() + bucket.message;
  double* const share = shares_.data() + bucket.message;
  std::fill_n(share, separator, 0.0);
  if (bucket.parent == EliminationPlan::kNone) {
    share[0] = 1.0;
  } else {
    const EliminationPlan::Bucket& parent = plan.buckets[bucket.parent];
    const double* const above = beliefs_.data() + parent.table;
    over_entries(plan.levels_of(parent), plan.strides_of(plan.inputs[bucket.parent_input]),
                 [&](std::size_t index, std::size_t offset) { share[offset] += above[index]; });
  }
  const double* entry = tables_.data() + bucket.table;
  double* belief = beliefs_.data() + bucket.table;
  for (std::size_t k = 0; k < separator; ++k) {
    // Where the message is zero, so is the belief of the parent.
    const double ratio = message[k] > 0.0 ? share[k] / message[k] : 0.0;
    for (std::size_t level = 0; level < levels; ++level) *belief++ = ratio * *entry++;
  }
}

std::span<const double> RowPosterior::conditional(const EliminationPlan& plan, const EliminationPlan::Bucket& bucket,
                                                  const std::uint32_t* codes) const {
  const std::span<const std::uint32_t> variables = plan.variables_of(bucket);
  const std::span<const std::uint32_t> levels = plan.levels_of(bucket);
  std::size_t place = 0;
  for (std::size_t axis = variables.size(); axis-- > 1;) place = place * levels[axis] + codes[variables[axis]];
  return {tables_.data() + bucket.table + place * levels[0], levels[0]};
}

}  // namespace qnml
