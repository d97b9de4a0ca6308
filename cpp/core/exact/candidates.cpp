#include "core/exact/candidates.hpp"

#include <algorithm>
#include <cstdint>

#include "core/graph/tie_breaking.hpp"

namespace qnml {

void sort_candidates(CandidateLists& lists) {
  for (auto& list : lists.of_bit) std::sort(list.begin(), list.end(), comes_first<Candidate>);
}

void drop_hopeless(CandidateLists& lists, std::int64_t reached) {
  std::int64_t best = 0;
  for (const auto& list : lists.of_bit) {
    if (list.empty()) return;
    best += list.front().score;
  }
  for (auto& list : lists.of_bit) {
    const std::int64_t least = list.front().score - (best - reached);
    const auto first_out = std::find_if(list.begin(), list.end(), [&](const Candidate& c) { return c.score < least; });
    list.erase(first_out, list.end());
    list.shrink_to_fit();
  }
}

}  // namespace qnml
