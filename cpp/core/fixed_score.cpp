#include "core/fixed_score.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "core/regret.hpp"
#include "core/special.hpp"

namespace qnml {
namespace {

constexpr std::uint64_t kConsistentRows = 10'000;

// Prices beyond this cannot be part of any optimum; capping them keeps sums of a few far from overflow.
constexpr double kHighestPrice = 1e18;

// bdeu: log Gamma(e + c) - log Gamma(e) = log e + log Gamma(c) + sum_{m >= 1} (-1)^(m+1) e^m / m H_m(c - 1), where
// H_m are generalised harmonic numbers. Five terms leave out less than e^6 per cell: below 1e-13 from e = 1/150 on.
// Sets with a larger e (few levels) are counted directly instead.
constexpr int kSeriesTerms = 5;
constexpr double kSeriesFrom = 150.0;

int padded_channels(std::size_t needed) {
  for (int channels : {1, 2, 4, 8, 16, 32}) {
    if (needed <= static_cast<std::size_t>(channels)) return channels;
  }
  throw std::invalid_argument(
      "this score needs more channels than one walk has: more than 31 different numbers of levels");
}

}  // namespace

FixedScore::FixedScore(ScoreKind kind, double parameter, std::uint64_t total, const std::vector<std::uint32_t>& levels)
    : kind_(kind), parameter_(parameter), total_(total), levels_(levels) {
  const double n = static_cast<double>(total);
  double log_levels = 1.0;
  for (std::uint32_t r : levels) log_levels += std::log(static_cast<double>(r));
  // No network's score is larger in size than this; 2^61 units leave room for differences.
  const double largest = (static_cast<double>(levels.size()) + 1.0) * n * (std::log(n) + log_levels + 1.0);
  const int bits = std::clamp(static_cast<int>(std::floor(61.0 - std::log2(largest))), 8, 44);
  scale_ = std::ldexp(1.0, bits);
  unit_ = std::ldexp(1.0, -bits);
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
  const double log_total = std::log(n);
  switch (kind) {
    case ScoreKind::aic:
      per_parameter_ = scale_;
      break;
    case ScoreKind::ebic:
      per_arc_ = rounded(parameter * std::log(static_cast<double>(levels.size())));
      [[fallthrough]];
    case ScoreKind::bic:
      per_parameter_ = std::round(0.5 * log_total * scale_);
      break;
    case ScoreKind::hqc:
      per_parameter_ = log_total > 1.0 ? std::round(std::log(log_total) * scale_) : 0.0;
      break;
    default:
      break;
  }
  series_from_ = kSeriesFrom * (kind == ScoreKind::bdeu ? parameter : 0.0);
  set_terms();
}

std::int64_t FixedScore::rounded(double value) const { return std::llround(value * scale_); }

void FixedScore::set_products(const std::vector<std::uint32_t>& levels) {
  std::map<std::uint32_t, std::uint32_t> count;
  for (std::uint32_t r : levels) ++count[r];
  std::map<std::uint32_t, std::uint32_t> stride;
  std::uint64_t size = 1;
  for (const auto& [r, times] : count) {
    stride[r] = static_cast<std::uint32_t>(size);
    size *= times + 1;
    if (size > (std::uint64_t{1} << 30)) throw std::length_error("too many different products of levels");
  }
  for (std::uint32_t r : levels) {
    stride_.push_back(stride[r]);
    like_column_.push_back(count[r]);
  }
  product_.assign(size, 1.0);
  log_product_.assign(size, 0.0);
  for (std::uint64_t index = 1; index < size; ++index) {
    for (const auto& [r, step] : stride) {
      // The lowest class with a positive digit: its predecessor is known already.
      if (index / step % (count[r] + 1) == 0) continue;
      product_[index] = product_[index - step] * r;
      log_product_[index] = log_product_[index - step] + std::log(static_cast<double>(r));
      break;
    }
  }
  if (kind_ != ScoreKind::qnml && kind_ != ScoreKind::bdq) return;
  const double n = static_cast<double>(total_);
  std::map<double, std::int64_t> known;
  set_price_.resize(size);
  for (std::uint64_t index = 0; index < size; ++index) {
    const double key = std::isinf(product_[index]) ? -log_product_[index] : product_[index];
    auto found = known.find(key);
    if (found == known.end()) {
      double value = 0.0;
      if (kind_ == ScoreKind::qnml) {
        value = regret(static_cast<std::int64_t>(total_), LevelProduct{product_[index], log_product_[index]});
      } else if (product_[index] < 1e290) {
        value = log_rising(parameter_ * product_[index], n);
      } else {
        value = n * (std::log(parameter_) + log_product_[index]);
      }
      found = known.emplace(key, rounded(value)).first;
    }
    set_price_[index] = found->second;
  }
}

// The channels of one cell; in nats except for a plain number of cells (bdeu, channel 0).
void FixedScore::channel_values(std::uint64_t count, double* values) const {
  const double c = static_cast<double>(count);
  switch (kind_) {
    case ScoreKind::bdeu: {
      values[0] = 1.0;
      values[1] = log_gamma(c);
      break;
    }
    case ScoreKind::bdq:
      values[0] = log_rising(parameter_, c);
      break;
    case ScoreKind::k2:
    case ScoreKind::bdj: {
      const double weight = kind_ == ScoreKind::k2 ? 1.0 : 0.5;
      values[0] = log_rising(weight, c);
      for (std::size_t k = 0; k < config_levels_.size(); ++k) values[1 + k] = log_rising(weight * config_levels_[k], c);
      break;
    }
    default:
      values[0] = c * std::log(c);
      break;
  }
}

void FixedScore::set_terms() {
  if (kind_ == ScoreKind::bds) {
    direct_ = make_score(kind_, parameter_, total_, static_cast<int>(levels_.size()));
    return;
  }
  const bool is_bdeu = kind_ == ScoreKind::bdeu;
  const std::size_t needed = is_bdeu ? 2 + kSeriesTerms : 1 + config_levels_.size();
  terms_.channels = padded_channels(needed);
  const auto channels = static_cast<std::size_t>(terms_.channels);
  terms_.values.assign((total_ + 1) * channels, 0);
  std::vector<double> values(channels, 0.0);
  double harmonic[kSeriesTerms] = {};
  for (std::uint64_t count = 1; count <= total_; ++count) {
    std::int64_t* out = &terms_.values[count * channels];
    channel_values(count, values.data());
    for (std::size_t k = 0; k < channels; ++k) out[k] = rounded(values[k]);
    if (is_bdeu) {
      out[0] = 1;
      for (int m = 0; m < kSeriesTerms; ++m) {
        if (count > 1) harmonic[m] += std::pow(static_cast<double>(count - 1), -(m + 1));
        out[2 + m] = rounded(harmonic[m]);
      }
    }
  }
  const bool counts_logs = !is_bdeu && kind_ != ScoreKind::bdq && kind_ != ScoreKind::k2 && kind_ != ScoreKind::bdj;
  if (counts_logs && total_ <= kConsistentRows) {
    std::vector<std::int64_t> log_of(total_ + 1, 0);
    for (std::uint64_t count = 2; count <= total_; ++count) {
      std::uint64_t factor = 2;
      while (factor * factor <= count && count % factor != 0) ++factor;
      const bool prime = factor * factor > count;
      log_of[count] = prime ? rounded(std::log(static_cast<double>(count))) : log_of[factor] + log_of[count / factor];
      terms_.values[count * channels] = static_cast<std::int64_t>(count) * log_of[count];
    }
  }
  if (kind_ == ScoreKind::fnml) {
    for (std::size_t k = 0; k < config_levels_.size(); ++k) {
      const std::vector<double> table = regret_table(static_cast<std::int64_t>(total_), config_levels_[k]);
      for (std::uint64_t count = 1; count <= total_; ++count) {
        terms_.values[count * channels + 1 + k] = terms_.values[count * channels] + rounded(table[count]);
      }
    }
  }
}

std::int64_t FixedScore::cells(const std::int64_t* sums, std::uint32_t index) const {
  if (kind_ == ScoreKind::bdeu) {
    const double weight = parameter_ / product_[index];
    double value = static_cast<double>(sums[0]) * (std::log(parameter_) - log_product_[index]);
    double series = 0.0;
    for (int m = kSeriesTerms; m >= 1; --m) {
      const double sign = m % 2 == 1 ? 1.0 : -1.0;
      series = weight * (series + sign / m * static_cast<double>(sums[1 + m]));
    }
    value += unit_ * (static_cast<double>(sums[1]) + series);
    return rounded(value);
  }
  return sums[0];
}

std::int64_t FixedScore::cells(const Profile& profile, std::uint32_t index) const {
  const auto channels = static_cast<std::size_t>(terms_.channels);
  if (needs_profile(index)) {
    double value = 0.0;
    const double weight = parameter_ / product_[index];
    for (std::size_t i = 0; i < profile.counts.size(); ++i) {
      value += static_cast<double>(profile.cells[i]) * log_rising(weight, static_cast<double>(profile.counts[i]));
    }
    return rounded(value);
  }
  std::vector<std::int64_t> sums(channels, 0);
  for (std::size_t i = 0; i < profile.counts.size(); ++i) {
    for (std::size_t k = 0; k < channels; ++k) {
      sums[k] += static_cast<std::int64_t>(profile.cells[i]) * terms_.values[profile.counts[i] * channels + k];
    }
  }
  return cells(sums.data(), index);
}

std::int64_t FixedScore::configs(const Profile& profile, std::size_t config_class) const {
  std::int64_t sum = 0;
  const auto channels = static_cast<std::size_t>(terms_.channels);
  for (std::size_t i = 0; i < profile.counts.size(); ++i) {
    sum += static_cast<std::int64_t>(profile.cells[i]) * terms_.values[profile.counts[i] * channels + 1 + config_class];
  }
  return sum;
}

bool FixedScore::has_room(std::uint32_t index, int column) const {
  const auto c = static_cast<std::size_t>(column);
  return index / stride_[c] % (like_column_[c] + 1) < like_column_[c];
}

std::int64_t FixedScore::family(int child, std::uint32_t parents_index, int n_parents, const Profile& cells_profile,
                                const Profile& configs_profile) const {
  return rounded(
      direct_->local({cells_profile, configs_profile, static_cast<double>(levels_[static_cast<std::size_t>(child)]),
                      LevelProduct{product_[parents_index], log_product_[parents_index]}, n_parents}));
}

std::int64_t FixedScore::price(int child, std::uint32_t parents_index) const {
  if (!set_price_.empty()) {
    return set_price_[parents_index + stride_[static_cast<std::size_t>(child)]] - set_price_[parents_index];
  }
  if (per_parameter_ == 0.0) return 0;
  const double parameters = product_[parents_index] * (levels_[static_cast<std::size_t>(child)] - 1.0);
  // Exact while it is below 2^53; beyond, far too high a price to matter.
  return static_cast<std::int64_t>(std::min(parameters * per_parameter_, kHighestPrice));
}

std::int64_t FixedScore::least_price(int child) const {
  // Penalties grow with the parents, fits are at most zero, and every Bayesian local score is a log-probability.
  return kind_ == ScoreKind::qnml || per_parameter_ > 0.0 ? price(child, 0) : 0;
}

}  // namespace qnml
