// The best scores of networks on every set of variables, also under the condition that a given variable has a child:
// bounds for searches over networks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/k_best/family_ranks.hpp"
#include "core/k_best/ranked_score.hpp"
#include "core/numbers/subset_transform.hpp"

namespace qnml {

struct SetValues {
  std::vector<RankedScore> best;  // by set; kLowest if no network is admitted
  // with_child[i]: the best score of a network on a set that contains i in which i has a child; by set without i.
  std::vector<std::vector<std::int64_t>> with_child;

  std::int64_t best_with_child(std::uint64_t set, int i) const {
    return with_child[static_cast<std::size_t>(i)][remove_bit(set, i)];
  }
};

// Incomplete when stopped.
SetValues set_values(const std::vector<FamilyRanks>& families, Control& control, int threads);

double set_values_bytes(int n, int threads);

}  // namespace qnml
