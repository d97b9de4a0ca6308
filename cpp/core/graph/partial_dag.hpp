// An equivalence class as a partially directed graph: arrows are shared by all members, lines can have either
// direction.
//
// For any number of variables. Adjacency is stored both as packed bits and as sorted lists, so the cost of a search
// step depends on the neighbourhoods involved, not on the number of columns. Changes can be undone.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/graph/bit_rows.hpp"

namespace qnml {

class PartialDag {
 public:
  explicit PartialDag(int n);
  // The class of a network, given by the parents of each child.
  static PartialDag of_network(const std::vector<std::vector<int>>& parents);

  int size() const { return static_cast<int>(nodes_.size()); }
  // All in ascending order; neighbours are joined by lines.
  const std::vector<int>& parents(int node) const { return at(node).parents; }
  const std::vector<int>& children(int node) const { return at(node).children; }
  const std::vector<int>& neighbours(int node) const { return at(node).neighbours; }
  bool is_adjacent(int a, int b) const { return adjacent_.test(a, b); }
  bool has_arrow(int from, int to) const;
  bool has_line(int a, int b) const;
  // Whether the node has the same arrows and lines in both graphs.
  bool is_like(const PartialDag& other, int node) const { return at(node) == other.at(node); }

  void add_arrow(int from, int to);
  void remove_arrow(int from, int to);

  // All nodes connected to the node by lines, including itself; ascending.
  std::vector<int> component(int node) const;
  // All nodes at most this many arrows or lines away, in any direction, but not through nodes with many adjacent nodes;
  // ascending.
  std::vector<int> within(int node, int steps) const;
  // Directs every line of the component of the last node of `first` without creating a collider of two nonadjacent
  // variables. The order starts with `first`, whose nodes must be pairwise adjacent. Then the node with most neighbours
  // before it follows, and `preferred` (-1: none) wins ties. Returns the component.
  std::vector<int> orient(const std::vector<int>& first, int preferred);
  // Turns arrows near these nodes that not all members of the class share into lines, and propagates the consequences.
  void settle(const std::vector<int>& nodes);
  // Whether a path of arrows and lines leads from one node to another, avoiding the marked nodes and the direct arc.
  bool reaches(int from, int to, std::vector<char> is_barred) const;

  // Starts recording changes, so that they can be undone and the nodes whose adjacencies changed can be listed.
  void begin();
  void undo();
  std::vector<int> changed() const;

 private:
  struct Node {
    std::vector<int> parents, children, neighbours;
    bool operator==(const Node&) const = default;
  };

  Node& at(int node) { return nodes_[static_cast<std::size_t>(node)]; }
  const Node& at(int node) const { return nodes_[static_cast<std::size_t>(node)]; }
  void touch(int node);
  void line_to_arrow(int from, int to);
  void arrow_to_line(int from, int to);
  bool is_protected(int from, int to) const;

  std::vector<Node> nodes_;
  BitRows adjacent_;
  std::vector<std::pair<int, Node>> before_;  // previous states of the changed nodes
  std::vector<char> is_touched_;
};

}  // namespace qnml
