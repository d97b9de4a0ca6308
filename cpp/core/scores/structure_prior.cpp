#include "core/scores/structure_prior.hpp"

#include <cmath>
#include <cstddef>

namespace qnml {

StructurePrior::StructurePrior(PriorKind kind, int n, double scale) {
  if (kind == PriorKind::uniform || n == 0) return;
  const auto others = static_cast<std::size_t>(n - 1);
  price_.assign(others + 1, 0.0);
  double log_ways = 0.0;
  for (std::size_t k = 1; 2 * k <= others; ++k) {
    log_ways += std::log(static_cast<double>(others + 1 - k) / static_cast<double>(k));
    price_[k] = price_[others - k] = scale * log_ways;
  }
  set_price_.assign(1, 0.0);
  for (double price : price_) set_price_.push_back(set_price_.back() + price);
}

double StructurePrior::highest_price() const { return is_uniform() ? 0.0 : price_[price_.size() / 2]; }

StructurePrior::Ranges StructurePrior::ranges(int size, int most) const {
  if (is_uniform()) return {};
  if (price(most) >= price(size)) return {price(size), 0, 0.0};
  const int mirror = static_cast<int>(price_.size()) - 1 - size;
  if (mirror <= size) return {price(most), 0, 0.0};
  return {price(size), mirror + 1, price(most)};
}

}  // namespace qnml
