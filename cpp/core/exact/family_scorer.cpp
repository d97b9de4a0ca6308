#include "core/exact/family_scorer.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/columns.hpp"
#include "core/exact/alive_sets.hpp"
#include "core/scores/integer_score.hpp"

namespace qnml {

FamilyScorer::Result FamilyScorer::operator()(std::uint64_t parents, std::uint32_t index, const NeededSets& values) {
  const NeededSets::Value& set = *values.find(parents);
  const int n_parents = std::popcount(parents);
  const std::int64_t configs =
      score_.has_configs() ? values.configs(set, static_cast<std::size_t>(score_.config_class(child_))) : set.cells;
  Result result{0,
                score_.upper_bound(child_, {index, n_parents, set.cells, configs, set.seen, best_fit_, most_parents_})};
  if (score_.is_direct()) {
    members_.clear();
    for (std::uint64_t rest = parents; rest != 0; rest &= rest - 1) members_.push_back(std::countr_zero(rest));
    counter_.family(child_, members_, cells_, configs_);
    result.score = score_.family(child_, index, n_parents, cells_, configs_);
  } else {
    result.score = values.find(parents | std::uint64_t{1} << child_)->cells - configs - score_.price(child_, index) -
                   score_.price_of_arcs(n_parents);
  }
  return result;
}

std::vector<std::int64_t> best_fits(const Columns& table, const IntegerScore& score, Control& control, int threads) {
  const std::size_t n = table.columns.size();
  std::vector<std::int64_t> best(n, 0);
  if (!score.bounds_use_fit()) return best;
  NeededSets whole;
  const std::uint64_t everything = n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
  std::vector<std::uint64_t> sets{everything};
  for (std::size_t child = 0; child < n; ++child) sets.push_back(everything ^ std::uint64_t{1} << child);
  whole.compute(table, score, std::move(sets), NeededSets(), control, threads);
  for (std::size_t child = 0; child < n && !control.is_stopped(); ++child) {
    best[child] = whole.find(everything)->cells - whole.find(everything ^ std::uint64_t{1} << child)->cells;
  }
  return best;
}

}  // namespace qnml
