// The best bins of one column of a network, while the network and the bins of all other columns stay.
//
// Minimised is the code length of the table: minus the score of the network on the binned columns, plus h log L for
// every bin of the column with h rows and width L, plus the choice of its cuts. For a score that is a fit minus a price
// of levels alone (Score::price_ignores_counts) the terms with the column are a sum over its bins, plus a price of
// their number: docs/discretization.md has the proof. So a partition of the line of its values, found by
// dynamic programming, is exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/binning/cut_candidates.hpp"
#include "core/counting/columns.hpp"
#include "core/scores/score.hpp"

namespace qnml {

struct ColumnBinsProblem {
  const Columns& table;  // what it says of the column itself is not read
  const SetScore& score;
  int column;
  std::vector<std::vector<int>> parents;  // of every variable
  CutCandidates candidates;
  // For every row the piece between two edges in which its value lies; any number beyond the pieces where the row is in
  // a bin that never moves.
  std::span<const std::uint16_t> pieces;
  std::size_t most_bins;
  int threads;
};

// Numbers of edges, ascending. Nothing if stopped. The result does not depend on the order of rows or on threads.
std::optional<std::vector<std::int32_t>> best_bins(const ColumnBinsProblem& problem, Control& control);

}  // namespace qnml
