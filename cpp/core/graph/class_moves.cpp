#include "core/graph/class_moves.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

#include "core/graph/partial_dag.hpp"

namespace qnml {
namespace {

std::size_t at(int node) { return static_cast<std::size_t>(node); }

bool has(const std::vector<int>& sorted, int member) {
  return std::binary_search(sorted.begin(), sorted.end(), member);
}

std::vector<int> without(std::vector<int> sorted, int member) {
  std::erase(sorted, member);
  return sorted;
}

bool is_clique(const PartialDag& graph, const std::vector<int>& nodes) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t j = i + 1; j < nodes.size(); ++j) {
      if (!graph.is_adjacent(nodes[i], nodes[j])) return false;
    }
  }
  return true;
}

// Neighbours of the child that are adjacent to `other`.
std::vector<int> shared(const PartialDag& graph, int child, int other) {
  std::vector<int> found;
  for (int node : graph.neighbours(child)) {
    if (graph.is_adjacent(node, other)) found.push_back(node);
  }
  return found;
}

bool includes(const std::vector<int>& sorted, const std::vector<int>& part) {
  return std::includes(sorted.begin(), sorted.end(), part.begin(), part.end());
}

// Whether, among the neighbours of the child, the members of `with` that are not adjacent to `other` are separated from
// the shared neighbours outside `with`, by the members of `with` that are shared neighbours.
bool are_apart(const PartialDag& graph, const ClassMove& move, const std::vector<int>& common) {
  std::vector<int> found;
  std::vector<char> is_seen(at(graph.size()), 0);
  for (int node : move.with) {
    is_seen[at(node)] = 1;
    if (!has(common, node)) found.push_back(node);
  }
  for (std::size_t k = 0; k < found.size(); ++k) {
    for (int node : graph.neighbours(found[k])) {
      if (is_seen[at(node)] != 0 || !graph.has_line(move.child, node)) continue;
      if (has(common, node)) return false;
      is_seen[at(node)] = 1;
      found.push_back(node);
    }
  }
  return true;
}

bool is_turn_valid(const PartialDag& graph, const ClassMove& move) {
  const std::vector<int> common = shared(graph, move.child, move.other);
  if (graph.has_line(move.child, move.other)) {
    // If all of `with` were adjacent to `other`, the arc could be reversed within the class.
    return !has(move.with, move.other) && !includes(common, move.with) && are_apart(graph, move, common);
  }
  if (!graph.has_arrow(move.child, move.other) || !includes(move.with, common)) return false;
  std::vector<char> is_barred(at(graph.size()), 0);
  for (int node : move.with) is_barred[at(node)] = 1;
  for (int node : graph.neighbours(move.other)) is_barred[at(node)] = 1;
  return !graph.reaches(move.child, move.other, std::move(is_barred));
}

}  // namespace

std::vector<int> joined(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

std::vector<std::vector<int>> cliques_around(const PartialDag& graph, int child, std::size_t most) {
  const std::vector<int>& around = graph.neighbours(child);
  std::vector<std::vector<int>> found{{}};
  for (std::size_t k = 0; k < found.size(); ++k) {
    for (int node : around) {
      if (found.size() >= most) return found;
      if (!found[k].empty() && node <= found[k].back()) continue;
      if (!std::all_of(found[k].begin(), found[k].end(), [&](int m) { return graph.is_adjacent(m, node); })) continue;
      std::vector<int> larger = found[k];
      larger.push_back(node);
      found.push_back(std::move(larger));
    }
  }
  return found;
}

bool is_valid(const PartialDag& graph, const ClassMove& move) {
  if (!includes(graph.neighbours(move.child), move.with) || !is_clique(graph, move.with)) return false;
  switch (move.kind) {
    case MoveKind::insert: {
      if (graph.is_adjacent(move.child, move.other)) return false;
      if (!includes(move.with, shared(graph, move.child, move.other))) return false;
      std::vector<char> is_barred(at(graph.size()), 0);
      for (int node : move.with) is_barred[at(node)] = 1;
      return !graph.reaches(move.child, move.other, std::move(is_barred));
    }
    case MoveKind::remove:
      if (!graph.has_line(move.child, move.other) && !graph.has_arrow(move.other, move.child)) return false;
      return includes(shared(graph, move.child, move.other), move.with);
    case MoveKind::turn:
      return is_turn_valid(graph, move);
  }
  return false;
}

std::vector<int> parents_left(const PartialDag& graph, const ClassMove& turn) {
  std::vector<int> theirs = without(graph.parents(turn.other), turn.child);
  if (!graph.has_line(turn.child, turn.other)) return theirs;
  for (int node : turn.with) {
    if (graph.is_adjacent(node, turn.other)) theirs = joined(theirs, {node});
  }
  return theirs;
}

std::vector<FamilyChange> family_changes(const PartialDag& graph, const ClassMove& move) {
  const std::vector<int> now = joined(graph.parents(move.child), move.with);
  const std::vector<int> with_other = joined(now, {move.other});
  if (move.kind == MoveKind::insert) return {{move.child, with_other, true}, {move.child, now, false}};
  if (move.kind == MoveKind::remove) {
    return {{move.child, without(now, move.other), true}, {move.child, with_other, false}};
  }
  std::vector<int> theirs = parents_left(graph, move);
  std::vector<int> before = joined(theirs, {move.child});
  return {{move.child, with_other, true},
          {move.child, now, false},
          {move.other, std::move(theirs), true},
          {move.other, std::move(before), false}};
}

void make_move(PartialDag& graph, const ClassMove& move) {
  std::vector<int> first = move.with;
  const bool is_line = graph.has_line(move.child, move.other);
  if (move.kind == MoveKind::remove && is_line) first.push_back(move.other);
  first.push_back(move.child);
  // When a line is turned, `other` comes next, before the remaining shared neighbours: none of these has more
  // neighbours before it.
  std::vector<int> around = graph.orient(first, move.kind == MoveKind::turn && is_line ? move.other : -1);
  switch (move.kind) {
    case MoveKind::insert:
      graph.add_arrow(move.other, move.child);
      break;
    case MoveKind::remove:
      graph.remove_arrow(move.other, move.child);
      break;
    case MoveKind::turn:
      if (!is_line) {
        const std::vector<int> theirs = graph.orient({move.other}, -1);
        around.insert(around.end(), theirs.begin(), theirs.end());
      }
      graph.remove_arrow(move.child, move.other);
      graph.add_arrow(move.other, move.child);
      break;
  }
  around.push_back(move.other);
  graph.settle(around);
}

}  // namespace qnml
