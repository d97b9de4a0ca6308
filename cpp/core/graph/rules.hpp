// The arcs and families that a network may have: the only type of rules, for any number of variables.
//
// Inner loops use masks or lists of parents. Both are views that are derived from the rules only here.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/graph/bit_rows.hpp"

namespace qnml {

// The required arcs are allowed and acyclic, and no child has more of them than it may have parents. A family is
// admitted if it has all required parents, other parents only from `allowed`, at most `max_parents` parents, and at
// most `most_cells` cells; the required parents alone are always admitted. So every subset of an admitted parent set
// that keeps the required parents is admitted too.
struct Rules {
  BitRows allowed;   // row child: possible parents, never the child itself
  BitRows required;  // row child: parents in every network
  std::vector<int> max_parents;
  double most_cells = std::numeric_limits<double>::infinity();  // upper bound on the product of the levels of a family

  // Rules that admit every network.
  static Rules none(int n);
};

constexpr int kMostMaskVariables = 64;

// The rules as masks, for up to kMostMaskVariables variables. Some callers renumber the variables, or tighten the
// rules.
struct MaskRules {
  std::vector<std::uint64_t> allowed;
  std::vector<std::uint64_t> required;
  std::vector<int> max_parents;
  double most_cells = std::numeric_limits<double>::infinity();

  MaskRules() = default;
  explicit MaskRules(const Rules& rules);

  // Whether every set of other variables is admitted for every child.
  bool is_free() const;

  bool admits(int bit, std::uint64_t parents, double cells) const {
    const auto b = static_cast<std::size_t>(bit);
    return (parents & ~allowed[b]) == 0 && (required[b] & ~parents) == 0 && std::popcount(parents) <= max_parents[b] &&
           (cells <= most_cells || parents == required[b]);
  }
};

// The rules as lists of parents in ascending order.
struct ListRules {
  std::vector<std::vector<int>> allowed;  // without the required parents
  std::vector<std::vector<int>> required;
  std::vector<int> max_parents;  // including the required parents
  double most_cells = std::numeric_limits<double>::infinity();

  ListRules() = default;
  explicit ListRules(const Rules& rules);
};

}  // namespace qnml
