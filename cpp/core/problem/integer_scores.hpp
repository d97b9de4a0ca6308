// The score of a problem in whole units: one for each part of its table, all with the same unit, so that they add up.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "core/counting/columns.hpp"
#include "core/graph/rules.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/integer_score.hpp"

namespace qnml {

class IntegerScores {
 public:
  IntegerScores(const SearchProblem& problem, const MaskRules& rules);

  const IntegerScore& of_part(std::size_t part) const { return *scores_[part]; }
  const IntegerScore& of(int child) const { return of_part(table_.part_of(child)); }
  double unit() const { return of_part(0).unit(); }
  // What does not depend on the rows: the products of levels.
  const IntegerScore& any() const { return of_part(0); }
  bool is_direct() const {
    return std::any_of(scores_.begin(), scores_.end(), [](const auto& score) { return score->is_direct(); });
  }
  std::size_t n_config_classes() const {
    std::size_t most = 0;
    for (const auto& score : scores_) most = std::max(most, score->n_config_classes());
    return most;
  }

  const Columns& table() const { return table_; }
  std::size_t n_parts() const { return scores_.size(); }

 private:
  const Columns& table_;
  std::vector<std::unique_ptr<IntegerScore>> scores_;
};

// The rules with no choice left for the children of other parts, so that a search over one part spends nothing on them.
MaskRules rules_of_part(const MaskRules& rules, const Columns& table, std::size_t part);

}  // namespace qnml
