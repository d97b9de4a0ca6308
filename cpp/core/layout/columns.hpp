// Horizontal positions of the vertices of ordered rows.
//
// The vertices of each row in turn move to the mean position of their neighbours, keeping their order and a least
// distance between boxes. For one row this is a least-squares problem with ordered unknowns, which the
// pool-adjacent-violators algorithm solves exactly (Ayer et al., 1955). Bends have larger weights than nodes. In the
// end every long arc is made as straight as its neighbours allow.
#pragma once

#include <vector>

#include "core/layout/order.hpp"

namespace qnml {

// The centre of every vertex; the leftmost edge is at 0. `widths` has all vertices; neighbours in a row are at least
// `gap` apart.
std::vector<double> layer_columns(const LayerOrder& order, const std::vector<double>& widths, double gap);

// The non-decreasing numbers closest to the targets in weighted least squares.
std::vector<double> nearest_ordered(const std::vector<double>& targets, const std::vector<double>& weights);

}  // namespace qnml
