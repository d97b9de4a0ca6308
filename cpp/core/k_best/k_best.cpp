#include "core/k_best/k_best.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/stopwatch.hpp"
#include "core/graph/rules.hpp"
#include "core/graph/tie_breaking.hpp"
#include "core/k_best/arc_losses.hpp"
#include "core/k_best/family_ranks.hpp"
#include "core/k_best/network_lists.hpp"
#include "core/k_best/ranked_score.hpp"
#include "core/k_best/set_values.hpp"
#include "core/numbers/minus_infinity.hpp"
#include "core/problem/integer_scores.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/score_range.hpp"

namespace qnml {
namespace {

// Ties are in order of their masks, however they were found.
void put_in_order(std::vector<std::pair<RankedScore, std::vector<std::uint64_t>>>& found) {
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return ranks_before(a, b); });
}

}  // namespace

KBestResult k_best_of(const std::vector<FamilyRanks>& families, const KBestResources& resources,
                      const KBestOptions& options, Control& control) {
  KBestResult result;
  Stopwatch watch;
  bool leaves_out = false;
  for (const FamilyRanks& one : families) {
    result.families += one.parents.size();
    leaves_out |= one.leaves_out;
  }
  const SetValues values = set_values(families, control, resources.threads);
  const ArcLosses losses(families, control, resources.threads);
  watch.lap(result.seconds, "bounds");
  if (control.is_stopped()) return result;

  const double fixed = k_best_bytes(resources.n_variables, resources.config_classes, resources.threads);
  NetworkLists lists(families, values, losses, options.by_class, std::max(resources.memory_limit - fixed, 0.0),
                     control);
  control.start_stage("networks", static_cast<double>(options.k));
  while (lists.size() < options.k && lists.advance()) control.advance(1.0);
  watch.lap(result.seconds, "networks");

  std::vector<std::pair<RankedScore, std::vector<std::uint64_t>>> found;
  found.reserve(lists.size());
  for (std::size_t place = 0; place < lists.size(); ++place) {
    found.emplace_back(lists.value(place), lists.parents(place));
  }
  put_in_order(found);
  for (auto& [value, parents] : found) {
    result.scores.push_back(static_cast<double>(value.score));
    result.parents.push_back(std::move(parents));
  }
  const RankedScore bound = lists.bound();
  const bool is_at_end = bound <= kLowest;
  result.is_out_of_range = is_at_end && leaves_out;
  result.is_exhausted = is_at_end && !leaves_out;
  result.has_bound = true;
  const std::int64_t others = is_at_end ? -kLargestUnits : bound.score;
  result.bound = result.is_exhausted ? kMinusInfinity : static_cast<double>(others);
  result.out_of_memory = lists.is_out_of_memory();
  result.sets = lists.sets_touched();
  result.networks = lists.networks_held();
  return result;
}

KBestResult k_best(const SearchProblem& problem, const KBestOptions& options, Control& control) {
  Stopwatch watch;
  StageSeconds counting;
  const MaskRules rules(problem.rules);
  const IntegerScores scores(problem, rules);
  const auto families = rank_families(scores, rules, control, problem.threads);
  watch.lap(counting, "families");
  KBestResult result;
  if (!control.is_stopped()) {
    const KBestResources resources{problem.n_variables(), scores.n_config_classes(), problem.memory_limit,
                                   problem.threads};
    result = k_best_of(families, resources, options, control);
  }
  result.seconds.insert(result.seconds.begin(), counting.begin(), counting.end());
  for (double& one : result.scores) one *= scores.unit();
  result.bound *= scores.unit();
  return result;
}

double k_best_bytes(int n, std::size_t config_classes, int threads) {
  return family_ranks_bytes(n, config_classes, threads) + set_values_bytes(n, threads) + std::ldexp(4.0, n);
}

}  // namespace qnml
