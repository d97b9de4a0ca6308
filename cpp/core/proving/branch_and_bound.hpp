// The best acyclic choice of families, by branch and bound on single arcs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/numbers/variable_set.hpp"
#include "core/proving/cluster_bound.hpp"

namespace qnml {

struct BranchResult {
  // Upper bound on the score of any acyclic choice. If the search is complete, the score that was reached or found.
  double bound = 0.0;
  bool is_better = false;  // the choice below scores more than `reached`
  std::vector<VariableSet> parents;
  double score = 0.0;
  std::size_t cases = 0;  // examined
};

// Branches on whether a child has a certain parent. The prices of clusters bound each case, by linear programming; the
// most promising case is examined first, and cases that cannot score more than `reached` are pruned. Ends early after
// `most_cases`, after about `work` operations, when the open cases take more than `memory_bytes`, or when stopped; the
// bound is then that of the most promising open case.
BranchResult branch_and_bound(const std::vector<std::vector<Choice>>& choices, const ClusterPrices& prices,
                              double reached, double tolerance, std::size_t most_cases, std::uint64_t& work,
                              double memory_bytes, Control& control);

}  // namespace qnml
