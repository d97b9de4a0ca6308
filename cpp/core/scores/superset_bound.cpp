#include "core/scores/superset_bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "core/numbers/minus_infinity.hpp"
#include "core/scores/regret.hpp"

namespace qnml {
namespace {

// Longer tables are not worth their memory: larger configurations are few.
constexpr std::uint64_t kLongestTable = std::uint64_t{1} << 20;
// See the proof in the header.
constexpr double kLightWeight = 0.25;

}  // namespace

SupersetBound::SupersetBound(ScoreKind kind, double parameter, const Columns& table)
    : kind_(kind),
      parameter_(parameter),
      total_(table.total),
      score_(make_score(kind, parameter, table.total, static_cast<int>(table.columns.size()))),
      cell_score_(dynamic_cast<const CellScore*>(score_.get())) {
  if (kind != ScoreKind::fnml) return;
  for (const Column& column : table.columns) {
    std::vector<double>& mine = regrets_[column.levels];
    if (mine.empty()) mine = regret_table(static_cast<std::int64_t>(std::min(total_, kLongestTable)), column.levels);
  }
}

bool SupersetBound::needs_counts() const {
  switch (kind_) {
    case ScoreKind::fnml:
    case ScoreKind::bdeu:
    case ScoreKind::bds:
    case ScoreKind::bdj:
    case ScoreKind::k2:
      return true;
    default:
      return false;
  }
}

double SupersetBound::price(std::span<const std::uint64_t> configs, std::uint32_t child_levels) const {
  if (kind_ != ScoreKind::fnml) return 0.0;
  const std::vector<double>& table = regrets_.at(child_levels);
  double sum = 0.0;
  for (std::uint64_t count : configs) {
    sum += count < table.size() ? table[count] : regret(static_cast<std::int64_t>(count), child_levels);
  }
  return sum;
}

double SupersetBound::price_by_levels(std::uint32_t child_levels, const LevelProduct& levels, int size) const {
  auto compute = [&] {
    const double family = cell_score_->price(levels.times(child_levels), size + 1);
    // Beyond the range of double: no such family is of any use.
    return std::isinf(family) ? family : family - cell_score_->price(levels, size);
  };
  // Regrets take their time, and depend on the levels alone.
  if (kind_ != ScoreKind::qnml && kind_ != ScoreKind::bdq) return compute();
  const std::pair key(child_levels, levels.log);
  {
    const std::shared_lock hold(lock_);
    if (const auto found = prices_.find(key); found != prices_.end()) return found->second;
  }
  const double value = compute();
  const std::unique_lock hold(lock_);
  prices_.emplace(key, value);
  return value;
}

double SupersetBound::operator()(std::uint32_t child_levels, const Parents& parents, double fit) const {
  const double log_levels = std::log(static_cast<double>(child_levels));
  switch (kind_) {
    case ScoreKind::fnml:
      return fit - parents.price;
    case ScoreKind::bdj:
    case ScoreKind::k2:
      return std::min(fit, -log_levels * static_cast<double>(parents.configs));
    case ScoreKind::bdeu:
    case ScoreKind::bds: {
      const double parts = kind_ == ScoreKind::bds ? static_cast<double>(parents.configs) : parents.levels.value;
      const double weight = parameter_ / parts;
      if (weight <= kLightWeight && child_levels > 1) {
        // Beyond the range of double no weight is smaller than any number.
        const double tiny = std::max(weight, std::numeric_limits<double>::min());
        const double further = -std::log(4.0 * tiny / (1.0 + tiny)) + log_levels;  // log 1/k
        return fit - log_levels * static_cast<double>(parents.cells) -
               (further - log_levels) * static_cast<double>(parents.mixed);
      }
      return std::min(fit, -log_levels * static_cast<double>(parents.configs));
    }
    case ScoreKind::bdq:
      return -price_by_levels(child_levels, parents.levels, parents.size);
    default: {
      const double price = price_by_levels(child_levels, parents.levels, parents.size);
      return std::isinf(price) ? kMinusInfinity : fit - price;
    }
  }
}

}  // namespace qnml
