#include "core/scores/score_range.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/scores/score.hpp"

namespace qnml {
namespace {

// Finer units are of no use: the terms come from doubles.
constexpr int kFinest = 44;
constexpr int kCoarsest = 8;

}  // namespace

double largest_score(const Score& score, std::span<const std::uint32_t> levels,
                     const std::vector<std::vector<int>>& required) {
  const auto n = static_cast<double>(levels.size());
  const auto total = static_cast<double>(score.total());
  const Prices prices = score.prices();
  double size = std::log(total) + 1.0 + std::fabs(score.log_prior_weight());
  for (std::uint32_t r : levels) size += std::log(static_cast<double>(r));
  double price = n * (prices.per_arc + score.prior().highest_price());
  for (std::size_t child = 0; child < levels.size(); ++child) {
    double parameters = levels[child] - 1.0;
    if (!required.empty()) {
      for (int parent : required[child]) parameters *= levels[static_cast<std::size_t>(parent)];
      price += prices.per_arc * static_cast<double>(required[child].size());
    }
    if (prices.per_parameter > 0.0) price += prices.per_parameter * parameters;
  }
  return (n + 1.0) * total * size + price + kBelowAnyWeight;
}

int unit_bits(double largest) {
  if (!(largest <= kLargestScore)) throw std::length_error("scores too large for whole units");
  const double most = std::log2(static_cast<double>(kLargestUnits));
  return std::clamp(static_cast<int>(std::floor(most - std::log2(largest))), kCoarsest, kFinest);
}

std::vector<std::vector<int>> lists_of(std::span<const std::uint64_t> masks) {
  std::vector<std::vector<int>> lists(masks.size());
  for (std::size_t child = 0; child < masks.size(); ++child) {
    for (std::uint64_t rest = masks[child]; rest != 0; rest &= rest - 1) {
      lists[child].push_back(std::countr_zero(rest));
    }
  }
  return lists;
}

}  // namespace qnml
