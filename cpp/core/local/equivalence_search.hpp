// Greedy equivalence search: steps between classes of equivalent networks, one arc at a time, the best each time.
//
// Arcs are inserted until none gains, then removed until none gains (Chickering 2002), then turned (Hauser and Buhlmann
// 2012), and so on until none of these does. A step that a path forbids, or the rules, is left aside until something
// around it changes or until nothing else gains; so at the end no step gains.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/control.hpp"
#include "core/graph/found_network.hpp"
#include "core/graph/rules.hpp"
#include "core/local/tuning.hpp"
#include "core/scores/family_cache.hpp"

namespace qnml {

struct EquivalenceOptions {
  // Of the sets of neighbours that a child may take as parents, so many, small ones first.
  std::size_t most_cliques = tuning::classes::kMostCliques.usual;
  // Afterwards, how often the best class is shaken: a few arcs that lie close together, drawn at random, are removed
  // or turned, and it is climbed again from there (iterated local search).
  int shakes = 0;
  int patience = 0;  // shakes in a row without a better class before that is given up
  std::uint64_t seed = 0;
  // What is remembered of who gains as one parent more takes no more than this.
  double memory_bytes = tuning::memory::kMostGainingParents;
  double most_work = std::numeric_limits<double>::infinity();  // families scored, see FoundNetwork::work
};

// From the class of `start` (parents of each child, ascending, admitted and acyclic; empty: the required arcs); never
// below it. The score has to be equivalent. The `most_cells` of the rules is obeyed here, so that the families may do
// without it; where they do not, and required parents exceed it, steps from those are not seen. Inserts only arcs one
// of whose ends is among the other's `candidates`, where those are given (one list for each child, ascending). Every
// class on the way has a network that obeys the rules, and of the last one that is returned. The result depends neither
// on the number of threads nor on when a stop comes, unless it comes early.
FoundNetwork greedy_equivalence(FamilyCache& families, const Rules& rules, std::vector<std::vector<int>> start,
                                const std::vector<std::vector<int>>* candidates, const EquivalenceOptions& options,
                                Control& control, int threads);

}  // namespace qnml
