// A good network for any number of variables: which searches run, from where, and for how long.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/graph/found_network.hpp"
#include "core/local/stage_options.hpp"
#include "core/problem/search_problem.hpp"

namespace qnml {

enum class LocalMethod { hill_climbing, order, greedy_equivalence };

struct LocalSearchOptions {
  LocalMethod method;
  Effort effort;
  double most_work = 0.0;  // approximate limit on the families a stage scores; 0 for the default
  // The parents of each variable, ascending, in a network to start from; admitted and acyclic. Empty: the required
  // arcs.
  std::vector<std::vector<int>> start{};
};

struct LocalSearchResult {
  FoundNetwork network;
  double bound = 0.0;    // upper bound on the score of any admitted network
  bool optimal = false;  // proven: the bound equals the network's score, up to 1e-9 of it
  int n_proven = 0;      // variables whose families are proven to be those of an optimal network
  // Not optimal, but proven to be so among admitted networks with at most this many parents for each variable; or 0.
  int most_parents = 0;
  bool is_cut = false;  // a stage reached its work limit
  std::uint64_t sets_counted = 0;
  std::uint64_t candidates = 0;                         // arcs the search could choose from
  std::vector<std::pair<std::string, double>> seconds;  // by stage
  std::vector<std::vector<int>> copies;                 // groups of variables that no score can distinguish
};

// Always returns a network, even if stopped at once: never one that scores less than the start. Greedy equivalence
// search requires a score-equivalent score.
LocalSearchResult learn_local(const SearchProblem& problem, const LocalSearchOptions& options, Control& control);

// Bytes a search needs at its start: the pairs of variables, and a bit per row for each of the `total_levels` levels.
double local_search_bytes(double variables, double rows, double total_levels);

}  // namespace qnml
