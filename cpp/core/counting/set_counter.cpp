#include "core/counting/set_counter.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/counting/columns.hpp"
#include "core/counting/count.hpp"
#include "core/counting/packed_columns.hpp"

namespace qnml {
namespace {

// Time of a population count of 64 rows relative to visiting one row.
constexpr double kPopulationCount = 0.1;
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

void expand(const Profile& profile, std::vector<std::uint64_t>& counts) {
  counts.clear();
  for (std::size_t i = 0; i < profile.counts.size(); ++i) {
    counts.insert(counts.end(), profile.cells[i], profile.counts[i]);
  }
}

}  // namespace

void SetCounter::split(int child, std::span<const int> parents) {
  child_ = child;
  parents_.assign(parents.begin(), parents.end());
  has_labels_ = false;
  has_classes_ = split_classes();
}

bool SetCounter::split_classes() {
  if (!packed_.is_packed(child_)) return false;
  for (int parent : parents_) {
    if (!packed_.is_packed(parent)) return false;
  }
  bits_.assign(packed_.all_rows(), packed_.all_rows() + packed_.words());
  large_.assign(1, {static_cast<std::uint32_t>(table_.rows), 0});
  small_.clear();
  small_rows_.clear();
  for (int parent : parents_) {
    refine(parent);
    if (8 * packed_.words() * large_.size() > kMostBytes) return false;
  }
  n_class_configs_ = static_cast<std::uint32_t>(large_.size() + small_.size());
  std::uint32_t config = 0;
  for (Large& one : large_) one.config = config++;
  for (Small& one : small_) one.config = config++;
  refine(child_);
  return true;
}

// Splits every class by a variable. Classes that become small leave the bitmaps for good.
void SetCounter::refine(int variable) {
  const std::size_t words = packed_.words();
  const Column& column = table_.at(variable);
  const auto limit = static_cast<std::uint64_t>(kPopulationCount * static_cast<double>(words));
  next_large_.clear();
  next_small_.clear();
  next_small_rows_.clear();
  for (std::size_t k = 0; k < large_.size(); ++k) {
    for (std::uint32_t level = 0; level < column.levels; ++level) {
      if (next_bits_.size() < (next_large_.size() + 1) * words) next_bits_.resize((next_large_.size() + 1) * words);
      std::uint64_t* made = next_bits_.data() + next_large_.size() * words;
      const std::uint64_t size = intersect(bits_.data() + k * words, packed_.level(variable, level), words, made);
      if (size > limit) {
        next_large_.push_back({static_cast<std::uint32_t>(size), large_[k].config});
      } else if (size > 0) {
        for (std::size_t word = 0; word < words; ++word) {
          for (std::uint64_t rest = made[word]; rest != 0; rest &= rest - 1) {
            next_small_rows_.push_back(static_cast<std::uint32_t>(64 * word) +
                                       static_cast<std::uint32_t>(std::countr_zero(rest)));
          }
        }
        next_small_.push_back({next_small_rows_.size(), large_[k].config});
      }
    }
  }
  with_codes(column, [&](const auto* codes) {
    std::size_t begin = 0;
    for (const Small& one : small_) {
      if (one.end - begin == 1) {
        next_small_rows_.push_back(small_rows_[begin]);
        next_small_.push_back({next_small_rows_.size(), one.config});
      } else {
        level_tally_.assign(column.levels + 1, 0);
        for (std::size_t i = begin; i < one.end; ++i) ++level_tally_[codes[small_rows_[i]] + 1u];
        const std::size_t base = next_small_rows_.size();
        next_small_rows_.resize(base + one.end - begin);
        for (std::uint32_t level = 0; level < column.levels; ++level) {
          level_tally_[level + 1] += level_tally_[level];
          if (level_tally_[level + 1] > level_tally_[level]) {
            next_small_.push_back({base + level_tally_[level + 1], one.config});
          }
        }
        for (std::size_t i = begin; i < one.end; ++i) {
          next_small_rows_[base + level_tally_[codes[small_rows_[i]]]++] = small_rows_[i];
        }
      }
      begin = one.end;
    }
  });
  bits_.swap(next_bits_);
  large_.swap(next_large_);
  small_.swap(next_small_);
  small_rows_.swap(next_small_rows_);
}

void SetCounter::split_labels() {
  const Column& column = table_.at(child_);
  if (parents_.empty()) {
    labels_.assign(table_.rows, 0);
    n_configs_ = 1;
  } else {
    n_configs_ = counter_.partition(parents_, labels_);
  }
  if (n_configs_ * column.levels <= std::numeric_limits<std::uint32_t>::max()) {
    with_codes(column, [&](const auto* codes) {
      for (std::size_t row = 0; row < table_.rows; ++row) labels_[row] = labels_[row] * column.levels + codes[row];
    });
  }
  has_labels_ = true;
}

void SetCounter::count(int candidate, std::vector<std::uint64_t>& cells, std::vector<std::uint64_t>& configs) {
  const std::uint64_t levels = table_.levels(candidate);
  if (has_classes_ && packed_.is_packed(candidate) && is_worth_classes(levels)) {
    count_classes(candidate, cells, configs);
    return;
  }
  if (!has_labels_) split_labels();
  const std::uint64_t child_levels = table_.levels(child_);
  // Scanning a larger table costs more than partitioning the rows again.
  const std::uint64_t most = std::max<std::uint64_t>(1 << 16, 16 * table_.rows);
  if (n_configs_ * child_levels * levels > most) {
    family_ = parents_;
    family_.push_back(candidate);
    count_family(child_, family_, cells, configs);
  } else if (table_.weights == nullptr && table_.rows < std::numeric_limits<std::uint32_t>::max()) {
    count_labels(candidate, tally32_, cells, configs);
  } else {
    count_labels(candidate, tally64_, cells, configs);
  }
}

bool SetCounter::is_worth_classes(std::uint64_t levels) const {
  const auto population_counts = static_cast<double>(large_.size() * (levels - 1) * packed_.words());
  const std::uint64_t in_small = small_rows_.size() + small_.size() * levels / 4;
  return kPopulationCount * population_counts + static_cast<double>(in_small) <= static_cast<double>(table_.rows);
}

void SetCounter::count_classes(int candidate, std::vector<std::uint64_t>& cells, std::vector<std::uint64_t>& configs) {
  const Column& column = table_.at(candidate);
  const std::uint32_t levels = column.levels;
  cells.clear();
  config_tally_.assign(std::size_t{n_class_configs_} * levels, 0);
  const std::size_t classes = large_.size();
  common_.resize((levels - 1) * classes);
  for (std::uint32_t level = 0; level + 1 < levels; ++level) {
    count_common(bits_.data(), classes, packed_.level(candidate, level), packed_.words(),
                 common_.data() + level * classes);
  }
  for (std::size_t k = 0; k < classes; ++k) {
    std::uint64_t* tally = config_tally_.data() + std::size_t{large_[k].config} * levels;
    std::uint32_t rest = large_[k].size;
    for (std::uint32_t level = 0; level < levels; ++level) {
      const std::uint32_t count = level + 1 < levels ? common_[level * classes + k] : rest;
      if (count == 0) continue;
      rest -= count;
      tally[level] += count;
      cells.push_back(count);
    }
  }
  level_tally_.assign(levels, 0);
  with_codes(column, [&](const auto* codes) {
    std::size_t i = 0;
    for (const Small& one : small_) {
      std::uint64_t* tally = config_tally_.data() + std::size_t{one.config} * levels;
      if (one.end - i == 1) {
        ++tally[codes[small_rows_[i++]]];
        cells.push_back(1);
        continue;
      }
      for (; i < one.end; ++i) ++level_tally_[codes[small_rows_[i]]];
      for (std::uint32_t level = 0; level < levels; ++level) {
        if (level_tally_[level] == 0) continue;
        cells.push_back(level_tally_[level]);
        tally[level] += level_tally_[level];
        level_tally_[level] = 0;
      }
    }
  });
  configs.clear();
  for (std::uint64_t count : config_tally_) {
    if (count > 0) configs.push_back(count);
  }
}

template <class Tally>
void SetCounter::count_labels(int candidate, std::vector<Tally>& tally, std::vector<std::uint64_t>& cells,
                              std::vector<std::uint64_t>& configs) {
  const Column& column = table_.at(candidate);
  const std::size_t levels = column.levels;
  const std::size_t child_levels = table_.levels(child_);
  tally.assign(n_configs_ * child_levels * levels, 0);
  with_codes(column, [&](const auto* codes) {
    if (table_.weights == nullptr) {
      for (std::size_t row = 0; row < table_.rows; ++row) ++tally[labels_[row] * levels + codes[row]];
    } else {
      for (std::size_t row = 0; row < table_.rows; ++row) {
        tally[labels_[row] * levels + codes[row]] += static_cast<Tally>(table_.weights[row]);
      }
    }
  });
  cells.clear();
  configs.clear();
  const Tally* block = tally.data();
  for (std::size_t config = 0; config < n_configs_; ++config, block += child_levels * levels) {
    for (std::size_t level = 0; level < levels; ++level) {
      std::uint64_t sum = 0;
      for (std::size_t value = 0; value < child_levels; ++value) {
        const std::uint64_t count = block[value * levels + level];
        if (count == 0) continue;
        cells.push_back(count);
        sum += count;
      }
      if (sum > 0) configs.push_back(sum);
    }
  }
}

void SetCounter::count_family(int child, std::span<const int> parents, std::vector<std::uint64_t>& cells,
                              std::vector<std::uint64_t>& configs) {
  counter_.family(child, parents, cell_profile_, config_profile_);
  expand(cell_profile_, cells);
  expand(config_profile_, configs);
}

}  // namespace qnml
