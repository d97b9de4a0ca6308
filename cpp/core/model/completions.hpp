// Weighted completions: every row becomes complete rows whose weights add up to its own.
//
// Weights are whole numbers, `scale` of them for one observation. If the missing cells of a row have few joint values,
// each value gets its posterior probability, rounded by largest remainders. Otherwise values are drawn. The draws of a
// row are split along the elimination order, backwards: of m draws that agree so far, a value of probability p gets
// m p, rounded down or up at random without bias (systematic sampling). So each draw has the joint distribution, and
// draws of a row are more even than independent ones.
//
// The order and the probabilities are the same for equivalent networks with the same distribution, but for rounding:
// probabilities are rounded to multiples of 2^-32 first, so that hardly any difference in the last bits remains.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/model/incomplete_rows.hpp"

namespace qnml {

struct CompletionOptions {
  std::uint64_t scale;  // units of weight of an observation
  std::uint32_t few;    // joint values up to which a row is completed exactly
  std::uint32_t draws;  // for each observation of other rows, at most the scale
  std::uint64_t seed;
};

struct Completions {
  std::vector<std::vector<std::uint16_t>> columns;
  std::vector<std::uint64_t> weights;
  std::vector<std::uint32_t> sources;  // the row of the table, ascending
  // For each row of the table: complete or exact rows have no draws.
  std::vector<std::uint32_t> draws;
  // The sum over the exact rows, with their weights, of the Kullback-Leibler divergence of the rounded probabilities
  // from the exact ones, in nats.
  double rounding = 0.0;
  std::uint64_t impossible = 0;  // rows whose missing cells have no possible values; they are left out
};

// Does not depend on the number of threads. Rows are missing when stopped.
Completions complete_rows(const IncompleteRows& rows, std::span<const double> probabilities,
                          const CompletionOptions& options, int threads, Control& control);

}  // namespace qnml
