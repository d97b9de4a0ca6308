// Networks put together from parts that can be solved one by one.
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/control.hpp"
#include "core/numbers/variable_set.hpp"
#include "core/proving/cluster_bound.hpp"

namespace qnml {

// The strongly connected components of the graph that has an arc from each listed parent to its child, those before
// others first. A network made of listed families has no cycle through two of them, so each can be solved on its own
// (Fan, Malone and Yuan 2014).
std::vector<std::vector<int>> connected_parts(const std::vector<std::vector<Choice>>& choices);

struct PartSolution {
  double bound = 0.0;  // on the scores of the part's members in any acyclic choice
  bool is_better = false;
  std::vector<VariableSet> parents;  // by member, where it is better than what was reached
  double score = 0.0;
};

// The best acyclic choice of families of a part, or a bound on it. Parents outside the part are free. `reached` is what
// an acyclic choice is known to score on this part. `prices` are good ones for all variables together.
PartSolution solve_part(const std::vector<std::vector<Choice>>& choices, const ClusterPrices& prices,
                        const std::vector<int>& part, double reached, double tolerance, std::size_t most_cases,
                        double memory_bytes, Control& control);

}  // namespace qnml
