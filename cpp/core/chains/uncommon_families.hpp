// Weights of families with any admitted parents, counted on demand.
//
// Sums over parent sets exist only for a few candidates. Families outside them are weighed one at a time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/graph/rules.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/family_cache.hpp"

namespace qnml {

// Thread-safe. The problem must outlive it.
class UncommonFamilies {
 public:
  UncommonFamilies(const SearchProblem& problem, double memory_bytes);

  const ListRules& limits() const { return limits_; }

  // Parents in ascending order, including the required ones; minus infinity if they are not admitted.
  double log_weight(int child, const std::vector<int>& parents);

  // The same for the parents plus one more, for each of `others`.
  void additions(int child, const std::vector<int>& parents, std::span<const int> others, double* log_weights);

 private:
  bool has_room(int child, std::size_t parents) const {
    return static_cast<int>(parents) <= limits_.max_parents[static_cast<std::size_t>(child)];
  }

  ListRules limits_;
  FamilyCache cache_;
};

}  // namespace qnml
