#include "core/k_best/families_inside.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/k_best/family_ranks.hpp"
#include "core/k_best/ranked_score.hpp"
#include "core/numbers/subset_transform.hpp"

namespace qnml {
namespace {

// For sets up to this size all subsets are looked up; for larger ones a scan of all families soon finds the next.
constexpr int kSmall = 12;
constexpr std::size_t kFirst = 16;

}  // namespace

FamiliesInside::FamiliesInside(const FamilyRanks& families, std::uint32_t set, int child)
    : families_(&families),
      set_(static_cast<std::uint32_t>(remove_bit(set, child))),
      child_(child),
      is_small_(std::popcount(set_) <= kSmall) {
  next_ = families.best_inside[set_];
  is_complete_ = next_ == kNoFamily;
}

bool FamiliesInside::extend(RankedScore floor) {
  if (is_complete_) return false;
  if (is_small_) {
    const std::size_t before = ranks_.size();
    collect(std::max(kFirst, 4 * before));
    return ranks_.size() > before;
  }
  const auto set = static_cast<std::uint32_t>(insert_zero(set_, child_));
  const std::size_t size = families_->parents.size();
  for (; next_ < size && families_->value[next_] >= floor; ++next_) {
    if ((families_->parents[next_] & ~set) == 0) {
      ranks_.push_back(next_++);
      is_complete_ = next_ == size;
      return true;
    }
  }
  is_complete_ = next_ == size;
  return false;
}

// The `most` best families among all subsets.
void FamiliesInside::collect(std::size_t most) {
  ranks_.clear();
  for (std::uint32_t subset = set_;; subset = (subset - 1) & set_) {
    if (families_->rank_of[subset] != kNoFamily) ranks_.push_back(families_->rank_of[subset]);
    if (subset == 0) break;
  }
  is_complete_ = ranks_.size() <= most;
  if (!is_complete_) {
    const auto end = ranks_.begin() + static_cast<std::ptrdiff_t>(most);
    std::nth_element(ranks_.begin(), end, ranks_.end());
    next_ = *end;
    ranks_.resize(most);
    ranks_.shrink_to_fit();
  }
  std::sort(ranks_.begin(), ranks_.end());
}

}  // namespace qnml
