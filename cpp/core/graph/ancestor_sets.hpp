// Ancestors in a network that changes arc by arc: tells whether an arc would close a cycle.
#pragma once

#include <vector>

#include "core/graph/bit_rows.hpp"

namespace qnml {

class AncestorSets {
 public:
  explicit AncestorSets(int n) : ancestors_(n) {}

  // Whether `other` is an ancestor of the variable.
  bool test(int variable, int other) const { return ancestors_.test(variable, other); }

  // Computes all sets from the parents of each variable, which must form no cycle.
  void set(const std::vector<std::vector<int>>& parents);
  // After the parents of one variable changed: recomputes it and its descendants.
  void update(const std::vector<std::vector<int>>& parents, int variable);

 private:
  void settle(const std::vector<std::vector<int>>& parents, int variable, std::vector<char>& done);

  BitRows ancestors_;  // row i: the ancestors of i
};

}  // namespace qnml
