// The terms of cells and configurations of a score as whole numbers, each computed once.
//
// Sums of whole numbers do not depend on the order of the cells.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <shared_mutex>
#include <span>
#include <utility>

#include "core/numbers/level_product.hpp"
#include "core/scores/score.hpp"

namespace qnml {

// Safe to share between threads.
class TermCache {
 public:
  // `log_levels`: the logarithm of the product of the levels of all variables.
  TermCache(const CellScore& score, std::uint64_t total, double log_levels);

  // In nats. The only rounding is that of each term to a whole number.
  double sum_cells(std::span<const std::uint64_t> counts, const LevelProduct& levels);
  double sum_configs(std::span<const std::uint64_t> counts, const LevelProduct& levels, double child_levels);

 private:
  // Zero where no term is known yet. The system provides zeroed memory lazily, and few terms of most tables are used.
  struct Free {
    void operator()(std::int64_t* table) const { std::free(table); }
  };
  using Table = std::unique_ptr<std::int64_t[], Free>;

  using Key = std::pair<double, double>;  // the product of the levels, and the levels of the child
  using Tables = std::map<Key, Table>;
  static constexpr std::size_t kRecent = 1024;

  std::int64_t* table(double product, double child_levels);
  const Tables::value_type* find_or_make(const Key& key);
  template <class Term>
  double sum(std::span<const std::uint64_t> counts, std::int64_t* table, Term&& term) const;

  const CellScore& score_;
  std::size_t length_;
  std::size_t most_tables_;
  double scale_;
  std::shared_mutex lock_;
  Tables tables_;
  // Entries of the map, which stay where they are, to be read without the lock.
  std::array<std::atomic<const Tables::value_type*>, kRecent> recent_{};
};

}  // namespace qnml
