// Hill climbing over networks with a tabu list: add, delete or reverse the arc with the largest gain.
//
// The gain of a change is stored for every pair of variables. A move changes one or two families, and only their gains
// are recomputed. Bit sets of ancestors, updated with every move, tell whether an arc would close a cycle. At a local
// optimum the search makes the best move to a network not visited recently, even if it loses (tabu search; Glover
// 1989), until that has not led to a better network for a while.
//
// Under a score-equivalent score the first arcs may point either way, and the local optimum depends on the choice. So
// there are several tie-breaking rules, based on the data and not on the order of the columns, and one climb for each.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/control.hpp"
#include "core/graph/found_network.hpp"
#include "core/graph/rules.hpp"
#include "core/scores/family_cache.hpp"

namespace qnml {

struct ClimbOptions {
  int starts = 1;    // climbs with different tie-breaking rules; at most four
  int tabu = 0;      // length of the tabu list in networks; 0 for plain hill climbing
  int patience = 0;  // moves without a better network before the tabu search ends
  // Perturbations that follow (iterated local search): each deletes or reverses some random arcs and climbs again. The
  // search continues from the new network unless it is worse.
  int shakes = 0;
  std::uint64_t seed = 0;
  double most_work = std::numeric_limits<double>::infinity();  // families scored, see FoundNetwork::work
};

// Climbs from `start` (parents of each child, ascending, admitted and acyclic; empty: the required arcs). If
// `candidates` is given, one ascending list per child, only arcs from those are added. Never returns less than its
// start scores. Of moves with equal gain, additions and deletions come before reversals, then the child decides, then
// the lowest parent. The result does not depend on the number of threads, unless the search is stopped early.
FoundNetwork hill_climb(FamilyCache& families, const Rules& rules, std::vector<std::vector<int>> start,
                        const std::vector<std::vector<int>>* candidates, const ClimbOptions& options, Control& control,
                        int threads);

}  // namespace qnml
