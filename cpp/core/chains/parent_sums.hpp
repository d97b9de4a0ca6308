// For one child and its candidate parents: the weight of every parent set, and sums of weights over many sets at once.
//
// A set of candidates is a bit mask over the list of candidates. Every set also contains the required parents, which
// have no bits. Weights are logarithms relative to the largest one, so only ratios of sums of one child are meaningful;
// `log_scale` gives the missing factor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/problem/search_problem.hpp"

namespace qnml {

// Most candidate parents of a child: the error of sums over 2^20 sets is bounded in parent_sums.cpp.
constexpr std::size_t kMostCandidates = 20;
// Memory per set of candidates: its weight, the sum over its subsets, and its place in `best_first_`.
constexpr double kBytesPerCandidateSet = 2 * sizeof(double) + sizeof(std::uint32_t);

class ParentSums {
 public:
  ParentSums() = default;
  // `log_weights` by set of candidates: minus infinity for sets that are not admitted, finite for the empty set.
  // Throws std::invalid_argument if there are too many candidates.
  ParentSums(std::vector<int> required, std::vector<int> candidates, std::vector<double> log_weights);

  const std::vector<int>& required() const { return required_; }
  const std::vector<int>& candidates() const { return candidates_; }
  double log_scale() const { return log_scale_; }

  double log_weight(std::uint32_t set) const { return weights_[set]; }
  // Sum over all subsets of a set.
  double log_within(std::uint32_t set) const { return sums_[set]; }
  // Sum over the subsets of `set` that intersect `meeting`; minus infinity if there are none.
  double log_meeting(std::uint32_t set, std::uint32_t meeting) const;

  // Draw a subset in proportion to its weight; `uniform` is in [0, 1).
  std::uint32_t draw_within(std::uint32_t set, double uniform) const;
  std::uint32_t draw_meeting(std::uint32_t set, std::uint32_t meeting, double uniform) const;

 private:
  template <class Visit>
  void for_subsets(std::uint32_t set, Visit&& visit) const;
  std::uint32_t draw(std::uint32_t set, std::uint32_t meeting, double log_total, double uniform) const;

  std::vector<int> required_, candidates_;
  std::vector<double> weights_, sums_;
  std::vector<std::uint32_t> best_first_;  // the admitted sets, by descending weight
  double log_scale_ = 0.0;
};

// The sums of every child. The weight of a family is exp(local score), with the prior of the score. Returns an empty
// vector when stopped.
std::vector<ParentSums> parent_sums(const SearchProblem& problem, const std::vector<std::vector<int>>& candidates,
                                    Control& control);

}  // namespace qnml
