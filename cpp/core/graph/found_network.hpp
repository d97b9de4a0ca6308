// What a search that is not exact hands back.
#pragma once

#include <vector>

namespace qnml {

// When a better network was found, counted from the start of the search, and its score.
struct TracePoint {
  double seconds;
  double score;
};

struct FoundNetwork {
  std::vector<std::vector<int>> parents;  // of each variable, in ascending order
  double score = 0.0;                     // sum of FamilyCache::score over the families
  std::vector<TracePoint> trace;
  double work = 0.0;    // families scored, about: a number that depends neither on threads nor on time
  bool is_cut = false;  // by a limit on the work, before the search came to its own end
};

}  // namespace qnml
