// A few candidate parents for each child of a wide table, chosen by the score.
#pragma once

#include <limits>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/columns.hpp"
#include "core/scores/score.hpp"

namespace qnml {

// What is admitted for each child, for any number of columns. A family is admitted when it has all required parents,
// others from `allowed` only, not too many of them, and not too many cells; the required parents alone always are.
// So with a set of parents all its subsets that keep the required ones are admitted too.
struct ParentLimits {
  std::vector<std::vector<int>> allowed;   // ascending, without the required ones
  std::vector<std::vector<int>> required;  // ascending
  std::vector<int> max_parents;            // the required ones included
  double most_cells = std::numeric_limits<double>::infinity();
};

// Up to `most` of the allowed parents of each child, ascending. All of them where there are no more. Otherwise parents
// are added to the required ones as long as the score grows, best first, and taken out again where it grows by that.
// Beside this set come those that ended with the child in theirs, since arcs may be the other way round, then those
// with the best gain next to any set met on the way, among them the best single parents. Empty lists when stopped.
std::vector<std::vector<int>> choose_candidates(const Columns& table, const Score& score, const ParentLimits& limits,
                                                std::size_t most, int threads, Control& control);

}  // namespace qnml
