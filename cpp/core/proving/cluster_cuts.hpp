// Clusters whose inequalities a fractional choice of families violates.
#pragma once

#include <cstddef>
#include <vector>

#include "core/numbers/variable_set.hpp"
#include "core/proving/cluster_bound.hpp"

namespace qnml {

struct Share {
  VariableSet parents;
  double weight;  // of the choice with these parents; those of a child sum to one
};

// Clusters C of rank k whose members together put less than k on choices that earn the price of C, the most violated
// first, at most `most`. Clusters of rank 1 are found by a search over sets that grow along arcs, limited in length for
// each smallest member; those of higher ranks among sets of a child and two or three of its parents.
std::vector<Cluster> violated_clusters(const std::vector<std::vector<Share>>& shares, std::size_t most);

}  // namespace qnml
