#include "core/chains/uncommon_families.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "core/numbers/minus_infinity.hpp"
#include "core/problem/search_problem.hpp"

namespace qnml {

UncommonFamilies::UncommonFamilies(const SearchProblem& problem, double memory_bytes)
    : limits_(problem.rules),
      cache_(problem.table, problem.score, limits_.most_cells, memory_bytes, problem.part_scores) {
  for (std::size_t child = 0; child < limits_.required.size(); ++child) {
    cache_.admit(static_cast<int>(child), limits_.required[child]);
  }
}

double UncommonFamilies::log_weight(int child, const std::vector<int>& parents) {
  // The required parents alone are admitted whatever the limits.
  const bool is_least = parents.size() == limits_.required[static_cast<std::size_t>(child)].size();
  if (!is_least && !has_room(child, parents.size())) return kMinusInfinity;
  return cache_.score(child, parents);
}

void UncommonFamilies::additions(int child, const std::vector<int>& parents, std::span<const int> others,
                                 double* log_weights) {
  if (!has_room(child, parents.size() + 1)) {
    std::fill_n(log_weights, others.size(), kMinusInfinity);
    return;
  }
  cache_.additions(child, parents, others, log_weights);
}

}  // namespace qnml
