// Effects of interventions that a wrong set of parents gets wrong: the terms of the structural intervention distance.
//
// Who believes that a node has certain parents takes the effect of the node on another from observed data by adjusting
// for these parents, and believes that it has no effect on the parents themselves (Peters and Bühlmann 2015). In a
// network that is true, adjusting gives the effect exactly if
//
// - no node on a directed path from the node to the target has a descendant among the parents believed in, and
// - these parents block every other path between the two.
//
// One search from the node decides both for all targets. Its paths start upwards, or downwards; a downward path becomes
// one that is not causal where it turns at a collider, which must then be a believed parent or above one.
#pragma once

#include <vector>

namespace qnml {

// For each of the nodes, the number of other nodes on which its effect is wrong.
//
// `network` has the parents of each node of the true network, `believed` a set of parents for each of `nodes`.
std::vector<int> wrong_effects(const std::vector<std::vector<int>>& network, const std::vector<int>& nodes,
                               const std::vector<std::vector<int>>& believed);

}  // namespace qnml
