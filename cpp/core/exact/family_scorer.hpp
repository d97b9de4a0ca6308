// The score of a family from the values of sets, and an upper bound on the scores of all admitted supersets of its
// parents.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/columns.hpp"
#include "core/counting/count.hpp"
#include "core/exact/alive_sets.hpp"
#include "core/scores/integer_score.hpp"

namespace qnml {

// Scores the families of one child from the values of sets, or by counting if the score is not a sum over the cells of
// sets.
class FamilyScorer {
 public:
  // Only parent sets with at most `most_parents` members are admitted.
  FamilyScorer(const Columns& table, const IntegerScore& score, int child, std::int64_t best_fit, int most_parents)
      : score_(score), child_(child), best_fit_(best_fit), most_parents_(most_parents), counter_(table) {}

  struct Result {
    std::int64_t score;
    std::int64_t bound;
  };

  // `index` is the product index of the parents. `values` must have the parents, with and without the child.
  Result operator()(std::uint64_t parents, std::uint32_t index, const NeededSets& values);

 private:
  const IntegerScore& score_;
  int child_;
  std::int64_t best_fit_;
  int most_parents_;
  Counter counter_;
  Profile cells_, configs_;
  std::vector<int> members_;
};

// The best possible fit of each child, given all other variables.
std::vector<std::int64_t> best_fits(const Columns& table, const IntegerScore& score, Control& control, int threads);

}  // namespace qnml
