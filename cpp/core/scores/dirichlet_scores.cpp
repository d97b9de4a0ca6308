#include "core/scores/dirichlet_scores.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "core/numbers/level_product.hpp"
#include "core/numbers/special.hpp"
#include "core/scores/bdeu_terms.hpp"
#include "core/scores/integer_terms.hpp"
#include "core/scores/score.hpp"
#include "core/scores/units.hpp"

namespace qnml {
namespace {

// The largest weight of a configuration that the tighter bound holds for.
constexpr double kLightWeight = 0.25;

// The first child value in each configuration has probability 1 / r.
double first_value_bound(double log_levels, const KnownParents& parents, double fit) {
  return std::min(fit, -log_levels * static_cast<double>(parents.configs));
}

// Rising factorials of the weights 1 / d and r / d: products of (s + d k) / d over k < count, for s = 1 and s = r.
class RisingTerms final : public RoundedTerms {
 public:
  RisingTerms(const CellScore& score, const Units& units, std::span<const std::uint32_t> config_levels,
              std::uint64_t divisor)
      : RoundedTerms(score, units, config_levels), divisor_(divisor) {}

  void fill(std::uint64_t size, std::size_t stride, std::int64_t* values) const override {
    if (!units().is_consistent()) return RoundedTerms::fill(size, stride, values);
    const std::int64_t log_divisor = units().log_of(divisor_);
    std::fill_n(values, channels(), 0);
    for (std::uint64_t count = 1; count < size; ++count) {
      std::int64_t* out = values + count * stride;
      const std::int64_t* before = out - stride;
      const std::uint64_t step = divisor_ * (count - 1);
      out[0] = before[0] + units().log_of(1 + step) - log_divisor;
      for (std::size_t k = 0; k < config_levels().size(); ++k) {
        out[1 + k] = before[1 + k] + units().log_of(config_levels()[k] + step) - log_divisor;
      }
    }
  }

 private:
  std::uint64_t divisor_;
};

}  // namespace

EquivalentUniformDirichlet::EquivalentUniformDirichlet(const ScoreSettings& settings)
    : DirichletScore<SetScore>(settings),
      norm_(log_rising(settings.parameter, static_cast<double>(settings.total))),
      size_(settings.parameter),
      log_size_(std::log(settings.parameter)) {}

double EquivalentUniformDirichlet::cell(double count, const LevelProduct& levels) const {
  const double weight = size_ / levels.value;
  // The logarithm serves where the weight itself is too small for a double.
  return weight > 1e-290 ? log_rising(weight, count) : log_rising_tiny(log_size_ - levels.log, count);
}

std::unique_ptr<IntegerTerms> EquivalentUniformDirichlet::integer_terms(const Units& units,
                                                                        const LevelProducts& products,
                                                                        std::span<const std::uint32_t>) const {
  return std::make_unique<BdeuTerms>(size_, total(), units.bits(), products.value, products.log_in_units);
}

double EquivalentUniformDirichlet::upper_bound(std::uint32_t child_levels, const KnownParents& parents,
                                               double fit) const {
  return uniform_prior_bound(size_ / parents.levels.value, child_levels, parents, fit);
}

SparseDirichlet::SparseDirichlet(const ScoreSettings& settings)
    : DirichletScore<Score>(settings), size_(settings.parameter), log_size_(std::log(settings.parameter)) {}

double SparseDirichlet::data_score(const Family& family) const {
  const double per_config = size_ / static_cast<double>(family.configs.seen());
  const double per_cell = per_config / family.child_levels;
  return sum_over(family.cells, [&](double count) { return log_rising(per_cell, count); }) -
         sum_over(family.configs, [&](double count) { return log_rising(per_config, count); });
}

double SparseDirichlet::upper_bound(std::uint32_t child_levels, const KnownParents& parents, double fit) const {
  return uniform_prior_bound(size_ / static_cast<double>(parents.configs), child_levels, parents, fit);
}

IndependentDirichlet::IndependentDirichlet(const ScoreSettings& settings, std::uint64_t divisor)
    : DirichletScore<ConfigScore>(settings), divisor_(divisor), weight_(1.0 / static_cast<double>(divisor)) {}

double IndependentDirichlet::cell(double count, const LevelProduct&) const { return log_rising(weight_, count); }

double IndependentDirichlet::config(double count, const LevelProduct&, double child_levels) const {
  return log_rising(weight_ * child_levels, count);
}

std::unique_ptr<IntegerTerms> IndependentDirichlet::integer_terms(const Units& units, const LevelProducts&,
                                                                  std::span<const std::uint32_t> config_levels) const {
  return std::make_unique<RisingTerms>(*this, units, config_levels, divisor_);
}

double IndependentDirichlet::upper_bound(std::uint32_t child_levels, const KnownParents& parents, double fit) const {
  return first_value_bound(std::log(static_cast<double>(child_levels)), parents, fit);
}

double uniform_prior_bound(double weight, std::uint32_t child_levels, const KnownParents& parents, double fit) {
  const double log_levels = std::log(static_cast<double>(child_levels));
  if (weight > kLightWeight || child_levels == 1) return first_value_bound(log_levels, parents, fit);
  // Keeps the logarithm finite if the weight underflows. A larger weight gives a larger bound, which holds as well.
  const double tiny = std::max(weight, std::numeric_limits<double>::min());
  const double further = -std::log(4.0 * tiny / (1.0 + tiny)) + log_levels;  // log 1/k
  return fit - log_levels * static_cast<double>(parents.cells) -
         (further - log_levels) * static_cast<double>(parents.mixed);
}

}  // namespace qnml
