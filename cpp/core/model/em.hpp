// Maximum-likelihood parameters of a network from incomplete rows, by the EM algorithm.
//
// Each step computes the expected counts of the families under the current parameters, exactly, and takes the relative
// frequencies of these counts as the next parameters. The log-likelihood of the observed cells never falls (Dempster,
// Laird and Rubin, JRSS B 39, 1977), and equivalent networks have the same steps: their relative frequencies of the
// same counts are the same distribution.
#pragma once

#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/model/incomplete_rows.hpp"

namespace qnml {

struct EmResult {
  std::vector<double> probabilities;  // relative frequencies of the counts before the last expectation
  std::vector<double> counts;         // expected under them
  std::vector<double> trace;          // the log-likelihood of the observed cells after each step
  bool is_converged = false;          // the last step raised it by no more than the tolerance
};

// Relative frequencies of the levels in each configuration; a configuration without counts gets equal ones.
void maximise(const IncompleteRows& rows, std::span<const double> counts, std::span<double> probabilities);

// From expected counts, until a step raises the log-likelihood by no more than `tolerance` times its size, or
// `most_steps` are done, or it is stopped.
EmResult run_em(const IncompleteRows& rows, std::vector<double> counts, double tolerance, int most_steps, int threads,
                Control& control);

}  // namespace qnml
