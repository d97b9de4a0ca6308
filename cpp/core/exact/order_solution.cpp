#include "core/exact/order_solution.hpp"

#include "core/base/random.hpp"

namespace qnml {
namespace {

// 48 random bits for each set: sums and differences of thousands stay exact in 64.
std::int64_t random_of_set(std::uint64_t seed, std::uint64_t set) {
  return static_cast<std::int64_t>(mix64(mix64(seed + golden_gamma) ^ set * golden_gamma) >> 16);
}

std::int64_t random_of_family(std::uint64_t seed, int bit, std::uint64_t parents) {
  return random_of_set(seed, parents | std::uint64_t{1} << bit) - random_of_set(seed, parents);
}

}  // namespace

std::int64_t tie_value(TieRule rule, std::uint64_t seed, int bit, const Candidate& candidate) {
  switch (rule) {
    case TieRule::simplest:
      return -candidate.complexity;
    case TieRule::largest:
      return candidate.complexity;
    default:
      return random_of_family(seed, bit, candidate.parents);
  }
}

std::int64_t examination_value(int bit, const Candidate& candidate) {
  constexpr std::uint64_t kSeed = 0x51ED270B0A1F39C5ULL;
  return random_of_family(kSeed, bit, candidate.parents);
}

}  // namespace qnml
