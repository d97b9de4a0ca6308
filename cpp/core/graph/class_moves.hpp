// Moves between adjacent equivalence classes: those reached by adding, removing or reversing one arc of a member.
//
// Each move has a child and a clique of its neighbours, which are parents of the child in the network whose arc changes
// (Chickering 2002; turning after Hauser and Buhlmann 2012).
#pragma once

#include <cstddef>
#include <vector>

#include "core/graph/partial_dag.hpp"

namespace qnml {

enum class MoveKind { insert, remove, turn };

// Changes one arc of a member of the class in which the parents of the child are its parents in all members, and
// `with`.
// - insert: other -> child is added. The two are not adjacent, and `with` contains all neighbours of the child that are
//   adjacent to `other`.
// - remove: other -> child is removed, after it has been given this direction if it is a line. `with` does not contain
//   `other`; the neighbours of the child that are adjacent to `other` and not in `with` become common children.
// - turn: child -> other becomes other -> child, after it has been given the former direction if it is a line.
struct ClassMove {
  MoveKind kind;
  int child;
  int other;
  std::vector<int> with;  // ascending
};

// A family, and whether the score of the network gains or loses it.
struct FamilyChange {
  int child;
  std::vector<int> parents;  // ascending
  bool is_gained;
};

// The union of both; all ascending.
std::vector<int> joined(const std::vector<int>& a, const std::vector<int>& b);

// Cliques of neighbours of a child: the empty one, then by size and first members. At most `most`.
std::vector<std::vector<int>> cliques_around(const PartialDag& graph, int child, std::size_t most);

// Whether some member of the class admits the move, and the move leads to another class.
bool is_valid(const PartialDag& graph, const ClassMove& move);

// The parents that `other` keeps when an arc is turned.
std::vector<int> parents_left(const PartialDag& graph, const ClassMove& turn);

// The families that a valid move changes.
std::vector<FamilyChange> family_changes(const PartialDag& graph, const ClassMove& move);

// Turns the graph into that of the other class.
void make_move(PartialDag& graph, const ClassMove& move);

}  // namespace qnml
