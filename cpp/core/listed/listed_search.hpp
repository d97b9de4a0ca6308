// A good network of listed families for any number of variables, with a proof where possible.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/listed/listed_problem.hpp"
#include "core/local/local_search.hpp"

namespace qnml {

struct ListedSearchOptions {
  Effort effort = Effort::usual;
  // The parents of each variable, ascending, in a network to start from: listed and acyclic. Empty: none.
  std::vector<std::vector<int>> start{};
};

// The search over orders, then the proof. Scores are as given, from the sums in units. There are no parents if no
// acyclic network of listed families is admitted.
LocalSearchResult learn_listed(const ListedProblem& problem, const ListedSearchOptions& options, Control& control);

}  // namespace qnml
