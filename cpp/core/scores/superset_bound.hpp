// Upper bound on the score of any superset of a parent set, in nats, for any number of variables.
//
// The bound on the score of the data is that of the score, see Score::upper_bound. Here are the tables that make it
// fast on one data set, and the price of the prior over structures.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "core/counting/columns.hpp"
#include "core/numbers/level_product.hpp"
#include "core/scores/score.hpp"

namespace qnml {

// The products of the k fewest levels of columns, by k: no k columns have a smaller product.
std::vector<LevelProduct> fewest_levels(const Columns& table);

// The bound on the local scores of supersets with at most `most_parents` members, with the prior of the score: see
// StructurePrior::ranges. More parents have more levels, so the bound of the larger ones may use both what is known
// about the set and the fewest levels of that many columns.
double bound_with_prior(const Score& score, std::uint32_t child_levels, const KnownParents& parents, double fit,
                        const std::vector<LevelProduct>& fewest_levels,
                        int most_parents = std::numeric_limits<int>::max());

// Safe to share between threads.
class SupersetBound {
 public:
  SupersetBound(std::shared_ptr<const Score> score, const Columns& table);

  using Parents = KnownParents;
  // Whether the counts of `Parents` must be set.
  bool needs_counts() const { return score_->bound_needs_counts(); }
  // The price of configurations of these sizes, for Parents::price.
  double price(std::span<const std::uint64_t> configs, std::uint32_t child_levels) const;

  // No superset of the parents with at most `most_parents` members scores more than this if it separates the rows no
  // better than a set that gives the child the log-likelihood `fit`, at most zero.
  double operator()(std::uint32_t child_levels, const Parents& parents, double fit,
                    int most_parents = std::numeric_limits<int>::max()) const {
    return bound_with_prior(*score_, child_levels, parents, fit, fewest_levels_, most_parents);
  }

 private:
  std::shared_ptr<const Score> score_;
  std::vector<LevelProduct> fewest_levels_;
  std::map<std::uint32_t, std::vector<double>> prices_;  // by the levels of the child, by count
};

}  // namespace qnml
