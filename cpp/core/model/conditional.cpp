#include "core/model/conditional.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/model/config_index.hpp"

namespace qnml {
namespace {

// Small enough that words, places and results of a block stay in the nearest caches.
constexpr std::size_t block_rows = 1024;

template <class Work>
void over_blocks(std::size_t rows, int threads, Work&& work) {
  const std::size_t blocks = rows / block_rows + (rows % block_rows != 0);
  parallel_for(blocks, threads, [&](int thread, std::size_t block) {
    const std::size_t first = block * block_rows;
    work(static_cast<std::size_t>(thread), first, std::min(block_rows, rows - first));
  });
}

std::vector<double> logarithms(const ConditionalTable& table) {
  std::vector<double> logs;
  logs.reserve(table.rows.size() + table.levels);
  for (const double p : table.rows) logs.push_back(std::log(p));
  for (const double p : table.unseen) logs.push_back(std::log(p));
  return logs;
}

ConfigIndex index_of(const ConditionalTable& table, std::span<const ConditionalTable> tables) {
  std::vector<std::uint32_t> levels;
  for (const std::uint32_t parent : table.parents) {
    if (parent >= tables.size()) throw std::invalid_argument("a parent is no variable");
    levels.push_back(tables[parent].levels);
  }
  if (table.levels == 0 || table.unseen.size() != table.levels || table.rows.size() % table.levels != 0)
    throw std::invalid_argument("a table does not fit its levels");
  const std::size_t k = table.rows.size() / table.levels;
  if (!table.lists_all) return {levels, table.configs, k};
  ConfigIndex index(levels);
  if (index.listed() != k) throw std::invalid_argument("a table does not fit the levels of its parents");
  return index;
}

void require(std::span<const SignedColumn> columns, std::span<const std::uint32_t> variables) {
  for (const std::uint32_t variable : variables) {
    if (columns[variable].codes == nullptr) throw std::invalid_argument("a column that is needed is not there");
  }
}

// Converts logarithms, known up to a constant, into probabilities in place; NaN if every logarithm is minus infinity.
void to_shares(double* values, std::size_t levels) {
  const double highest = *std::max_element(values, values + levels);
  if (highest == -std::numeric_limits<double>::infinity()) {
    std::fill_n(values, levels, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  double sum = 0.0;
  for (std::size_t level = 0; level < levels; ++level) sum += values[level] = std::exp(values[level] - highest);
  for (std::size_t level = 0; level < levels; ++level) values[level] /= sum;
}

}  // namespace

Conditionals::Conditionals(std::span<const ConditionalTable> tables) : children_(tables.size()) {
  nodes_.reserve(tables.size());
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const ConditionalTable& table = tables[i];
    nodes_.push_back({{table.parents.begin(), table.parents.end()},
                      table.levels,
                      index_of(table, tables),
                      logarithms(table),
                      -std::log(static_cast<double>(table.levels))});
    for (const std::uint32_t parent : table.parents) children_[parent].push_back(static_cast<std::uint32_t>(i));
  }
}

void Conditionals::place(const Node& node, std::span<const SignedColumn> columns, std::size_t first, std::size_t count,
                         PackedRows& packed) const {
  node.index.start(packed, count);
  for (std::size_t k = 0; k < node.parents.size(); ++k) {
    with_signed_codes(columns[node.parents[k]],
                      [&](const auto* codes) { node.index.append(packed, k, codes + first); });
  }
  node.index.find(packed);
}

void Conditionals::log_prob(std::span<const SignedColumn> columns, std::span<double> values, int threads) const {
  if (columns.size() != nodes_.size()) throw std::invalid_argument("one column per variable is needed");
  if (values.empty()) return;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) require(columns, {&i, 1});
  std::vector<PackedRows> scratch(static_cast<std::size_t>(std::max(threads, 1)));
  over_blocks(values.size(), threads, [&](std::size_t thread, std::size_t first, std::size_t count) {
    PackedRows& packed = scratch[thread];
    double* const sums = values.data() + first;
    std::fill_n(sums, count, 0.0);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      place(node, columns, first, count, packed);
      const double* const logs = node.logs.data();
      const std::uint32_t* const places = packed.places.data();
      with_signed_codes(columns[i], [&](const auto* codes) {
        for (std::size_t row = 0; row < count; ++row) {
          const auto code = codes[first + row];
          sums[row] += code < 0
                           ? node.log_share
                           : logs[static_cast<std::size_t>(places[row]) * node.levels + static_cast<std::size_t>(code)];
        }
      });
    }
  });
}

void Conditionals::predict(std::size_t target, std::span<const SignedColumn> columns, std::span<double> shares,
                           int threads) const {
  if (columns.size() != nodes_.size()) throw std::invalid_argument("one column per variable is needed");
  const Node& node = nodes_.at(target);
  const std::size_t levels = node.levels;
  if (shares.size() % levels != 0) throw std::invalid_argument("the result does not fit the levels of the target");
  if (shares.empty()) return;
  require(columns, node.parents);
  require(columns, children_[target]);
  for (const std::uint32_t child : children_[target]) {
    for (const std::uint32_t parent : nodes_[child].parents) {
      if (parent != target) require(columns, {&parent, 1});
    }
  }
  std::vector<PackedRows> scratch(static_cast<std::size_t>(std::max(threads, 1)));
  over_blocks(shares.size() / levels, threads, [&](std::size_t thread, std::size_t first, std::size_t count) {
    PackedRows& packed = scratch[thread];
    double* const block = shares.data() + first * levels;
    place(node, columns, first, count, packed);
    for (std::size_t row = 0; row < count; ++row) {
      std::copy_n(node.logs.data() + packed.places[row] * levels, levels, block + row * levels);
    }
    for (const std::uint32_t child : children_[target]) add_child(child, target, columns, first, count, packed, block);
    for (std::size_t row = 0; row < count; ++row) to_shares(block + row * levels, levels);
  });
}

// Adds the log-probabilities of one child's cell under each level of the target.
void Conditionals::add_child(std::size_t child, std::size_t target, std::span<const SignedColumn> columns,
                             std::size_t first, std::size_t count, PackedRows& packed, double* block) const {
  const Node& node = nodes_[child];
  const std::size_t levels = nodes_[target].levels;
  const auto turn =
      static_cast<std::size_t>(std::find(node.parents.begin(), node.parents.end(), target) - node.parents.begin());
  node.index.start(packed, count);
  for (std::size_t k = 0; k < node.parents.size(); ++k) {
    if (k == turn) {
      node.index.append_first(packed, k);
    } else {
      with_signed_codes(columns[node.parents[k]],
                        [&](const auto* codes) { node.index.append(packed, k, codes + first); });
    }
  }
  for (std::size_t level = 0; level < levels; ++level) {
    if (level > 0) node.index.advance(packed, turn);
    node.index.find(packed);
    with_signed_codes(columns[child], [&](const auto* codes) {
      for (std::size_t row = 0; row < count; ++row) {
        const auto code = codes[first + row];
        if (code < 0) continue;  // the same probability under every level of the target
        block[row * levels + level] +=
            node.logs[static_cast<std::size_t>(packed.places[row]) * node.levels + static_cast<std::size_t>(code)];
      }
    });
  }
}

}  // namespace qnml
