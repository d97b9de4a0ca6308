// The best network of a simple shape: trees, forests, and tree-augmented classifiers.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/problem/search_problem.hpp"
#include "core/shapes/spanning_tree.hpp"

namespace qnml {

struct ShapeOptions {
  Span span = Span::tree;
  // A variable that is the parent of every other one and has no parents itself; -1: none. The tree or forest is then
  // that of the other variables.
  int target = -1;
};

struct ShapeResult {
  bool exists = false;  // whether the rules admit a network of this shape
  std::vector<std::vector<int>> parents;
  double score = 0.0;
  std::uint64_t families = 0;  // scored
  std::uint64_t sets_counted = 0;
};

// The score of a network of such a shape is the score without the arcs of the tree plus what each of these arcs gains,
// and what an arc gains does not depend on the others. So the best tree is a spanning tree (Chow and Liu 1968): of
// undirected edges if both directions gain the same, as with set functions under rules that know no direction, of
// directed arcs otherwise. The rules must admit the arcs from the target, and no child has more than one other required
// parent. Nothing is found when stopped.
ShapeResult learn_shape(const SearchProblem& problem, const ShapeOptions& options, Control& control);

// Bytes it needs, without the table.
double shape_bytes(double variables);

}  // namespace qnml
