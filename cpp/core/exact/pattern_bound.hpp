// Upper bound on the total score of the variables outside a set, if the set's variables come first in the order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/exact/candidates.hpp"

namespace qnml {

// The variables are partitioned into groups. Cycles within a group are forbidden, cycles through several groups are
// not. This is a relaxation, so the bound is never too low. For a group G and its members U not yet placed,
//   bound(U) = max over j in U of best(j | all variables outside U) + bound(U - j),
// since the member of U that is placed first can have any parents outside U. (Yuan and Malone 2012.) If one group
// contains all variables, nothing is relaxed and the bound is exact.
class PatternBound {
 public:
  // Unusable when stopped.
  PatternBound(const CandidateLists& lists, Control& control);

  // A group of m variables takes m^2 2^m steps.
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
    std::vector<std::array<std::uint32_t, 256>> gather;  // per byte of a set, the mask of its members in the group
    std::vector<std::int64_t> bound;
  };
  std::vector<Group> groups_;
};

}  // namespace qnml
