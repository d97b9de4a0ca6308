// The joint distribution of the missing cells of a row given its observed cells, under a network: exact, by bucket
// elimination (elimination.hpp) with small dense tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/elimination.hpp"

namespace qnml {

// Memory for one row at a time; one per thread.
class RowPosterior {
 public:
  // Computes the tables. `values[f]` is the table of the open family f; strides are those of the plan. Returns the
  // logarithm of the sum of the product of all families, minus infinity if every product is zero.
  double condition(const EliminationPlan& plan, std::span<const double* const> values);

  // Calls add(family, offset, probability) for each entry of each open family, one or several times; the probabilities
  // of an entry add up to its posterior probability. After condition(), unless that was minus infinity.
  template <class Add>
  void marginals(const EliminationPlan& plan, Add&& add);

  // The values of a bucket's variable, in proportion to their probabilities given those of its other axes. `codes` has
  // the values of the variables by their number. After condition(), also when marginals() came in between.
  std::span<const double> conditional(const EliminationPlan& plan, const EliminationPlan::Bucket& bucket,
                                      const std::uint32_t* codes) const;

 private:
  double fill(const EliminationPlan& plan, const EliminationPlan::Bucket& bucket, bool is_careful,
              std::span<const double* const> values);
  void believe(const EliminationPlan& plan, const EliminationPlan::Bucket& bucket);

  std::vector<double> tables_;    // the buckets, each divided by its largest entry
  std::vector<double> messages_;  // sums over the first axis
  std::vector<double> beliefs_;   // posterior probabilities of the entries of the buckets
  std::vector<double> shares_;    // the same of the messages, divided by them
  double log_scale_ = 0.0;
};

template <class Add>
void RowPosterior::marginals(const EliminationPlan& plan, Add&& add) {
  beliefs_.resize(plan.table_entries);
  shares_.resize(plan.message_entries);
  for (std::size_t b = plan.buckets.size(); b-- > 0;) {
    const EliminationPlan::Bucket& bucket = plan.buckets[b];
    believe(plan, bucket);
    const double* const mine = beliefs_.data() + bucket.table;
    for (const EliminationPlan::Input& input : plan.inputs_of(bucket)) {
      if (input.is_message) continue;
      over_entries(plan.levels_of(bucket), plan.strides_of(input), [&](std::size_t index, std::size_t offset) {
        if (mine[index] > 0.0) add(input.source, offset, mine[index]);
      });
    }
  }
}

}  // namespace qnml
