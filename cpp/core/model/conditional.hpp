// The conditional probability tables of a network, prepared for looking up rows: log-probabilities of whole rows, and
// the distribution of one variable given all others.
//
// Rows come as signed codes in the network's own numbering. A negative code is a cell without a known level. Such a
// cell has the probability 1/levels in its own conditional, and its children use their distribution for unlisted
// configurations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/config_index.hpp"

namespace qnml {

// One table as given; does not own its data.
struct ConditionalTable {
  std::span<const std::uint32_t> parents;  // indices of other variables
  std::uint32_t levels = 1;
  bool lists_all = true;  // `rows` has all configurations in mixed radix, the last parent varying fastest
  std::span<const std::int32_t> configs;  // otherwise: k × parents codes
  std::span<const double> rows;           // one distribution per listed configuration
  std::span<const double> unseen;         // the distribution for any other configuration
};

// One column of rows, not owned: signed codes of 1, 2 or 4 bytes. Null codes stand for a column that is not needed.
struct SignedColumn {
  const void* codes = nullptr;
  int bytes = 1;
};

template <class Visitor>
auto with_signed_codes(const SignedColumn& column, Visitor&& visit) {
  if (column.bytes == 1) return visit(static_cast<const std::int8_t*>(column.codes));
  if (column.bytes == 2) return visit(static_cast<const std::int16_t*>(column.codes));
  return visit(static_cast<const std::int32_t*>(column.codes));
}

class Conditionals {
 public:
  // Throws std::invalid_argument if a table does not fit its variables. The arguments need not outlive the call.
  explicit Conditionals(std::span<const ConditionalTable> tables);

  std::size_t variables() const { return nodes_.size(); }
  std::uint32_t levels(std::size_t variable) const { return nodes_[variable].levels; }

  // Log-probability of each row. One column per variable; the result does not depend on the number of threads.
  void log_prob(std::span<const SignedColumn> columns, std::span<double> values, int threads) const;

  // Distribution of the target given all other cells of each row; the levels of the target are contiguous. Reads only
  // the columns of its Markov blanket. A row that is impossible under the network gets NaN.
  void predict(std::size_t target, std::span<const SignedColumn> columns, std::span<double> shares, int threads) const;

 private:
  struct Node {
    std::vector<std::uint32_t> parents;
    std::uint32_t levels;
    ConfigIndex index;
    std::vector<double> logs;  // (listed + 1) × levels, the last row for unlisted configurations
    double log_share;          // of an unknown level
  };
  void place(const Node& node, std::span<const SignedColumn> columns, std::size_t first, std::size_t count,
             PackedRows& packed) const;
  void add_child(std::size_t child, std::size_t target, std::span<const SignedColumn> columns, std::size_t first,
                 std::size_t count, PackedRows& packed, double* block) const;

  std::vector<Node> nodes_;
  std::vector<std::vector<std::uint32_t>> children_;
};

}  // namespace qnml
