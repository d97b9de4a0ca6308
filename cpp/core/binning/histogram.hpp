// NML histograms: the number and the places of the bins that describe one column in the fewest nats (Kontkanen and
// Myllymaki, AISTATS 2007).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/binning/cut_candidates.hpp"

namespace qnml {

constexpr std::size_t kAnyNumberOfBins = std::numeric_limits<std::size_t>::max();

// The logarithm of the number of ways to cut a column into k bins, for k = 1..candidates + 1.
std::vector<double> log_cut_choices(const CutCandidates& column);

// The cuts with the shortest code: for k bins with h_i rows and width L_i each, of n rows and E places for cuts,
//   - sum over i of h_i (log(h_i / n) - log L_i) + log C(n, k) + log binomial(E, k - 1),
// where bins that never move have no width and count in k; at most `most_bins` others. Numbers of edges, ascending.
std::vector<std::int32_t> nml_histogram(const CutCandidates& column, Control& control,
                                        std::size_t most_bins = kAnyNumberOfBins);

// The same for many columns.
std::vector<std::vector<std::int32_t>> nml_histograms(std::span<const CutCandidates> columns, int threads,
                                                      Control& control, std::size_t most_bins = kAnyNumberOfBins);

}  // namespace qnml
