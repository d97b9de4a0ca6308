// Normalized maximum likelihood (NML): qnml and fnml.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/numbers/level_product.hpp"
#include "core/scores/integer_terms.hpp"
#include "core/scores/memo.hpp"
#include "core/scores/quotient_score.hpp"
#include "core/scores/score.hpp"
#include "core/scores/units.hpp"

namespace qnml {

// Paper, eq. (8): the one-dimensional NML code of the family divided by that of its parents.
class QuotientNml final : public QuotientScore {
 public:
  using QuotientScore::QuotientScore;

  bool price_ignores_counts() const override { return true; }
  double log_prior_weight() const override { return 0.0; }
  double cell(double count, const LevelProduct& levels) const override;
  double price(const LevelProduct& levels, int n_variables) const override;
  std::int64_t set_price(const Units& units, const LevelProduct& levels, std::int64_t log_levels) const override;
  std::unique_ptr<IntegerTerms> integer_terms(const Units& units, const LevelProducts& products,
                                              std::span<const std::uint32_t> config_levels) const override;

  // The fit of the child given more parents is at most the fit given all other variables (conditioning does not raise
  // entropy). The price reg(N, r q) - reg(N, q) grows with the product q of the parents' levels, because reg(N, e^x) is
  // convex in x: C(N, k) is a polynomial in k with positive coefficients (paper, Lemma 1). So the score is at most a
  // fit minus the price of P.
  double upper_bound(std::uint32_t child_levels, const KnownParents& parents, double fit) const override;
  std::int64_t upper_bound_in_units(const FamilyInUnits& family) const override {
    return family.best_fit - family.price;
  }
  bool bound_uses_fit() const override { return true; }

 private:
  Memo regrets_;
};

// Silander et al. (2008): one NML code per configuration of the parents. Unseen configurations cost nothing.
class FactorizedNml final : public ConfigScore {
 public:
  using ConfigScore::ConfigScore;

  Prices prices() const override { return {}; }
  double log_prior_weight() const override { return 0.0; }
  double cell(double count, const LevelProduct& levels) const override;
  double config(double count, const LevelProduct& levels, double child_levels) const override;
  double price(const LevelProduct&, int) const override { return 0.0; }
  std::unique_ptr<IntegerTerms> integer_terms(const Units& units, const LevelProducts& products,
                                              std::span<const std::uint32_t> config_levels) const override;

  // The fit is bounded as for qnml. The price, the sum of reg(N_j, r) over the configurations j of the parents, grows
  // when configurations are split: reg(N + M, r) <= reg(N, r) + reg(M, r) (paper, Appendix B). In units the price of P
  // is configs - cells.
  double upper_bound(std::uint32_t, const KnownParents& parents, double fit) const override {
    return fit - parents.price;
  }
  std::int64_t upper_bound_in_units(const FamilyInUnits& family) const override {
    return family.best_fit - (family.configs - family.cells);
  }
  bool bound_needs_counts() const override { return true; }
  bool bound_uses_fit() const override { return true; }
  double config_price(std::uint64_t count, std::uint32_t child_levels) const override;
  std::vector<double> config_prices(std::uint64_t last, std::uint32_t child_levels) const override;

 private:
  Memo regrets_;
};

}  // namespace qnml
