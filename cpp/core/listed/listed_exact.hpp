// Exact search among listed families: the search over orders of `exact`, with lists in place of counts.
#pragma once

#include "core/base/control.hpp"
#include "core/exact/exact.hpp"
#include "core/listed/listed_problem.hpp"

namespace qnml {

// At most kMostMaskVariables variables. There is no network if, and only if, the rules admit no acyclic network of
// listed families. Of the options, `dense` and `most_sets` do not matter here. Of networks of equal score the one with
// the fewest arcs is the simplest: nothing is known about parameters.
ExactResult learn_listed_exact(const ListedProblem& problem, const ExactOptions& options, Control& control);

}  // namespace qnml
