#include "core/scores/counted_sets.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/line_buffer.hpp"
#include "core/base/parallel.hpp"
#include "core/counting/columns.hpp"
#include "core/counting/count.hpp"
#include "core/counting/lattice.hpp"
#include "core/counting/simd_counts.hpp"
#include "core/scores/integer_score.hpp"

namespace qnml {
namespace {

constexpr std::int64_t kUnknown = std::numeric_limits<std::int64_t>::min();

// The work of one thread. Sets are counted one after the other, each for all row weights at once.
template <class Count>
class SetCounter {
 public:
  SetCounter(const Columns& table, const IntegerScore& score, const Count* rows, const LaneCount& lanes)
      : table_(table),
        score_(score),
        rows_(rows),
        given_(lanes),
        lanes_(static_cast<std::size_t>(lanes.all)),
        counter_(table) {}

  void run(const AlikeSets& alike, const ValueReceiver& receive, Control& control) {
    terms_.assign(table_.total + 1, kUnknown);
    terms_[0] = 0;
    // Most terms are needed, unless counts can be very large.
    if constexpr (sizeof(Count) == 2) {
      for (std::uint64_t count = 1; count <= table_.total; ++count) terms_[count] = score_.cell(count, alike.index);
    }
    for (std::uint64_t set : alike.sets) {
      if (control.is_stopped()) return;
      count(set);
      if constexpr (sizeof(Count) > 2) {
        for (const SmallCell<Count>& cell : cells_) know_terms(cell.one, alike.index);
      }
      TermTable table;
      table.set(0, terms_.data(), terms_.size());
      values_.assign(lanes_, 0);
      add_small_cells(cells_.data(), cells_.size(), table, values_.data(), values_.data(), given_);
      receive(set, values_.data());
    }
  }

 private:
  // The cells of the set. A cell of one row has the counts of that row.
  void count(std::uint64_t set) {
    std::vector<int> variables;
    for (; set != 0; set &= set - 1) variables.push_back(std::countr_zero(set));
    std::uint32_t seen = 1;
    if (variables.empty()) {
      labels_.assign(table_.rows, 0);
    } else {
      seen = counter_.partition(variables, labels_);
    }
    counts_.reserve(seen * lanes_);
    cells_.assign(seen, {nullptr, nullptr, 0});
    sums_.clear();
    for (std::size_t row = 0; row < table_.rows; ++row) {
      const Count* mine = rows_ + row * lanes_;
      const Count*& cell = cells_[labels_[row]].one;
      if (cell != nullptr) {
        Count* sum = counts_.data() + labels_[row] * lanes_;
        sums_.push_back({sum, cell, mine});
        mine = sum;
      }
      cell = mine;
    }
    sum_counts(sums_.data(), sums_.size(), given_.all);
  }

  void know_terms(const Count* counts, std::uint32_t index) {
    for (std::size_t k = 0; k < lanes_; ++k) {
      std::int64_t& term = terms_[counts[k]];
      if (term == kUnknown) term = score_.cell(counts[k], index);
    }
  }

  const Columns& table_;
  const IntegerScore& score_;
  const Count* rows_;
  LaneCount given_;
  std::size_t lanes_;
  Counter counter_;
  std::vector<std::int64_t> terms_;  // by count, for one product of levels
  std::vector<std::uint32_t> labels_;
  LineBuffer<Count> counts_;
  std::vector<SmallCell<Count>> cells_;
  std::vector<CountSum<Count>> sums_;
  std::vector<std::int64_t> values_;
};

template <class Count>
void value_all(const Columns& table, const IntegerScore& score, const Lattice::ManyWeights& weights,
               const std::vector<AlikeSets>& alike, const ValueReceiver& receive, Control& control, int threads) {
  const std::size_t lanes = Lattice::lanes_for(weights.size());
  const LaneCount sizes{static_cast<int>(lanes), static_cast<int>(weights.size())};
  LineBuffer<Count> rows;
  rows.reserve(table.rows * lanes);
  std::fill_n(rows.data(), table.rows * lanes, Count{0});
  for (std::size_t k = 0; k < weights.size(); ++k) {
    for (std::size_t row = 0; row < table.rows; ++row)
      rows.data()[row * lanes + k] = static_cast<Count>(weights[k][row]);
  }
  std::vector<std::unique_ptr<SetCounter<Count>>> counters(static_cast<std::size_t>(std::max(threads, 1)));
  parallel_for(alike.size(), threads, [&](int thread, std::size_t task) {
    auto& mine = counters[static_cast<std::size_t>(thread)];
    if (!mine) mine = std::make_unique<SetCounter<Count>>(table, score, rows.data(), sizes);
    mine->run(alike[task], receive, control);
  });
}

}  // namespace

void value_counted_sets(const Columns& table, const IntegerScore& score, const Lattice::ManyWeights& weights,
                        const std::vector<AlikeSets>& alike, const ValueReceiver& receive, Control& control,
                        int threads) {
  if (table.total <= std::numeric_limits<std::uint16_t>::max()) {
    value_all<std::uint16_t>(table, score, weights, alike, receive, control, threads);
  } else {
    value_all<std::uint32_t>(table, score, weights, alike, receive, control, threads);
  }
}

}  // namespace qnml
