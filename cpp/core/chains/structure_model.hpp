// Shared by all chains over structures: the sums of every child, and which nodes are candidate parents of which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/random.hpp"
#include "core/chains/parent_sums.hpp"
#include "core/chains/uncommon_families.hpp"

namespace qnml {

constexpr int kRequiredBit = -1;

// A node that may have the variable in question as a parent, and the bit of that variable among its candidates.
struct Holder {
  int node;
  int bit;  // kRequiredBit if it is a required parent
};

// For each node, the set of its candidates that are its parents; required parents are not included.
using ChosenParents = std::vector<std::uint32_t>;

// A DAG. Besides its required parents, a node has parents among its candidates and parents outside them.
struct ChainDag {
  ChosenParents chosen;
  std::vector<std::vector<int>> outside;  // ascending
};

// Allowed parents of a node outside its candidates, with a guess of the odds of each: the factor by which the parent
// alone multiplies the weight of a family, which falls with the number of candidates that are parents. Moves propose by
// this guess and correct for it.
struct OutsideParents {
  // For a given number of candidates that are parents and odds r, by position in `nodes`: log r, r / (1 + r) and log(1
  // + r).
  struct Odds {
    std::vector<double> log_odds, share, log_either;
  };
  std::vector<int> nodes;  // ascending
  std::vector<Odds> by_count;
};

// The source of these guesses.
struct OutsideOdds {
  std::vector<double> odds;      // positive; row parent, column child; for a child none of whose candidates is a parent
  std::vector<double> crowding;  // by child: by how much the log odds fall with each candidate that is a parent
};

class StructureModel {
 public:
  // Without `wide`, all parents are required or candidates.
  explicit StructureModel(std::vector<ParentSums> of_children, std::shared_ptr<UncommonFamilies> wide = nullptr,
                          const OutsideOdds& guess = {});

  std::size_t size() const { return sums_.size(); }
  const ParentSums& sums(std::size_t child) const { return *sums_[child]; }
  UncommonFamilies* wide() const { return wide_.get(); }
  const OutsideParents& outside(std::size_t child) const { return outside_[child]; }
  // The sums with a guess of what parents outside the candidates add to the weight of each set of candidates.
  const ParentSums& guessed(std::size_t child) const { return *guessed_[child]; }

  // The same model with all nodes that have parents outside their candidates fixed: their parents become required, and
  // they have no candidates.
  StructureModel with_outside_fixed(const ChainDag& dag) const;

  // All parents of a node, ascending.
  std::vector<int> parents(const ChainDag& dag, std::size_t child) const;

  // Log weight of a family, with the scale of the child.
  double log_weight(const ChainDag& dag, std::size_t child) const;

  std::vector<std::vector<Holder>> holders;  // by parent
  // By child and bit: the bit of the child among the candidates of that parent, or kRequiredBit if it is not a
  // candidate there.
  std::vector<std::vector<int>> bit_in_parent;
  std::vector<std::uint32_t> reversible;  // by child: the candidates that have the child as a candidate

 private:
  explicit StructureModel(std::vector<std::shared_ptr<const ParentSums>> shared);
  void link();

  ParentSums with_outside(std::size_t child) const;

  std::vector<std::shared_ptr<const ParentSums>> sums_, guessed_;
  std::shared_ptr<UncommonFamilies> wide_;
  std::vector<OutsideParents> outside_;
};

// Length of the longest path from a node without parents, by node, in a DAG without parents outside the candidates.
// Nodes in layer 0 have no parents; the others have a parent in the layer right before their own, and none in their own
// or later layers.
std::vector<int> layers_of(const StructureModel& model, const ChosenParents& dag);

// Log weight of a DAG, with the scale of each child.
double log_weight(const StructureModel& model, const ChainDag& dag);

// A random integer below `count`; the probabilities differ from uniform by less than count / 2^53.
inline std::size_t below(Xoshiro256& random, std::size_t count) {
  return static_cast<std::size_t>(random.uniform() * static_cast<double>(count));
}

}  // namespace qnml
