#include "core/graph/tie_breaking.hpp"

#include <algorithm>
#include <cstdint>

#include "core/base/random.hpp"

namespace qnml {
namespace {

// 48 random bits per set: sums and differences of thousands of them are exact in 64 bits.
std::int64_t random_of_set(std::uint64_t seed, std::uint64_t set) {
  return static_cast<std::int64_t>(mix64(mix64(seed + golden_gamma) ^ set * golden_gamma) >> 16);
}

std::int64_t random_of_family(std::uint64_t seed, int child, std::uint64_t parents) {
  return random_of_set(seed, parents | std::uint64_t{1} << child) - random_of_set(seed, parents);
}

}  // namespace

std::int64_t complexity(double parent_configurations, double child_levels, int n_parents) {
  constexpr double kMostParameters = 1e12;
  const double parameters = std::min(parent_configurations * (child_levels - 1.0), kMostParameters);
  return static_cast<std::int64_t>(parameters) * 1024 + n_parents;
}

std::int64_t tie_value(TieRule rule, std::uint64_t seed, int child, std::uint64_t parents, std::int64_t complexity) {
  switch (rule) {
    case TieRule::simplest:
      return -complexity;
    case TieRule::largest:
      return complexity;
    case TieRule::random:
      return random_of_family(seed, child, parents);
  }
  return 0;
}

std::int64_t examination_value(int child, std::uint64_t parents) {
  constexpr std::uint64_t kSeed = 0x51ED270B0A1F39C5ULL;
  return random_of_family(kSeed, child, parents);
}

}  // namespace qnml
