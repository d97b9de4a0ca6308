#include "core/scores/score.hpp"

#include <cmath>

#include "core/numbers/level_product.hpp"

namespace qnml {

double CellScore::data_score(const Family& family) const {
  const LevelProduct levels = family.parent_levels.times(family.child_levels);
  const double price_with_child = price(levels, family.n_parents + 1);
  // A price beyond double's range: the difference of two infinities must not become a NaN.
  if (std::isinf(price_with_child)) return -price_with_child;
  const double with_child = sum_over(family.cells, [&](double count) { return cell(count, levels); });
  const double without =
      sum_over(family.configs, [&](double count) { return config(count, family.parent_levels, family.child_levels); });
  return (with_child - price_with_child) - (without - price(family.parent_levels, family.n_parents));
}

}  // namespace qnml
