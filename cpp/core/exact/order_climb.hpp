// Finds a good network quickly by local search over orders of the variables: each variable takes its best parents among
// its predecessors. Nothing is proven; the result serves as a first answer and as a lower bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/exact/candidates.hpp"
#include "core/exact/order_solution.hpp"

namespace qnml {

// Position in the list of the first candidate inside the set, or -1. Lists are sorted best first.
inline int first_inside(const std::vector<Candidate>& list, std::uint64_t set) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if ((list[i].parents & ~set) == 0) return static_cast<int>(i);
  }
  return -1;
}

// Starts from `restarts` orders and moves one variable at a time to its best position until no move gains.
// Reproducible; `found` is false if no order admits every child.
OrderSolution order_climb(const CandidateLists& lists, int restarts, std::uint64_t seed, Control& control);

}  // namespace qnml
