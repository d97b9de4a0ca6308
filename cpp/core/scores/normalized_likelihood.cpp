#include "core/scores/normalized_likelihood.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/numbers/level_product.hpp"
#include "core/numbers/minus_infinity.hpp"
#include "core/scores/count_log_count.hpp"
#include "core/scores/integer_terms.hpp"
#include "core/scores/regret.hpp"
#include "core/scores/score.hpp"
#include "core/scores/units.hpp"

namespace qnml {
namespace {

// Cells have the terms of the fit, configurations those of the fit plus their regrets.
class FactorizedTerms final : public IntegerTerms {
 public:
  FactorizedTerms(const Units& units, std::span<const std::uint32_t> config_levels)
      : units_(units), config_levels_(config_levels) {}

  std::size_t channels() const override { return 1 + config_levels_.size(); }

  void fill(std::uint64_t size, std::size_t stride, std::int64_t* values) const override {
    for (std::size_t k = 0; k < config_levels_.size(); ++k) {
      // The recurrence gives all regrets of one number of levels at once.
      const std::vector<double> table = regret_table(static_cast<std::int64_t>(size) - 1, config_levels_[k]);
      for (std::uint64_t count = 1; count < size; ++count) {
        std::int64_t* out = values + count * stride;
        out[0] = units_.count_log_count(count);
        out[1 + k] = out[0] + (count == 1 ? units_.log_of(config_levels_[k]) : units_.rounded(table[count]));
      }
    }
  }

  void fill_one(std::uint64_t count, std::int64_t* values) const override {
    values[0] = units_.count_log_count(count);
    for (std::size_t k = 0; k < config_levels_.size(); ++k) {
      values[1 + k] = values[0] + units_.rounded(regret(static_cast<std::int64_t>(count), config_levels_[k]));
    }
  }

 private:
  const Units& units_;
  std::span<const std::uint32_t> config_levels_;
};

}  // namespace

double QuotientNml::cell(double count, const LevelProduct&) const { return count_log_count(count); }

double QuotientNml::price(const LevelProduct& levels, int) const {
  const double key = std::isinf(levels.value) ? -levels.log : levels.value;
  const auto rows = static_cast<std::int64_t>(observations());
  return count_log_count(static_cast<double>(total())) +
         static_cast<double>(scale()) *
             regrets_.get(std::bit_cast<std::uint64_t>(key), [&] { return regret(rows, levels); });
}

std::int64_t QuotientNml::set_price(const Units& units, const LevelProduct& levels, std::int64_t log_levels) const {
  if (observations() == 1) return log_levels * static_cast<std::int64_t>(scale());  // reg(1, r) = log r
  return units.rounded(static_cast<double>(scale()) * regret(static_cast<std::int64_t>(observations()), levels));
}

std::unique_ptr<IntegerTerms> QuotientNml::integer_terms(const Units& units, const LevelProducts&,
                                                         std::span<const std::uint32_t>) const {
  return std::make_unique<FitTerms>(units);
}

double QuotientNml::upper_bound(std::uint32_t child_levels, const KnownParents& parents, double fit) const {
  const double price = family_price(child_levels, parents.levels);
  return std::isinf(price) ? kMinusInfinity : fit - price;
}

double FactorizedNml::cell(double count, const LevelProduct&) const { return count_log_count(count); }

double FactorizedNml::config(double count, const LevelProduct&, double child_levels) const {
  const auto rows = static_cast<std::int64_t>(count);
  const std::uint64_t key = (static_cast<std::uint64_t>(rows) << 17) | static_cast<std::uint64_t>(child_levels);
  return count_log_count(count) + regrets_.get(key, [&] { return regret(rows, child_levels); });
}

std::unique_ptr<IntegerTerms> FactorizedNml::integer_terms(const Units& units, const LevelProducts&,
                                                           std::span<const std::uint32_t> config_levels) const {
  return std::make_unique<FactorizedTerms>(units, config_levels);
}

double FactorizedNml::config_price(std::uint64_t count, std::uint32_t child_levels) const {
  return regret(static_cast<std::int64_t>(count), child_levels);
}

std::vector<double> FactorizedNml::config_prices(std::uint64_t last, std::uint32_t child_levels) const {
  return regret_table(static_cast<std::int64_t>(last), child_levels);
}

}  // namespace qnml
