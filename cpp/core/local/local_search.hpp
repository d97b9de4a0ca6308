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
  double most_work = 0.0;  // families that a stage may score, about; 0 for what suits the effort and the variables
};

struct LocalSearchResult {
  FoundNetwork network;
  double bound = 0.0;    // no admitted network scores more
  bool optimal = false;  // proven: the bound is the network's own score, but for 1e-9 of it
  int n_proven = 0;      // variables whose families are proven to be those of an optimal network
  bool is_cut = false;   // a stage came to the limit of its work
  std::uint64_t sets_counted = 0;
  std::uint64_t candidates = 0;                         // arcs the search could choose from
  std::vector<std::pair<std::string, double>> seconds;  // by stage
  std::vector<std::vector<int>> copies;                 // groups of variables that no score tells from one another
};

// Always has a network, at least the one of the required arcs, also when it is stopped at once. Greedy
// equivalence search takes a score-equivalent score.
LocalSearchResult learn_local(const SearchProblem& problem, const LocalSearchOptions& options, Control& control);

// Bytes that a search begins with: the pairs of variables, and a bit per row for each of the `total_levels` levels.
double local_search_bytes(double variables, double rows, double total_levels);

}  // namespace qnml
