// How good a network is, at least: an upper bound on the score of all admitted networks, and where it can be had, the
// proof that none is better.
#pragma once

#include <cstdint>
#include <vector>

#include "core/arc_rules.hpp"
#include "core/control.hpp"
#include "core/family_cache.hpp"
#include "core/score.hpp"

namespace qnml {

struct ProvingTask {
  ScoreKind kind;
  double parameter;
  double most_cells;
  std::uint64_t work;  // rows that may be visited, about; the outcome depends on nothing else unless it is stopped
  std::size_t nodes;   // of the search that puts families together
  double memory_bytes;
};

struct Proof {
  double bound = 0.0;    // no admitted network scores more, but for 1e-9 of the score
  bool optimal = false;  // nor more than the network below
  std::vector<std::vector<int>> parents;
  double score = 0.0;
  int n_proven = 0;  // variables whose families are those of an optimal network
  std::uint64_t families = 0;  // that are left to choose from
};

// Of more variables nothing is proven.
constexpr int kMostProven = 256;

// From a network that is known to the best one, or to a bound. With `bound` no network scores more beforehand.
Proof prove(FamilyCache& families, const ArcRules& rules, const ProvingTask& task,
            const std::vector<std::vector<int>>& parents, double bound, Control& control, int threads);

}  // namespace qnml
