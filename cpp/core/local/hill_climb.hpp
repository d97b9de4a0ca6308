// Hill climbing over networks: add, delete or reverse the arc that pays most, with a memory of what was undone.
//
// The change a move makes to the score is kept for every pair of variables; a move touches one or two families, and
// only the changes that involve them are computed anew. Whether an arc closes a cycle is read off a bit set of
// ancestors that is maintained along. After a local optimum the best move that leads to no network visited lately is
// made although it loses (tabu search; Glover 1989), until that has not led to a better network for a while.
//
// Where equivalent networks score the same, the first arcs may as well point either way, and where the climb ends
// depends on it. So there are several rules for who comes first, which look at the data and not at the order of
// columns; each gives a climb of its own.
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
  int starts = 1;    // climbs that differ in how they choose among moves of equal gain; at most four
  int tabu = 0;      // how many moves back a network is still remembered; 0 for plain hill climbing
  int patience = 0;  // moves without a better network before that is given up
  // Afterwards, how often the network is shaken: some of its arcs, drawn at random, are deleted or reversed, and it is
  // climbed again from there (iterated local search). It goes on from what is not worse.
  int shakes = 0;
  std::uint64_t seed = 0;
  double most_work = std::numeric_limits<double>::infinity();  // families scored, see FoundNetwork::work
};

// Climbs from `start` (parents of each child, ascending, admitted and acyclic; empty: the required arcs). Adds only
// arcs whose parent is among the child's `candidates`, where those are given (one list for each child, ascending).
// Never below its start. Moves of equal gain: adding and deleting before reversing, then by the child, then the lowest
// parent. The result depends neither on the number of threads nor on when a stop comes, unless it comes
// early.
FoundNetwork hill_climb(FamilyCache& families, const Rules& rules, std::vector<std::vector<int>> start,
                        const std::vector<std::vector<int>>* candidates, const ClimbOptions& options, Control& control,
                        int threads);

}  // namespace qnml
