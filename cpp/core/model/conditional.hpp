// The conditional tables of a network, made ready for looking rows up: log-probabilities of whole rows, and one
// variable given all others.
//
// Rows come as signed codes in the network's own numbering. A negative code is a cell without a known level. Such a
// cell takes the value 1/levels in its own conditional, and its children use their distribution for configurations
// that are not listed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/config_index.hpp"

namespace qnml {

// One table as given, borrowed.
struct ConditionalTable {
  std::span<const std::uint32_t> parents;  // numbers of other variables
  std::uint32_t levels = 1;
  bool lists_all = true;  // `rows` has all configurations in mixed radix, the last parent changing fastest
  std::span<const std::int32_t> configs;  // k × parents codes otherwise
  std::span<const double> rows;           // one distribution per configuration listed
  std::span<const double> unseen;         // the distribution of any other
};

// One column of rows, borrowed: signed codes of 1, 2 or 4 bytes. Null codes stand for a column that nobody needs.
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
  // Throws std::invalid_argument where a table does not fit its variables. What was given may go afterwards.
  explicit Conditionals(std::span<const ConditionalTable> tables);

  std::size_t variables() const { return nodes_.size(); }
  std::uint32_t levels(std::size_t variable) const { return nodes_[variable].levels; }

  // Natural logarithm of the probability of each row. One column per variable; the result does not depend on threads.
  void log_prob(std::span<const SignedColumn> columns, std::span<double> values, int threads) const;

  // Distribution of the target given all other cells of each row, levels of the target next to each other. Only the
  // columns of its Markov blanket are read. A row that the network holds for impossible gets NaN.
  void predict(std::size_t target, std::span<const SignedColumn> columns, std::span<double> shares, int threads) const;

 private:
  struct Node {
    std::vector<std::uint32_t> parents;
    std::uint32_t levels;
    ConfigIndex index;
    std::vector<double> logs;  // (listed + 1) × levels, the last row for configurations not listed
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
