// Candidates for many weight vectors of the rows at once: one walk over the lattice, and one pass over the parent sets
// of each child for all weight vectors side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/columns.hpp"
#include "core/counting/lattice.hpp"
#include "core/exact/candidates.hpp"
#include "core/graph/rules.hpp"
#include "core/scores/integer_score.hpp"

namespace qnml {

// The input of searches over orders, by bit of the lattice.
struct ManyCandidates {
  std::vector<int> column_of_bit;
  std::vector<std::uint64_t> required;  // parents that every network has
  std::vector<std::int64_t> score;      // of the network with only these, by weight vector
  std::vector<CandidateLists> lists;    // by weight vector
};

// The lists that dense_candidates would find for each weight vector; all of them must have the total of the table. For
// set functions. `most_ties` is Ties::most; rules are by column. Empty when stopped.
ManyCandidates many_candidates(const Columns& table, const IntegerScore& score, const Lattice::ManyWeights& weights,
                               const MaskRules& rules, std::size_t most_ties, Control& control, int threads);

// Peak memory in bytes, for this number of weight vectors.
double many_candidates_bytes(int n, std::size_t rows, std::size_t weights, int threads);

}  // namespace qnml
