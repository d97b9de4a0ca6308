// An upper bound on the score of any admitted network and, where possible, a proof that a network is optimal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/family_cache.hpp"

namespace qnml {

struct ProvingOptions {
  std::uint64_t work;   // approximate limit on the rows visited to list families
  std::size_t cases;    // limit on the cases of branch and bound
  double memory_bytes;  // for the families and the open nodes
};

struct Proof {
  double bound = 0.0;    // upper bound on the score of any admitted network, up to 1e-9 of it
  bool optimal = false;  // the network below is optimal, up to the same tolerance
  std::vector<std::vector<int>> parents;
  double score = 0.0;
  int n_proven = 0;  // variables whose families are those of an optimal network
  // The network is optimal among admitted networks with at most this many parents for each variable; 0: not proven.
  int most_parents = 0;
};

// With more variables nothing is proven.
constexpr int kMostProven = 256;

// Starts from a known network and a known upper bound; ends with an optimal network or a tighter bound. If it is not
// optimal, a quarter of the work is spent once more on a proof among networks with as many parents as this one has at
// most (two at least). Unless it is stopped, the result depends on the problem and the options only, not on the number
// of threads.
Proof prove(FamilyCache& families, const SearchProblem& problem, const ProvingOptions& options,
            const std::vector<std::vector<int>>& parents, double bound, Control& control);

}  // namespace qnml
