// Candidate parent sets by increasing size, counting only sets that proven bounds do not prune.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/base/watched.hpp"
#include "core/counting/columns.hpp"
#include "core/counting/count.hpp"
#include "core/exact/alive_sets.hpp"
#include "core/exact/candidates.hpp"
#include "core/exact/family_scorer.hpp"
#include "core/graph/rules.hpp"
#include "core/graph/tie_breaking.hpp"
#include "core/scores/integer_score.hpp"

namespace qnml {
namespace {

// The search for the candidates of one child, by increasing size of the parent sets.
class ChildCandidates {
 public:
  ChildCandidates(const Columns& table, const IntegerScore& score, const MaskRules& rules, const Ties& ties,
                  std::size_t child)
      : table_(table),
        score_(score),
        rules_(rules),
        ties_(ties),
        child_(child),
        required_(rules.required[child]),
        most_parents_(std::min(rules.max_parents[child], most_within_cells())),
        wanted_{required_} {}

  // The sets of the current size to be scored: first the required parents alone, then one more parent in each round.
  const std::vector<std::uint64_t>& wanted() const { return wanted_; }
  std::vector<Candidate> take_list() { return std::move(list_); }
  std::uint64_t scored() const { return scored_; }
  bool has_all_ties() const { return tied_ <= ties_.most; }

  // Scores the sets of the current size and finds those of the next. Unusable when stopped.
  void advance(std::int64_t best_fit, const NeededSets& values, Control& control) {
    const AliveSets below = std::exchange(alive_, AliveSets());
    FamilyScorer scorer(table_, score_, static_cast<int>(child_), best_fit, most_parents_);
    for (std::uint64_t parents : wanted_) {
      if (control.is_stopped()) return;
      visit(parents, scorer, values, below);
    }
    wanted_.clear();
    for (std::uint64_t parents : alive_.sets()) {
      if (control.is_stopped()) return;
      grow(parents);
    }
  }

 private:
  // The largest number of parents that the limit on cells admits, at least that of the required ones.
  int most_within_cells() const {
    std::vector<double> levels;
    for (std::uint64_t rest = rules_.allowed[child_] | required_; rest != 0; rest &= rest - 1) {
      levels.push_back(table_.levels(std::countr_zero(rest)));
    }
    std::sort(levels.begin(), levels.end());
    double cells = table_.columns[child_].levels;
    int most = 0;
    while (most < static_cast<int>(levels.size()) &&
           (cells *= levels[static_cast<std::size_t>(most)]) <= rules_.most_cells) {
      ++most;
    }
    return std::max(most, std::popcount(required_));
  }

  void visit(std::uint64_t parents, FamilyScorer& scorer, const NeededSets& values, const AliveSets& below) {
    const std::uint32_t index = product_index(score_, parents);
    const double configurations = score_.product(index);
    const double child_levels = table_.columns[child_].levels;
    if (!rules_.admits(static_cast<int>(child_), parents, configurations * child_levels)) return;
    const auto [mine, bound] = scorer(parents, index, values);
    ++scored_;
    std::int64_t subsets = kImpossible;
    for (std::uint64_t rest = parents & ~required_; rest != 0; rest &= rest - 1) {
      const std::int64_t* found = below.find(parents ^ (rest & (~rest + 1)));
      if (found != nullptr) subsets = std::max(subsets, *found);
    }
    const bool beats_subsets = mine > subsets;
    const bool ties = !beats_subsets && mine >= subsets - ties_.tolerance;
    if (beats_subsets || (ties && ++tied_ <= ties_.most)) {
      list_.push_back({parents, mine, complexity(configurations, child_levels, std::popcount(parents))});
    }
    const std::int64_t best = std::max(mine, subsets);
    if (bound >= best - ties_.tolerance) alive_.add(parents, best);
  }

  // Adds one parent to an alive set, above all its non-required parents, so that no set is generated twice.
  void grow(std::uint64_t parents) {
    if (std::popcount(parents) >= rules_.max_parents[child_]) return;
    const std::uint64_t extra = parents & ~required_;
    const std::uint64_t above = extra == 0 ? ~std::uint64_t{0} : ~((std::bit_floor(extra) << 1) - 1);
    for (std::uint64_t rest = rules_.allowed[child_] & ~required_ & above & ~parents; rest != 0; rest &= rest - 1) {
      const std::uint64_t larger = parents | (rest & (~rest + 1));
      bool subsets_alive = true;
      for (std::uint64_t r = extra; r != 0 && subsets_alive; r &= r - 1) {
        subsets_alive = alive_.find(larger ^ (r & (~r + 1))) != nullptr;
      }
      if (subsets_alive) wanted_.push_back(larger);
    }
  }

  const Columns& table_;
  const IntegerScore& score_;
  const MaskRules& rules_;
  const Ties ties_;
  const std::size_t child_;
  const std::uint64_t required_;
  const int most_parents_;
  std::vector<std::uint64_t> wanted_;
  AliveSets alive_;
  std::vector<Candidate> list_;
  std::uint64_t scored_ = 0;
  std::size_t tied_ = 0;  // sets that only tie with a subset
};

// The sets whose values the wanted families need, sorted and without duplicates. Empty when stopped.
std::vector<std::uint64_t> needed_sets(const std::vector<ChildCandidates>& children, bool is_direct, Control& control) {
  std::vector<std::uint64_t> needed;
  for (std::size_t child = 0; child < children.size() && !control.is_stopped(); ++child) {
    for (std::uint64_t parents : children[child].wanted()) {
      needed.push_back(parents);
      if (!is_direct) needed.push_back(parents | std::uint64_t{1} << child);
    }
  }
  if (!sort_watched(needed, std::less<>(), control)) return {};
  needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  return needed;
}

}  // namespace

PrunedCandidates pruned_candidates(const Columns& table, const IntegerScore& score, const MaskRules& rules,
                                   const Ties& ties, double most_sets, Control& control, int threads) {
  const std::size_t n = table.columns.size();
  PrunedCandidates result;
  CandidateLists& lists = result.lists;
  lists.of_bit.resize(n);
  const std::vector<std::int64_t> best_fit = best_fits(table, score, control, threads);
  std::vector<ChildCandidates> children;
  children.reserve(n);
  for (std::size_t child = 0; child < n; ++child) children.emplace_back(table, score, rules, ties, child);

  NeededSets values;
  for (bool any = true; any && !control.is_stopped();) {
    std::vector<std::uint64_t> needed = needed_sets(children, score.is_direct(), control);
    if (control.is_stopped()) break;
    if (static_cast<double>(needed.size()) > most_sets) {
      result.complete = false;
      break;
    }
    NeededSets next;
    next.compute(table, score, std::move(needed), values, control, threads);
    values = std::move(next);
    if (control.is_stopped()) break;
    parallel_for(n, threads,
                 [&](int, std::size_t child) { children[child].advance(best_fit[child], values, control); });
    any = false;
    for (const ChildCandidates& child : children) any |= !child.wanted().empty();
  }
  for (std::size_t child = 0; child < n; ++child) lists.of_bit[child] = children[child].take_list();
  if (!result.complete) return result;
  for (const ChildCandidates& child : children) {
    lists.families_scored += child.scored();
    lists.has_all_ties &= child.has_all_ties();
  }
  sort_candidates(lists);
  return result;
}

CandidateLists required_candidates(const Columns& table, const IntegerScore& score, const MaskRules& rules) {
  const std::size_t n = table.columns.size();
  CandidateLists lists;
  lists.of_bit.resize(n);
  Control unstopped;
  for (std::size_t child = 0; child < n; ++child) {
    const std::uint64_t parents = rules.required[child];
    NeededSets values;
    values.compute(table, score, {parents, parents | std::uint64_t{1} << child}, NeededSets(), unstopped, 1);
    const std::uint32_t index = product_index(score, parents);
    const std::int64_t value =
        FamilyScorer(table, score, static_cast<int>(child), 0, rules.max_parents[child])(parents, index, values).score;
    lists.of_bit[child].push_back(
        {parents, value, complexity(score.product(index), table.columns[child].levels, std::popcount(parents))});
  }
  return lists;
}

double forecast_alive(const Columns& table, const IntegerScore& score, const MaskRules& rules) {
  const std::size_t n = table.columns.size();
  double total = 0.0;
  Counter counter(table);
  Profile cells, configs;
  for (std::size_t child = 0; child < n; ++child) {
    const int column = static_cast<int>(child);
    counter.family(column, {}, cells, configs);
    const std::int64_t alone =
        score.bounds_use_fit() ? score.cells(cells, score.stride(column)) - score.cells(configs, 0) : kImpossible;
    // Number of sets of allowed parents by product index and size, adding one parent after another.
    const std::uint64_t free = rules.allowed[child] & ~rules.required[child];
    const auto room = static_cast<std::size_t>(
        std::max(0, std::min(rules.max_parents[child] - std::popcount(rules.required[child]), std::popcount(free))));
    const std::uint32_t base = product_index(score, rules.required[child]);
    std::unordered_map<std::uint32_t, std::vector<double>> ways{{base, std::vector<double>(room + 1, 0.0)}};
    ways[base][0] = 1.0;
    for (std::uint64_t rest = free; rest != 0; rest &= rest - 1) {
      const std::uint32_t step = score.stride(std::countr_zero(rest));
      auto grown = ways;
      for (const auto& [index, by_size] : ways) {
        // Only sets with room for another parent grow.
        if (std::all_of(by_size.begin(), by_size.end() - 1, [](double count) { return count == 0.0; })) continue;
        const double child_cells = score.product(index + step) * table.columns[child].levels;
        if (child_cells > rules.most_cells) continue;
        if (score.bounds_use_fit() && -score.price(column, index + step) < alone - score.price(column, 0)) continue;
        auto& into = grown.try_emplace(index + step, std::vector<double>(room + 1, 0.0)).first->second;
        for (std::size_t size = 0; size < room; ++size) into[size + 1] += by_size[size];
      }
      ways = std::move(grown);
    }
    for (const auto& [index, by_size] : ways) {
      for (double count : by_size) total += count;
    }
  }
  return total;
}

}  // namespace qnml
