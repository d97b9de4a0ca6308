#include "core/scores/family_scores.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/base/watched.hpp"
#include "core/counting/count.hpp"
#include "core/counting/lattice.hpp"
#include "core/numbers/subset_transform.hpp"
#include "core/scores/integer_score.hpp"

namespace qnml {

namespace {

// The terms of several scores in one table. Scores share equal channels: c log c occurs in qnml, in fnml and in every
// penalized likelihood.
struct JointTerms {
  struct Source {
    const CountTerms* terms;
    int channel;
  };
  std::vector<Source> sources;
  CountTerms joint;

  // The joint channel of each channel of a score.
  std::vector<std::size_t> add(const CountTerms& terms, std::size_t used) {
    std::vector<std::size_t> places;
    for (std::size_t channel = 0; channel < used; ++channel) {
      const Source mine{&terms, static_cast<int>(channel)};
      std::size_t place = 0;
      while (place < sources.size() && !is_same(sources[place], mine)) ++place;
      if (place == sources.size()) sources.push_back(mine);
      places.push_back(place);
    }
    return places;
  }

  static bool is_same(const Source& a, const Source& b) {
    for (std::uint64_t count = 0; count < a.terms->table_size(); ++count) {
      if (value(a, count) != value(b, count)) return false;
    }
    return true;
  }

  static std::int64_t value(const Source& source, std::uint64_t count) {
    return source.terms
        ->values[count * static_cast<std::size_t>(source.terms->channels) + static_cast<std::size_t>(source.channel)];
  }

  void join() {
    joint.channels = padded_channels(sources.size());
    joint.used = static_cast<int>(sources.size());
    const auto channels = static_cast<std::size_t>(joint.channels);
    const std::uint64_t size = sources.front().terms->table_size();
    joint.values.assign(size * channels, 0);
    for (std::uint64_t count = 0; count < size; ++count) {
      for (std::size_t c = 0; c < sources.size(); ++c) joint.values[count * channels + c] = value(sources[c], count);
    }
    joint.beyond = [this](std::uint64_t count, std::int64_t* out) {
      std::vector<std::int64_t> own;
      const CountTerms* computed = nullptr;
      for (std::size_t c = 0; c < sources.size(); ++c) {
        if (sources[c].terms != computed) {
          computed = sources[c].terms;
          own.assign(static_cast<std::size_t>(computed->channels), 0);
          computed->beyond(count, own.data());
        }
        out[c] = own[static_cast<std::size_t>(sources[c].channel)];
      }
    };
  }
};

}  // namespace

bool FamilyScores::compute(const std::vector<FamilyScores*>& together, Control& control, int threads) {
  for (std::size_t next = 0; next < together.size();) {
    JointTerms terms;
    std::vector<FamilyScores*> group;
    for (; next < together.size(); ++next) {
      const IntegerScore& score = together[next]->score_;
      if (!group.empty() && terms.sources.size() + score.used_channels() > kMostChannels) break;
      together[next]->channel_ = terms.add(score.terms(), score.used_channels());
      group.push_back(together[next]);
    }
    terms.join();
    if (!walk(group, terms.joint, control, threads)) return false;
  }
  return true;
}

bool FamilyScores::walk(const std::vector<FamilyScores*>& together, const CountTerms& terms, Control& control,
                        int threads) {
  const auto channels = static_cast<std::size_t>(terms.channels);
  const Lattice lattice(together.front()->table_, terms);
  for (FamilyScores* scores : together) {
    if (!scores->prepare(lattice.column_of_bit(), control)) return false;
  }
  const bool finished = lattice.walk(
      [&](std::uint64_t first, std::size_t count, const std::int64_t* sums) {
        for (FamilyScores* scores : together) scores->receive(first, count, sums, channels);
      },
      control, threads);
  for (FamilyScores* scores : together) {
    scores->visits_ = lattice.visits();
    if (!finished) continue;
    scores->count_small_products([&](std::uint64_t set, std::int64_t value) { scores->cells_[set] = value; }, control,
                                 threads);
  }
  return finished && !control.is_stopped();
}

bool FamilyScores::prepare(const std::vector<int>& column_of_bit, Control& control) {
  set_bits(column_of_bit);
  const std::size_t sets = std::size_t{1} << n_variables();
  configs_.assign(score_.n_config_classes(), std::vector<std::int64_t>());
  bool is_done = fill_watched(cells_, sets, std::int64_t{0}, control);
  for (auto& config : configs_) is_done = is_done && fill_watched(config, sets, std::int64_t{0}, control);
  return is_done;
}

void FamilyScores::receive(std::uint64_t first, std::size_t count, const std::int64_t* sums, std::size_t channels) {
  std::array<std::int64_t, kMostChannels> mine{};
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t* all = sums + i * channels;
    for (std::size_t c = 0; c < channel_.size(); ++c) mine[c] = all[channel_[c]];
    cells_[first + i] = score_.cells(mine.data(), product_index(first + i));
    for (std::size_t k = 0; k < configs_.size(); ++k) configs_[k][first + i] = score_.configs(mine.data(), k);
  }
}

void FamilyScores::set_bits(const std::vector<int>& column_of_bit) {
  column_of_bit_ = column_of_bit;
  set_product_indices();
}

void FamilyScores::set_product_indices() {
  low_index_.assign(std::size_t{1} << 16, 0);
  const int high_bits = std::max(0, n_variables() - 16);
  high_index_.assign(std::size_t{1} << high_bits, 0);
  auto sum_up = [&](std::vector<std::uint32_t>& index, int first_bit) {
    for (std::size_t set = 1; set < index.size(); ++set) {
      const int bit = std::countr_zero(set) + first_bit;
      if (bit >= n_variables()) continue;
      index[set] = index[set & (set - 1)] + score_.stride(column_of_bit_[static_cast<std::size_t>(bit)]);
    }
  };
  sum_up(low_index_, 0);
  sum_up(high_index_, 16);
}

void FamilyScores::count_small_products(const ValueReceiver& receive, Control& control, int threads) const {
  if (!score_.needs_counts(0)) return;
  std::vector<std::uint64_t> small;
  // Products grow along supersets: depth first, adding lower bits only.
  auto collect = [&](auto&& self, std::uint64_t set, int below) -> void {
    if (!score_.needs_counts(product_index(set))) return;
    small.push_back(set);
    for (int bit = below - 1; bit >= 0; --bit) self(self, set | std::uint64_t{1} << bit, bit);
  };
  collect(collect, 0, n_variables());
  constexpr std::size_t kChunk = 256;
  parallel_for((small.size() + kChunk - 1) / kChunk, threads, [&](int, std::size_t chunk) {
    Counter counter(table_);
    Profile cells, configs;
    std::vector<int> variables;
    const std::size_t last = std::min(small.size(), (chunk + 1) * kChunk);
    for (std::size_t i = chunk * kChunk; i < last && !control.is_stopped(); ++i) {
      const std::uint64_t set = small[i];
      if (set == 0) {
        const Profile whole{{table_.total}, {1}};
        receive(0, score_.cells(whole, 0));
        continue;
      }
      variables.clear();
      for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) {
        variables.push_back(column_of_bit_[static_cast<std::size_t>(std::countr_zero(rest))]);
      }
      const int child = variables.back();
      variables.pop_back();
      counter.family(child, variables, cells, configs);
      receive(set, score_.cells(cells, product_index(set)));
    }
  });
}

std::vector<std::int64_t> FamilyScores::prices(int bit) const {
  const int column = column_of_bit_[static_cast<std::size_t>(bit)];
  std::vector<std::int64_t> prices(score_.n_products(), 0);
  for (std::uint32_t index = 0; index < prices.size(); ++index) {
    // Skips products of sets that contain the child; the product with one more such column may not exist.
    if (score_.has_room(index, column)) prices[index] = score_.price(column, index);
  }
  return prices;
}

void FamilyScores::fill(int bit, const std::vector<std::int64_t>& prices, std::uint64_t first, std::size_t count,
                        std::int64_t* values) const {
  const int column = column_of_bit_[static_cast<std::size_t>(bit)];
  const auto& configs = configs_.empty() ? cells_ : configs_[static_cast<std::size_t>(score_.config_class(column))];
  const std::uint64_t child = std::uint64_t{1} << bit;
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint64_t parents = insert_zero(first + k, bit);
    values[k] = cells_[parents | child] - configs[parents] - prices[product_index(parents)];
  }
  if (!score_.has_price_of_arcs()) return;
  for (std::size_t k = 0; k < count; ++k) values[k] -= score_.price_of_arcs(std::popcount(first + k));
}

std::int64_t FamilyScores::upper_bound(int bit, std::uint64_t parents, int most_parents) const {
  const int column = column_of_bit_[static_cast<std::size_t>(bit)];
  const std::uint64_t others = ((std::uint64_t{1} << n_variables()) - 1) ^ (std::uint64_t{1} << bit);
  const std::int64_t best_fit = score_.bounds_use_fit() ? cells_.back() - cells_[others] : 0;
  const auto& configs = configs_.empty() ? cells_ : configs_[static_cast<std::size_t>(score_.config_class(column))];
  // How many configurations of the parents occur is not known here; with fewer, the bound is higher.
  constexpr std::uint64_t kSeen = 1;
  return score_.upper_bound(column, {.index = product_index(parents),
                                     .n_parents = std::popcount(parents),
                                     .cells = cells_[parents],
                                     .configs = configs[parents],
                                     .seen = kSeen,
                                     .best_fit = best_fit,
                                     .most_parents = most_parents});
}

}  // namespace qnml
