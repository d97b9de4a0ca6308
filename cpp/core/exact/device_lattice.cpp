#include "core/exact/device_lattice.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/bit_order.hpp"
#include "core/counting/columns.hpp"
#include "core/counting/count.hpp"
#include "core/exact/candidate_filter.hpp"
#include "core/exact/candidates.hpp"
#include "core/graph/rules.hpp"
#include "core/graph/tie_breaking.hpp"
#include "core/scores/integer_score.hpp"

namespace qnml {

MaskRules rules_by_bit(const MaskRules& by_column, const std::vector<int>& column_of_bit) {
  MaskRules rules;
  rules.most_cells = by_column.most_cells;
  for (int column : column_of_bit) {
    const auto c = static_cast<std::size_t>(column);
    rules.allowed.push_back(to_bits(by_column.allowed[c], column_of_bit));
    rules.required.push_back(to_bits(by_column.required[c], column_of_bit));
    rules.max_parents.push_back(by_column.max_parents[c]);
  }
  return rules;
}

DeviceLattice::DeviceLattice(const Columns& table, const IntegerScore& score, const MaskRules& rules_by_column,
                             const Ties& ties, Control& control, int threads)
    : table_(table),
      score_(score),
      ties_(ties),
      control_(control),
      threads_(threads),
      lattice_(table, score.terms()),
      shape_(table, score),
      rules_(rules_by_bit(rules_by_column, lattice_.column_of_bit())) {
  shape_.set_bits(lattice_.column_of_bit());
  lists_.of_bit.resize(lattice_.column_of_bit().size());
}

std::vector<std::int64_t> DeviceLattice::prices_of_arcs() const {
  std::vector<std::int64_t> prices;
  prices.reserve(lattice_.column_of_bit().size());
  for (int k = 0; k < n_variables(); ++k) prices.push_back(score_.price_of_arcs(k));
  return prices;
}

std::vector<std::uint8_t> DeviceLattice::fitting(int bit) const {
  std::vector<std::uint8_t> fits(score_.n_products(), 0);
  const double levels = table_.levels(column(bit));
  for (std::uint32_t index = 0; index < fits.size(); ++index) {
    fits[index] = score_.product(index) * levels <= rules_.most_cells ? 1 : 0;
  }
  return fits;
}

DeviceLattice::SmallSets DeviceLattice::small_sets() const {
  SmallSets small;
  std::mutex lock;
  const auto keep = [&](std::uint64_t set, std::int64_t value) {
    const std::scoped_lock guard(lock);
    small.sets.push_back(set);
    small.values.push_back(value);
  };
  shape_.count_small_products(keep, control_, threads_);
  return small;
}

std::vector<std::int64_t> DeviceLattice::counted_values(std::span<const std::uint64_t> sets, int config_class) const {
  Counter counter(table_);
  Profile cells, configs;
  std::vector<std::int64_t> values;
  for (std::uint64_t set : sets) {
    cells = {{table_.total}, {1}};
    if (set != 0) {
      std::vector<int> variables;
      for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) variables.push_back(column(std::countr_zero(rest)));
      const int child = variables.back();
      variables.pop_back();
      counter.family(child, variables, cells, configs);
    }
    values.push_back(config_class < 0 ? score_.cells(cells, shape_.product_index(set))
                                      : score_.configs(cells, static_cast<std::size_t>(config_class)));
  }
  return values;
}

void DeviceLattice::take(int bit, std::int64_t base, std::span<const std::uint64_t> parents,
                         std::span<const std::int64_t> scores, std::span<const std::uint8_t> ranks,
                         std::uint64_t scored) {
  CandidateCollector found(GainScale(base, ties_.tolerance), ties_);
  const double levels = table_.levels(column(bit));
  for (std::size_t k = 0; k < parents.size(); ++k) {
    found.add(static_cast<Rank>(ranks[k]), [&] {
      const double configurations = score_.product(shape_.product_index(parents[k]));
      return Candidate{parents[k], scores[k], complexity(configurations, levels, std::popcount(parents[k]))};
    });
  }
  lists_.of_bit[static_cast<std::size_t>(bit)] = found.finish();
  lists_.has_all_ties &= found.has_all_ties();
  lists_.families_scored += scored;
}

CandidateLists DeviceLattice::lists() && {
  sort_candidates(lists_);
  return std::move(lists_);
}

}  // namespace qnml
