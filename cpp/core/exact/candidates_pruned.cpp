// Candidates by counting, size after size, only the parent sets that proven bounds leave alive.
#include <algorithm>
#include <atomic>
#include <bit>
#include <functional>
#include <unordered_map>

#include "core/base/parallel.hpp"
#include "core/base/random.hpp"
#include "core/base/watched.hpp"
#include "core/counting/count.hpp"
#include "core/exact/candidates.hpp"

namespace qnml {
namespace {

// Values of the sets that families of one size need, by set.
class SetValues {
 public:
  struct Value {
    std::int64_t cells = 0;
    std::uint64_t seen = 0;
  };

  // Sets that `previous` knows are taken over. Of no use when it is stopped.
  void compute(const Columns& table, const IntegerScore& score, std::vector<std::uint64_t> sets,
               const SetValues& previous, Control& control, int threads) {
    sets_ = std::move(sets);
    values_.resize(sets_.size());
    classes_ = score.n_config_classes();
    configs_.resize(classes_ * sets_.size());
    index_.assign(std::bit_ceil(2 * sets_.size() + 1), 0);
    for (std::size_t i = 0; i < sets_.size(); ++i) index_[slot(sets_[i])] = static_cast<std::uint32_t>(i + 1);
    constexpr std::size_t kChunk = 64;
    parallel_for((sets_.size() + kChunk - 1) / kChunk, threads, [&](int, std::size_t chunk) {
      Counter counter(table);
      Profile cells, configs;
      std::vector<int> variables;
      const std::size_t last = std::min(sets_.size(), (chunk + 1) * kChunk);
      for (std::size_t i = chunk * kChunk; i < last && !control.is_stopped(); ++i) {
        if (const Value* known = previous.find(sets_[i])) {
          values_[i] = *known;
          for (std::size_t k = 0; k < classes_; ++k) configs_[i * classes_ + k] = previous.configs(*known, k);
          continue;
        }
        variables.clear();
        std::uint32_t product_index = 0;
        for (std::uint64_t rest = sets_[i]; rest != 0; rest &= rest - 1) {
          variables.push_back(std::countr_zero(rest));
          product_index += score.stride(variables.back());
        }
        if (variables.empty()) {
          cells = {{table.total}, {1}};
        } else {
          const int last_variable = variables.back();
          variables.pop_back();
          counter.family(last_variable, variables, cells, configs);
        }
        Value& value = values_[i];
        value.cells = score.is_direct() ? 0 : score.cells(cells, product_index);
        value.seen = cells.seen();
        for (std::size_t k = 0; k < classes_; ++k) configs_[i * classes_ + k] = score.configs(cells, k);
      }
    });
  }

  const Value* find(std::uint64_t set) const {
    if (index_.empty()) return nullptr;
    const std::uint32_t found = index_[slot(set)];
    return found == 0 ? nullptr : &values_[found - 1];
  }

  // Of a value that `find` gave.
  std::int64_t configs(const Value& value, std::size_t config_class) const {
    return configs_[static_cast<std::size_t>(&value - values_.data()) * classes_ + config_class];
  }

 private:
  std::size_t slot(std::uint64_t set) const {
    std::size_t at = mix64(set) & (index_.size() - 1);
    while (index_[at] != 0 && sets_[index_[at] - 1] != set) at = (at + 1) & (index_.size() - 1);
    return at;
  }
  std::vector<std::uint64_t> sets_;
  std::vector<Value> values_;
  std::size_t classes_ = 0;
  std::vector<std::int64_t> configs_;  // side by side: millions of small arrays would take seconds to free
  std::vector<std::uint32_t> index_;
};

// One child's parent sets of the current size that are alive, with the best score among their subsets and themselves.
class Layer {
 public:
  const std::vector<std::uint64_t>& sets() const { return sets_; }

  // None is added twice.
  void add(std::uint64_t set, std::int64_t best) {
    if (2 * (sets_.size() + 1) > index_.size()) grow();
    sets_.push_back(set);
    best_.push_back(best);
    index_[slot(set)] = static_cast<std::uint32_t>(sets_.size());
  }

  const std::int64_t* find(std::uint64_t set) const {
    if (index_.empty()) return nullptr;
    const std::uint32_t found = index_[slot(set)];
    return found == 0 ? nullptr : &best_[found - 1];
  }

 private:
  std::size_t slot(std::uint64_t set) const {
    std::size_t at = mix64(set) & (index_.size() - 1);
    while (index_[at] != 0 && sets_[index_[at] - 1] != set) at = (at + 1) & (index_.size() - 1);
    return at;
  }
  void grow() {
    index_.assign(std::max<std::size_t>(16, 2 * index_.size()), 0);
    for (std::size_t i = 0; i < sets_.size(); ++i) index_[slot(sets_[i])] = static_cast<std::uint32_t>(i + 1);
  }

  std::vector<std::uint64_t> sets_;
  std::vector<std::int64_t> best_;
  std::vector<std::uint32_t> index_;
};

std::uint32_t product_index(const IntegerScore& score, std::uint64_t set) {
  std::uint32_t index = 0;
  for (; set != 0; set &= set - 1) index += score.stride(std::countr_zero(set));
  return index;
}

}  // namespace

namespace {

// What a child needs to be scored: set values from `values`, or counting on its own for a score without cell sums.
class FamilyScorer {
 public:
  FamilyScorer(const Columns& table, const IntegerScore& score, int child, std::int64_t best_fit)
      : score_(score), child_(child), best_fit_(best_fit), counter_(table) {}

  struct Result {
    std::int64_t score;
    std::int64_t bound;
  };

  Result operator()(std::uint64_t parents, std::uint32_t index, const SetValues& values) {
    const SetValues::Value& set = *values.find(parents);
    const int n_parents = std::popcount(parents);
    const std::int64_t configs =
        score_.has_configs() ? values.configs(set, static_cast<std::size_t>(score_.config_class(child_))) : set.cells;
    Result result{0, score_.upper_bound(child_, index, n_parents, set.cells, configs, set.seen, best_fit_)};
    if (score_.is_direct()) {
      members_.clear();
      for (std::uint64_t rest = parents; rest != 0; rest &= rest - 1) members_.push_back(std::countr_zero(rest));
      counter_.family(child_, members_, cells_, configs_);
      result.score = score_.family(child_, index, n_parents, cells_, configs_);
    } else {
      result.score = values.find(parents | std::uint64_t{1} << child_)->cells - configs - score_.price(child_, index) -
                     score_.per_arc() * n_parents;
    }
    return result;
  }

 private:
  const IntegerScore& score_;
  int child_;
  std::int64_t best_fit_;
  Counter counter_;
  Profile cells_, configs_;
  std::vector<int> members_;
};

// No fit of a child is better than that given all other variables.
std::vector<std::int64_t> best_fits(const Columns& table, const IntegerScore& score, Control& control, int threads) {
  const std::size_t n = table.columns.size();
  std::vector<std::int64_t> best(n, 0);
  if (!score.bounds_use_fit()) return best;
  SetValues whole;
  const std::uint64_t everything = n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
  std::vector<std::uint64_t> sets{everything};
  for (std::size_t child = 0; child < n; ++child) sets.push_back(everything ^ std::uint64_t{1} << child);
  whole.compute(table, score, std::move(sets), SetValues(), control, threads);
  for (std::size_t child = 0; child < n && !control.is_stopped(); ++child) {
    best[child] = whole.find(everything)->cells - whole.find(everything ^ std::uint64_t{1} << child)->cells;
  }
  return best;
}

}  // namespace

std::pair<double, double> score_and_bound(const Columns& table, const IntegerScore& score, int child,
                                          std::uint64_t parents) {
  Control control;
  SetValues values;
  values.compute(table, score, {parents, parents | std::uint64_t{1} << child}, SetValues(), control, 1);
  const std::int64_t fit = best_fits(table, score, control, 1)[static_cast<std::size_t>(child)];
  FamilyScorer scorer(table, score, child, fit);
  const auto result = scorer(parents, product_index(score, parents), values);
  return {static_cast<double>(result.score) * score.unit(), static_cast<double>(result.bound) * score.unit()};
}

PrunedCandidates pruned_candidates(const Columns& table, const IntegerScore& score, const Constraints& constraints,
                                   const Ties& ties, double most_sets, Control& control, int threads) {
  const std::size_t n = table.columns.size();
  PrunedCandidates result;
  CandidateLists& lists = result.lists;
  lists.of_bit.resize(n);
  std::vector<std::size_t> tied(n, 0);
  std::atomic<std::uint64_t> scored{0};
  std::atomic<bool> all_ties{true};

  const std::vector<std::int64_t> best_fit = best_fits(table, score, control, threads);

  // The sets of a size that are to be scored: first the required parents alone, then one more each time.
  std::vector<std::vector<std::uint64_t>> wanted(n);
  std::vector<Layer> alive(n);
  for (std::size_t child = 0; child < n; ++child) wanted[child].push_back(constraints.required[child]);
  SetValues values;
  for (bool any = true; any && !control.is_stopped();) {
    std::vector<std::uint64_t> needed;
    for (std::size_t child = 0; child < n && !control.is_stopped(); ++child) {
      for (std::uint64_t parents : wanted[child]) {
        needed.push_back(parents);
        if (!score.is_direct()) needed.push_back(parents | std::uint64_t{1} << child);
      }
    }
    if (!sort_watched(needed, std::less<>(), control)) break;
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    if (static_cast<double>(needed.size()) > most_sets) {
      result.complete = false;
      return result;
    }
    SetValues next;
    next.compute(table, score, std::move(needed), values, control, threads);
    values = std::move(next);
    if (control.is_stopped()) break;

    parallel_for(n, threads, [&](int, std::size_t child) {
      const int column = static_cast<int>(child);
      const double child_levels = table.columns[child].levels;
      const Layer below = std::move(alive[child]);
      Layer& layer = alive[child];
      layer = Layer();
      FamilyScorer scorer(table, score, column, best_fit[child]);
      for (std::uint64_t parents : wanted[child]) {
        if (control.is_stopped()) return;
        const std::uint32_t index = product_index(score, parents);
        const double configurations = score.product(index);
        if (!constraints.admits(column, parents, configurations * child_levels)) continue;
        const auto [mine, bound] = scorer(parents, index, values);
        ++scored;
        std::int64_t subsets = kImpossible;
        for (std::uint64_t rest = parents & ~constraints.required[child]; rest != 0; rest &= rest - 1) {
          const std::int64_t* found = below.find(parents ^ (rest & (~rest + 1)));
          if (found != nullptr) subsets = std::max(subsets, *found);
        }
        const std::int64_t best = std::max(mine, subsets);
        if (mine >= subsets - ties.tolerance) {
          if (mine <= subsets && ++tied[child] > ties.most) {
            all_ties = false;
          } else {
            lists.of_bit[child].push_back(
                {parents, mine, complexity(configurations, child_levels, std::popcount(parents))});
          }
        }
        if (bound < best - ties.tolerance) continue;
        layer.add(parents, best);
      }
      // Grow the sets that are alive by a parent above all they have beyond the required ones.
      wanted[child].clear();
      const std::uint64_t required = constraints.required[child];
      for (std::uint64_t parents : layer.sets()) {
        if (control.is_stopped()) return;
        if (std::popcount(parents) >= constraints.max_parents[child]) continue;
        const std::uint64_t extra = parents & ~required;
        const std::uint64_t above = extra == 0 ? ~std::uint64_t{0} : ~((std::bit_floor(extra) << 1) - 1);
        for (std::uint64_t rest = constraints.allowed[child] & ~required & above & ~parents; rest != 0;
             rest &= rest - 1) {
          const std::uint64_t larger = parents | (rest & (~rest + 1));
          bool subsets_alive = true;
          for (std::uint64_t r = extra; r != 0 && subsets_alive; r &= r - 1) {
            subsets_alive = layer.find(larger ^ (r & (~r + 1))) != nullptr;
          }
          if (subsets_alive) wanted[child].push_back(larger);
        }
      }
    });
    any = false;
    for (const auto& sets : wanted) any |= !sets.empty();
  }
  lists.families_scored = scored;
  lists.has_all_ties = all_ties;
  sort_candidates(lists);
  return result;
}

CandidateLists required_candidates(const Columns& table, const IntegerScore& score, const Constraints& constraints) {
  const std::size_t n = table.columns.size();
  CandidateLists lists;
  lists.of_bit.resize(n);
  Control unstopped;
  for (std::size_t child = 0; child < n; ++child) {
    const std::uint64_t parents = constraints.required[child];
    SetValues values;
    values.compute(table, score, {parents, parents | std::uint64_t{1} << child}, SetValues(), unstopped, 1);
    const std::uint32_t index = product_index(score, parents);
    const std::int64_t value = FamilyScorer(table, score, static_cast<int>(child), 0)(parents, index, values).score;
    lists.of_bit[child].push_back(
        {parents, value, complexity(score.product(index), table.columns[child].levels, std::popcount(parents))});
  }
  return lists;
}

double forecast_alive(const Columns& table, const IntegerScore& score, const Constraints& constraints) {
  const std::size_t n = table.columns.size();
  double total = 0.0;
  Counter counter(table);
  Profile cells, configs;
  for (std::size_t child = 0; child < n; ++child) {
    const int column = static_cast<int>(child);
    counter.family(column, {}, cells, configs);
    const std::int64_t alone =
        score.bounds_use_fit() ? score.cells(cells, score.stride(column)) - score.cells(configs, 0) : kImpossible;
    // Number of sets of allowed parents by product index and size, one parent after the other.
    const std::uint64_t free = constraints.allowed[child] & ~constraints.required[child];
    const auto room = static_cast<std::size_t>(std::max(
        0, std::min(constraints.max_parents[child] - std::popcount(constraints.required[child]), std::popcount(free))));
    const std::uint32_t base = product_index(score, constraints.required[child]);
    std::unordered_map<std::uint32_t, std::vector<double>> ways{{base, std::vector<double>(room + 1, 0.0)}};
    ways[base][0] = 1.0;
    for (std::uint64_t rest = free; rest != 0; rest &= rest - 1) {
      const std::uint32_t step = score.stride(std::countr_zero(rest));
      auto grown = ways;
      for (const auto& [index, by_size] : ways) {
        // Only sets with room for one more grow.
        if (std::all_of(by_size.begin(), by_size.end() - 1, [](double count) { return count == 0.0; })) continue;
        const double child_cells = score.product(index + step) * table.columns[child].levels;
        if (child_cells > constraints.most_cells) continue;
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
