// The cliques of an elimination order and the tree that they form.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/inference/elimination_order.hpp"

namespace qnml {

struct Cluster {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  std::vector<std::uint32_t> members;  // variables of the graph, the one that is summed out last first
  std::uint32_t kept = 0;              // how many of them its parent has, too: the first ones
  std::uint32_t parent = kNone;
};

struct Clusters {
  std::vector<Cluster> clusters;    // children before parents
  std::vector<std::uint32_t> of;    // of each variable of the graph: the cluster that sums it out
  std::vector<std::uint32_t> rank;  // of each variable: when it is summed out
};

// Every variable is summed out in the bucket of itself and its neighbours at that time. A bucket all of which is in the
// bucket before it joins that one, if both variables have the same phase or phases may be mixed. Without mixing, a
// bucket of all variables of the last phase is a root.
Clusters clusters_of(const VariableOrder& order, std::span<const std::uint8_t> phase, bool mixes_phases);

}  // namespace qnml
