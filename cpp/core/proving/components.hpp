// Decomposition into components that can be solved separately.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/numbers/variable_set.hpp"
#include "core/proving/cluster_bound.hpp"

namespace qnml {

// The strongly connected components of the graph with an arc from each listed parent to its child, in topological
// order. No cycle of listed families passes through two components, so each can be solved on its own (Fan, Malone and
// Yuan 2014).
std::vector<std::vector<int>> connected_parts(const std::vector<std::vector<Choice>>& choices);

struct PartSolution {
  double bound = 0.0;  // upper bound on the score of the part in any acyclic choice
  bool is_better = false;
  std::vector<VariableSet> parents;  // by member, if `is_better`
  double score = 0.0;
};

// The best acyclic choice of families for a part, or a bound on its score. Parents outside the part are unrestricted.
// `reached` is the score of a known acyclic choice on this part; `prices` are good prices for all variables together.
PartSolution solve_part(const std::vector<std::vector<Choice>>& choices, const ClusterPrices& prices,
                        const std::vector<int>& part, double reached, double tolerance, std::size_t most_cases,
                        std::uint64_t& work, double memory_bytes, Control& control);

}  // namespace qnml
