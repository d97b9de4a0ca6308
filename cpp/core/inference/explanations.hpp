// The most probable levels of the wanted variables together, and the next best ones.
//
// Messages of maxima make the table of a clique say how probable the best completion beneath it is. So one wave is
// enough for any number of explanations: the best one that first differs from a known one in a certain clique is found
// there by comparing entries (E. Lawler, "A procedure for computing the k best solutions to discrete optimization
// problems and its application to the shortest path problem", Management Science 18, 1972; D. Nilsson, "An efficient
// algorithm for finding the M most probable configurations in probabilistic expert systems", Statistics and Computing
// 8, 1998).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/inference/junction_tree.hpp"
#include "core/inference/propagation.hpp"

namespace qnml {

struct Explanation {
  std::vector<std::int32_t> codes;  // of all variables; zero for those not asked for
  double log_probability;           // of the wanted levels and the evidence together
};

// The best `most` explanations, best first; fewer if no more are possible. The tree is for a question of the kind
// kExplanation.
std::vector<Explanation> explanations(const JunctionTree& tree, const Evidence& evidence, std::size_t most,
                                      Control& control);

}  // namespace qnml
