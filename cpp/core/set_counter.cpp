#include "core/set_counter.hpp"

#include <algorithm>
#include <limits>

namespace qnml {
namespace {

// A population count of 64 rows takes about a hundredth of the time of visiting them, so that up to about this many
// counts of all rows are cheaper than one visit.
constexpr std::size_t kMostPopulationCounts = 256;
constexpr std::size_t kMostRowBytes = std::size_t{64} << 20;

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
  has_bits_ = split_bits();
}

// False when there are too many classes for it to pay.
bool SetCounter::split_bits() {
  if (!packed_.is_packed(child_)) return false;
  for (int parent : parents_) {
    if (!packed_.is_packed(parent)) return false;
  }
  const std::size_t words = packed_.words();
  const std::size_t most = std::min(kMostPopulationCounts, kMostRowBytes / (8 * words));
  rows_.assign(packed_.all_rows(), packed_.all_rows() + words);
  std::size_t classes = 1;
  auto refine = [&](int variable, bool is_child) {
    const std::uint32_t levels = table_.columns[static_cast<std::size_t>(variable)].levels;
    std::size_t kept = 0;
    for (std::size_t k = 0; k < classes; ++k) {
      if (next_rows_.size() < (kept + levels) * words) next_rows_.resize((kept + levels) * words);
      for (std::uint32_t level = 0; level < levels; ++level) {
        const std::uint64_t size = intersect(rows_.data() + k * words, packed_.level(variable, level), words,
                                             next_rows_.data() + kept * words);
        if (size == 0) continue;
        if (is_child) sizes_.push_back(static_cast<std::uint32_t>(size));
        ++kept;
      }
      if (is_child) group_end_.push_back(kept);
      if (kept > most) return false;
    }
    classes = kept;
    rows_.swap(next_rows_);
    return true;
  };
  sizes_.clear();
  group_end_.clear();
  for (int parent : parents_) {
    if (!refine(parent, false)) return false;
  }
  return refine(child_, true);
}

void SetCounter::split_labels() {
  const Column& column = table_.columns[static_cast<std::size_t>(child_)];
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
  const std::uint64_t levels = table_.columns[static_cast<std::size_t>(candidate)].levels;
  if (has_bits_ && packed_.is_packed(candidate) && sizes_.size() * (levels - 1) <= kMostPopulationCounts) {
    count_bits(candidate, cells, configs);
    return;
  }
  if (!has_labels_) split_labels();
  const std::uint64_t child_levels = table_.columns[static_cast<std::size_t>(child_)].levels;
  // Larger tables cost more to scan than the rows cost to be told apart anew.
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

void SetCounter::count_bits(int candidate, std::vector<std::uint64_t>& cells, std::vector<std::uint64_t>& configs) {
  const std::uint32_t levels = table_.columns[static_cast<std::size_t>(candidate)].levels;
  const std::size_t classes = sizes_.size();
  common_.resize(levels * classes);
  std::uint32_t* rest = common_.data() + (levels - 1) * classes;
  std::copy(sizes_.begin(), sizes_.end(), rest);
  for (std::uint32_t level = 0; level + 1 < levels; ++level) {
    std::uint32_t* counts = common_.data() + level * classes;
    count_common(rows_.data(), classes, packed_.level(candidate, level), packed_.words(), counts);
    for (std::size_t k = 0; k < classes; ++k) rest[k] -= counts[k];
  }
  cells.clear();
  configs.clear();
  for (std::uint32_t level = 0; level < levels; ++level) {
    const std::uint32_t* counts = common_.data() + level * classes;
    std::size_t k = 0;
    for (std::size_t end : group_end_) {
      std::uint64_t sum = 0;
      for (; k < end; ++k) {
        if (counts[k] == 0) continue;
        cells.push_back(counts[k]);
        sum += counts[k];
      }
      if (sum > 0) configs.push_back(sum);
    }
  }
}

template <class Tally>
void SetCounter::count_labels(int candidate, std::vector<Tally>& tally, std::vector<std::uint64_t>& cells,
                              std::vector<std::uint64_t>& configs) {
  const Column& column = table_.columns[static_cast<std::size_t>(candidate)];
  const std::size_t levels = column.levels;
  const std::size_t child_levels = table_.columns[static_cast<std::size_t>(child_)].levels;
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
