// Local scores of all families at once, for sums over DAGs.
#pragma once

#include <vector>

#include "core/base/control.hpp"
#include "core/problem/search_problem.hpp"

namespace qnml {

// For each column i, the 2^(n-1) local scores in nats, by parent set among the other columns (with bit i removed, see
// remove_bit); minus infinity if not admitted. The columns follow one another in one array, which is empty when
// stopped.
std::vector<double> family_log_scores(const SearchProblem& problem, Control& control);

}  // namespace qnml
