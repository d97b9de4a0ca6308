#include "core/sampler.hpp"

#include <algorithm>
#include <stdexcept>

#include "core/parallel.hpp"
#include "core/random.hpp"

namespace qnml {
namespace {

// Rows drawn per random stream. Part of what a seed means: another value gives other samples. At this size the
// scratch arrays stay in the first two cache levels.
constexpr std::size_t block_rows = 4096;

// Up to this many levels, comparing with every threshold beats a binary search (no branch to mispredict).
constexpr std::uint32_t scanned_levels = 8;

void check(std::span<const SampledNode> nodes, std::span<const SampledColumn> columns) {
  if (nodes.size() != columns.size()) throw std::invalid_argument("sample_rows: one column per node is needed");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::uint32_t levels = nodes[i].levels;
    if (levels == 0 || levels > (columns[i].wide ? 65536U : 256U))
      throw std::invalid_argument("sample_rows: the codes of a node do not fit its column");
    std::size_t left = nodes[i].cumulative.size();
    bool exact = left % levels == 0;
    left /= levels;
    for (const std::uint32_t parent : nodes[i].parents) {
      if (parent >= i) throw std::invalid_argument("sample_rows: a parent must come before its child");
      exact = exact && left % nodes[parent].levels == 0;
      left /= nodes[parent].levels;
    }
    if (!exact || left != 1) throw std::invalid_argument("sample_rows: a table does not fit its levels");
  }
}

template <class Visitor>
void with_column(const SampledColumn& column, Visitor&& visit) {
  if (column.wide)
    visit(static_cast<std::uint16_t*>(column.codes));
  else
    visit(static_cast<std::uint8_t*>(column.codes));
}

template <class Code>
void draw(const SampledNode& node, const std::size_t* offset, Xoshiro256& random, Code* codes, std::size_t count) {
  const double* const cumulative = node.cumulative.data();
  const std::uint32_t thresholds = node.levels - 1;  // the last is 1 and never reached
  if (thresholds == 0) {
    std::fill_n(codes, count, Code{0});
  } else if (thresholds == 1) {
    for (std::size_t row = 0; row < count; ++row) {
      codes[row] = static_cast<Code>(random.uniform() >= cumulative[offset[row]]);
    }
  } else if (node.levels <= scanned_levels) {
    for (std::size_t row = 0; row < count; ++row) {
      const double u = random.uniform();
      const double* const distribution = cumulative + offset[row];
      std::uint32_t code = 0;
      for (std::uint32_t k = 0; k < thresholds; ++k) code += static_cast<std::uint32_t>(u >= distribution[k]);
      codes[row] = static_cast<Code>(code);
    }
  } else {
    for (std::size_t row = 0; row < count; ++row) {
      const double u = random.uniform();
      const double* const distribution = cumulative + offset[row];
      codes[row] = static_cast<Code>(std::upper_bound(distribution, distribution + thresholds, u) - distribution);
    }
  }
}

void sample_block(std::span<const SampledNode> nodes, std::span<const SampledColumn> columns, std::size_t first,
                  std::size_t count, std::uint64_t seed, std::size_t* offset) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::fill_n(offset, count, std::size_t{0});
    for (const std::uint32_t parent : nodes[i].parents) {
      const std::size_t levels = nodes[parent].levels;
      with_column(columns[parent], [&](const auto* codes) {
        for (std::size_t row = 0; row < count; ++row) offset[row] = offset[row] * levels + codes[first + row];
      });
    }
    const std::size_t levels = nodes[i].levels;
    for (std::size_t row = 0; row < count; ++row) offset[row] *= levels;
    // A stream per block and node: what a row holds then does not depend on how many rows follow it.
    Xoshiro256 random = Xoshiro256::stream(seed, first / block_rows * nodes.size() + i);
    with_column(columns[i], [&](auto* codes) { draw(nodes[i], offset, random, codes + first, count); });
  }
}

}  // namespace

void sample_rows(std::span<const SampledNode> nodes, std::span<const SampledColumn> columns, std::size_t rows,
                 std::uint64_t seed, int threads) {
  check(nodes, columns);
  const std::size_t blocks = rows / block_rows + (rows % block_rows != 0);
  const std::size_t workers =
      std::min(static_cast<std::size_t>(std::max(threads, 1)), std::max<std::size_t>(blocks, 1));
  std::vector<std::size_t> offsets(workers * block_rows);  // per thread: start of each row's distribution
  parallel_for(blocks, threads, [&](int thread, std::size_t block) {
    const std::size_t first = block * block_rows;
    sample_block(nodes, columns, first, std::min(block_rows, rows - first), seed,
                 offsets.data() + static_cast<std::size_t>(thread) * block_rows);
  });
}

}  // namespace qnml
