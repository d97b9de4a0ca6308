#include "core/layout/rows.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <queue>

namespace qnml {
namespace {

// A network of capacities; `flow` finds a maximum flow by shortest augmenting paths, all of one length at once (Dinic).
class Capacities {
 public:
  explicit Capacities(int n_nodes) : first_(static_cast<std::size_t>(n_nodes)) {}

  void add(int from, int to, int capacity) {
    first_[static_cast<std::size_t>(from)].push_back(static_cast<int>(edges_.size()));
    edges_.push_back({to, capacity});
    first_[static_cast<std::size_t>(to)].push_back(static_cast<int>(edges_.size()));
    edges_.push_back({from, 0});
  }

  int flow(int source, int sink) {
    int total = 0;
    while (find_levels(source), level_[static_cast<std::size_t>(sink)] >= 0) {
      next_.assign(first_.size(), 0);
      while (const int pushed = push(source, sink, std::numeric_limits<int>::max())) total += pushed;
    }
    return total;
  }

  // After `flow`: whether a node is on the source's side of the smallest minimum cut.
  bool is_reached(int node) const { return level_[static_cast<std::size_t>(node)] >= 0; }

 private:
  struct Edge {
    int to;
    int left;
  };

  void find_levels(int source) {
    level_.assign(first_.size(), -1);
    level_[static_cast<std::size_t>(source)] = 0;
    std::queue<int> waiting({source});
    for (; !waiting.empty(); waiting.pop()) {
      const auto node = static_cast<std::size_t>(waiting.front());
      for (const int which : first_[node]) {
        const Edge& edge = edges_[static_cast<std::size_t>(which)];
        if (edge.left <= 0 || level_[static_cast<std::size_t>(edge.to)] >= 0) continue;
        level_[static_cast<std::size_t>(edge.to)] = level_[node] + 1;
        waiting.push(edge.to);
      }
    }
  }

  int push(int from, int sink, int most) {
    if (from == sink) return most;
    const auto node = static_cast<std::size_t>(from);
    for (std::size_t& place = next_[node]; place < first_[node].size(); ++place) {
      const auto which = static_cast<std::size_t>(first_[node][place]);
      Edge& edge = edges_[which];
      if (edge.left <= 0 || level_[static_cast<std::size_t>(edge.to)] != level_[node] + 1) continue;
      if (const int pushed = push(edge.to, sink, std::min(most, edge.left))) {
        edge.left -= pushed;
        edges_[which ^ 1].left += pushed;
        return pushed;
      }
    }
    return 0;
  }

  std::vector<std::vector<int>> first_;
  std::vector<Edge> edges_;
  std::vector<int> level_;
  std::vector<std::size_t> next_;
};

std::vector<int> longest_paths(int n_nodes, const Arcs& arcs) {
  const Sides above = uppers_of(n_nodes, arcs);
  const Sides below = lowers_of(n_nodes, arcs);
  std::vector<int> rows(static_cast<std::size_t>(n_nodes), 0);
  std::vector<std::size_t> waiting;
  std::vector<int> ready;
  for (int node = 0; node < n_nodes; ++node) {
    waiting.push_back(above[static_cast<std::size_t>(node)].size());
    if (waiting.back() == 0) ready.push_back(node);
  }
  for (std::size_t k = 0; k < ready.size(); ++k) {
    const auto node = static_cast<std::size_t>(ready[k]);
    for (const int lower : below[node]) {
      const auto other = static_cast<std::size_t>(lower);
      rows[other] = std::max(rows[other], rows[node] + 1);
      if (--waiting[other] == 0) ready.push_back(lower);
    }
  }
  return rows;
}

// Moves the set of nodes that shortens the arcs most by `step`, 1 or -1; returns whether there is one.
bool move_best(std::vector<int>& rows, const Arcs& arcs, int step) {
  const int n_nodes = static_cast<int>(rows.size());
  const int source = n_nodes, sink = n_nodes + 1;
  std::vector<int> gains(rows.size(), 0);
  Capacities capacities(n_nodes + 2);
  for (const auto& [upper, lower] : arcs) {
    gains[static_cast<std::size_t>(upper)] += step;
    gains[static_cast<std::size_t>(lower)] -= step;
    if (rows[static_cast<std::size_t>(lower)] != rows[static_cast<std::size_t>(upper)] + 1) continue;
    const auto [moved, in_its_way] = step > 0 ? std::pair(upper, lower) : std::pair(lower, upper);
    capacities.add(moved, in_its_way, static_cast<int>(arcs.size()) + 1);
  }
  int most = 0;
  for (int node = 0; node < n_nodes; ++node) {
    const int gain = gains[static_cast<std::size_t>(node)];
    if (gain > 0) capacities.add(source, node, gain);
    if (gain < 0) capacities.add(node, sink, -gain);
    most += std::max(gain, 0);
  }
  if (capacities.flow(source, sink) == most) return false;
  for (int node = 0; node < n_nodes; ++node) {
    if (capacities.is_reached(node)) rows[static_cast<std::size_t>(node)] += step;
  }
  return true;
}

}  // namespace

Sides uppers_of(int n_nodes, const Arcs& arcs) {
  Sides above(static_cast<std::size_t>(n_nodes));
  for (const auto& [upper, lower] : arcs) above[static_cast<std::size_t>(lower)].push_back(upper);
  return above;
}

Sides lowers_of(int n_nodes, const Arcs& arcs) {
  Sides below(static_cast<std::size_t>(n_nodes));
  for (const auto& [upper, lower] : arcs) below[static_cast<std::size_t>(upper)].push_back(lower);
  return below;
}

std::vector<int> layer_rows(int n_nodes, const Arcs& arcs) {
  std::vector<int> rows = longest_paths(n_nodes, arcs);
  while (move_best(rows, arcs, 1) || move_best(rows, arcs, -1)) {
  }
  if (rows.empty()) return rows;
  const int highest = *std::min_element(rows.begin(), rows.end());
  for (int& row : rows) row -= highest;
  return rows;
}

}  // namespace qnml
