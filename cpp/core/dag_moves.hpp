// Moves between DAGs, for what moves between partitions do badly or cannot do at all.
//
// Drawing all parents of one node anew among those that close no cycle leads, in a few steps, from any DAG to any
// other, also where required arcs tie the layers of many nodes together. Turning an arc round together with the
// parents of both its ends (M. Grzegorczyk, D. Husmeier, "Improving the structure MCMC sampler for Bayesian networks by
// introducing a new edge reversal move", Machine Learning 71, 2008) crosses between equivalent DAGs.
// docs/mcmc.md proves both.
#pragma once

#include <vector>

#include "core/random.hpp"
#include "core/structure_model.hpp"

namespace qnml {

class DagMoves {
 public:
  explicit DagMoves(const StructureModel& model) : model_(model), reached_(model.size(), 0) {}

  // One step each; whether the DAG is another one afterwards.
  bool draw_family(ChosenParents& dag, Xoshiro256& random);
  bool reverse_arc(ChosenParents& dag, Xoshiro256& random);

 private:
  static constexpr int kNobody = -1;

  // Marks the descendants of a node, itself included, when no arc into the two given nodes counts.
  void reach_from(const ChosenParents& dag, int node, int without, int also_without);
  // The candidates that are not marked; false when a required parent is.
  bool free_candidates(int node, std::uint32_t& free) const;
  // Candidate arcs that can be turned round, over all children.
  std::size_t count_reversible(const ChosenParents& dag) const;

  const StructureModel& model_;
  std::vector<char> reached_;
  std::vector<int> stack_;
};

}  // namespace qnml
