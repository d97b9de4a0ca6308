// An upper bound on what the variables outside a set can still add, when the set's variables come first in the order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/exact/candidates.hpp"

namespace qnml {

// The variables are put into groups. Cycles inside a group are forbidden, cycles through several groups are not: a
// relaxation, so the bound is never too low. For a group G and its members U not yet placed,
//   bound(U) = max over j in U of best(j | all variables outside U) + bound(U - j),
// since whichever member of U is placed first can have parents anywhere but in U. (Yuan and Malone 2012.)
// When one group holds all variables nothing is relaxed: the bound is what the best network adds.
class PatternBound {
 public:
  // Of no use when it is stopped.
  PatternBound(const CandidateLists& lists, Control& control);

  // A group of m costs m^2 2^m steps.
  static constexpr std::size_t kLargestGroup = 15;
  bool is_exact() const { return groups_.size() == 1; }

  std::int64_t outside(std::uint64_t placed) const {
    std::int64_t sum = 0;
    for (const Group& group : groups_) {
      std::uint32_t index = 0;
      for (std::size_t byte = 0; byte < group.gather.size(); ++byte)
        index |= group.gather[byte][~placed >> (8 * byte) & 0xFF];
      sum += group.bound[index];
    }
    return sum;
  }

 private:
  struct Group {
    std::vector<std::array<std::uint32_t, 256>> gather;  // per byte of a set, its members' place in the group
    std::vector<std::int64_t> bound;
  };
  std::vector<Group> groups_;
};

}  // namespace qnml
