// How good a network is, at least: an upper bound on the score of all admitted networks, and where it can be had, the
// proof that none is better.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/family_cache.hpp"

namespace qnml {

struct ProvingOptions {
  std::uint64_t work;   // rows that may be visited to list families, about
  std::size_t cases;    // that may be told apart to put families together
  double memory_bytes;  // for the families and what stands for those not yet listed
};

struct Proof {
  double bound = 0.0;    // no admitted network scores more, but for 1e-9 of the score
  bool optimal = false;  // nor more than the network below
  std::vector<std::vector<int>> parents;
  double score = 0.0;
  int n_proven = 0;  // variables whose families are those of a network with the highest score
};

// Of more variables nothing is proven.
constexpr int kMostProven = 256;

// From a network that is known to the best one, or to a bound below `bound`, which is known to hold. Unless it is
// stopped the outcome depends on the problem and the options alone, not on the number of threads.
Proof prove(FamilyCache& families, const SearchProblem& problem, const ProvingOptions& options,
            const std::vector<std::vector<int>>& parents, double bound, Control& control);

}  // namespace qnml
