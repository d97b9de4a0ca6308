#include "core/inference/elimination_order.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace qnml {
namespace {

enum class Rule { kFill, kWeightedFill, kTable };

// The graph during elimination: one row of bits for every variable.
class Shrinking {
 public:
  Shrinking(const InteractionGraph& graph, Rule rule)
      : levels_(graph.levels), rule_(rule), words_((graph.levels.size() + 63) / 64) {
    rows_.assign(graph.levels.size() * words_, 0);
    for (std::uint32_t v = 0; v < graph.levels.size(); ++v) {
      for (const std::uint32_t other : graph.neighbours[v]) set(v, other);
    }
    cost_.resize(graph.levels.size());
    for (std::uint32_t v = 0; v < cost_.size(); ++v) cost_[v] = cost_of(v);
  }

  double cost(std::uint32_t v) const { return cost_[v]; }

  std::vector<std::uint32_t> neighbours(std::uint32_t v) const {
    std::vector<std::uint32_t> found;
    for (std::size_t word = 0; word < words_; ++word) {
      for (std::uint64_t bits = row(v)[word]; bits != 0; bits &= bits - 1)
        found.push_back(static_cast<std::uint32_t>((word * 64) + static_cast<std::size_t>(std::countr_zero(bits))));
    }
    return found;
  }

  double table(std::uint32_t v) const {
    double entries = levels_[v];
    for (const std::uint32_t other : neighbours(v)) entries *= levels_[other];
    return entries;
  }

  // Removes a variable after making its neighbours neighbours of each other.
  void remove(std::uint32_t v, const std::vector<std::uint32_t>& around) {
    for (const std::uint32_t one : around) clear(one, v);
    for (std::size_t i = 0; i < around.size(); ++i) {
      for (std::size_t j = i + 1; j < around.size(); ++j) {
        if (!has(around[i], around[j])) join(around[i], around[j]);
      }
    }
    for (const std::uint32_t one : around) cost_[one] = cost_of(one);
  }

 private:
  std::uint64_t* row(std::uint32_t v) { return rows_.data() + v * words_; }
  const std::uint64_t* row(std::uint32_t v) const { return rows_.data() + v * words_; }
  bool has(std::uint32_t v, std::uint32_t other) const { return (row(v)[other / 64] >> (other % 64) & 1) != 0; }
  void set(std::uint32_t v, std::uint32_t other) { row(v)[other / 64] |= std::uint64_t{1} << (other % 64); }
  void clear(std::uint32_t v, std::uint32_t other) { row(v)[other / 64] &= ~(std::uint64_t{1} << (other % 64)); }

  double edge(std::uint32_t one, std::uint32_t other) const {
    return rule_ == Rule::kFill ? 1.0 : static_cast<double>(levels_[one]) * levels_[other];
  }

  void join(std::uint32_t one, std::uint32_t other) {
    set(one, other);
    set(other, one);
    if (rule_ == Rule::kTable) return;
    // Whoever is next to both needs one new edge less.
    for (std::size_t word = 0; word < words_; ++word) {
      for (std::uint64_t bits = row(one)[word] & row(other)[word]; bits != 0; bits &= bits - 1)
        cost_[(word * 64) + static_cast<std::size_t>(std::countr_zero(bits))] -= edge(one, other);
    }
  }

  double cost_of(std::uint32_t v) const {
    if (rule_ == Rule::kTable) return table(v);
    const std::vector<std::uint32_t> around = neighbours(v);
    double sum = 0.0;
    for (const std::uint32_t one : around) {
      for (std::size_t word = 0; word < words_; ++word) {
        std::uint64_t not_adjacent = row(v)[word] & ~row(one)[word];
        if (rule_ == Rule::kFill) {
          sum += std::popcount(not_adjacent);
          continue;
        }
        for (; not_adjacent != 0; not_adjacent &= not_adjacent - 1) {
          const auto other =
              static_cast<std::uint32_t>((word * 64) + static_cast<std::size_t>(std::countr_zero(not_adjacent)));
          if (other != one) sum += edge(one, other);
        }
      }
      if (rule_ == Rule::kFill) sum -= 1.0;  // a variable is not its own neighbour
    }
    return sum / 2.0;
  }

  const std::vector<std::uint32_t>& levels_;
  Rule rule_;
  std::size_t words_;
  std::vector<std::uint64_t> rows_;
  std::vector<double> cost_;
};

// Stops when it costs more than `most`.
VariableOrder greedy_order(const InteractionGraph& graph, Rule rule, double most) {
  VariableOrder order;
  Shrinking shrinking(graph, rule);
  std::vector<std::uint32_t> left(graph.levels.size());
  for (std::uint32_t v = 0; v < left.size(); ++v) left[v] = v;
  while (!left.empty() && order.entries <= most) {
    std::size_t best = 0;
    for (std::size_t place = 1; place < left.size(); ++place) {
      const std::uint32_t one = left[place];
      const std::uint32_t other = left[best];
      if (graph.phase[one] != graph.phase[other]) {
        if (graph.phase[one] < graph.phase[other]) best = place;
      } else if (shrinking.cost(one) != shrinking.cost(other)) {
        if (shrinking.cost(one) < shrinking.cost(other)) best = place;
      } else if (one < other) {
        best = place;
      }
    }
    const std::uint32_t chosen = left[best];
    left[best] = left.back();
    left.pop_back();
    order.entries += shrinking.table(chosen);
    order.variables.push_back(chosen);
    order.neighbours.push_back(shrinking.neighbours(chosen));
    shrinking.remove(chosen, order.neighbours.back());
  }
  return order;
}

}  // namespace

VariableOrder elimination_order(const InteractionGraph& graph) {
  VariableOrder best = greedy_order(graph, Rule::kFill, 1e300);
  for (const Rule rule : {Rule::kWeightedFill, Rule::kTable}) {
    VariableOrder other = greedy_order(graph, rule, best.entries);
    if (other.variables.size() == graph.levels.size() && other.entries < best.entries) best = std::move(other);
  }
  return best;
}

}  // namespace qnml
