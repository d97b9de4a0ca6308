// The parent sets of one size that proven bounds have not pruned (alive sets), and the values of sets that scoring
// needs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/random.hpp"
#include "core/counting/columns.hpp"
#include "core/counting/count.hpp"
#include "core/scores/integer_score.hpp"

namespace qnml {

// Counts the cells of sets, reusing its memory.
class SetCounting {
 public:
  explicit SetCounting(const Columns& table) : total_(table.total), counter_(table) {}

  const Profile& cells(std::uint64_t set);

 private:
  std::uint64_t total_;
  Counter counter_;
  Profile cells_, configs_;
  std::vector<int> members_;
};

// The values of the sets that scoring the families of one size needs, by set.
class NeededSets {
 public:
  struct Value {
    std::int64_t cells = 0;
    std::uint64_t seen = 0;
  };

  // Copies the values that `previous` contains. Incomplete when stopped.
  void compute(const Columns& table, const IntegerScore& score, std::vector<std::uint64_t> sets,
               const NeededSets& previous, Control& control, int threads);

  const Value* find(std::uint64_t set) const {
    if (index_.empty()) return nullptr;
    const std::uint32_t found = index_[slot(set)];
    return found == 0 ? nullptr : &values_[found - 1];
  }

  // `value` must come from `find`.
  std::int64_t configs(const Value& value, std::size_t config_class) const {
    return configs_[static_cast<std::size_t>(&value - values_.data()) * classes_ + config_class];
  }

 private:
  void count(std::size_t i, SetCounting& counting, const IntegerScore& score);

  std::size_t slot(std::uint64_t set) const {
    std::size_t at = mix64(set) & (index_.size() - 1);
    while (index_[at] != 0 && sets_[index_[at] - 1] != set) at = (at + 1) & (index_.size() - 1);
    return at;
  }
  std::vector<std::uint64_t> sets_;
  std::vector<Value> values_;
  std::size_t classes_ = 0;
  std::vector<std::int64_t> configs_;  // in one array: millions of small ones would take seconds to free
  std::vector<std::uint32_t> index_;
};

// The alive parent sets of one child and of the current size, each with the best score among itself and its subsets.
class AliveSets {
 public:
  const std::vector<std::uint64_t>& sets() const { return sets_; }

  // No set may be added twice.
  void add(std::uint64_t set, std::int64_t best) {
    if (2 * (sets_.size() + 1) > index_.size()) grow();
    sets_.push_back(set);
    best_.push_back(best);
    index_[slot(set)] = static_cast<std::uint32_t>(sets_.size());
  }

  const std::int64_t* find(std::uint64_t set) const {
    if (index_.empty()) return nullptr;
    const std::uint32_t found = index_[slot(set)];
    return found == 0 ? nullptr : &best_[found - 1];
  }

 private:
  std::size_t slot(std::uint64_t set) const {
    std::size_t at = mix64(set) & (index_.size() - 1);
    while (index_[at] != 0 && sets_[index_[at] - 1] != set) at = (at + 1) & (index_.size() - 1);
    return at;
  }
  void grow() {
    index_.assign(std::max<std::size_t>(16, 2 * index_.size()), 0);
    for (std::size_t i = 0; i < sets_.size(); ++i) index_[slot(sets_[i])] = static_cast<std::uint32_t>(i + 1);
  }

  std::vector<std::uint64_t> sets_;
  std::vector<std::int64_t> best_;
  std::vector<std::uint32_t> index_;
};

// The index of a set's product of levels in the tables of a score.
std::uint32_t product_index(const IntegerScore& score, std::uint64_t set);

}  // namespace qnml
