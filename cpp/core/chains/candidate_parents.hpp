// Chooses a few candidate parents for each child of a table with many columns, by the score.
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/control.hpp"
#include "core/problem/search_problem.hpp"

namespace qnml {

// Up to `most` of the allowed parents of each child, ascending; all of them if there are no more. Otherwise parents are
// added to the required ones while the score grows, best first, and removed again if that improves the score. The rest
// is filled first with parents whose own set contains the child, since the arc may point the other way, then with the
// parents of the largest gain next to any set visited, including the best single parents. Returns empty lists when
// stopped.
std::vector<std::vector<int>> choose_candidates(const SearchProblem& problem, std::size_t most, Control& control);

}  // namespace qnml
