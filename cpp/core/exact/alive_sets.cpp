#include "core/exact/alive_sets.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/counting/columns.hpp"
#include "core/counting/count.hpp"
#include "core/scores/integer_score.hpp"

namespace qnml {

const Profile& SetCounting::cells(std::uint64_t set) {
  if (set == 0) return cells_ = {{total_}, {1}};
  members_.clear();
  for (; set != 0; set &= set - 1) members_.push_back(std::countr_zero(set));
  const int last = members_.back();
  members_.pop_back();
  counter_.family(last, members_, cells_, configs_);
  return cells_;
}

void NeededSets::compute(const Columns& table, const IntegerScore& score, std::vector<std::uint64_t> sets,
                         const NeededSets& previous, Control& control, int threads) {
  sets_ = std::move(sets);
  values_.resize(sets_.size());
  classes_ = score.n_config_classes();
  configs_.resize(classes_ * sets_.size());
  index_.assign(std::bit_ceil(2 * sets_.size() + 1), 0);
  for (std::size_t i = 0; i < sets_.size(); ++i) index_[slot(sets_[i])] = static_cast<std::uint32_t>(i + 1);
  constexpr std::size_t kChunk = 64;
  parallel_for((sets_.size() + kChunk - 1) / kChunk, threads, [&](int, std::size_t chunk) {
    SetCounting counting(table);
    const std::size_t last = std::min(sets_.size(), (chunk + 1) * kChunk);
    for (std::size_t i = chunk * kChunk; i < last && !control.is_stopped(); ++i) {
      if (const Value* known = previous.find(sets_[i])) {
        values_[i] = *known;
        for (std::size_t k = 0; k < classes_; ++k) configs_[i * classes_ + k] = previous.configs(*known, k);
      } else {
        count(i, counting, score);
      }
    }
  });
}

void NeededSets::count(std::size_t i, SetCounting& counting, const IntegerScore& score) {
  const Profile& cells = counting.cells(sets_[i]);
  values_[i].cells = score.is_direct() ? 0 : score.cells(cells, product_index(score, sets_[i]));
  values_[i].seen = cells.seen();
  for (std::size_t k = 0; k < classes_; ++k) configs_[i * classes_ + k] = score.configs(cells, k);
}

std::uint32_t product_index(const IntegerScore& score, std::uint64_t set) {
  std::uint32_t index = 0;
  for (; set != 0; set &= set - 1) index += score.stride(std::countr_zero(set));
  return index;
}

}  // namespace qnml
