// The steps between neighbouring classes of equivalent networks: what one arc more, less or turned leads to.
//
// Each step belongs to a child and a set of its neighbours, adjacent to each other, that are taken for parents of the
// child in the network whose arc is changed (Chickering 2002; turning after Hauser and Buhlmann 2012).
#pragma once

#include <vector>

#include "core/graph/partial_dag.hpp"

namespace qnml {

enum class MoveKind { insert, remove, turn };

// One arc of a network in which the child has as parents those all networks of the class give it, and `with`.
//   insert  other -> child is added. The two are not adjacent, and `with` has all neighbours of the child that are
//           adjacent to the other.
//   remove  other -> child is taken away, after it was directed so where it is a line. `with` is without the other;
//           of the child's neighbours that are adjacent to the other, those not in it become common children.
//   turn    child -> other becomes other -> child, after it was directed so where it is a line.
struct ClassMove {
  MoveKind kind;
  int child;
  int other;
  std::vector<int> with;  // ascending
};

// A family and whether the score of the network gains or loses it.
struct FamilyChange {
  int child;
  std::vector<int> parents;  // ascending
  bool is_gained;
};

// The members of both; all ascending.
std::vector<int> joined(const std::vector<int>& a, const std::vector<int>& b);

// Sets of neighbours of a child, adjacent to each other: the empty one, then by size and first members. Not more than
// `most`.
std::vector<std::vector<int>> cliques_around(const PartialDag& graph, int child, std::size_t most);

// Whether some network of the class takes the step and leads to a network of another class.
bool is_valid(const PartialDag& graph, const ClassMove& move);

// The parents that the other is left with when an arc is turned.
std::vector<int> parents_left(const PartialDag& graph, const ClassMove& turn);

// The families that the step changes, for a valid one.
std::vector<FamilyChange> family_changes(const PartialDag& graph, const ClassMove& move);

// Makes the graph that of the other class.
void make_move(PartialDag& graph, const ClassMove& move);

}  // namespace qnml
