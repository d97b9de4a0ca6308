#include "core/scores/dirichlet_quotient.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>

#include "core/numbers/level_product.hpp"
#include "core/numbers/special.hpp"
#include "core/scores/integer_terms.hpp"
#include "core/scores/quotient_score.hpp"
#include "core/scores/score.hpp"
#include "core/scores/units.hpp"

namespace qnml {

QuotientDirichlet::QuotientDirichlet(const ScoreSettings& settings)
    : QuotientScore(settings), alpha_(settings.parameter), log_alpha_(std::log(settings.parameter)) {}

double QuotientDirichlet::cell(double count, const LevelProduct&) const { return log_rising(alpha_, count); }

double QuotientDirichlet::price(const LevelProduct& levels, int) const {
  return log_rising_huge(alpha_ * levels.value, log_alpha_ + levels.log, static_cast<double>(total()));
}

std::int64_t QuotientDirichlet::set_price(const Units& units, const LevelProduct& levels, std::int64_t) const {
  return units.rounded(price(levels, 0));
}

std::unique_ptr<IntegerTerms> QuotientDirichlet::integer_terms(const Units& units, const LevelProducts&,
                                                               std::span<const std::uint32_t>) const {
  return std::make_unique<RoundedTerms>(*this, units, std::span<const std::uint32_t>());
}

double QuotientDirichlet::upper_bound(std::uint32_t child_levels, const KnownParents& parents, double) const {
  return -family_price(child_levels, parents.levels);
}

}  // namespace qnml
