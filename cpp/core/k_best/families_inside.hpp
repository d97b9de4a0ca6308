// The families of one child inside one set, best first, enumerated lazily.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/k_best/family_ranks.hpp"
#include "core/k_best/ranked_score.hpp"

namespace qnml {

class FamiliesInside {
 public:
  FamiliesInside(const FamilyRanks& families, std::uint32_t set, int child);

  // Whether the family at this place is known. If not, bound() is an upper bound on its value and on all later ones.
  bool is_known(std::size_t place) const { return place < ranks_.size(); }
  // Continues until one more family is known or all others are below the floor. Returns whether one more is known.
  bool extend(RankedScore floor);
  bool is_complete() const { return is_complete_; }

  std::uint32_t parents(std::size_t place) const { return families_->parents[ranks_[place]]; }
  RankedScore value(std::size_t place) const { return families_->value[ranks_[place]]; }
  RankedScore bound() const { return families_->value[next_]; }

  int child() const { return child_; }
  double bytes() const { return sizeof(FamiliesInside) + 4.0 * static_cast<double>(ranks_.capacity()); }

 private:
  void collect(std::size_t most);

  const FamilyRanks* families_;
  std::uint32_t set_;
  int child_;
  bool is_small_;
  bool is_complete_ = false;
  std::uint32_t next_ = 0;  // no family from this rank on is known
  std::vector<std::uint32_t> ranks_;
};

}  // namespace qnml
