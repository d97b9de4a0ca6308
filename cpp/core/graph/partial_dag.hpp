// A class of equivalent networks as one graph: arrows that all of its networks share, lines that go either way.
//
// Of any number of variables. Adjacency is kept as packed bits beside sorted lists, so that a step of a search costs
// what the variables around it have in neighbours, not what the table has in columns. Changes can be undone.
#pragma once

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
  // Whether the node has the same arrows and lines in both.
  bool is_like(const PartialDag& other, int node) const { return at(node) == other.at(node); }

  void add_arrow(int from, int to);
  void remove_arrow(int from, int to);

  // Those that lines lead to, from the node on, which is one of them; ascending.
  std::vector<int> component(int node) const;
  // Those at most so many arrows or lines away, whatever their direction, but not by way of nodes with many around
  // them; ascending.
  std::vector<int> within(int node, int steps) const;
  // Gives every line of the component of the last of `first` a direction without making a collider of two variables
  // that are not adjacent: `first`, which have to be adjacent to each other, in that order, and then each time the
  // one with most neighbours before it, `preferred` (-1: nobody) where it is one of several. Returns the component.
  std::vector<int> orient(const std::vector<int>& first, int preferred);
  // Arrows around these nodes that networks of the class do not share become lines, and what follows from that.
  void settle(const std::vector<int>& nodes);
  // Whether arrows and lines lead from one node to another, past the nodes that are marked and not by the direct arc.
  bool reaches(int from, int to, std::vector<char> is_barred) const;

  // From here on changes can be undone, and asked for: the nodes whose surroundings are not what they were.
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
  std::vector<std::pair<int, Node>> before_;  // as they were, of the nodes touched
  std::vector<char> is_touched_;
};

}  // namespace qnml
