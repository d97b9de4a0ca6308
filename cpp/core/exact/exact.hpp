// Exact structure learning from a table: scores, candidates, orders, in one call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/stopwatch.hpp"
#include "core/counting/lattice.hpp"
#include "core/graph/tie_breaking.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/score.hpp"

namespace qnml {

struct ExactOptions {
  TieRule ties = TieRule::simplest;
  bool dense = true;  // walk the whole lattice, else count only the admitted families
  // The parents of each column in a network that is known, admitted and acyclic; empty: one is looked for first.
  std::vector<std::uint64_t> known;
  // It is given up when the sets to be counted at a time (not in the lattice) or the sets of the search over orders, as
  // soon as that can be foretold, are more than these.
  double most_sets = std::numeric_limits<double>::infinity();
  double most_states = std::numeric_limits<double>::infinity();
};

// Everything by column. Scores are in nats, from the fixed-point sums.
struct ExactResult {
  bool has_network = false;
  bool optimal = false;
  std::vector<std::uint64_t> parents;
  double score = 0.0;
  double bound = 0.0;  // no admitted network scores more
  bool ties_examined = false;
  bool has_ties = false;
  bool out_of_memory = false;
  bool outgrown = false;  // given up for the limits of the options
  std::uint64_t families_scored = 0;
  std::uint64_t candidates = 0;
  std::uint64_t visits = 0;
  std::uint64_t states = 0;
  StageSeconds seconds;
};

// The memory limit of the problem is for the search over orders.
ExactResult learn_exact(const SearchProblem& problem, const ExactOptions& options, Control& control);

struct ExactTask {
  const SearchProblem& problem;
  ExactOptions options;
};

// Searches whose problems have the same table share the walk of the lattice. The first problem has the threads.
std::vector<ExactResult> learn_exact_together(const std::vector<ExactTask>& tasks, Control& control);

// What learn_exact finds for the same table with other weights of its rows, each with the same total: the lattice is
// walked once. Only where can_reweight says so: set functions, and totals whose terms are all tabled. Results that were
// not reached before a stop have no network.
bool can_reweight(const Score& score);
std::vector<ExactResult> learn_reweighted(const SearchProblem& problem, const Lattice::ManyWeights& weights,
                                          const ExactOptions& options, Control& control);

// How many parent sets the prices alone leave alive, over all children (see candidates.hpp).
double forecast_families(const SearchProblem& problem);

// Memory for a counted parent set: its place in the tables of two sizes, and the maps of the children.
constexpr double kBytesPerParentSet = 400.0;

// Bytes the walk and its candidates need at their peak, without the table itself.
double dense_bytes(int n, std::size_t config_classes, int threads);

}  // namespace qnml
