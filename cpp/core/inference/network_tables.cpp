#include "core/inference/network_tables.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "core/model/conditional.hpp"

namespace qnml {
namespace {

void normalise(std::vector<double>& rows, std::size_t levels) {
  for (std::size_t start = 0; start < rows.size(); start += levels) {
    const double sum = std::accumulate(rows.begin() + static_cast<std::ptrdiff_t>(start),
                                       rows.begin() + static_cast<std::ptrdiff_t>(start + levels), 0.0);
    if (sum == 1.0) continue;
    for (std::size_t level = 0; level < levels; ++level) rows[start + level] /= sum;
  }
}

// Calls visit(index in the result, offset) for every configuration of the axes.
template <class Visit>
void over_configurations(std::span<const NetworkTables::Axis> axes, const std::vector<std::uint32_t>& levels,
                         const std::vector<std::size_t>& steps, Visit&& visit) {
  std::vector<std::uint32_t> digits(axes.size(), 0);
  std::size_t index = 0;
  std::size_t offset = 0;
  while (true) {
    visit(index, offset);
    std::size_t axis = axes.size();
    while (axis > 0) {
      --axis;
      index += axes[axis].stride;
      offset += steps[axis];
      if (++digits[axis] < levels[axis]) break;
      index -= axes[axis].stride * levels[axis];
      offset -= steps[axis] * levels[axis];
      digits[axis] = 0;
      if (axis == 0) return;
    }
    if (axes.empty()) return;
  }
}

}  // namespace

NetworkTables::NetworkTables(std::span<const ConditionalTable> tables) {
  nodes_.resize(tables.size());
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const ConditionalTable& table = tables[i];
    Node& node = nodes_[i];
    node.parents.assign(table.parents.begin(), table.parents.end());
    node.levels = table.levels;
    node.lists_all = table.lists_all;
    node.configs.assign(table.configs.begin(), table.configs.end());
    node.rows.assign(table.rows.begin(), table.rows.end());
    node.unseen.assign(table.unseen.begin(), table.unseen.end());
    const bool fits = node.levels > 0 && node.rows.size() % node.levels == 0 && node.unseen.size() == node.levels;
    if (!fits) throw std::invalid_argument("NetworkTables: a table does not fit its levels");
    normalise(node.rows, node.levels);
    normalise(node.unseen, node.levels);
  }
  for (Node& node : nodes_) {
    std::size_t size = node.levels;
    node.strides.assign(node.parents.size() + 1, 1);
    for (std::size_t k = node.parents.size(); k-- > 0;) {
      if (node.parents[k] >= nodes_.size()) throw std::invalid_argument("NetworkTables: a parent is no variable");
      node.strides[k] = size;
      if (node.lists_all) size *= nodes_[node.parents[k]].levels;
    }
    if (node.lists_all && size != node.rows.size())
      throw std::invalid_argument("NetworkTables: a table does not fit its parents");
    if (!node.lists_all && node.configs.size() * node.levels != node.rows.size() * node.parents.size())
      throw std::invalid_argument("NetworkTables: a table does not fit its configurations");
  }
}

std::uint32_t NetworkTables::levels_of_member(const Node& node, std::uint32_t member) const {
  return member == node.parents.size() ? node.levels : nodes_[node.parents[member]].levels;
}

void NetworkTables::slice(std::size_t variable, std::span<const std::int32_t> codes, std::span<const Axis> axes,
                          std::span<double> result) const {
  const Node& node = nodes_[variable];
  if (!node.lists_all) {
    slice_listed(variable, codes, axes, result);
    return;
  }
  std::size_t start = 0;
  std::size_t next = 0;
  std::vector<bool> is_free(node.parents.size() + 1, false);
  for (const Axis& axis : axes) is_free[axis.member] = true;
  for (; next <= node.parents.size(); ++next) {
    if (is_free[next]) continue;
    const std::size_t member = next == node.parents.size() ? variable : node.parents[next];
    start += static_cast<std::size_t>(codes[member]) * node.strides[next];
  }
  slice_full(node, start, axes, result);
}

void NetworkTables::slice_full(const Node& node, std::size_t start, std::span<const Axis> axes,
                               std::span<double> result) const {
  std::vector<std::uint32_t> levels;
  std::vector<std::size_t> steps;
  for (const Axis& axis : axes) {
    levels.push_back(levels_of_member(node, axis.member));
    steps.push_back(node.strides[axis.member]);
  }
  over_configurations(axes, levels, steps,
                      [&](std::size_t index, std::size_t offset) { result[index] = node.rows[start + offset]; });
}

void NetworkTables::slice_listed(std::size_t variable, std::span<const std::int32_t> codes, std::span<const Axis> axes,
                                 std::span<double> result) const {
  const Node& node = nodes_[variable];
  const std::size_t parents = node.parents.size();
  std::vector<std::size_t> stride_of(parents + 1, 0);
  std::vector<bool> is_free(parents + 1, false);
  std::vector<std::uint32_t> levels;
  std::vector<std::size_t> steps;
  for (const Axis& axis : axes) {
    stride_of[axis.member] = axis.stride;
    is_free[axis.member] = true;
    levels.push_back(levels_of_member(node, axis.member));
    steps.push_back(axis.member == parents ? 1 : 0);
  }
  const std::size_t fixed_level = is_free[parents] ? 0 : static_cast<std::size_t>(codes[variable]);
  over_configurations(axes, levels, steps, [&](std::size_t index, std::size_t offset) {
    result[index] = node.unseen[fixed_level + offset];
  });
  const std::size_t listed = node.rows.size() / node.levels;
  for (std::size_t row = 0; row < listed; ++row) {
    std::size_t index = 0;
    bool agrees = true;
    for (std::size_t k = 0; k < parents && agrees; ++k) {
      const std::int32_t code = node.configs[row * parents + k];
      if (is_free[k]) {
        index += static_cast<std::size_t>(code) * stride_of[k];
      } else {
        agrees = code == codes[node.parents[k]];
      }
    }
    if (!agrees) continue;
    const double* const distribution = node.rows.data() + row * node.levels;
    if (is_free[parents]) {
      for (std::size_t level = 0; level < node.levels; ++level)
        result[index + level * stride_of[parents]] = distribution[level];
    } else {
      result[index] = distribution[fixed_level];
    }
  }
}

}  // namespace qnml
