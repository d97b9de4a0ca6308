// The order of the vertices within the rows of a layered drawing, chosen for few crossings.
//
// An arc over several rows gets a bend in each row it passes, so that every segment joins neighbouring rows. The rows
// are then sorted again and again by the mean position of each vertex's neighbours in the row above, or below (the
// barycentre method of Sugiyama, Tagawa and Toda, 1981), neighbours change places where that removes crossings, and the
// order with the fewest crossings is kept, of several first orders.
#pragma once

#include <cstdint>
#include <vector>

#include "core/layout/rows.hpp"

namespace qnml {

// The vertices are the nodes, followed by the bends.
struct LayerOrder {
  std::vector<std::vector<int>> rows;    // for each row its vertices from left to right
  std::vector<std::vector<int>> chains;  // for each arc the vertices it passes, from its upper end to its lower
  int n_vertices;
};

// Orders the nodes, given the row of each, and the bends. With too many bends, the longest arcs get none.
LayerOrder order_layers(const std::vector<int>& row_of, const Arcs& arcs);

// The segments of all chains.
Arcs segments_of(const LayerOrder& order);

// The number of pairs of segments that cross between neighbouring rows; `below` has the lower ends of each vertex.
std::int64_t count_crossings(const std::vector<std::vector<int>>& rows, const Sides& below);

}  // namespace qnml
