// Moves between DAGs, for what moves between partitions do badly or cannot do at all.
//
// Drawing all parents of one node anew among those that close no cycle leads, in a few steps, from any DAG to any
// other, also where required arcs tie the layers of many nodes together. Turning an arc round together with the
// parents of both its ends (M. Grzegorczyk, D. Husmeier, "Improving the structure MCMC sampler for Bayesian networks by
// introducing a new edge reversal move", Machine Learning 71, 2008) crosses between equivalent DAGs. Drawing one parent
// anew among all that are admitted, candidates or not, reaches what the candidates leave out.
// docs/mcmc.md proves all three.
#pragma once

#include <vector>

#include "core/base/random.hpp"
#include "core/chains/structure_model.hpp"

namespace qnml {

class DagMoves {
 public:
  // The DAG is changed by the moves, and by nobody else but in `chosen`. Both must outlive this.
  DagMoves(const StructureModel& model, ChainDag& dag);

  // One step each; whether the DAG is another one afterwards.
  bool draw_family(Xoshiro256& random);
  bool reverse_arc(Xoshiro256& random);
  bool draw_parent(Xoshiro256& random);

 private:
  static constexpr int kNobody = -1;

  // Marks the descendants of a node, itself included, when no arc into the two given nodes counts.
  void reach_from(int node, int without, int also_without);
  // The candidates that are not marked; false when a required parent is.
  bool free_candidates(int node, std::uint32_t& free) const;
  // Draws a set of unmarked parents that are no candidates.
  void draw_outside(std::size_t node, Xoshiro256& random);
  void set_outside(std::size_t node, std::vector<int> fresh);
  // Gives each of two nodes the parents of the other that may be outside of the candidates of both.
  void exchange_outside(std::size_t i, std::size_t j);
  bool has_reached(const std::vector<int>& some) const;
  // Candidate arcs that can be turned round, over all children.
  std::size_t count_reversible() const;
  // Of a family, how much more it weighs than the guess by which it is drawn among unmarked parents, up to a constant
  // of the node: nothing where all parents are candidates.
  double excess(std::size_t node, bool is_kept) const;
  bool accept(double log_ratio, Xoshiro256& random) const;
  void remove_parent(std::size_t child, std::size_t which);
  void add_parent(std::size_t child, int parent);

  const StructureModel& model_;
  ChainDag& dag_;
  std::vector<std::vector<int>> outside_children_;
  std::vector<char> reached_;
  std::vector<int> stack_;
  // Scratch memory of draws.
  std::vector<int> others_;
  std::vector<double> weights_;
};

}  // namespace qnml
