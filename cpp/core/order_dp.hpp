// The best network over all orders of the variables, by recursion over sets (Silander and Myllymaki 2006).
#pragma once

#include <cstdint>
#include <vector>

#include "core/candidates.hpp"
#include "core/control.hpp"

namespace qnml {

// How to choose among networks of equal score: by a number that adds up over families, larger first.
enum class TieRule { simplest, largest, random };

struct OrderSolution {
  bool found = false;
  std::vector<std::uint64_t> parents;  // by bit
  std::int64_t score = 0;
  // Whether networks of another equivalence class have the same score; only meaningful if ties_examined.
  bool has_ties = false;
  bool ties_examined = false;
};

// Numbers of the tie rules. Equivalent networks get the same total under each of them: the complexity of a network is
// that of its class, and the random numbers are differences of a random function of sets.
std::int64_t tie_value(TieRule rule, std::uint64_t seed, int bit, const Candidate& candidate);

// Exact for the candidates given, which must contain an admitted network. Memory: see order_dp_bytes.
OrderSolution order_dp(const CandidateLists& lists, TieRule rule, std::uint64_t seed, bool examine_ties,
                       Control& control, int threads);

double order_dp_bytes(int n, bool examine_ties);

}  // namespace qnml
