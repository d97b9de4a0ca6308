#include "core/scores/superset_bound.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/counting/columns.hpp"
#include "core/scores/score.hpp"

namespace qnml {
namespace {

// Longer tables are not worth their memory: larger configurations are few.
constexpr std::uint64_t kLongestTable = std::uint64_t{1} << 20;

}  // namespace

SupersetBound::SupersetBound(std::shared_ptr<const Score> score, const Columns& table) : score_(std::move(score)) {
  for (const Column& column : table.columns) {
    std::vector<double>& mine = prices_[column.levels];
    if (mine.empty()) mine = score_->config_prices(std::min(table.total, kLongestTable), column.levels);
  }
}

double SupersetBound::price(std::span<const std::uint64_t> configs, std::uint32_t child_levels) const {
  const std::vector<double>& table = prices_.at(child_levels);
  if (table.empty()) return 0.0;
  double sum = 0.0;
  for (std::uint64_t count : configs) {
    sum += count < table.size() ? table[count] : score_->config_price(count, child_levels);
  }
  return sum;
}

}  // namespace qnml
