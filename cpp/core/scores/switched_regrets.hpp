// qnml and fnml as the program behind the paper computes them: exact regrets up to a limit, and an approximation
// beyond.
//
// Within a family both regrets of qnml come from the same formula, so that their difference is never negative. But two
// families of equivalent networks may be on different sides of the limit: these scores are not score equivalent, and
// not set functions. They are for comparison with the paper.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/numbers/level_product.hpp"
#include "core/scores/integer_terms.hpp"
#include "core/scores/memo.hpp"
#include "core/scores/score.hpp"
#include "core/scores/units.hpp"

namespace qnml {

enum class RegretFormula { szpankowski, szpankowski_weinberger };  // paper, eqs. (6) and (7)

// From the parameter of a score: 1 and 2.
RegretFormula regret_formula(double parameter);

// The approximation from as many cells on.
class SwitchedQuotientNml final : public Score {
 public:
  static constexpr double kApproximateFrom = 100.0;

  explicit SwitchedQuotientNml(const ScoreSettings& settings);

  bool price_ignores_counts() const override { return true; }
  double data_score(const Family& family) const override;
  Prices prices() const override { return {}; }
  double log_prior_weight() const override { return 0.0; }
  // All three formulas grow with the number of levels, so that no price is negative and no score above the fit. The
  // price may fall where the formulas switch. Searches count this score family by family, without fits of sets.
  double upper_bound(std::uint32_t, const KnownParents&, double fit) const override { return fit; }
  std::int64_t upper_bound_in_units(const FamilyInUnits&) const override { return 0; }
  bool bound_needs_counts() const override { return false; }
  bool bound_uses_fit() const override { return false; }
  double config_price(std::uint64_t, std::uint32_t) const override { return 0.0; }
  std::vector<double> config_prices(std::uint64_t, std::uint32_t) const override { return {}; }

  // The price of a child given parents whose levels multiply to `parents`. At most N log r, as the exact one.
  double family_price(double child_levels, const LevelProduct& parents) const;

 private:
  double difference(double cells, double configs) const;

  RegretFormula formula_;
  std::vector<double> exact_;  // by number of levels less one
};

// The approximation for more observations of a configuration of the parents than these.
class SwitchedFactorizedNml final : public ConfigScore {
 public:
  static constexpr std::uint64_t kExactUpTo = 2000;

  explicit SwitchedFactorizedNml(const ScoreSettings& settings)
      : ConfigScore(settings), formula_(regret_formula(settings.parameter)) {}

  Prices prices() const override { return {}; }
  double log_prior_weight() const override { return 0.0; }
  double cell(double count, const LevelProduct& levels) const override;
  double config(double count, const LevelProduct& levels, double child_levels) const override;
  double price(const LevelProduct&, int) const override { return 0.0; }
  std::unique_ptr<IntegerTerms> integer_terms(const Units& units, const LevelProducts& products,
                                              std::span<const std::uint32_t> config_levels) const override;
  // No regret is negative. Splitting a configuration may lower the sum of its regrets where the formulas switch.
  double upper_bound(std::uint32_t, const KnownParents&, double fit) const override { return fit; }
  std::int64_t upper_bound_in_units(const FamilyInUnits& family) const override { return family.best_fit; }
  bool bound_needs_counts() const override { return false; }
  bool bound_uses_fit() const override { return true; }
  double config_price(std::uint64_t, std::uint32_t) const override { return 0.0; }
  std::vector<double> config_prices(std::uint64_t, std::uint32_t) const override { return {}; }

  // At most N log r, as the exact one.
  double config_regret(std::uint64_t count, std::uint32_t child_levels) const;

 private:
  RegretFormula formula_;
  Memo regrets_;
};

}  // namespace qnml
