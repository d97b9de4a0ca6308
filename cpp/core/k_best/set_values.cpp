#include "core/k_best/set_values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/k_best/family_ranks.hpp"
#include "core/k_best/ranked_score.hpp"
#include "core/numbers/subset_transform.hpp"

namespace qnml {
namespace {

// Subsets have lower numbers, so counting up visits them first.
std::vector<RankedScore> best_on_sets(const std::vector<FamilyRanks>& families, Control& control) {
  const std::size_t sets = std::size_t{1} << families.size();
  std::vector<RankedScore> best(sets, kLowest);
  best[0] = {};
  for (std::uint64_t set = 1; set < sets; ++set) {
    if ((set & 0xFFF) == 0 && control.is_stopped()) break;
    RankedScore mine = kLowest;
    for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) {
      const int last = std::countr_zero(rest);
      const std::uint64_t others = set ^ std::uint64_t{1} << last;
      const FamilyRanks& of_last = families[static_cast<std::size_t>(last)];
      const std::uint32_t rank = of_last.best_inside[remove_bit(others, last)];
      if (rank == kNoFamily || best[others] == kLowest) continue;
      mine = std::max(mine, best[others] + of_last.value[rank]);
    }
    best[set] = mine;
  }
  return best;
}

// For one i: in a network in which i has a child, the last variable j has i as a parent, or i has a child among the
// other variables.
std::vector<std::int64_t> best_with_child(const std::vector<FamilyRanks>& families,
                                          const std::vector<RankedScore>& best, int i, Control& control) {
  const int n = static_cast<int>(families.size());
  const std::uint64_t mine = std::uint64_t{1} << i;
  auto without_both = [i](std::uint64_t set, int j) {
    return remove_bit(remove_bit(set, std::max(i, j)), std::min(i, j));
  };
  // The best family of j inside a set, among those with i as a parent.
  std::vector<std::vector<std::uint32_t>> of_parent(families.size());
  for (int j = 0; j < n; ++j) {
    if (j == i || control.is_stopped()) continue;
    std::vector<std::uint32_t>& best_rank = of_parent[static_cast<std::size_t>(j)];
    best_rank.assign(std::size_t{1} << (n - 2), kNoFamily);
    const std::vector<std::uint32_t>& parents = families[static_cast<std::size_t>(j)].parents;
    for (std::uint32_t rank = 0; rank < parents.size(); ++rank) {
      if (parents[rank] & mine) best_rank[without_both(parents[rank], j)] = rank;
    }
    smallest_over_subsets(best_rank.data(), n - 2);
  }
  std::vector<std::int64_t> value(std::size_t{1} << (n - 1), kLowest.score);
  for (std::uint64_t index = 1; index < value.size(); ++index) {
    if ((index & 0xFFF) == 0 && control.is_stopped()) break;
    const std::uint64_t set = insert_zero(index, i) | mine;
    std::int64_t highest = kLowest.score;
    for (std::uint64_t rest = set & ~mine; rest != 0; rest &= rest - 1) {
      const int j = std::countr_zero(rest);
      const std::uint64_t others = set ^ std::uint64_t{1} << j;
      const FamilyRanks& of_j = families[static_cast<std::size_t>(j)];
      const std::int64_t before = value[remove_bit(others, i)];
      const std::uint32_t any = of_j.best_inside[remove_bit(others, j)];
      if (before != kLowest.score && any != kNoFamily) highest = std::max(highest, before + of_j.value[any].score);
      const std::uint32_t with_i = of_parent[static_cast<std::size_t>(j)][without_both(others, j)];
      if (with_i != kNoFamily && best[others] != kLowest) {
        highest = std::max(highest, best[others].score + of_j.value[with_i].score);
      }
    }
    value[index] = highest;
  }
  return value;
}

}  // namespace

SetValues set_values(const std::vector<FamilyRanks>& families, Control& control, int threads) {
  SetValues values;
  values.best = best_on_sets(families, control);
  values.with_child.resize(families.size());
  control.start_stage("bounds", static_cast<double>(families.size()));
  parallel_for(families.size(), threads, [&](int, std::size_t i) {
    if (control.is_stopped()) return;
    values.with_child[i] = families.size() == 1 ? std::vector<std::int64_t>{kLowest.score}
                                                : best_with_child(families, values.best, static_cast<int>(i), control);
    control.advance(1.0);
  });
  return values;
}

double set_values_bytes(int n, int threads) {
  return std::ldexp(16.0, n) + std::ldexp(8.0 * n, n - 1) + threads * std::ldexp(4.0 * n, std::max(n - 2, 0));
}

}  // namespace qnml
