#include "core/model/sampler.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/base/random.hpp"
#include "core/model/config_index.hpp"

namespace qnml {
namespace {

// Rows drawn per random stream. Part of the meaning of a seed: another value gives other samples. At this size the
// scratch arrays stay in the first two cache levels.
constexpr std::size_t block_rows = 4096;

// Up to this many levels, comparing with every threshold beats a binary search (no branch to mispredict).
constexpr std::uint32_t scanned_levels = 8;

// Checks a node and makes its index. Throws std::invalid_argument, as ConfigIndex does.
ConfigIndex checked_index(std::span<const SampledNode> nodes, std::span<const SampledColumn> columns, std::size_t i) {
  const SampledNode& node = nodes[i];
  if (node.levels == 0 || node.levels > (columns[i].wide ? 65536U : 256U))
    throw std::invalid_argument("sample_rows: the codes of a node do not fit its column");
  std::vector<std::uint32_t> levels;
  for (const std::uint32_t parent : node.parents) {
    if (parent >= i) throw std::invalid_argument("sample_rows: a parent must come before its child");
    levels.push_back(nodes[parent].levels);
  }
  const std::size_t rows = node.cumulative.size() / node.levels;
  if (node.cumulative.size() % node.levels != 0 || rows == 0)
    throw std::invalid_argument("sample_rows: a table does not fit its levels");
  if (!node.lists_all) return {levels, node.configs, rows - 1};
  ConfigIndex index(levels);
  if (index.listed() != rows) throw std::invalid_argument("sample_rows: a table does not fit its levels");
  return index;
}

template <class Visitor>
void with_column(const SampledColumn& column, Visitor&& visit) {
  if (column.wide)
    visit(static_cast<std::uint16_t*>(column.codes));
  else
    visit(static_cast<std::uint8_t*>(column.codes));
}

template <class Code>
void draw(const SampledNode& node, const std::uint32_t* places, Xoshiro256& random, Code* codes, std::size_t count) {
  const double* const cumulative = node.cumulative.data();
  const std::size_t levels = node.levels;
  const std::uint32_t thresholds = node.levels - 1;  // the last is 1 and never reached
  if (thresholds == 0) {
    std::fill_n(codes, count, Code{0});
  } else if (thresholds == 1) {
    for (std::size_t row = 0; row < count; ++row) {
      codes[row] = static_cast<Code>(random.uniform() >= cumulative[places[row] * levels]);
    }
  } else if (node.levels <= scanned_levels) {
    for (std::size_t row = 0; row < count; ++row) {
      const double u = random.uniform();
      const double* const distribution = cumulative + places[row] * levels;
      std::uint32_t code = 0;
      for (std::uint32_t k = 0; k < thresholds; ++k) code += static_cast<std::uint32_t>(u >= distribution[k]);
      codes[row] = static_cast<Code>(code);
    }
  } else {
    for (std::size_t row = 0; row < count; ++row) {
      const double u = random.uniform();
      const double* const distribution = cumulative + places[row] * levels;
      codes[row] = static_cast<Code>(std::upper_bound(distribution, distribution + thresholds, u) - distribution);
    }
  }
}

void sample_block(std::span<const SampledNode> nodes, std::span<const ConfigIndex> indices,
                  std::span<const SampledColumn> columns, std::size_t first, std::size_t count, std::uint64_t seed,
                  PackedRows& packed) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const ConfigIndex& index = indices[i];
    index.start(packed, count);
    for (std::size_t k = 0; k < nodes[i].parents.size(); ++k) {
      with_column(columns[nodes[i].parents[k]], [&](const auto* codes) { index.append(packed, k, codes + first); });
    }
    index.find(packed);
    // One stream per block and node, so a row does not depend on how many rows follow it.
    Xoshiro256 random = Xoshiro256::stream(seed, first / block_rows * nodes.size() + i);
    with_column(columns[i], [&](auto* codes) { draw(nodes[i], packed.places.data(), random, codes + first, count); });
  }
}

}  // namespace

void sample_rows(std::span<const SampledNode> nodes, std::span<const SampledColumn> columns, std::size_t rows,
                 std::uint64_t seed, int threads, Control& control) {
  if (nodes.size() != columns.size()) throw std::invalid_argument("sample_rows: one column per node is needed");
  std::vector<ConfigIndex> indices;
  indices.reserve(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) indices.push_back(checked_index(nodes, columns, i));
  const std::size_t blocks = rows / block_rows + (rows % block_rows != 0);
  std::vector<PackedRows> scratch(static_cast<std::size_t>(std::max(threads, 1)));
  parallel_for(blocks, threads, [&](int thread, std::size_t block) {
    if (control.is_stopped()) return;
    const std::size_t first = block * block_rows;
    sample_block(nodes, indices, columns, first, std::min(block_rows, rows - first), seed,
                 scratch[static_cast<std::size_t>(thread)]);
  });
}

}  // namespace qnml
