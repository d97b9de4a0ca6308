// Which variables tell most about which, by the score itself: every pair counted once, on all cores.
#pragma once

#include <vector>

#include "core/base/control.hpp"
#include "core/graph/rules.hpp"
#include "core/scores/family_cache.hpp"

namespace qnml {

struct Screening {
  // For each child those that gain something as its only parent, or the child as theirs: at most `most` of the best of
  // each, and the required parents. Ascending, allowed only.
  std::vector<std::vector<int>> candidates;
  // The best score of each child with no parent or one, allowed or not.
  std::vector<double> best_single;
  bool complete = false;  // false when it was stopped; what was not reached has no candidates and infinity
};

Screening screen(FamilyCache& families, const Rules& rules, int most, Control& control, int threads);

// No network scores more than this, whatever its arcs: each child takes the best of its families with at most one
// parent, or a family with two parents or more, which fits perfectly and pays the least such a family can pay. Weak,
// but it takes no more counting than the screening.
double unrelated_bound(const Columns& table, const Score& score, const std::vector<double>& best_single);

}  // namespace qnml
