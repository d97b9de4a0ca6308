// What networks are ranked by: their score, and among equal scores how simple they are.
#pragma once

#include <compare>  // IWYU pragma: keep
#include <cstdint>
#include <limits>

namespace qnml {

// Compared by score, then by tie. Both add up over families, so adding the same to two values keeps their order: all
// that the recursions over sets of variables need.
struct RankedScore {
  std::int64_t score = 0;
  std::int64_t tie = 0;  // minus the complexity

  friend auto operator<=>(const RankedScore&, const RankedScore&) = default;
  friend RankedScore operator+(RankedScore a, RankedScore b) { return {a.score + b.score, a.tie + b.tie}; }
  friend RankedScore operator-(RankedScore a, RankedScore b) { return {a.score - b.score, a.tie - b.tie}; }
};

// Below every value, and a tie above every tie; both far enough from the ends for a few sums.
constexpr RankedScore kLowest{std::numeric_limits<std::int64_t>::min() / 4, 0};
constexpr std::int64_t kHighestTie = std::numeric_limits<std::int64_t>::max() / 8;

}  // namespace qnml
