#include "core/scores/penalized_likelihood.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>

#include "core/numbers/level_product.hpp"
#include "core/numbers/minus_infinity.hpp"
#include "core/scores/count_log_count.hpp"
#include "core/scores/integer_terms.hpp"
#include "core/scores/score.hpp"
#include "core/scores/units.hpp"

namespace qnml {
namespace {

// The total is a multiple of the scale.
double observations_of(const ScoreSettings& settings) {
  const std::uint64_t observations = settings.total / settings.scale;
  return static_cast<double>(observations);
}

// log log N is negative below e observations; a negative price would reward parameters.
double log_log(double total) {
  const double log_total = std::log(total);
  return log_total > 1.0 ? std::log(log_total) : 0.0;
}

}  // namespace

PenalizedLikelihood::PenalizedLikelihood(const ScoreSettings& settings, Prices prices)
    : SetScore(settings),
      prices_{prices.per_parameter * static_cast<double>(settings.scale),
              prices.per_arc * static_cast<double>(settings.scale)},
      least_price_(count_log_count(static_cast<double>(settings.total))) {}

double PenalizedLikelihood::cell(double count, const LevelProduct&) const { return count_log_count(count); }

double PenalizedLikelihood::price(const LevelProduct& levels, int n_variables) const {
  const double parameters = levels.value - 1.0;
  const double arcs = 0.5 * n_variables * (n_variables - 1.0);
  return least_price_ + (prices_.per_parameter == 0.0 ? 0.0 : prices_.per_parameter * parameters) +
         prices_.per_arc * arcs;
}

std::unique_ptr<IntegerTerms> PenalizedLikelihood::integer_terms(const Units& units, const LevelProducts&,
                                                                 std::span<const std::uint32_t>) const {
  return std::make_unique<FitTerms>(units);
}

double PenalizedLikelihood::upper_bound(std::uint32_t child_levels, const KnownParents& parents, double fit) const {
  const double family = price(parents.levels.times(child_levels), parents.size + 1);
  // Beyond the range of double no family is of any use.
  return std::isinf(family) ? kMinusInfinity : fit - (family - price(parents.levels, parents.size));
}

BicLikelihood::BicLikelihood(const ScoreSettings& settings, double per_arc)
    : PenalizedLikelihood(settings, {0.5 * std::log(observations_of(settings)), per_arc}) {}

ExtendedBic::ExtendedBic(const ScoreSettings& settings)
    : BicLikelihood(settings, settings.parameter * std::log(static_cast<double>(settings.n_variables))) {}

HannanQuinn::HannanQuinn(const ScoreSettings& settings)
    : PenalizedLikelihood(settings, {log_log(observations_of(settings)), 0.0}) {}

}  // namespace qnml
