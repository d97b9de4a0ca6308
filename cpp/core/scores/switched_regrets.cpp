#include "core/scores/switched_regrets.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "core/numbers/level_product.hpp"
#include "core/scores/count_log_count.hpp"
#include "core/scores/integer_terms.hpp"
#include "core/scores/regret.hpp"
#include "core/scores/score.hpp"
#include "core/scores/units.hpp"

namespace qnml {
namespace {

double approximated(RegretFormula formula, double n, double r) {
  return formula == RegretFormula::szpankowski ? regret_szpankowski(n, r) : regret_szpankowski_weinberger(n, r);
}

// As the terms of fnml, so that networks of equal score tie exactly.
class SwitchedTerms final : public IntegerTerms {
 public:
  SwitchedTerms(const SwitchedFactorizedNml& score, const Units& units, std::span<const std::uint32_t> config_levels)
      : score_(score), units_(units), config_levels_(config_levels) {}

  std::size_t channels() const override { return 1 + config_levels_.size(); }

  void fill(std::uint64_t size, std::size_t stride, std::int64_t* values) const override {
    for (std::uint64_t count = 1; count < size; ++count) fill_one(count, values + count * stride);
  }

  void fill_one(std::uint64_t count, std::int64_t* values) const override {
    values[0] = units_.count_log_count(count);
    for (std::size_t k = 0; k < config_levels_.size(); ++k) {
      const std::uint32_t levels = config_levels_[k];
      values[1 + k] =
          values[0] + (count == 1 ? units_.log_of(levels) : units_.rounded(score_.config_regret(count, levels)));
    }
  }

 private:
  const SwitchedFactorizedNml& score_;
  const Units& units_;
  std::span<const std::uint32_t> config_levels_;
};

}  // namespace

RegretFormula regret_formula(double parameter) {
  return parameter < 1.5 ? RegretFormula::szpankowski : RegretFormula::szpankowski_weinberger;
}

SwitchedQuotientNml::SwitchedQuotientNml(const ScoreSettings& settings)
    : Score(settings),
      formula_(regret_formula(settings.parameter)),
      exact_(regrets_by_levels(static_cast<std::int64_t>(settings.total / settings.scale),
                               static_cast<std::size_t>(kApproximateFrom))) {}

double SwitchedQuotientNml::data_score(const Family& family) const {
  const auto term = [](double count) { return count_log_count(count); };
  return sum_over(family.cells, term) - sum_over(family.configs, term) -
         static_cast<double>(scale()) * family_price(family.child_levels, family.parent_levels);
}

double SwitchedQuotientNml::family_price(double child_levels, const LevelProduct& parents) const {
  const double most = static_cast<double>(observations()) * std::log(child_levels);
  const double price = difference(parents.value * child_levels, parents.value);
  return std::isfinite(price) ? std::min(price, most + 1.0) : most;
}

double SwitchedQuotientNml::difference(double cells, double configs) const {
  if (cells < kApproximateFrom) {
    return exact_[static_cast<std::size_t>(cells) - 1] - exact_[static_cast<std::size_t>(configs) - 1];
  }
  const auto rows = static_cast<double>(observations());
  return approximated(formula_, rows, cells) - approximated(formula_, rows, configs);
}

double SwitchedFactorizedNml::cell(double count, const LevelProduct&) const { return count_log_count(count); }

double SwitchedFactorizedNml::config(double count, const LevelProduct&, double child_levels) const {
  return count_log_count(count) +
         config_regret(static_cast<std::uint64_t>(count), static_cast<std::uint32_t>(child_levels));
}

double SwitchedFactorizedNml::config_regret(std::uint64_t count, std::uint32_t child_levels) const {
  if (child_levels == 1) return 0.0;
  if (count > kExactUpTo) {
    const auto rows = static_cast<double>(count);
    return std::min(approximated(formula_, rows, child_levels), rows * std::log(child_levels));
  }
  return regrets_.get(count << 32 | child_levels,
                      [&] { return regret(static_cast<std::int64_t>(count), static_cast<double>(child_levels)); });
}

std::unique_ptr<IntegerTerms> SwitchedFactorizedNml::integer_terms(const Units& units, const LevelProducts&,
                                                                   std::span<const std::uint32_t> config_levels) const {
  return std::make_unique<SwitchedTerms>(*this, units, config_levels);
}

}  // namespace qnml
