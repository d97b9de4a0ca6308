// The input of every search: a counted table, a score, the rules, and limits.
//
// A search takes a problem and a struct of its own options. Views of the rules that inner loops need are derived by the
// search, once.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/counting/columns.hpp"
#include "core/graph/rules.hpp"
#include "core/scores/score.hpp"

namespace qnml {

// Variables are columns of the table. No result depends on the number of threads.
struct SearchProblem {
  Columns table;                       // a view: the codes must outlive the problem
  std::shared_ptr<const Score> score;  // made for the total of this table
  Rules rules;
  double memory_limit = std::numeric_limits<double>::infinity();  // bytes
  int threads = 1;
  std::uint64_t seed = 0;
  // Where the table is split: for each part the score made for its total. `score` is then good for what all have in
  // common.
  std::vector<std::shared_ptr<const Score>> part_scores;

  const std::shared_ptr<const Score>& score_of_part(std::size_t part) const {
    return table.is_split() ? part_scores[part] : score;
  }
  const std::shared_ptr<const Score>& score_of(int child) const { return score_of_part(table.part_of(child)); }
  int n_variables() const { return static_cast<int>(table.columns.size()); }
};

}  // namespace qnml
