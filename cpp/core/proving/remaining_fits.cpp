#include "core/proving/remaining_fits.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/counting/columns.hpp"

namespace qnml {

bool is_too_sparse(std::uint64_t entries, std::size_t rows) {
  return entries > std::max<std::uint64_t>(std::uint64_t{1} << 22, 64 * std::uint64_t{rows});
}

namespace {

constexpr std::size_t kMostRowsKept = 8'000'000;
constexpr std::uint64_t kLongestTable = std::uint64_t{1} << 16;

// Number of candidates with the smallest gains that are re-evaluated before one is chosen.
constexpr std::size_t kLookedAtAgain = 4;

double count_times_log(std::uint64_t count) {
  const auto c = static_cast<double>(count);
  return c * std::log(c);
}

// Unused labels are kept as long as there are not too many.
void refine_labels(const Column& column, RowLabels& labels, std::vector<std::uint32_t>& rename) {
  const std::uint64_t product = std::uint64_t{labels.count} * column.levels;
  const std::uint64_t most = std::max<std::uint64_t>(4096, 2 * labels.of_row.size());
  with_codes(column, [&](const auto* codes) {
    if (product <= most) {
      for (std::size_t row = 0; row < labels.of_row.size(); ++row) {
        labels.of_row[row] = labels.of_row[row] * column.levels + codes[row];
      }
      labels.count = static_cast<std::uint32_t>(product);
      return;
    }
    std::uint32_t used = 0;
    if (is_too_sparse(product, labels.of_row.size())) {
      std::unordered_map<std::uint64_t, std::uint32_t> names;
      for (std::size_t row = 0; row < labels.of_row.size(); ++row) {
        const std::uint64_t pair = std::uint64_t{labels.of_row[row]} * column.levels + codes[row];
        const auto [name, is_new] = names.try_emplace(pair, used);
        used += is_new ? 1 : 0;
        labels.of_row[row] = name->second;
      }
      labels.count = used;
      return;
    }
    rename.assign(product, 0);
    for (std::size_t row = 0; row < labels.of_row.size(); ++row) {
      std::uint32_t& name = rename[std::size_t{labels.of_row[row]} * column.levels + codes[row]];
      if (name == 0) name = ++used;
      labels.of_row[row] = name - 1;
    }
    labels.count = used;
  });
}

// Sums the weights of rows with the same key, in ascending order of the keys: then the sums of their logarithms agree
// to the last bit with those over a table with one entry per key.
void add_up(std::vector<std::pair<std::uint64_t, std::uint64_t>>& weights, std::vector<std::uint64_t>& counts) {
  std::sort(weights.begin(), weights.end());
  counts.clear();
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (k == 0 || weights[k].first != weights[k - 1].first) counts.push_back(0);
    counts.back() += weights[k].second;
  }
}

// The log-likelihood of the child given the labels and, if any, a column.
double fit_with(const Columns& table, int child, const Column* column, const RowLabels& labels,
                std::vector<std::uint64_t>& cells, std::vector<std::uint64_t>& configs) {
  const Column& own = table.at(child);
  const std::uint32_t levels = column == nullptr ? 1 : column->levels;
  const std::size_t n_configs = std::size_t{labels.count} * levels;
  const bool is_sparse = is_too_sparse(n_configs * own.levels, table.rows);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> config_weights, cell_weights;
  configs.assign(is_sparse ? 0 : n_configs, 0);
  cells.assign(is_sparse ? 0 : n_configs * own.levels, 0);
  with_codes(own, [&](const auto* own_codes) {
    with_codes(column == nullptr ? own : *column, [&](const auto* codes) {
      for (std::size_t row = 0; row < table.rows; ++row) {
        const std::size_t config =
            column == nullptr ? labels.of_row[row] : std::size_t{labels.of_row[row]} * levels + codes[row];
        const std::size_t cell = config * own.levels + own_codes[row];
        const std::uint64_t weight = table.weights == nullptr ? 1 : table.weights[row];
        if (is_sparse) {
          config_weights.emplace_back(config, weight);
          cell_weights.emplace_back(cell, weight);
        } else {
          configs[config] += weight;
          cells[cell] += weight;
        }
      }
    });
  });
  if (is_sparse) {
    add_up(config_weights, configs);
    add_up(cell_weights, cells);
  }
  double fit = 0.0;
  for (std::uint64_t count : cells) fit += count < 2 ? 0.0 : count_times_log(count);
  for (std::uint64_t count : configs) fit -= count < 2 ? 0.0 : count_times_log(count);
  return fit;
}

}  // namespace

LogCounts::LogCounts(std::uint64_t total) {
  tabled_.push_back(0.0);
  for (std::uint64_t count = 1; count <= std::min(total, kLongestTable); ++count) {
    tabled_.push_back(count_times_log(count));
  }
}

double LogCounts::operator()(std::uint64_t count) const {
  return count < tabled_.size() ? tabled_[count] : count_times_log(count);
}

void label_rows(const Columns& table, const std::vector<int>& variables, RowLabels& labels) {
  labels.of_row.assign(table.rows, 0);
  labels.count = 1;
  std::vector<std::uint32_t> rename;
  for (int variable : variables) refine_labels(table.at(variable), labels, rename);
}

std::vector<int> order_by_fit(const Columns& table, int child, const std::vector<int>& candidates) {
  struct Left {
    int variable;
    double gain;  // over the fit of those chosen, when last evaluated
  };
  std::vector<Left> left;
  RowLabels labels;
  label_rows(table, {}, labels);
  std::vector<std::uint64_t> cells, configs;
  std::vector<std::uint32_t> rename;
  double reached = fit_with(table, child, nullptr, labels, cells, configs);
  for (int candidate : candidates) {
    const Column& column = table.at(candidate);
    left.push_back({candidate, fit_with(table, child, &column, labels, cells, configs) - reached});
  }
  std::vector<int> order;
  while (!left.empty()) {
    std::stable_sort(left.begin(), left.end(), [](const Left& a, const Left& b) { return a.gain < b.gain; });
    std::size_t worst = 0;
    for (std::size_t k = 0; k < std::min(left.size(), kLookedAtAgain); ++k) {
      const Column& column = table.at(left[k].variable);
      left[k].gain = fit_with(table, child, &column, labels, cells, configs) - reached;
      if (left[k].gain < left[worst].gain) worst = k;
    }
    order.push_back(left[worst].variable);
    reached += left[worst].gain;
    refine_labels(table.at(left[worst].variable), labels, rename);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(worst));
  }
  std::reverse(order.begin(), order.end());
  return order;
}

RemainingFits::RemainingFits(const Columns& table, const LogCounts& log_counts, int child,
                             const std::vector<int>& order)
    : table_(table), log_counts_(log_counts), levels_(table.levels(child)), codes_(table.rows) {
  with_codes(table.at(child), [&](const auto* codes) {
    for (std::size_t row = 0; row < table.rows; ++row) codes_[row] = codes[row];
  });
  const std::size_t step = 1 + order.size() * table.rows / kMostRowsKept;
  Remaining current;
  current.rows.resize(table.rows);
  for (std::size_t row = 0; row < table.rows; ++row) current.rows[row] = static_cast<std::uint32_t>(row);
  current.ends.push_back(static_cast<std::uint32_t>(table.rows));
  kept_.reserve(order.size());
  const Remaining* last = &current;
  for (std::size_t place = order.size(); place-- > 0;) {
    Remaining next = refined(*last, table.at(order[place]));
    next.place = place;
    if (place % step == 0) {
      kept_.push_back(std::move(next));
      last = &kept_.back();
    } else {
      current = std::move(next);
      last = &current;
    }
  }
}

// Splits each class of rows by one more column, and drops the rows that are fitted perfectly. The loops over rows have
// no branches that depend on the data, because most of the time of a short proof is spent here.
RemainingFits::Remaining RemainingFits::refined(const Remaining& remaining, const Column& column) {
  const auto nowhere = static_cast<std::uint32_t>(remaining.rows.size());
  Remaining result;
  std::vector<std::uint32_t>&rows = result.rows, &ends = result.ends;
  rows.resize(remaining.rows.size() + 1);
  if (by_level_.size() < column.levels) by_level_.resize(column.levels);
  if (levels_seen_.size() <= column.levels) levels_seen_.resize(std::size_t{column.levels} + 1);
  std::uint32_t filled = 0;
  std::size_t begin = 0;
  with_codes(column, [&](const auto* codes) {
    for (std::uint32_t end : remaining.ends) {
      if (end - begin == 2) {  // two rows that differ in the child: both or none
        const std::uint32_t first = remaining.rows[begin], second = remaining.rows[begin + 1];
        if (codes[first] == codes[second]) {
          rows[filled++] = first;
          rows[filled++] = second;
          ends.push_back(filled);
        }
        begin = end;
        continue;
      }
      std::size_t n_seen = 0;
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t level = codes[remaining.rows[i]];
        OfLevel& mine = by_level_[level];
        const std::uint16_t value = codes_[remaining.rows[i]];
        const bool is_first = mine.size == 0;
        levels_seen_[n_seen] = level;
        n_seen += is_first ? 1 : 0;
        mine.value = is_first ? value : mine.value;
        mine.differs = static_cast<std::uint16_t>(mine.differs | (value ^ mine.value));
        ++mine.size;
      }
      for (std::size_t k = 0; k < n_seen; ++k) {
        OfLevel& mine = by_level_[levels_seen_[k]];
        mine.next = nowhere;
        if (mine.differs == 0) continue;
        mine.next = filled;
        mine.step = 1;
        filled += mine.size;
        ends.push_back(filled);
      }
      for (std::size_t i = begin; i < end; ++i) {
        OfLevel& mine = by_level_[codes[remaining.rows[i]]];
        rows[mine.next] = remaining.rows[i];
        mine.next += mine.step;
      }
      for (std::size_t k = 0; k < n_seen; ++k) by_level_[levels_seen_[k]] = {};
      begin = end;
    }
  });
  rows.resize(filled);
  visits_ += remaining.rows.size();
  return result;
}

double RemainingFits::fit_of_class(const std::uint32_t* first, const std::uint32_t* last, const RowLabels& parents) {
  touched_.clear();
  for (const std::uint32_t* row = first; row != last; ++row) {
    const std::uint32_t label = parents.of_row[*row];
    const std::uint64_t weight = table_.weights == nullptr ? 1 : table_.weights[*row];
    if (configs_[label] == 0) touched_.push_back(label);
    configs_[label] += weight;
    cells_[std::size_t{label} * levels_ + codes_[*row]] += weight;
  }
  double fit = 0.0;
  for (std::uint32_t label : touched_) {
    const std::uint64_t all = configs_[label];
    configs_[label] = 0;
    std::uint64_t* counts = &cells_[std::size_t{label} * levels_];
    double cells = 0.0;
    std::uint16_t values = 0;
    for (std::uint32_t level = 0; level < levels_; ++level) {
      if (counts[level] != 0) ++values;
      if (counts[level] == all) {  // a perfect fit, exactly
        cells = log_counts_(all);
      } else {
        cells += log_counts_(counts[level]);
      }
      counts[level] = 0;
    }
    fit += cells - log_counts_(all);
    if (values < 2 || values <= most_values_[label]) continue;
    if (most_values_[label] == 0) mixed_labels_.push_back(label);
    most_values_[label] = values;
  }
  return fit;
}

double RemainingFits::operator()(const RowLabels& parents, std::size_t place) {
  // The stored set with the largest place that is not beyond: it contains R(place).
  const auto found = std::partition_point(kept_.begin(), kept_.end(),
                                          [&](const Remaining& remaining) { return remaining.place > place; });
  mixed_ = 0;
  if (found == kept_.end() || is_too_sparse(std::uint64_t{parents.count} * levels_, table_.rows)) return 0.0;
  most_values_.resize(std::max<std::size_t>(most_values_.size(), parents.count), 0);
  configs_.resize(std::max<std::size_t>(configs_.size(), parents.count), 0);
  cells_.resize(std::max<std::size_t>(cells_.size(), std::size_t{parents.count} * levels_), 0);
  double fit = 0.0;
  std::size_t begin = 0;
  for (std::uint32_t end : found->ends) {
    fit += fit_of_class(found->rows.data() + begin, found->rows.data() + end, parents);
    begin = end;
  }
  visits_ += found->rows.size();
  for (std::uint32_t label : mixed_labels_) {
    mixed_ += most_values_[label] - 1u;
    most_values_[label] = 0;
  }
  mixed_labels_.clear();
  return std::min(fit, 0.0);
}

}  // namespace qnml
