#include "core/scores/integer_score.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "core/numbers/special.hpp"
#include "core/scores/regret.hpp"
#include "core/scores/score_range.hpp"

namespace qnml {
namespace {

constexpr std::uint64_t kConsistentRows = 10'000;

constexpr double kMostProducts = 67'108'864.0;  // 2^26, about 2 GiB of tables
constexpr std::int64_t kUnknownPrice = std::numeric_limits<std::int64_t>::min();

// Terms are tabled for counts up to here; larger cells are few and their terms are computed when met.
constexpr std::uint64_t kLongestTable = std::uint64_t{1} << 20;

}  // namespace

IntegerScore::IntegerScore(ScoreKind kind, double parameter, std::uint64_t total,
                           const std::vector<std::uint32_t>& levels, std::span<const std::uint64_t> required)
    : kind_(kind), parameter_(parameter), total_(total), levels_(levels) {
  const double n = static_cast<double>(total);
  const int bits = unit_bits(largest_score(kind, parameter, n, levels, lists_of(required)));
  scale_ = std::ldexp(1.0, bits);
  unit_ = std::ldexp(1.0, -bits);
  set_logs();
  set_products(levels);
  if (kind == ScoreKind::fnml || kind == ScoreKind::k2 || kind == ScoreKind::bdj) {
    config_levels_ = levels;
    std::sort(config_levels_.begin(), config_levels_.end());
    config_levels_.erase(std::unique(config_levels_.begin(), config_levels_.end()), config_levels_.end());
    for (std::uint32_t r : levels) {
      const auto found = std::lower_bound(config_levels_.begin(), config_levels_.end(), r);
      config_class_.push_back(static_cast<int>(found - config_levels_.begin()));
    }
  } else {
    config_class_.assign(levels.size(), 0);
  }
  const Prices prices = prices_of(kind, parameter, n, levels.size());
  const bool charges_half_logs = kind == ScoreKind::bic || kind == ScoreKind::ebic;
  per_parameter_ = charges_half_logs ? log_of(total) / 2 : rounded(prices.per_parameter);
  per_arc_ = rounded(prices.per_arc);
  if (kind == ScoreKind::bdeu) {
    bdeu_ = std::make_unique<BdeuTerms>(parameter, total, bits, product_, whole_log_product_);
  }
  set_terms();
}

std::int64_t IntegerScore::rounded(double value) const {
  if (!std::isfinite(value)) throw std::domain_error("a term of a score is not finite");
  return std::llround(value * scale_);
}

// Even, so that half a logarithm is whole too.
std::int64_t IntegerScore::log_of(std::uint64_t number) const {
  return number < logs_.size() ? logs_[number] : 2 * std::llround(0.5 * std::log(static_cast<double>(number)) * scale_);
}

void IntegerScore::set_logs() {
  if (total_ > kConsistentRows) return;
  // Jeffreys' prior needs the numbers r + 2k for k < N.
  const std::uint64_t most = 2 * total_ + *std::max_element(levels_.begin(), levels_.end()) + 2;
  std::vector<std::int64_t> logs(most, 0);
  for (std::uint64_t number = 2; number < most; ++number) {
    if (logs[number] != 0) continue;  // a multiple of a smaller prime
    const std::int64_t log = 2 * std::llround(0.5 * std::log(static_cast<double>(number)) * scale_);
    for (std::uint64_t power = number; power < most; power *= number) {
      for (std::uint64_t multiple = power; multiple < most; multiple += power) logs[multiple] += log;
      if (power > most / number) break;
    }
  }
  logs_ = std::move(logs);
}

// Products by index: a digit for each different number of levels, how many columns with it are in the set.
void IntegerScore::set_products(const std::vector<std::uint32_t>& levels) {
  std::map<std::uint32_t, std::uint32_t> count;
  for (std::uint32_t r : levels) ++count[r];
  std::map<std::uint32_t, std::uint32_t> stride;
  product_ = {1.0};
  log_product_ = {0.0};
  whole_log_product_ = {0};
  for (const auto& [r, times] : count) {
    const std::size_t step = product_.size();
    if (static_cast<double>(step) * (times + 1.0) > kMostProducts) {
      throw std::length_error("too many different products of levels");
    }
    stride[r] = static_cast<std::uint32_t>(step);
    const double log = std::log(static_cast<double>(r));
    for (std::size_t index = step; index < step * (times + 1); ++index) {
      product_.push_back(product_[index - step] * r);
      log_product_.push_back(log_product_[index - step] + log);
      whole_log_product_.push_back(whole_log_product_[index - step] + log_of(r));
    }
  }
  for (std::uint32_t r : levels) {
    stride_.push_back(stride[r]);
    like_column_.push_back(count[r]);
  }
  if (kind_ == ScoreKind::qnml || kind_ == ScoreKind::bdq) {
    set_price_ = std::vector<std::atomic<std::int64_t>>(product_.size());
    for (auto& price : set_price_) price.store(kUnknownPrice, std::memory_order_relaxed);
  }
}

// Computed when first asked for. Threads that ask at the same time compute the same value.
std::int64_t IntegerScore::set_price(std::uint32_t index) const {
  std::int64_t price = set_price_[index].load(std::memory_order_relaxed);
  if (price != kUnknownPrice) return price;
  const double n = static_cast<double>(total_);
  if (kind_ == ScoreKind::qnml && total_ == 1) {
    price = whole_log_product_[index];  // reg(1, r) = log r
  } else if (kind_ == ScoreKind::qnml) {
    price = rounded(regret(static_cast<std::int64_t>(total_), LevelProduct{product_[index], log_product_[index]}));
  } else {
    const double log_weight = std::log(parameter_) + log_product_[index];
    price = rounded(log_rising_huge(parameter_ * product_[index], log_weight, n));
  }
  set_price_[index].store(price, std::memory_order_relaxed);
  return price;
}

// The channels of one cell.
void IntegerScore::compute_terms(std::uint64_t count, std::int64_t* out) const {
  const double c = static_cast<double>(count);
  switch (kind_) {
    case ScoreKind::bdeu:
      bdeu_->fill_one(count, out);
      return;
    case ScoreKind::bdq:
      out[0] = rounded(log_rising(parameter_, c));
      return;
    case ScoreKind::k2:
    case ScoreKind::bdj: {
      const double weight = kind_ == ScoreKind::k2 ? 1.0 : 0.5;
      out[0] = rounded(log_rising(weight, c));
      for (std::size_t k = 0; k < config_levels_.size(); ++k) {
        out[1 + k] = rounded(log_rising(weight * config_levels_[k], c));
      }
      return;
    }
    case ScoreKind::fnml:
      out[0] = rounded(c * std::log(c));
      for (std::size_t k = 0; k < config_levels_.size(); ++k) {
        out[1 + k] = out[0] + rounded(regret(static_cast<std::int64_t>(count), config_levels_[k]));
      }
      return;
    default:
      out[0] = rounded(c * std::log(c));
  }
}

void IntegerScore::set_terms() {
  if (kind_ == ScoreKind::bds) {
    direct_ = make_score(kind_, parameter_, total_, static_cast<int>(levels_.size()));
    return;
  }
  used_channels_ = bdeu_ ? bdeu_->channels() : 1 + config_levels_.size();
  terms_.channels = padded_channels(used_channels_);
  terms_.used = static_cast<int>(used_channels_);
  const auto channels = static_cast<std::size_t>(terms_.channels);
  const std::uint64_t last = std::min(total_, kLongestTable);
  terms_.values.assign((last + 1) * channels, 0);
  terms_.beyond = [this](std::uint64_t count, std::int64_t* out) { compute_terms(count, out); };
  if (kind_ == ScoreKind::fnml) {
    // The recurrence gives all regrets of one number of levels at once.
    for (std::size_t k = 0; k < config_levels_.size(); ++k) {
      const std::vector<double> table = regret_table(static_cast<std::int64_t>(last), config_levels_[k]);
      for (std::uint64_t count = 1; count <= last; ++count) {
        std::int64_t* out = &terms_.values[count * channels];
        const double c = static_cast<double>(count);
        out[0] =
            total_ <= kConsistentRows ? static_cast<std::int64_t>(count) * log_of(count) : rounded(c * std::log(c));
        out[1 + k] = out[0] + (count == 1 ? log_of(config_levels_[k]) : rounded(table[count]));
      }
    }
    return;
  }
  if (bdeu_) {
    bdeu_->fill(last + 1, channels, terms_.values.data());
    return;
  }
  for (std::uint64_t count = 1; count <= last; ++count) compute_terms(count, &terms_.values[count * channels]);
  if (total_ <= kConsistentRows) make_consistent();
}

// Replaces terms that are sums of logarithms of whole numbers by the consistent ones.
void IntegerScore::make_consistent() {
  const auto channels = static_cast<std::size_t>(terms_.channels);
  if (kind_ == ScoreKind::bdq) return;
  const bool is_dirichlet = kind_ == ScoreKind::k2 || kind_ == ScoreKind::bdj;
  for (std::uint64_t count = 1; count <= total_; ++count) {
    std::int64_t* out = &terms_.values[count * channels];
    if (!is_dirichlet) {
      out[0] = static_cast<std::int64_t>(count) * log_of(count);
      continue;
    }
    // w^(c rising) for weight w = s/d: the product of (s + d k)/d over k < c.
    const std::uint64_t d = kind_ == ScoreKind::k2 ? 1 : 2;
    const std::int64_t* before = out - channels;
    out[0] = before[0] + log_of(1 + d * (count - 1)) - log_of(d);
    for (std::size_t k = 0; k < config_levels_.size(); ++k) {
      out[1 + k] = before[1 + k] + log_of(config_levels_[k] + d * (count - 1)) - log_of(d);
    }
  }
}

std::int64_t IntegerScore::cells(const std::int64_t* sums, std::uint32_t index) const {
  if (!bdeu_) return sums[0];
  return bdeu_->needs_counts(index) ? 0 : bdeu_->value(sums, index);
}

void IntegerScore::cells(const std::int64_t* sums, std::size_t lanes, std::uint32_t index, std::int64_t* out) const {
  if (!bdeu_) {
    std::copy_n(sums, lanes, out);
  } else if (bdeu_->needs_counts(index)) {
    std::fill_n(out, lanes, 0);
  } else {
    bdeu_->values(sums, lanes, index, out);
  }
}

std::int64_t IntegerScore::cells(const Profile& profile, std::uint32_t index) const {
  if (needs_counts(index)) return bdeu_->value(profile, index);
  const auto channels = static_cast<std::size_t>(terms_.channels);
  std::vector<std::uint64_t> sums(channels, 0);  // see CountTerms: they may wrap around
  std::vector<std::int64_t> one(channels, 0);
  for (std::size_t i = 0; i < profile.counts.size(); ++i) {
    const std::int64_t* values = terms_of(profile.counts[i], one);
    for (std::size_t k = 0; k < channels; ++k) sums[k] += profile.cells[i] * static_cast<std::uint64_t>(values[k]);
  }
  return cells(reinterpret_cast<const std::int64_t*>(sums.data()), index);
}

std::int64_t IntegerScore::configs(const Profile& profile, std::size_t config_class) const {
  std::int64_t sum = 0;
  std::vector<std::int64_t> one(static_cast<std::size_t>(terms_.channels), 0);
  for (std::size_t i = 0; i < profile.counts.size(); ++i) {
    sum += static_cast<std::int64_t>(profile.cells[i]) * terms_of(profile.counts[i], one)[1 + config_class];
  }
  return sum;
}

const std::int64_t* IntegerScore::terms_of(std::uint64_t count, std::vector<std::int64_t>& scratch) const {
  if (count < terms_.table_size()) return &terms_.values[count * static_cast<std::size_t>(terms_.channels)];
  terms_.beyond(count, scratch.data());
  return scratch.data();
}

bool IntegerScore::has_room(std::uint32_t index, int column) const {
  const auto c = static_cast<std::size_t>(column);
  return index / stride_[c] % (like_column_[c] + 1) < like_column_[c];
}

std::int64_t IntegerScore::family(int child, std::uint32_t parents_index, int n_parents, const Profile& cells_profile,
                                  const Profile& configs_profile) const {
  return rounded(
      direct_->local({cells_profile, configs_profile, static_cast<double>(levels_[static_cast<std::size_t>(child)]),
                      LevelProduct{product_[parents_index], log_product_[parents_index]}, n_parents}));
}

std::int64_t IntegerScore::price(int child, std::uint32_t parents_index) const {
  if (!set_price_.empty()) {
    return set_price(parents_index + stride_[static_cast<std::size_t>(child)]) - set_price(parents_index);
  }
  if (per_parameter_ == 0) return 0;
  const double parameters = product_[parents_index] * (levels_[static_cast<std::size_t>(child)] - 1.0);
  if (parameters * static_cast<double>(per_parameter_) >= static_cast<double>(kLargestUnits)) return kLargestUnits;
  // In whole numbers, so that equivalent networks are charged the same to the last unit.
  return static_cast<std::int64_t>(parameters) * per_parameter_;
}

std::int64_t IntegerScore::least_price(int child) const {
  // Penalties grow with the parents, fits are at most zero, and every Bayesian local score is a log-probability.
  return kind_ == ScoreKind::qnml || per_parameter_ > 0 ? price(child, 0) : 0;
}

bool IntegerScore::bounds_use_fit() const {
  switch (kind_) {
    case ScoreKind::bdeu:
    case ScoreKind::bds:
    case ScoreKind::bdj:
    case ScoreKind::k2:
    case ScoreKind::bdq:
      return false;
    default:
      return true;
  }
}

std::int64_t IntegerScore::upper_bound(int child, std::uint32_t parents_index, int n_parents, std::int64_t cells,
                                       std::int64_t configs, std::uint64_t seen, std::int64_t best_fit) const {
  // The inequalities hold for the numbers before rounding. A term of count c is off by a few units times c at most.
  const std::int64_t slack =
      16 * static_cast<std::int64_t>(total_) + 16 + (bdeu_ ? static_cast<std::int64_t>(2.0 * bdeu_->rounding()) : 0);
  switch (kind_) {
    case ScoreKind::bdeu:
    case ScoreKind::bds:
    case ScoreKind::bdj:
    case ScoreKind::k2: {
      return -static_cast<std::int64_t>(seen) * log_of(levels_[static_cast<std::size_t>(child)]) + slack;
    }
    case ScoreKind::bdq:
      return -price(child, parents_index) + slack;
    case ScoreKind::fnml:
      // configs - cells is the price of the set.
      return best_fit - (configs - cells) + slack;
    default:
      return best_fit - price(child, parents_index) - per_arc_ * n_parents + slack;
  }
}

}  // namespace qnml
