// Greedy equivalence search: steps between classes of equivalent networks, one arc at a time, the best each time.
//
// Arcs are inserted until none gains, then removed until none gains (Chickering 2002), then turned (Hauser and Buhlmann
// 2012), and so on until none of these does. For each child the steps that gain are kept, and looked at again only
// where a step has changed what lies around the child. A step that a path forbids, or the rules, is left aside until
// that happens or until nothing else gains; so at the end no step gains.
#pragma once

#include <cstddef>
#include <vector>

#include "core/arc_rules.hpp"
#include "core/control.hpp"
#include "core/family_cache.hpp"
#include "core/found_network.hpp"

namespace qnml {

struct EquivalenceOptions {
  bool turns = true;  // and goes round again; without it inserting and removing once is all
  // Of the sets of neighbours that a child may take as parents, so many, small ones first.
  std::size_t most_cliques = 1024;
};

// From the class of the required arcs. The score has to be equivalent, and the families without a limit on cells:
// `most_cells` is obeyed here. Inserts only arcs one of whose ends is among the other's `candidates`, where those are
// given (one list for each child, ascending). Every class on the way has a network that obeys the rules; the last one
// is returned. Steps of equal gain: the lowest child, then other, then set. The result depends neither on the number
// of threads nor on when a stop comes, unless it comes early.
FoundNetwork greedy_equivalence(FamilyCache& families, const ArcRules& rules, double most_cells,
                                const std::vector<std::vector<int>>* candidates, const EquivalenceOptions& options,
                                Control& control, int threads);

}  // namespace qnml
