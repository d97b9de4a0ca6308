#include "core/scores/superset_bound.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/counting/columns.hpp"
#include "core/numbers/level_product.hpp"
#include "core/scores/score.hpp"
#include "core/scores/structure_prior.hpp"

namespace qnml {
namespace {

// Longer tables are not worth their memory: larger configurations are few.
constexpr std::uint64_t kLongestTable = std::uint64_t{1} << 20;

}  // namespace

std::vector<LevelProduct> fewest_levels(const Columns& table) {
  std::vector<std::uint32_t> levels = levels_of(table);
  std::sort(levels.begin(), levels.end());
  std::vector<LevelProduct> products(1);
  for (std::uint32_t r : levels) products.push_back(products.back().times(r));
  return products;
}

double bound_with_prior(const Score& score, std::uint32_t child_levels, const KnownParents& parents, double fit,
                        const std::vector<LevelProduct>& fewest_levels, int most_parents) {
  const double bound = score.upper_bound(child_levels, parents, fit);
  const StructurePrior& prior = score.prior();
  if (prior.is_uniform()) return bound;
  const int most = std::min(most_parents, static_cast<int>(fewest_levels.size()) - 2);  // all but the child
  // Larger than any set: there is no such superset, and every bound holds.
  if (parents.size > most) return bound;
  const StructurePrior::Ranges ranges = prior.ranges(parents.size, most);
  if (ranges.far_size == 0) return bound - ranges.near;
  KnownParents larger = parents;
  larger.size = ranges.far_size;
  const LevelProduct& fewest = fewest_levels[static_cast<std::size_t>(ranges.far_size)];
  if (fewest.log > larger.levels.log) larger.levels = fewest;
  return std::max(bound - ranges.near, score.upper_bound(child_levels, larger, fit) - ranges.far);
}

SupersetBound::SupersetBound(std::shared_ptr<const Score> score, const Columns& table)
    : score_(std::move(score)), fewest_levels_(fewest_levels(table)) {
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
