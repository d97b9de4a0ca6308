// The network that a search over orders found.
#pragma once

#include <cstdint>
#include <vector>

namespace qnml {

struct OrderSolution {
  bool found = false;
  std::vector<std::uint64_t> parents;  // by bit
  std::int64_t score = 0;
  // Whether networks of another equivalence class have the same score; only meaningful if ties_examined.
  bool has_ties = false;
  bool ties_examined = false;
};

}  // namespace qnml
