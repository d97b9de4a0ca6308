#include "core/listed/listed_k_best.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/k_best/family_ranks.hpp"
#include "core/k_best/k_best.hpp"
#include "core/listed/listed_families.hpp"
#include "core/listed/listed_problem.hpp"

namespace qnml {

KBestResult k_best_listed(const ListedProblem& problem, const KBestOptions& options, Control& control) {
  const ListedFamilies& families = problem.families;
  const int n = families.n_variables();
  std::vector<FamilyRanks> ranks;
  control.start_stage("families", n);
  for (int child = 0; child < n; ++child) {
    std::vector<RankedFamily> list;
    for (const ListedFamilies::Family& family : families.of(child)) {
      std::uint32_t mask = 0;
      for (int parent : families.parents(family)) mask |= std::uint32_t{1} << parent;
      list.push_back({{family.score, -static_cast<std::int64_t>(family.size)}, mask});
    }
    ranks.push_back(rank_of_child(std::move(list), n, child));
    control.advance(1.0);
  }
  const KBestResources resources{n, 0, problem.memory_limit, problem.threads};
  KBestResult result = k_best_of(ranks, resources, options, control);
  // Sums of units become scores as they were given.
  for (double& score : result.scores) score = families.given(static_cast<std::int64_t>(score));
  result.bound = result.is_exhausted ? result.bound : families.given(static_cast<std::int64_t>(result.bound));
  return result;
}

}  // namespace qnml
