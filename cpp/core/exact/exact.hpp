// Exact structure learning from a table: scores, candidates, orders, in one call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/stopwatch.hpp"
#include "core/counting/lattice.hpp"
#include "core/exact/device_lattice.hpp"
#include "core/graph/tie_breaking.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/score.hpp"

namespace qnml {

struct ExactOptions {
  TieRule ties = TieRule::simplest;
  bool dense = true;  // walk the whole lattice; otherwise count only the admitted families
  // The parents of each column in a known network, admitted and acyclic; empty: the search finds a first one itself.
  std::vector<std::uint64_t> known;
  // Limits beyond which the search gives up: sets to be counted at a time (unless `dense`), and predicted sets of the
  // search over orders.
  double most_sets = std::numeric_limits<double>::infinity();
  double most_states = std::numeric_limits<double>::infinity();
  // Finds the candidates elsewhere, in place of counting and comparing here; for scores that add up over cells.
  CandidateSource source;
};

// Everything by column. Scores are in nats, from the fixed-point sums.
struct ExactResult {
  bool has_network = false;
  bool optimal = false;
  std::vector<std::uint64_t> parents;
  double score = 0.0;
  double bound = 0.0;  // upper bound on the score of any admitted network
  bool ties_examined = false;
  bool has_ties = false;
  bool out_of_memory = false;
  bool outgrown = false;  // gave up because of the limits in the options
  std::uint64_t families_scored = 0;
  std::uint64_t candidates = 0;
  std::uint64_t visits = 0;
  std::uint64_t states = 0;
  StageSeconds seconds;
};

// The memory limit of the problem applies to the search over orders and, unless `dense`, to counting.
ExactResult learn_exact(const SearchProblem& problem, const ExactOptions& options, Control& control);

struct ExactTask {
  const SearchProblem& problem;
  ExactOptions options;
};

// All problems must have the same table; their searches share one walk over the lattice. Uses the threads of the first
// problem.
std::vector<ExactResult> learn_exact_together(const std::vector<ExactTask>& tasks, Control& control);

// The results of learn_exact for the same table with other row weights, each with the same total, from one walk over
// the lattice. Requires can_reweight: a set function, and a total whose terms are all tabulated. Results that were not
// reached before a stop have no network.
// The table is not split.
bool can_reweight(const Score& score);
std::vector<ExactResult> learn_reweighted(const SearchProblem& problem, const Lattice::ManyWeights& weights,
                                          const ExactOptions& options, Control& control);

// Number of parent sets that the prices alone leave alive, over all children (see forecast_alive).
double forecast_families(const SearchProblem& problem);

// Bytes per counted parent set: its entries in the tables of two sizes and in the maps of the children.
constexpr double kBytesPerParentSet = 400.0;

// Peak memory in bytes of the walk and its candidates, without the table itself.
double dense_bytes(int n, std::size_t config_classes, int threads);

}  // namespace qnml
