// Bayesian Dirichlet quotient: bdq.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "core/numbers/level_product.hpp"
#include "core/scores/integer_terms.hpp"
#include "core/scores/quotient_score.hpp"
#include "core/scores/score.hpp"
#include "core/scores/units.hpp"

namespace qnml {

// Suzuki (2017): Dirichlet(alpha, ..., alpha) codes in place of the NML codes of qNML.
class QuotientDirichlet final : public QuotientScore {
 public:
  explicit QuotientDirichlet(const ScoreSettings& settings);

  double log_prior_weight() const override { return log_alpha_; }
  double cell(double count, const LevelProduct& levels) const override;
  double price(const LevelProduct& levels, int n_variables) const override;
  std::int64_t set_price(const Units& units, const LevelProduct& levels, std::int64_t log_levels) const override;
  std::unique_ptr<IntegerTerms> integer_terms(const Units& units, const LevelProducts& products,
                                              std::span<const std::uint32_t> config_levels) const override;

  // With a = alpha, the rising factorial satisfies a^(c + d) >= a^(c) a^(d), so splitting cells does not raise their
  // sum, and cells(P + i) - cells(P) is at most zero. The price log (arq)^(N) - log (aq)^(N) has the derivative
  // sum_k a k (r - 1) / ((arq + k)(aq + k)) >= 0 in the product q of the parents' levels: it grows with the parents. So
  // the score is at most minus the price of P.
  double upper_bound(std::uint32_t child_levels, const KnownParents& parents, double fit) const override;
  std::int64_t upper_bound_in_units(const FamilyInUnits& family) const override { return -family.price; }
  bool bound_uses_fit() const override { return false; }

 private:
  double alpha_, log_alpha_;
};

}  // namespace qnml
