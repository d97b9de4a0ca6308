#include "core/scores/quotient_score.hpp"

#include <cmath>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "core/numbers/level_product.hpp"

namespace qnml {

double QuotientScore::family_price(std::uint32_t child_levels, const LevelProduct& levels) const {
  const std::pair key(child_levels, levels.log);
  {
    const std::shared_lock hold(lock_);
    if (const auto found = prices_.find(key); found != prices_.end()) return found->second;
  }
  // The price does not depend on the number of variables.
  const double family = price(levels.times(child_levels), 1);
  // Beyond the range of double no family is of any use.
  const double value = std::isinf(family) ? family : family - price(levels, 0);
  const std::unique_lock hold(lock_);
  prices_.emplace(key, value);
  return value;
}

}  // namespace qnml
