// What all chains over structures share: the sums of every child, and who has whom among its candidates.
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

// A node that may have the variable in question as a parent, and the bit that stands for it there.
struct Holder {
  int node;
  int bit;  // kRequiredBit where it must be a parent
};

// For each node the set of its candidates that are parents, besides the required ones.
using ChosenParents = std::vector<std::uint32_t>;

// A DAG: besides the required parents those among the candidates, and further ones that are no candidates.
struct ChainDag {
  ChosenParents chosen;
  std::vector<std::vector<int>> outside;  // ascending
};

// Parents that a node may have but that are no candidates, each with a guess of its odds: a parent by itself multiplies
// the weight of a family by about so much, and by less the more candidates are parents. Moves propose by the guess and
// make good for it.
struct OutsideParents {
  // r by place in `nodes`, with log r, r / (1 + r) and log(1 + r), where some number of candidates are parents.
  struct Odds {
    std::vector<double> log_odds, share, log_either;
  };
  std::vector<int> nodes;  // ascending
  std::vector<Odds> by_count;
};

// Where these guesses come from.
struct OutsideOdds {
  std::vector<double> odds;      // positive: row parent, column child, where no candidate is a parent of the child
  std::vector<double> crowding;  // by child: how much their logarithm falls with each candidate that is a parent
};

class StructureModel {
 public:
  // Without `wide` parents are required or candidates.
  explicit StructureModel(std::vector<ParentSums> of_children, std::shared_ptr<UncommonFamilies> wide = nullptr,
                          const OutsideOdds& guess = {});

  std::size_t size() const { return sums_.size(); }
  const ParentSums& sums(std::size_t child) const { return *sums_[child]; }
  UncommonFamilies* wide() const { return wide_.get(); }
  const OutsideParents& outside(std::size_t child) const { return outside_[child]; }
  // The sums with a guess of what parents outside add to the weight of each set of candidates.
  const ParentSums& guessed(std::size_t child) const { return *guessed_[child]; }

  // The same with nodes that have parents outside of their candidates held as they are: all their parents required,
  // no candidates left.
  StructureModel held(const ChainDag& dag) const;

  // All parents of a node, ascending.
  std::vector<int> parents(const ChainDag& dag, std::size_t child) const;

  // Of a family, with the scale of the child.
  double log_weight(const ChainDag& dag, std::size_t child) const;

  std::vector<std::vector<Holder>> holders;  // by parent
  // By child and bit: the bit of the child among the candidates of that parent, or kRequiredBit where it is none.
  std::vector<std::vector<int>> bit_in_parent;
  std::vector<std::uint32_t> reversible;  // by child: the candidates that have it among theirs

 private:
  explicit StructureModel(std::vector<std::shared_ptr<const ParentSums>> shared);
  void link();

  ParentSums with_outside(std::size_t child) const;

  std::vector<std::shared_ptr<const ParentSums>> sums_, guessed_;
  std::shared_ptr<UncommonFamilies> wide_;
  std::vector<OutsideParents> outside_;
};

// Longest way from a node without parents, by node, in a DAG without parents outside of the candidates. Layer 0 has no
// parents; the others have a parent in the layer right before their own and none in their own or later ones.
std::vector<int> layers_of(const StructureModel& model, const ChosenParents& dag);

// Log weight of a DAG, with the scale of each child.
double log_weight(const StructureModel& model, const ChainDag& dag);

// A whole number below `count`. Off by less than count / 2^53 from uniform.
inline std::size_t below(Xoshiro256& random, std::size_t count) {
  return static_cast<std::size_t>(random.uniform() * static_cast<double>(count));
}

}  // namespace qnml
