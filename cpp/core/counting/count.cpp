#include "core/counting/count.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/counting/columns.hpp"

namespace qnml {
namespace {

constexpr std::uint32_t kUnnamed = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kFree = std::numeric_limits<std::uint64_t>::max();

// Rows are coded in blocks that stay in the first-level cache between passes over the columns.
constexpr std::size_t kBlock = 2048;

// Adjacent rows often fall into the same cell; four tallies break the chain of dependent increments.
constexpr std::size_t kCopies = 4;
constexpr std::size_t kCopiedUpTo = 8192;

// Counts below this are sorted by counting, the few above it by comparison.
constexpr std::size_t kSmallCounts = 4096;

std::uint64_t scramble(std::uint64_t key) {
  key ^= key >> 31;
  key *= 0x9E3779B97F4A7C15ULL;
  return key ^ (key >> 29);
}

template <class Code>
void start_index(const Code* codes, std::size_t size, std::uint32_t* index) {
  for (std::size_t i = 0; i < size; ++i) index[i] = codes[i];
}

template <class Code>
void extend_index(const Code* codes, std::size_t size, std::uint32_t levels, std::uint32_t* index) {
  for (std::size_t i = 0; i < size; ++i) index[i] = index[i] * levels + codes[i];
}

}  // namespace

std::uint64_t Profile::seen() const { return std::accumulate(cells.begin(), cells.end(), std::uint64_t{0}); }

std::size_t Counter::dense_limit() const {
  // Clearing and scanning a table of this size costs about as much as visiting the rows. Row indices into it are 32
  // bits wide.
  return std::clamp<std::size_t>(4 * table_.rows, 4096, std::size_t{1} << 31);
}

template <>
std::vector<std::uint32_t>& Counter::tally<std::uint32_t>() {
  return tally32_;
}
template <>
std::vector<std::uint64_t>& Counter::tally<std::uint64_t>() {
  return tally64_;
}

void Counter::family(int child, std::span<const int> parents, Profile& cells, Profile& configs) {
  if (table_.weights == nullptr && table_.rows < kUnnamed) {
    tally_family<std::uint32_t>(child, parents, cells, configs);
  } else {
    tally_family<std::uint64_t>(child, parents, cells, configs);
  }
}

template <class Tally>
void Counter::tally_family(int child, std::span<const int> parents, Profile& cells, Profile& configs) {
  auto& joint = tally<Tally>();
  auto& marginal = [this]() -> std::vector<Tally>& {
    if constexpr (std::is_same_v<Tally, std::uint32_t>) {
      return config_tally32_;
    } else {
      return config_tally64_;
    }
  }();
  const std::uint64_t child_levels = table_.levels(child);
  const std::size_t limit = dense_limit();
  std::uint64_t configurations = 1;
  for (int parent : parents) {
    configurations *= table_.levels(parent);
    if (configurations * child_levels > limit) break;
  }
  if (configurations * child_levels <= limit) {
    tally_dense<Tally>(parents, child, configurations * child_levels);
    // The child is the last digit of the index, so each configuration is a run of child_levels cells.
    marginal.assign(configurations, 0);
    for (std::size_t j = 0; j < configurations; ++j) {
      for (std::size_t k = 0; k < child_levels; ++k) marginal[j] += joint[j * child_levels + k];
    }
  } else {
    configurations = label_configs(parents);
    tally_labels<Tally>(configurations);
    marginal.swap(joint);
    const Column& column = table_.at(child);
    if (configurations * child_levels <= limit) {
      extend_labels(column);
      tally_labels<Tally>(configurations * child_levels);
    } else {
      tally_labels<Tally>(compact_hashed(column));
    }
  }
  to_profile(joint, cells);
  to_profile(marginal, configs);
}

template <class Tally>
void Counter::tally_dense(std::span<const int> parents, int child, std::size_t size) {
  auto& counts = tally<Tally>();
  const std::size_t copies = size <= kCopiedUpTo ? kCopies : 1;
  counts.assign(copies * size, 0);
  std::uint32_t index[kBlock];
  for (std::size_t start = 0; start < table_.rows; start += kBlock) {
    const std::size_t rows = std::min(kBlock, table_.rows - start);
    std::fill_n(index, rows, 0u);
    bool first = true;
    auto append = [&](int variable) {
      const Column& column = table_.at(variable);
      with_codes(column, [&](const auto* codes) {
        if (first) {
          start_index(codes + start, rows, index);
        } else {
          extend_index(codes + start, rows, column.levels, index);
        }
      });
      first = false;
    };
    for (int parent : parents) append(parent);
    append(child);
    Tally* t = counts.data();
    if (table_.weights != nullptr) {
      for (std::size_t i = 0; i < rows; ++i) t[index[i]] += static_cast<Tally>(table_.weights[start + i]);
    } else if (copies == kCopies) {
      Tally* t1 = t + size;
      Tally* t2 = t1 + size;
      Tally* t3 = t2 + size;
      std::size_t i = 0;
      for (; i + 4 <= rows; i += 4) {
        ++t[index[i]];
        ++t1[index[i + 1]];
        ++t2[index[i + 2]];
        ++t3[index[i + 3]];
      }
      for (; i < rows; ++i) ++t[index[i]];
    } else {
      for (std::size_t i = 0; i < rows; ++i) ++t[index[i]];
    }
  }
  if (copies == kCopies) {
    for (std::size_t cell = 0; cell < size; ++cell) {
      counts[cell] += counts[size + cell] + counts[2 * size + cell] + counts[3 * size + cell];
    }
    counts.resize(size);
  }
}

template <class Tally>
void Counter::tally_labels(std::size_t size) {
  auto& counts = tally<Tally>();
  counts.assign(size, 0);
  if (table_.weights != nullptr) {
    for (std::size_t i = 0; i < table_.rows; ++i) counts[labels_[i]] += static_cast<Tally>(table_.weights[i]);
  } else {
    for (std::size_t i = 0; i < table_.rows; ++i) ++counts[labels_[i]];
  }
}

template <class Tally>
void Counter::to_profile(const std::vector<Tally>& tally, Profile& profile) {
  small_.assign(kSmallCounts, 0);
  large_.clear();
  std::size_t highest = 0;
  for (Tally count : tally) {
    if (count < kSmallCounts) {
      ++small_[count];
      highest = std::max(highest, static_cast<std::size_t>(count));
    } else {
      large_.push_back(count);
    }
  }
  profile.counts.clear();
  profile.cells.clear();
  for (std::size_t count = 1; count <= highest; ++count) {
    if (small_[count] == 0) continue;
    profile.counts.push_back(count);
    profile.cells.push_back(small_[count]);
  }
  std::sort(large_.begin(), large_.end());
  for (std::uint64_t count : large_) {
    if (!profile.counts.empty() && profile.counts.back() == count) {
      ++profile.cells.back();
    } else {
      profile.counts.push_back(count);
      profile.cells.push_back(1);
    }
  }
}

// Labels every row by its configuration of the variables. Labels are below the returned bound, and not all occur. The
// bound is at most dense_limit() or the number of rows, whatever the product of the levels.
std::uint64_t Counter::label_configs(std::span<const int> variables) {
  labels_.assign(table_.rows, 0);
  std::uint64_t bound = 1;
  for (int variable : variables) {
    const Column& column = table_.at(variable);
    if (bound * column.levels > dense_limit()) bound = compact_dense(bound);
    if (bound * column.levels > dense_limit()) {
      bound = compact_hashed(column);
    } else {
      extend_labels(column);
      bound *= column.levels;
    }
  }
  return bound;
}

void Counter::extend_labels(const Column& column) {
  with_codes(column, [&](const auto* codes) { extend_index(codes, table_.rows, column.levels, labels_.data()); });
}

std::uint64_t Counter::compact_dense(std::uint64_t size) {
  rename_.assign(size, kUnnamed);
  std::uint32_t used = 0;
  for (std::uint32_t& label : labels_) {
    std::uint32_t& name = rename_[label];
    if (name == kUnnamed) name = used++;
    label = name;
  }
  return used;
}

std::uint64_t Counter::compact_hashed(const Column& column) {
  const std::size_t capacity = std::bit_ceil(2 * table_.rows + 1);
  slots_.assign(capacity, kFree);
  rename_.assign(capacity, kUnnamed);
  std::uint32_t used = 0;
  with_codes(column, [&](const auto* codes) {
    for (std::size_t i = 0; i < table_.rows; ++i) {
      const std::uint64_t key = static_cast<std::uint64_t>(labels_[i]) * column.levels + codes[i];
      std::size_t slot = scramble(key) & (capacity - 1);
      while (slots_[slot] != key && slots_[slot] != kFree) slot = (slot + 1) & (capacity - 1);
      if (slots_[slot] == kFree) {
        slots_[slot] = key;
        rename_[slot] = used++;
      }
      labels_[i] = rename_[slot];
    }
  });
  return used;
}

std::uint32_t Counter::partition(std::span<const int> variables, std::vector<std::uint32_t>& labels) {
  const std::uint64_t bound = label_configs(variables);
  const std::uint64_t used = compact_dense(bound);
  labels = labels_;
  return static_cast<std::uint32_t>(used);
}

FamilyCounts Counter::configurations(int child, std::span<const int> parents) {
  const std::size_t seen = compact_dense(label_configs(parents));
  const Column& child_column = table_.at(child);
  const std::size_t levels = child_column.levels;

  // The first row of positive weight represents each configuration.
  std::vector<std::uint32_t> example(seen, kUnnamed);
  for (std::size_t row = table_.rows; row-- > 0;) {
    if (table_.weights == nullptr || table_.weights[row] > 0) example[labels_[row]] = static_cast<std::uint32_t>(row);
  }
  std::erase(example, kUnnamed);
  const std::vector<std::uint32_t> order = sorted_rows(parents, std::move(example));

  std::vector<std::uint32_t> place(seen, 0);
  for (std::size_t i = 0; i < order.size(); ++i) place[labels_[order[i]]] = static_cast<std::uint32_t>(i);
  FamilyCounts result;
  result.counts.assign(order.size() * levels, 0);
  with_codes(child_column, [&](const auto* codes) {
    for (std::size_t row = 0; row < table_.rows; ++row) {
      const std::uint64_t weight = table_.weights == nullptr ? 1 : table_.weights[row];
      if (weight == 0) continue;  // its configuration may have no position
      result.counts[place[labels_[row]] * levels + codes[row]] += static_cast<std::int64_t>(weight);
    }
  });
  result.configs.resize(order.size() * parents.size());
  for (std::size_t k = 0; k < parents.size(); ++k) {
    with_codes(table_.at(parents[k]), [&](const auto* codes) {
      for (std::size_t i = 0; i < order.size(); ++i) result.configs[i * parents.size() + k] = codes[order[i]];
    });
  }
  return result;
}

// Sorts rows lexicographically by their codes: by the last variable first, in stable passes. Takes variables × (rows +
// levels) steps.
std::vector<std::uint32_t> Counter::sorted_rows(std::span<const int> variables, std::vector<std::uint32_t> rows) const {
  std::vector<std::uint32_t> sorted(rows.size());
  std::vector<std::size_t> start;
  for (const int variable : std::views::reverse(variables)) {
    const Column& column = table_.at(variable);
    with_codes(column, [&](const auto* codes) {
      start.assign(column.levels + std::size_t{1}, 0);
      for (const std::uint32_t row : rows) ++start[codes[row] + std::size_t{1}];
      for (std::size_t level = 1; level < start.size(); ++level) start[level] += start[level - 1];
      for (const std::uint32_t row : rows) sorted[start[codes[row]]++] = row;
    });
    rows.swap(sorted);
  }
  return rows;
}

}  // namespace qnml
