// In which order to sum out the variables of a graph so that the tables on the way stay small.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace qnml {

// Variables that share a table are neighbours.
struct InteractionGraph {
  std::vector<std::uint32_t> levels;
  std::vector<std::vector<std::uint32_t>> neighbours;  // in ascending order, without the variable itself
  // Variables of a later phase are summed out after all of an earlier one.
  std::vector<std::uint8_t> phase;
};

struct VariableOrder {
  std::vector<std::uint32_t> variables;
  std::vector<std::vector<std::uint32_t>> neighbours;  // of each when it is summed out
  double entries = 0.0;                                // of the tables over each variable and these neighbours
};

// The best of three greedy orders: fewest new edges, fewest new edges weighted by the levels at their ends, and
// smallest table (U. Kjærulff, "Triangulation of graphs: algorithms giving small total state space", 1990).
// Deterministic.
VariableOrder elimination_order(const InteractionGraph& graph);

}  // namespace qnml
