// The value that networks are ranked by: the score and, for equal scores, simplicity.
#pragma once

#include <compare>  // IWYU pragma: keep
#include <cstdint>
#include <limits>

namespace qnml {

// Compared by score, then by tie. Both add up over families, and adding the same to two values keeps their order. The
// recursions over sets of variables need no more than that.
struct RankedScore {
  std::int64_t score = 0;
  std::int64_t tie = 0;  // minus the complexity

  friend auto operator<=>(const RankedScore&, const RankedScore&) = default;
  friend RankedScore operator+(RankedScore a, RankedScore b) { return {a.score + b.score, a.tie + b.tie}; }
  friend RankedScore operator-(RankedScore a, RankedScore b) { return {a.score - b.score, a.tie - b.tie}; }
};

// A value below all others and a tie above all others, far enough from the limits that a few sums do not overflow.
constexpr RankedScore kLowest{std::numeric_limits<std::int64_t>::min() / 4, 0};
constexpr std::int64_t kHighestTie = std::numeric_limits<std::int64_t>::max() / 8;

}  // namespace qnml
