// The rows of a layered drawing: parents above children, and the arcs as short as possible.
#pragma once

#include <utility>
#include <vector>

namespace qnml {

// Pairs (upper, lower) of nodes; together they have no cycle.
using Arcs = std::vector<std::pair<int, int>>;

// For every node, its neighbours above or below.
using Sides = std::vector<std::vector<int>>;

Sides uppers_of(int n_nodes, const Arcs& arcs);
Sides lowers_of(int n_nodes, const Arcs& arcs);

// The row of every node, counted from the top, such that every arc points down and the total length of the arcs, in
// rows, is the smallest there is.
//
// Nodes start as high as possible. Then the set of nodes that shortens the arcs most moves by one row, down or up,
// again and again. The total length is an L-natural convex function of the rows, so what no set improves is a minimum
// (Murota, Discrete Convex Analysis, 2003, section 10.3). A node moves only together with those in its way, so the best
// set is a closure of largest weight, which a minimum cut gives (Picard, Management Science 22, 1976).
std::vector<int> layer_rows(int n_nodes, const Arcs& arcs);

}  // namespace qnml
