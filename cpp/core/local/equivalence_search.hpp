// Greedy equivalence search: the best step between equivalence classes, one arc at a time.
//
// Arcs are inserted while that gains, then deleted (Chickering 2002), then turned (Hauser and Buhlmann 2012), and so on
// until no step gains. A step that a path or the rules forbid is set aside until something around it changes or until
// nothing else gains; so at the end no step gains.
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
  // Sets of neighbours tried as additional parents of a child, small ones first.
  std::size_t most_cliques = tuning::classes::kMostCliques.usual;
  // Perturbations of the best class that follow (iterated local search): each deletes or turns a few random arcs that
  // lie close together and climbs again.
  int shakes = 0;
  int patience = 0;  // perturbations in a row without a better class before the search ends
  std::uint64_t seed = 0;
  // For the stored lists of variables that gain as an additional parent.
  double memory_bytes = tuning::memory::kMostGainingParents;
  double most_work = std::numeric_limits<double>::infinity();  // families scored, see FoundNetwork::work
};

// Starts from the class of `start` (parents of each child, ascending, admitted and acyclic; empty: the required arcs)
// and never returns less than it scores. Requires a score-equivalent score. The search itself enforces `most_cells` of
// the rules, so `families` need not; if `families` does, and required parents exceed the limit, steps from those are
// missed. If `candidates` is given, one ascending list per child, an arc is inserted only if one end is a candidate of
// the other. Every class on the way contains a network that satisfies the rules; that of the last class is returned.
// The result does not depend on the number of threads, unless the search is stopped early.
FoundNetwork greedy_equivalence(FamilyCache& families, const Rules& rules, std::vector<std::vector<int>> start,
                                const std::vector<std::vector<int>>* candidates, const EquivalenceOptions& options,
                                Control& control, int threads);

}  // namespace qnml
