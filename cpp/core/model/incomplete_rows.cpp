#include "core/model/incomplete_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/model/config_index.hpp"
#include "core/model/elimination.hpp"

namespace qnml {
namespace {

// Families of up to this many cells list all their configurations: these cost no more than the rows.
double most_dense_cells(std::size_t rows) { return std::max(65536.0, 8.0 * static_cast<double>(rows)); }

// Plans of larger tables are not made: the caller refuses them.
constexpr double kMostPlanned = 0x1p31;

}  // namespace

IncompleteRows::IncompleteRows(IncompleteTable table, std::vector<std::vector<std::uint32_t>> parents)
    : table_(std::move(table)) {
  if (parents.size() != table_.columns.size() || parents.size() != table_.levels.size())
    throw std::invalid_argument("one column, one number of levels and one list of parents per variable are needed");
  for (std::uint32_t child = 0; child < parents.size(); ++child) {
    Family family{};
    family.members = std::move(parents[child]);
    family.members.push_back(child);
    family.levels = table_.levels[child];
    family.cells = 1.0;
    for (const std::uint32_t member : family.members) {
      if (member >= table_.levels.size()) throw std::invalid_argument("a parent is no variable");
      family.cells *= table_.levels[member];
    }
    family.lists_all = family.cells <= most_dense_cells(table_.rows);
    if (family.lists_all) {
      family.strides.assign(family.members.size(), 1);
      for (std::size_t k = family.members.size(); k-- > 1;) {
        family.strides[k - 1] = family.strides[k] * table_.levels[family.members[k]];
      }
    }
    families_.push_back(std::move(family));
  }
  find_patterns();
}

void IncompleteRows::find_patterns() {
  std::map<std::vector<std::uint32_t>, std::uint32_t> known;
  std::vector<double> listed(families_.size(), 0.0);  // configurations of the families that do not list all
  double references = 0.0;
  std::vector<std::uint32_t> missing;
  for (std::size_t row = 0; row < table_.rows; ++row) {
    missing.clear();
    for (std::uint32_t variable = 0; variable < table_.levels.size(); ++variable) {
      if (is_missing(variable, row)) missing.push_back(variable);
    }
    for (std::size_t f = 0; f < families_.size(); ++f) {
      const Family& family = families_[f];
      if (family.lists_all) continue;
      double configs = 1.0;
      for (const std::uint32_t member : std::span(family.members).first(family.members.size() - 1)) {
        if (is_missing(member, row)) configs *= table_.levels[member];
      }
      listed[f] = std::min(listed[f] + configs, family.cells / family.levels);
      if (configs > 1.0 || is_missing(static_cast<std::uint32_t>(f), row)) references += configs * family.levels;
    }
    if (missing.empty()) continue;
    const auto [found, is_new] = known.try_emplace(missing, static_cast<std::uint32_t>(patterns_.size()));
    if (is_new) patterns_.push_back(pattern_of(missing));
    incomplete_.push_back(static_cast<std::uint32_t>(row));
    pattern_of_row_.push_back(found->second);
    references += static_cast<double>(patterns_[found->second].open.size());
  }
  slots_needed_ = references;
  for (std::size_t f = 0; f < families_.size(); ++f) {
    slots_needed_ += families_[f].lists_all ? families_[f].cells : listed[f] * families_[f].levels;
  }
  for (Pattern& pattern : patterns_) {
    const EliminationOrder order = elimination_order(pattern.missing, pattern.families, table_.levels);
    if (order.entries > most_entries_) {
      most_entries_ = order.entries;
      most_missing_ = pattern.missing.size();
    }
    if (order.entries <= kMostPlanned) pattern.plan = plan_elimination(order, pattern.families, table_.levels);
  }
}

IncompleteRows::Pattern IncompleteRows::pattern_of(std::vector<std::uint32_t> missing) const {
  Pattern pattern;
  for (std::uint32_t f = 0; f < families_.size(); ++f) {
    const Family& family = families_[f];
    OpenFamily open;
    for (std::size_t k = 0; k < family.members.size(); ++k) {
      if (!std::binary_search(missing.begin(), missing.end(), family.members[k])) continue;
      open.variables.push_back(family.members[k]);
      open.strides.push_back(family.lists_all ? family.strides[k] : 0);
    }
    if (open.variables.empty()) continue;
    if (!family.lists_all) {
      std::uint32_t stride = 1;
      for (std::size_t k = open.variables.size(); k-- > 0;) {
        open.strides[k] = stride;
        stride *= table_.levels[open.variables[k]];
      }
    }
    pattern.open.push_back(f);
    pattern.families.push_back(std::move(open));
  }
  pattern.missing = std::move(missing);
  return pattern;
}

void IncompleteRows::prepare(Control& control) {
  for (Family& family : families_) {
    if (!family.lists_all) list_configs(family, control);
    const std::size_t configs = family.lists_all ? static_cast<std::size_t>(family.cells) / family.levels
                                                 : family.configs.size() / (family.members.size() - 1);
    first_slot_.push_back(first_slot_.back() + configs * family.levels);
  }
  if (control.is_stopped()) return;
  place_rows(control);
  observed_.assign(slots(), 0.0);
  std::vector<const std::int32_t*> columns = table_.columns;
  const std::vector<std::int32_t> zeros(table_.rows, 0);
  for (std::size_t v = 0; v < columns.size(); ++v) {
    if (table_.levels[v] == 1) columns[v] = zeros.data();
  }
  count(columns, table_.rows, table_.weights, observed_);
}

// Visits the configurations of the parents that are compatible with a row, the last missing parent varying fastest.
template <class Visit>
void IncompleteRows::over_configs(const Family& family, std::size_t row, Visit&& visit) const {
  const std::size_t parents = family.members.size() - 1;
  std::vector<std::int32_t> config(parents);
  std::vector<std::size_t> free;
  for (std::size_t k = 0; k < parents; ++k) {
    config[k] = static_cast<std::int32_t>(code(family.members[k], row));
    if (is_missing(family.members[k], row)) free.push_back(k);
  }
  while (true) {
    visit(config);
    std::size_t turn = free.size();
    for (; turn > 0; --turn) {
      const std::size_t k = free[turn - 1];
      if (static_cast<std::uint32_t>(++config[k]) < table_.levels[family.members[k]]) break;
      config[k] = 0;
    }
    if (turn == 0) return;
  }
}

void IncompleteRows::list_configs(Family& family, Control& control) const {
  const std::size_t parents = family.members.size() - 1;
  std::vector<std::int32_t> all;
  for (std::size_t row = 0; row < table_.rows && !control.is_stopped(); ++row) {
    over_configs(family, row,
                 [&](const std::vector<std::int32_t>& config) { all.insert(all.end(), config.begin(), config.end()); });
  }
  const std::size_t count = all.size() / parents;
  auto config = [&](std::size_t k) { return std::span(all).subspan(k * parents, parents); };
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::lexicographical_compare(config(a).begin(), config(a).end(), config(b).begin(), config(b).end());
  });
  for (std::size_t k = 0; k < count; ++k) {
    if (k > 0 && std::equal(config(order[k]).begin(), config(order[k]).end(), config(order[k - 1]).begin())) continue;
    family.configs.insert(family.configs.end(), config(order[k]).begin(), config(order[k]).end());
  }
  std::vector<std::uint32_t> levels(parents);
  for (std::size_t k = 0; k < parents; ++k) levels[k] = table_.levels[family.members[k]];
  family.index = std::make_unique<ConfigIndex>(levels, family.configs, family.configs.size() / parents);
}

std::vector<std::int32_t> IncompleteRows::configs(std::size_t family) const {
  const Family& mine = families_[family];
  if (!mine.lists_all) return mine.configs;
  const std::size_t parents = mine.members.size() - 1;
  const std::size_t count = static_cast<std::size_t>(mine.cells) / mine.levels;
  std::vector<std::int32_t> configs(count * parents);
  for (std::size_t place = 0; place < count; ++place) {
    std::size_t rest = place;
    for (std::size_t k = parents; k-- > 0;) {
      const std::uint32_t levels = table_.levels[mine.members[k]];
      configs[place * parents + k] = static_cast<std::int32_t>(rest % levels);
      rest /= levels;
    }
  }
  return configs;
}

// The first slots of each incomplete row.
void IncompleteRows::place_rows(Control& control) {
  for (std::size_t place = 0; place < incomplete_.size() && !control.is_stopped(); ++place) {
    const std::size_t row = incomplete_[place];
    first_start_.push_back(starts_.size());
    for (const std::uint32_t f : patterns_[pattern_of_row_[place]].open) {
      const Family& family = families_[f];
      if (!family.lists_all) {
        starts_.push_back(static_cast<std::uint32_t>(listed_slots_.size()));
        place_listed(family, first_slot_[f], row);
        continue;
      }
      std::size_t slot = first_slot_[f];
      for (std::size_t k = 0; k < family.members.size(); ++k) {
        if (!is_missing(family.members[k], row)) slot += std::size_t{code(family.members[k], row)} * family.strides[k];
      }
      starts_.push_back(static_cast<std::uint32_t>(slot));
    }
  }
}

// The slots of a row, the last missing member of the family varying fastest.
void IncompleteRows::place_listed(const Family& family, std::size_t first, std::size_t row) {
  const std::size_t parents = family.members.size() - 1;
  std::vector<std::int32_t> configs;
  over_configs(family, row, [&](const std::vector<std::int32_t>& config) {
    configs.insert(configs.end(), config.begin(), config.end());
  });
  const std::size_t count = configs.size() / parents;
  PackedRows packed;
  family.index->start(packed, count);
  std::vector<std::int32_t> codes(count);
  for (std::size_t k = 0; k < parents; ++k) {
    for (std::size_t i = 0; i < count; ++i) codes[i] = configs[i * parents + k];
    family.index->append(packed, k, codes.data());
  }
  family.index->find(packed);
  const std::uint32_t child = family.members.back();
  for (const std::uint32_t config : packed.places) {
    const std::size_t slot = first + std::size_t{config} * family.levels;
    if (!is_missing(child, row)) {
      listed_slots_.push_back(static_cast<std::uint32_t>(slot + code(child, row)));
      continue;
    }
    for (std::uint32_t level = 0; level < family.levels; ++level) {
      listed_slots_.push_back(static_cast<std::uint32_t>(slot + level));
    }
  }
}

// Calls visit(row, slot) for every row and family whose members are all there.
template <class Visit>
void IncompleteRows::over_cells(std::span<const std::int32_t* const> columns, std::size_t rows, Visit&& visit) const {
  constexpr std::size_t kBlock = 1024;
  PackedRows packed;
  std::vector<std::size_t> slots(kBlock);
  std::vector<std::uint8_t> is_complete(kBlock);
  for (std::size_t f = 0; f < families_.size(); ++f) {
    const Family& family = families_[f];
    const std::size_t parents = family.members.size() - 1;
    for (std::size_t begin = 0; begin < rows; begin += kBlock) {
      const std::size_t count = std::min(rows - begin, kBlock);
      std::fill_n(slots.begin(), count, first_slot_[f]);
      std::fill_n(is_complete.begin(), count, std::uint8_t{1});
      if (!family.lists_all) {
        family.index->start(packed, count);
        for (std::size_t k = 0; k < parents; ++k) family.index->append(packed, k, columns[family.members[k]] + begin);
        family.index->find(packed);
      }
      for (std::size_t i = 0; i < count && !family.lists_all; ++i) {
        is_complete[i] = packed.places[i] < family.index->listed();
        slots[i] += std::size_t{packed.places[i]} * family.levels;
      }
      for (std::size_t k = family.lists_all ? 0 : parents; k <= parents; ++k) {
        const std::int32_t* const codes = columns[family.members[k]] + begin;
        const std::size_t stride = family.lists_all ? family.strides[k] : 1;
        for (std::size_t i = 0; i < count; ++i) {
          is_complete[i] &= codes[i] >= 0;
          slots[i] += static_cast<std::size_t>(std::max(codes[i], 0)) * stride;
        }
      }
      for (std::size_t i = 0; i < count; ++i) {
        if (is_complete[i] != 0) visit(begin + i, slots[i]);
      }
    }
  }
}

void IncompleteRows::count(std::span<const std::int32_t* const> columns, std::size_t rows, const std::uint64_t* weights,
                           std::span<double> counts) const {
  over_cells(columns, rows, [&](std::size_t row, std::size_t slot) {
    counts[slot] += weights == nullptr ? 1.0 : static_cast<double>(weights[row]);
  });
}

std::vector<double> IncompleteRows::log_prob(std::span<const std::int32_t* const> columns, std::size_t rows,
                                             std::span<const double> probabilities) const {
  std::vector<double> logs(probabilities.size());
  std::transform(probabilities.begin(), probabilities.end(), logs.begin(), [](double p) { return std::log(p); });
  std::vector<double> sums(rows, 0.0);
  over_cells(columns, rows, [&](std::size_t row, std::size_t slot) { sums[row] += logs[slot]; });
  return sums;
}

}  // namespace qnml
