// Upper bound on the score of any superset of a parent set, in nats, for any number of variables.
//
// The bound is that of the score, see Score::upper_bound. Here are the tables that make it fast on one data set.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "core/counting/columns.hpp"
#include "core/scores/score.hpp"

namespace qnml {

// Safe to share between threads.
class SupersetBound {
 public:
  SupersetBound(std::shared_ptr<const Score> score, const Columns& table);

  using Parents = KnownParents;
  // Whether the counts of `Parents` must be set.
  bool needs_counts() const { return score_->bound_needs_counts(); }
  // The price of configurations of these sizes, for Parents::price.
  double price(std::span<const std::uint64_t> configs, std::uint32_t child_levels) const;

  // No superset of the parents scores more than this if it separates the rows no better than a set that gives the child
  // the log-likelihood `fit`, at most zero.
  double operator()(std::uint32_t child_levels, const Parents& parents, double fit) const {
    return score_->upper_bound(child_levels, parents, fit);
  }

 private:
  std::shared_ptr<const Score> score_;
  std::map<std::uint32_t, std::vector<double>> prices_;  // by the levels of the child, by count
};

}  // namespace qnml
