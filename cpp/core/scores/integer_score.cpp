#include "core/scores/integer_score.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/counting/count.hpp"
#include "core/counting/lattice.hpp"
#include "core/numbers/level_product.hpp"
#include "core/scores/quotient_score.hpp"
#include "core/scores/score.hpp"
#include "core/scores/score_range.hpp"
#include "core/scores/structure_prior.hpp"

namespace qnml {
namespace {

constexpr std::int64_t kUnknownPrice = std::numeric_limits<std::int64_t>::min();

}  // namespace

IntegerScore::IntegerScore(std::shared_ptr<const Score> score, const std::vector<std::uint32_t>& levels,
                           std::span<const std::uint64_t> required, double largest)
    : score_(std::move(score)),
      cell_score_(dynamic_cast<const CellScore*>(score_.get())),
      quotient_(dynamic_cast<const QuotientScore*>(score_.get())),
      levels_(levels),
      units_(unit_bits(std::max(largest, largest_score(*score_, levels, lists_of(required)))), score_->total(),
             levels.empty() ? 1 : *std::max_element(levels.begin(), levels.end())) {
  set_products();
  set_config_classes();
  per_parameter_ = score_->parameter_price(units_);
  set_prices_of_arcs();
  set_terms();
}

void IntegerScore::set_prices_of_arcs() {
  per_arc_ = units_.rounded(score_->prices().per_arc);
  const StructurePrior& prior = score_->prior();
  for (int k = 0; k < static_cast<int>(levels_.size()); ++k) {
    price_of_arcs_.push_back(per_arc_ * k + units_.rounded(prior.price(k)));
  }
  has_price_of_arcs_ = per_arc_ != 0 || !prior.is_uniform();
  if (!prior.is_uniform()) set_fewest_levels();
}

void IntegerScore::set_fewest_levels() {
  std::vector<std::size_t> by_levels(levels_.size());
  std::iota(by_levels.begin(), by_levels.end(), std::size_t{0});
  std::stable_sort(by_levels.begin(), by_levels.end(),
                   [this](std::size_t a, std::size_t b) { return levels_[a] < levels_[b]; });
  for (std::size_t child = 0; child < levels_.size(); ++child) {
    std::vector<std::uint32_t>& index = fewest_levels_.emplace_back(1, 0);
    for (std::size_t column : by_levels) {
      if (column != child) index.push_back(index.back() + stride_[column]);
    }
  }
}

void IntegerScore::set_config_classes() {
  config_class_.assign(levels_.size(), 0);
  if (dynamic_cast<const ConfigScore*>(score_.get()) == nullptr) return;
  config_levels_ = levels_;
  std::sort(config_levels_.begin(), config_levels_.end());
  config_levels_.erase(std::unique(config_levels_.begin(), config_levels_.end()), config_levels_.end());
  for (std::size_t column = 0; column < levels_.size(); ++column) {
    const auto found = std::lower_bound(config_levels_.begin(), config_levels_.end(), levels_[column]);
    config_class_[column] = static_cast<int>(found - config_levels_.begin());
  }
}

// Products by index: a digit for each different number of levels, how many columns with it are in the set.
void IntegerScore::set_products() {
  std::map<std::uint32_t, std::uint32_t> count;
  for (std::uint32_t r : levels_) ++count[r];
  std::map<std::uint32_t, std::uint32_t> stride;
  for (const auto& [r, times] : count) {
    const std::size_t step = products_.value.size();
    if (static_cast<double>(step) * (times + 1.0) > kMostProducts) {
      throw std::length_error("too many different products of levels");
    }
    stride[r] = static_cast<std::uint32_t>(step);
    const double log = std::log(static_cast<double>(r));
    for (std::size_t index = step; index < step * (times + 1); ++index) {
      products_.value.push_back(products_.value[index - step] * r);
      products_.log.push_back(products_.log[index - step] + log);
      products_.log_in_units.push_back(products_.log_in_units[index - step] + units_.log_of(r));
    }
  }
  for (std::uint32_t r : levels_) {
    stride_.push_back(stride[r]);
    like_column_.push_back(count[r]);
  }
  if (quotient_ != nullptr) {
    set_price_ = std::vector<std::atomic<std::int64_t>>(products_.value.size());
    for (auto& price : set_price_) price.store(kUnknownPrice, std::memory_order_relaxed);
  }
}

// Computed when first asked for. Threads that ask at the same time compute the same value.
std::int64_t IntegerScore::set_price(std::uint32_t index) const {
  std::int64_t price = set_price_[index].load(std::memory_order_relaxed);
  if (price != kUnknownPrice) return price;
  price = quotient_->set_price(units_, {products_.value[index], products_.log[index]}, products_.log_in_units[index]);
  set_price_[index].store(price, std::memory_order_relaxed);
  return price;
}

void IntegerScore::set_terms() {
  if (is_direct()) return;
  source_ = cell_score_->integer_terms(units_, products_, config_levels_);
  packed_ = source_->packed();
  used_channels_ = source_->channels();
  terms_.channels = padded_channels(used_channels_);
  terms_.used = static_cast<int>(used_channels_);
  const auto channels = static_cast<std::size_t>(terms_.channels);
  const std::uint64_t last = std::min(score_->total(), kLongestTermTable);
  terms_.values.assign((last + 1) * channels, 0);
  terms_.beyond = [this](std::uint64_t count, std::int64_t* out) { source_->fill_one(count, out); };
  source_->fill(last + 1, channels, terms_.values.data());
}

std::int64_t IntegerScore::cells(const std::int64_t* sums, std::uint32_t index) const {
  if (packed_ == nullptr) return sums[0];
  return packed_->needs_counts(index) ? 0 : packed_->value(sums, index);
}

void IntegerScore::cells(const std::int64_t* sums, std::size_t lanes, std::uint32_t index, std::int64_t* out) const {
  if (packed_ == nullptr) {
    std::copy_n(sums, lanes, out);
  } else if (packed_->needs_counts(index)) {
    std::fill_n(out, lanes, 0);
  } else {
    packed_->values(sums, lanes, index, out);
  }
}

std::int64_t IntegerScore::cells(const Profile& profile, std::uint32_t index) const {
  if (needs_counts(index)) return packed_->value(profile, index);
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
  return units_.rounded(
      score_->local({cells_profile, configs_profile, static_cast<double>(levels_[static_cast<std::size_t>(child)]),
                     LevelProduct{products_.value[parents_index], products_.log[parents_index]}, n_parents}));
}

std::int64_t IntegerScore::price(int child, std::uint32_t parents_index) const {
  if (!set_price_.empty()) {
    return set_price(parents_index + stride_[static_cast<std::size_t>(child)]) - set_price(parents_index);
  }
  if (per_parameter_ == 0) return 0;
  const double parameters = products_.value[parents_index] * (levels_[static_cast<std::size_t>(child)] - 1.0);
  if (parameters * static_cast<double>(per_parameter_) >= static_cast<double>(kLargestUnits)) return kLargestUnits;
  // In whole numbers, so that equivalent networks are charged the same to the last unit.
  return static_cast<std::int64_t>(parameters) * per_parameter_;
}

std::int64_t IntegerScore::upper_bound(int child, const Known& parents) const {
  // The inequalities hold for the numbers before rounding. A term of count c is off by a few units times c at most.
  const std::int64_t slack = 16 * static_cast<std::int64_t>(score_->total()) + 16 +
                             (packed_ != nullptr ? static_cast<std::int64_t>(2.0 * packed_->rounding()) : 0);
  const std::int64_t log_child_levels = units_.log_of(levels_[static_cast<std::size_t>(child)]);
  FamilyInUnits family{log_child_levels, price(child, parents.index) + per_arc_ * parents.n_parents,
                       parents.cells,    parents.configs,
                       parents.seen,     parents.best_fit};
  const std::int64_t bound = score_->upper_bound_in_units(family) + slack;
  if (fewest_levels_.empty()) return bound;
  const int most = std::min(parents.most_parents, static_cast<int>(levels_.size()) - 1);
  const StructurePrior::Ranges ranges = score_->prior().ranges(parents.n_parents, std::max(most, parents.n_parents));
  const std::int64_t near = bound - units_.rounded(ranges.near);
  if (ranges.far_size == 0) return near;
  // The price of the parameters grows with the product of the levels of the parents, and so many parents have no
  // smaller product than those with the fewest levels.
  const auto far_size = static_cast<std::size_t>(ranges.far_size);
  const std::uint32_t fewest = fewest_levels_[static_cast<std::size_t>(child)][far_size];
  family.price = std::max(family.price, price(child, fewest) + per_arc_ * ranges.far_size);
  const std::int64_t far = score_->upper_bound_in_units(family) + slack - units_.rounded(ranges.far);
  return std::max(near, far);
}

}  // namespace qnml
