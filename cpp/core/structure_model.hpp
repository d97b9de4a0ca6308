// What all chains over structures share: the sums of every child, and who has whom among its candidates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/parent_sums.hpp"
#include "core/random.hpp"

namespace qnml {

constexpr int kRequiredBit = -1;

// A node that may have the variable in question as a parent, and the bit that stands for it there.
struct Holder {
  int node;
  int bit;  // kRequiredBit where it must be a parent
};

struct StructureModel {
  std::vector<ParentSums> sums;
  std::vector<std::vector<Holder>> holders;  // by parent
  // By child and bit: the bit of the child among the candidates of that parent, or kRequiredBit where it is none.
  std::vector<std::vector<int>> bit_in_parent;
  std::vector<std::uint32_t> reversible;  // by child: the candidates that have it among theirs

  explicit StructureModel(std::vector<ParentSums> of_children);
  std::size_t size() const { return sums.size(); }
};

// A DAG: for each node the set of its candidates that are parents, besides the required ones.
using ChosenParents = std::vector<std::uint32_t>;

// Longest way from a node without parents, by node. Layer 0 has no parents; the others have a parent in the layer
// right before their own and none in their own or later ones.
std::vector<int> layers_of(const StructureModel& model, const ChosenParents& dag);

// Log weight of a DAG, with the scale of each child.
double log_weight(const StructureModel& model, const ChosenParents& dag);

// A whole number below `count`. Off by less than count / 2^53 from uniform.
inline std::size_t below(Xoshiro256& random, std::size_t count) {
  return static_cast<std::size_t>(random.uniform() * static_cast<double>(count));
}

}  // namespace qnml
