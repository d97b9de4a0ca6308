// The result of a heuristic search.
#pragma once

#include <vector>

namespace qnml {

// When a better network was found, in seconds since the start of the search, and its score.
struct TracePoint {
  double seconds;
  double score;
};

struct FoundNetwork {
  std::vector<std::vector<int>> parents;  // of each variable, in ascending order
  double score = 0.0;                     // sum of FamilyCache::score over the families
  std::vector<TracePoint> trace;
  double work = 0.0;    // approximate number of families scored; independent of threads and time
  bool is_cut = false;  // by a limit on the work, before the search ended by itself
};

}  // namespace qnml
