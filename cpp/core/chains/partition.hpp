// Ordered partitions of the nodes into layers, and moves between them.
//
// Every DAG belongs to exactly one ordered partition: its layers are peeled off one after another, each time all nodes
// without parents among those left (J. Kuipers, G. Moffa, "Partition MCMC for inference on acyclic digraphs", JASA
// 112(517), 2017). The DAGs of a partition are those whose nodes in layer 0 have no parents, and whose other nodes have
// parents in earlier layers only, at least one of them in the layer right before their own. The weight of a partition
// is the sum of the weights of its DAGs: a product over nodes of sums over their parent sets. A chain over partitions
// with these weights, followed by a draw of the parents, therefore samples every DAG by its own weight; DAGs that agree
// with many orders are not favoured. docs/mcmc.md describes the moves and proves their acceptance ratios.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/random.hpp"
#include "core/chains/parent_sums.hpp"
#include "core/chains/structure_model.hpp"

namespace qnml {

class Partition {
 public:
  // `layer_of`: the layers of a DAG (see layers_of). The model must outlive the partition.
  Partition(const StructureModel& model, std::vector<int> layer_of);

  // Make one step each; return whether the partition changed.
  bool relocate(Xoshiro256& random);       // removes a node and reinserts it, by the weights of all places
  bool swap_adjacent(Xoshiro256& random);  // two nodes of adjacent layers
  bool swap_any(Xoshiro256& random);       // two nodes of any two layers
  bool split_or_merge(Xoshiro256& random);

  // Draws the parents of every node by their weights.
  void draw(Xoshiro256& random, ChosenParents& dag) const;

 private:
  // The parents that a node in a given layer may have. `before` and `last`: its candidates in earlier layers and in the
  // layer right before it. `missing`: how many required parents are not in earlier layers. `touched`: whether a
  // required parent is in the layer right before it.
  struct Reach {
    std::uint32_t before = 0, last = 0;
    int missing = 0;
    bool touched = false;
  };
  // The terms of a node that has the relocated node as a candidate or required parent, by where the relocated node is.
  struct Shifted {
    int node, layer;
    double without, before, beside, alone;
  };

  const ParentSums& sums(int node) const { return model_.sums(static_cast<std::size_t>(node)); }
  int& layer(int node) { return layer_of_[static_cast<std::size_t>(node)]; }
  double& term(int node) { return term_[static_cast<std::size_t>(node)]; }
  Reach reach(int node, int layer) const;
  double value(int node, bool is_first, const Reach& reach) const;
  double term_at(int node, int layer) const { return value(node, layer == 0, reach(node, layer)); }

  bool swap(int a, int b, Xoshiro256& random);
  bool split(Xoshiro256& random);
  bool merge(Xoshiro256& random);
  void shift_layers(int from, int by);
  // Accepts with probability min(1, exp(log_ratio)), and then takes over the new terms in `changed_`.
  bool accept(double log_ratio, Xoshiro256& random);
  // Records the new term of a node; returns false if the node has no parent set in that layer.
  bool change(int node, int layer, double& log_ratio);

  void take_out(int node);
  void set_shifted(int node);
  void weigh_places(int node);
  void put_back(int node, std::size_t place);

  const StructureModel& model_;
  std::vector<int> layer_of_;
  std::vector<std::vector<int>> layers_;
  std::vector<double> term_;
  // Scratch memory for the moves.
  std::vector<std::pair<int, double>> changed_;
  std::vector<Shifted> shifted_;
  std::vector<char> marked_;
  std::vector<double> own_, places_, without_, before_, beside_, alone_, later_;
};

}  // namespace qnml
