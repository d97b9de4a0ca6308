#include "core/graph/partial_dag.hpp"

#include <algorithm>
#include <cstddef>
#include <queue>
#include <utility>
#include <vector>

namespace qnml {
namespace {

// Paths through a node with more adjacent nodes than this do not count as near.
constexpr std::size_t kHub = 8;

bool has(const std::vector<int>& sorted, int member) {
  return std::binary_search(sorted.begin(), sorted.end(), member);
}

void insert(std::vector<int>& sorted, int member) {
  sorted.insert(std::lower_bound(sorted.begin(), sorted.end(), member), member);
}

void erase(std::vector<int>& sorted, int member) {
  sorted.erase(std::lower_bound(sorted.begin(), sorted.end(), member));
}

std::size_t place(int node) { return static_cast<std::size_t>(node); }

}  // namespace

PartialDag::PartialDag(int n) : nodes_(place(n)), adjacent_(n), is_touched_(place(n), 0) {}

PartialDag PartialDag::of_network(const std::vector<std::vector<int>>& parents) {
  PartialDag graph(static_cast<int>(parents.size()));
  std::vector<int> all;
  for (int child = 0; child < graph.size(); ++child) {
    for (int parent : parents[place(child)]) graph.add_arrow(parent, child);
    all.push_back(child);
  }
  graph.settle(all);
  return graph;
}

bool PartialDag::has_arrow(int from, int to) const { return has(at(to).parents, from); }
bool PartialDag::has_line(int a, int b) const { return has(at(a).neighbours, b); }

void PartialDag::touch(int node) {
  if (is_touched_[place(node)] != 0) return;
  is_touched_[place(node)] = 1;
  before_.emplace_back(node, at(node));
}

void PartialDag::begin() {
  for (const auto& [node, was] : before_) is_touched_[place(node)] = 0;
  before_.clear();
}

void PartialDag::undo() {
  for (const auto& [node, was] : before_) {
    for (const auto* others : {&at(node).parents, &at(node).children, &at(node).neighbours}) {
      for (int other : *others) {
        adjacent_.clear(node, other);
        adjacent_.clear(other, node);
      }
    }
  }
  for (auto& [node, was] : before_) at(node) = std::move(was);
  for (const auto& [node, was] : before_) {
    for (const auto* others : {&at(node).parents, &at(node).children, &at(node).neighbours}) {
      for (int other : *others) {
        adjacent_.set(node, other);
        adjacent_.set(other, node);
      }
    }
    is_touched_[place(node)] = 0;
  }
  before_.clear();
}

std::vector<int> PartialDag::changed() const {
  std::vector<int> nodes;
  for (const auto& [node, was] : before_) {
    if (!(was == at(node))) nodes.push_back(node);
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

void PartialDag::add_arrow(int from, int to) {
  touch(from);
  touch(to);
  insert(at(from).children, to);
  insert(at(to).parents, from);
  adjacent_.set(from, to);
  adjacent_.set(to, from);
}

void PartialDag::remove_arrow(int from, int to) {
  touch(from);
  touch(to);
  erase(at(from).children, to);
  erase(at(to).parents, from);
  adjacent_.clear(from, to);
  adjacent_.clear(to, from);
}

void PartialDag::line_to_arrow(int from, int to) {
  touch(from);
  touch(to);
  erase(at(from).neighbours, to);
  erase(at(to).neighbours, from);
  insert(at(from).children, to);
  insert(at(to).parents, from);
}

void PartialDag::arrow_to_line(int from, int to) {
  touch(from);
  touch(to);
  erase(at(from).children, to);
  erase(at(to).parents, from);
  insert(at(from).neighbours, to);
  insert(at(to).neighbours, from);
}

std::vector<int> PartialDag::component(int node) const {
  std::vector<char> is_seen(nodes_.size(), 0);
  std::vector<int> found{node};
  is_seen[place(node)] = 1;
  for (std::size_t k = 0; k < found.size(); ++k) {
    for (int other : neighbours(found[k])) {
      if (is_seen[place(other)] != 0) continue;
      is_seen[place(other)] = 1;
      found.push_back(other);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<int> PartialDag::within(int node, int steps) const {
  std::vector<char> is_seen(nodes_.size(), 0);
  std::vector<int> found{node};
  is_seen[place(node)] = 1;
  std::size_t next = 0;
  for (int step = 0; step < steps; ++step) {
    for (const std::size_t end = found.size(); next < end; ++next) {
      const int from = found[next];
      const Node& here = at(from);
      if (from != node && here.parents.size() + here.children.size() + here.neighbours.size() > kHub) continue;
      for (const auto* others : {&here.parents, &here.children, &here.neighbours}) {
        for (int other : *others) {
          if (is_seen[place(other)] != 0) continue;
          is_seen[place(other)] = 1;
          found.push_back(other);
        }
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Maximum cardinality search (Tarjan and Yannakakis 1984). The component is chordal, so the nodes before a node that
// are adjacent to it are pairwise adjacent.
std::vector<int> PartialDag::orient(const std::vector<int>& first, int preferred) {
  struct Waiting {
    int before;  // neighbours that are already placed
    bool is_preferred;
    int node;
    bool operator<(const Waiting& other) const {
      if (before != other.before) return before < other.before;
      if (is_preferred != other.is_preferred) return other.is_preferred;
      return node > other.node;
    }
  };
  std::vector<int> members = component(first.back());
  std::vector<int> before(nodes_.size(), 0);
  std::vector<char> is_placed(nodes_.size(), 0);
  std::vector<int> order;
  std::priority_queue<Waiting> waiting;
  auto put = [&](int node) {
    is_placed[place(node)] = 1;
    order.push_back(node);
    for (int other : neighbours(node)) {
      if (is_placed[place(other)] == 0) waiting.push({++before[place(other)], other == preferred, other});
    }
  };
  for (int node : first) put(node);
  while (!waiting.empty()) {
    const Waiting next = waiting.top();
    waiting.pop();
    if (is_placed[place(next.node)] == 0 && next.before == before[place(next.node)]) put(next.node);
  }
  for (int node : order) {
    const std::vector<int> later = neighbours(node);  // lines to earlier nodes are arrows by now
    for (int other : later) line_to_arrow(node, other);
  }
  return members;
}

// Strongly protected in the sense of Andersson, Madigan and Perlman (1997): reversing the arrow would create or destroy
// a collider, or close a cycle.
bool PartialDag::is_protected(int from, int to) const {
  for (int other : parents(from)) {
    if (!is_adjacent(other, to)) return true;
  }
  std::vector<int> beside;
  for (int other : parents(to)) {
    if (other == from) continue;
    if (!is_adjacent(other, from) || has_arrow(from, other)) return true;
    if (has_line(from, other)) beside.push_back(other);
  }
  for (std::size_t i = 0; i < beside.size(); ++i) {
    for (std::size_t j = i + 1; j < beside.size(); ++j) {
      if (!is_adjacent(beside[i], beside[j])) return true;
    }
  }
  return false;
}

void PartialDag::settle(const std::vector<int>& nodes) {
  std::vector<std::pair<int, int>> open;
  auto look_into = [&](int node) {
    for (int parent : parents(node)) open.emplace_back(parent, node);
  };
  auto look_out = [&](int node) {
    for (int child : children(node)) open.emplace_back(node, child);
  };
  for (int node : nodes) {
    look_into(node);
    look_out(node);
  }
  while (!open.empty()) {
    const auto [from, to] = open.back();
    open.pop_back();
    if (!has_arrow(from, to) || is_protected(from, to)) continue;
    arrow_to_line(from, to);
    // Rechecks the arrows that it may have protected.
    look_out(from);
    look_out(to);
    look_into(to);
  }
}

bool PartialDag::reaches(int from, int to, std::vector<char> is_barred) const {
  if (at(to).parents.empty() && at(to).neighbours.empty()) return false;
  std::vector<char>& is_seen = is_barred;
  std::vector<int> found;
  found.reserve(nodes_.size());
  found.push_back(from);
  is_seen[place(from)] = 1;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const int node = found[k];
    for (const auto* others : {&at(node).children, &at(node).neighbours}) {
      for (int other : *others) {
        if (other == to && node != from) return true;
        if (is_seen[place(other)] != 0 || other == to) continue;
        is_seen[place(other)] = 1;
        found.push_back(other);
      }
    }
  }
  return false;
}

}  // namespace qnml
