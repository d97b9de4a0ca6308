// Forward sampling: draws rows from a Bayesian network, parents before children.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/control.hpp"

namespace qnml {

// One variable. Nodes come in topological order and refer to each other by position in that order.
struct SampledNode {
  std::span<const std::uint32_t> parents;  // each smaller than the node's own position
  std::uint32_t levels = 1;
  // One row of `levels` cumulative probabilities, ending in exactly 1, per parent configuration. Configurations are
  // numbered in mixed radix, the last parent varying fastest.
  std::span<const double> cumulative;
  // For a table that lists only some configurations: their codes, k × parents, in the order of the rows. `cumulative`
  // then has k + 1 rows, the last one for all other configurations.
  bool lists_all = true;
  std::span<const std::int32_t> configs = {};
};

// Memory for the `rows` codes of a node, not owned.
struct SampledColumn {
  void* codes = nullptr;
  bool wide = false;  // 16-bit codes instead of 8-bit
};

// Fills the columns with `rows` rows. The result depends only on nodes and seed, not on the number of threads: every
// block of rows has random streams of its own. A shorter sample is a prefix of a longer one with the same seed. When
// stopped, some rows are not filled. Throws std::invalid_argument if nodes and columns do not match.
void sample_rows(std::span<const SampledNode> nodes, std::span<const SampledColumn> columns, std::size_t rows,
                 std::uint64_t seed, int threads, Control& control);

}  // namespace qnml
