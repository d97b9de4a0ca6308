// Scores that divide the code length of a family by that of its parents: qnml and bdq.
#pragma once

#include <cstdint>
#include <map>
#include <shared_mutex>
#include <utility>
#include <vector>

#include "core/numbers/level_product.hpp"
#include "core/scores/score.hpp"
#include "core/scores/units.hpp"

namespace qnml {

// The price of a set depends on the product of its levels alone, and takes time to compute.
class QuotientScore : public SetScore {
 public:
  using SetScore::SetScore;

  // The price of a set in units, up to a constant. `log_levels`: the logarithm of the product in units.
  virtual std::int64_t set_price(const Units& units, const LevelProduct& levels, std::int64_t log_levels) const = 0;

  Prices prices() const final { return {}; }
  bool depends_on_levels() const final { return false; }
  bool bound_needs_counts() const final { return false; }
  double config_price(std::uint64_t, std::uint32_t) const final { return 0.0; }
  std::vector<double> config_prices(std::uint64_t, std::uint32_t) const final { return {}; }

 protected:
  // The price of a child with parents whose levels multiply to `levels`. Each is computed once.
  double family_price(std::uint32_t child_levels, const LevelProduct& levels) const;

 private:
  mutable std::shared_mutex lock_;
  mutable std::map<std::pair<std::uint32_t, double>, double> prices_;
};

}  // namespace qnml
