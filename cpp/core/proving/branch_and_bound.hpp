// The best acyclic choice of families, by branch and bound on single arcs.
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/control.hpp"
#include "core/numbers/variable_set.hpp"
#include "core/proving/cluster_bound.hpp"

namespace qnml {

struct BranchResult {
  // No acyclic choice scores more. Equals the score that was reached, or found, when the search is complete.
  double bound = 0.0;
  bool is_better = false;  // a choice scores more than what was reached: this one
  std::vector<VariableSet> parents;
  double score = 0.0;
  std::size_t cases = 0;  // looked at
};

// Either a child has a certain parent, or it has not: both cases are bounded by the prices of clusters, the more
// promising one is looked at first, and what cannot score more than `reached` is dropped. Ends early after `most_cases`
// when the cases left take more than `memory_bytes`, or when stopped; the bound then is that of the most promising case
// left.
BranchResult branch_and_bound(const std::vector<std::vector<Choice>>& choices, const ClusterPrices& prices,
                              double reached, double tolerance, std::size_t most_cases, double memory_bytes,
                              Control& control);

}  // namespace qnml
