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
};

}  // namespace qnml
