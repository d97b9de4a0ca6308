// Screening of candidate parents by the score: every pair of variables is counted once, on all cores.
#pragma once

#include <vector>

#include "core/base/control.hpp"
#include "core/graph/rules.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/family_cache.hpp"

namespace qnml {

struct Screening {
  // For each child, the variables that gain as its only parent or for which it gains as their only parent, at most the
  // `most` best of each, and the required parents. Ascending; allowed ones only.
  std::vector<std::vector<int>> candidates;
  // The best score of each child with at most one parent, allowed or not.
  std::vector<double> best_single;
  bool complete = false;  // false when stopped; children not reached have no candidates and a score of infinity
};

Screening screen(FamilyCache& families, const Rules& rules, int most, Control& control, int threads);

// Upper bound on the score of any network: each child takes the best of its families with at most one parent, or a
// family with two or more parents that fits perfectly and has the smallest penalty such a family can have. Weak, but it
// needs no counts beyond those of the screening.
double unrelated_bound(const SearchProblem& problem, const std::vector<double>& best_single);

}  // namespace qnml
