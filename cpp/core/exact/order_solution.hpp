// What a search over orders returns, and how it chooses among networks of equal score.
#pragma once

#include <cstdint>
#include <vector>

#include "core/exact/candidates.hpp"

namespace qnml {

// Networks count as equal when their scores differ by less than 1e-9 of the score: rounding moves a score by about
// 1e-12 of its size, so that scores equal by an identity between logarithms of fractions or of sums are among them.
// Scores are at most zero.
constexpr std::int64_t tolerance(std::int64_t score) { return -score / 1'000'000'000 + 1; }

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

// Random numbers that tell classes apart: the networks of equal score are of several classes exactly when the largest
// and the smallest sum of these among them differ, but for a chance of 2^-48.
std::int64_t examination_value(int bit, const Candidate& candidate);

}  // namespace qnml
