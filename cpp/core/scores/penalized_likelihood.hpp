// The maximised log-likelihood minus a price per free parameter, and per arc: loglik, aic, bic, hqc, ebic.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/numbers/level_product.hpp"
#include "core/scores/integer_terms.hpp"
#include "core/scores/score.hpp"
#include "core/scores/units.hpp"

namespace qnml {

// A new score of this family states its prices in nats and nothing else.
class PenalizedLikelihood : public SetScore {
 public:
  PenalizedLikelihood(const ScoreSettings& settings, Prices prices);

  bool price_ignores_counts() const final { return true; }

  Prices prices() const final { return prices_; }
  double log_prior_weight() const final { return 0.0; }
  double cell(double count, const LevelProduct& levels) const final;
  bool depends_on_levels() const final { return false; }
  double price(const LevelProduct& levels, int n_variables) const final;
  std::unique_ptr<IntegerTerms> integer_terms(const Units& units, const LevelProducts& products,
                                              std::span<const std::uint32_t> config_levels) const final;

  // The fit of the child given more parents is at most the fit given all other variables (conditioning does not raise
  // entropy). The price of the parameters, (r - 1) q for q configurations of the parents and r levels of the child,
  // grows with q, and the price of the arcs with the number of parents. So the score is at most a fit minus the price
  // of P.
  double upper_bound(std::uint32_t child_levels, const KnownParents& parents, double fit) const final;
  std::int64_t upper_bound_in_units(const FamilyInUnits& family) const final { return family.best_fit - family.price; }
  bool bound_needs_counts() const final { return false; }
  bool bound_uses_fit() const final { return true; }
  double config_price(std::uint64_t, std::uint32_t) const final { return 0.0; }
  std::vector<double> config_prices(std::uint64_t, std::uint32_t) const final { return {}; }

 private:
  Prices prices_;
  double least_price_;
};

class LogLikelihood final : public PenalizedLikelihood {
 public:
  explicit LogLikelihood(const ScoreSettings& settings) : PenalizedLikelihood(settings, {0.0, 0.0}) {}
};

// Akaike (1973).
class Aic final : public PenalizedLikelihood {
 public:
  explicit Aic(const ScoreSettings& settings) : PenalizedLikelihood(settings, {1.0, 0.0}) {}
};

// Half the logarithm of the sample size per parameter.
class BicLikelihood : public PenalizedLikelihood {
 public:
  BicLikelihood(const ScoreSettings& settings, double per_arc);
  std::int64_t parameter_price(const Units& units) const final {
    return units.log_of(observations()) / 2 * static_cast<std::int64_t>(scale());
  }
};

// Schwarz (1978).
class Bic final : public BicLikelihood {
 public:
  explicit Bic(const ScoreSettings& settings) : BicLikelihood(settings, 0.0) {}
};

// Chen and Chen (2008), for each variable: gamma log n per arc.
class ExtendedBic final : public BicLikelihood {
 public:
  explicit ExtendedBic(const ScoreSettings& settings);
};

// Hannan and Quinn (1979).
class HannanQuinn final : public PenalizedLikelihood {
 public:
  explicit HannanQuinn(const ScoreSettings& settings);
};

}  // namespace qnml
