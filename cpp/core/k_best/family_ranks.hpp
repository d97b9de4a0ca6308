// All admitted families of every child, best first, and the best one inside every set: for searches that need more
// than the families of the optimum. Sets of variables are bit masks over columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/control.hpp"
#include "core/graph/rules.hpp"
#include "core/k_best/ranked_score.hpp"
#include "core/problem/integer_scores.hpp"

namespace qnml {

constexpr std::uint32_t kNoFamily = std::numeric_limits<std::uint32_t>::max();

// The families of one child. Ties are in order of their masks.
struct FamilyRanks {
  std::vector<std::uint32_t> parents;
  std::vector<RankedScore> value;
  // By set of other variables, without the child's bit: the rank of that family, and of the best family inside.
  // kNoFamily: none.
  std::vector<std::uint32_t> rank_of;
  std::vector<std::uint32_t> best_inside;
  bool leaves_out = false;  // whether there are families beyond kLargestUnits, which are not listed
};

struct RankedFamily {
  RankedScore value;
  std::uint32_t parents;
};

// Ranks the families of one child. Of several with the same parents the best counts.
FamilyRanks rank_of_child(std::vector<RankedFamily> families, int n, int child);

// Empty when stopped. At most 26 columns, because of the memory it takes.
std::vector<FamilyRanks> rank_families(const IntegerScores& scores, const MaskRules& rules, Control& control,
                                       int threads);

double family_ranks_bytes(int n, std::size_t config_classes, int threads);

}  // namespace qnml
