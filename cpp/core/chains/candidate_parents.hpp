// A few candidate parents for each child of a wide table, chosen by the score.
#pragma once

#include <vector>

#include "core/base/control.hpp"
#include "core/counting/columns.hpp"
#include "core/graph/rules.hpp"
#include "core/scores/score.hpp"

namespace qnml {

// Up to `most` of the allowed parents of each child, ascending. All of them where there are no more. Otherwise parents
// are added to the required ones as long as the score grows, best first, and taken out again where it grows by that.
// Beside this set come those that ended with the child in theirs, since arcs may be the other way round, then those
// with the best gain next to any set met on the way, among them the best single parents. Empty lists when stopped.
std::vector<std::vector<int>> choose_candidates(const Columns& table, const Score& score, const ListRules& limits,
                                                std::size_t most, int threads, Control& control);

}  // namespace qnml
