// Moves between DAGs that moves between partitions make badly or not at all.
//
// - draw_family redraws all parents of one node among those that close no cycle. A few steps lead from any DAG to any
//   other, even where required arcs tie the layers of many nodes together.
// - reverse_arc reverses an arc and redraws the parents of both its ends (M. Grzegorczyk, D. Husmeier, "Improving the
//   structure MCMC sampler for Bayesian networks by introducing a new edge reversal move", Machine Learning 71, 2008).
//   It crosses between equivalent DAGs.
// - draw_parent redraws one parent among all admitted ones, candidates or not. It reaches what the candidates leave
//   out.
//
// docs/mcmc.md proves that all three leave the weights of DAGs invariant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/random.hpp"
#include "core/chains/structure_model.hpp"

namespace qnml {

class DagMoves {
 public:
  // The moves change the DAG. Between moves, others may change only its `chosen`. Both arguments must outlive this
  // object.
  DagMoves(const StructureModel& model, ChainDag& dag);

  // Make one step each; return whether the DAG changed.
  bool draw_family(Xoshiro256& random);
  bool reverse_arc(Xoshiro256& random);
  bool draw_parent(Xoshiro256& random);

 private:
  static constexpr int kNobody = -1;

  // Marks a node and its descendants, ignoring all arcs into the two given nodes.
  void reach_from(int node, int without, int also_without);
  // Finds the unmarked candidates; returns false if a required parent is marked.
  bool free_candidates(int node, std::uint32_t& free) const;
  // Draws a set of unmarked parents outside the candidates.
  void draw_outside(std::size_t node, Xoshiro256& random);
  void set_outside(std::size_t node, std::vector<int> fresh);
  // Exchanges the outside parents of two nodes, except those that cannot be outside parents of the other node.
  void exchange_outside(std::size_t i, std::size_t j);
  bool has_reached(const std::vector<int>& some) const;
  // Number of candidate arcs that can be reversed, over all children.
  std::size_t count_reversible() const;
  // Log ratio of the weight of a family to the weight by which it is proposed among unmarked parents, up to a constant
  // of the node. It is zero if all parents are candidates.
  double excess(std::size_t node, bool is_kept) const;
  bool accept(double log_ratio, Xoshiro256& random) const;
  void remove_parent(std::size_t child, std::size_t which);
  void add_parent(std::size_t child, int parent);

  const StructureModel& model_;
  ChainDag& dag_;
  std::vector<std::vector<int>> outside_children_;
  std::vector<char> reached_;
  std::vector<int> stack_;
  // Scratch memory for draws.
  std::vector<int> others_;
  std::vector<double> weights_;
};

}  // namespace qnml
