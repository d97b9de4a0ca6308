// The parts of cells and configurations in a score, in whole numbers, each computed once.
//
// Sums of whole numbers do not depend on the order of the cells.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <shared_mutex>
#include <span>
#include <utility>
#include <vector>

#include "core/score.hpp"

namespace qnml {

// Safe to share between threads.
class TermTables {
 public:
  TermTables(const CellScore& score, std::uint64_t total);

  // In nats, free of rounding but for that of each part to a whole number of units.
  double sum_cells(std::span<const std::uint64_t> counts, const LevelProduct& levels);
  double sum_configs(std::span<const std::uint64_t> counts, const LevelProduct& levels, double child_levels);

 private:
  using Table = std::vector<std::atomic<std::int64_t>>;

  Table* table(double product, double child_levels);
  template <class Term>
  double sum(std::span<const std::uint64_t> counts, Table* table, Term&& term) const;

  const CellScore& score_;
  std::size_t length_;
  std::size_t most_tables_;
  double scale_;
  std::shared_mutex lock_;
  std::map<std::pair<double, double>, std::unique_ptr<Table>> tables_;
};

}  // namespace qnml
