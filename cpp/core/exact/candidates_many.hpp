// Candidates for many weights of the rows at once: one walk of the lattice, and one pass over the parent sets of each
// child for all weights side by side.
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

// What a search over orders starts from, by bit of the lattice.
struct ManyCandidates {
  std::vector<int> column_of_bit;
  std::vector<std::uint64_t> required;  // parents that every network has
  std::vector<std::int64_t> score;      // of the network of these alone, by weight
  std::vector<CandidateLists> lists;    // by weight
};

// The lists that dense_candidates has for each of the weights, whose totals are all that of the table. For set
// functions. `most_ties` as in Ties; rules by column. Empty when stopped.
ManyCandidates many_candidates(const Columns& table, const IntegerScore& score, const Lattice::ManyWeights& weights,
                               const MaskRules& rules, std::size_t most_ties, Control& control, int threads);

// Bytes it needs at its peak, for so many weights.
double many_candidates_bytes(int n, std::size_t rows, std::size_t weights, int threads);

}  // namespace qnml
