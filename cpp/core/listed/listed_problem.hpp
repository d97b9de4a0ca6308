// The input of every search among listed families: the families, the rules, and limits.
#pragma once

#include <cstdint>
#include <limits>

#include "core/graph/rules.hpp"
#include "core/listed/listed_families.hpp"

namespace qnml {

struct ListedProblem {
  ListedFamilies families;  // those that the rules admit
  Rules rules;
  double memory_limit = std::numeric_limits<double>::infinity();  // bytes
  int threads = 1;
  std::uint64_t seed = 0;

  int n_variables() const { return families.n_variables(); }
};

}  // namespace qnml
