#include "core/candidates.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include "core/parallel.hpp"
#include "core/subset_transform.hpp"

namespace qnml {
namespace {

bool comes_first(const Candidate& a, const Candidate& b) {
  return std::tuple(-a.score, a.complexity, a.parents) < std::tuple(-b.score, b.complexity, b.parents);
}

}  // namespace

std::int64_t complexity(double parent_configurations, double child_levels, int n_parents) {
  constexpr double kMostParameters = 1e12;
  const double parameters = std::min(parent_configurations * (child_levels - 1.0), kMostParameters);
  return static_cast<std::int64_t>(parameters) * 1024 + n_parents;
}

void sort_candidates(CandidateLists& lists) {
  for (auto& list : lists.of_bit) std::sort(list.begin(), list.end(), comes_first);
}

CandidateLists dense_candidates(const FamilyScores& scores, const FixedScore& score,
                                const std::vector<std::uint32_t>& levels_of_bit, const Constraints& constraints,
                                std::size_t most_ties, Control& control, int threads) {
  const int n = scores.n_variables();
  const std::size_t sets = std::size_t{1} << (n - 1);
  CandidateLists lists;
  lists.of_bit.resize(static_cast<std::size_t>(n));
  std::atomic<std::uint64_t> scored{0};
  std::atomic<bool> all_ties{true};
  parallel_for(static_cast<std::size_t>(n), threads, [&](int, std::size_t b) {
    if (control.is_stopped()) return;
    const int bit = static_cast<int>(b);
    const double child_levels = levels_of_bit[b];
    const std::vector<std::int64_t> prices = scores.prices(bit);
    constexpr std::size_t kChunk = 4096;
    std::vector<std::int64_t> best(sets);
    std::uint64_t admitted = 0;
    auto fill = [&](std::size_t first, std::size_t size, std::int64_t* values) {
      scores.fill(bit, prices, first, size, values);
      for (std::size_t k = 0; !constraints.is_free() && k < size; ++k) {
        const std::uint64_t parents = insert_zero(first + k, bit);
        const double cells = score.product(scores.product_index(parents)) * child_levels;
        if (!constraints.admits(bit, parents, cells)) values[k] = kImpossible;
      }
    };
    for (std::size_t first = 0; first < sets; first += kChunk) {
      const std::size_t size = std::min(kChunk, sets - first);
      fill(first, size, best.data() + first);
      for (std::size_t t = first; t < first + size; ++t) admitted += best[t] != kImpossible;
    }
    scored += admitted;
    if (control.is_stopped()) return;
    largest_over_subsets(best.data(), n - 1);
    auto& list = lists.of_bit[b];
    std::size_t ties = 0;
    std::vector<std::int64_t> own(kChunk);
    for (std::size_t first = 0; first < sets; first += kChunk) {
      const std::size_t size = std::min(kChunk, sets - first);
      fill(first, size, own.data());
      for (std::size_t k = 0; k < size; ++k) {
        const std::uint64_t t = first + k;
        const std::int64_t mine = own[k];
        if (mine != best[t] || mine == kImpossible) continue;
        bool is_tie = false;
        for (std::uint64_t rest = t; rest != 0 && !is_tie; rest &= rest - 1) {
          is_tie = best[t ^ (rest & (~rest + 1))] == mine;
        }
        if (is_tie && ++ties > most_ties) {
          all_ties = false;
          continue;
        }
        const std::uint64_t parents = insert_zero(t, bit);
        list.push_back(
            {parents, mine,
             complexity(score.product(scores.product_index(parents)), child_levels, std::popcount(parents))});
      }
    }
    control.advance(1.0);
  });
  lists.families_scored = scored;
  lists.has_all_ties = all_ties;
  sort_candidates(lists);
  return lists;
}

namespace {

// Cell sums of all sets that families with few parents need.
class SetValues {
 public:
  SetValues(const Columns& table, const FixedScore& score) : table_(table), score_(score) {}

  struct Value {
    std::int64_t cells;
    std::vector<std::int64_t> configs;
  };

  void compute(std::vector<std::uint64_t> sets, Control& control, int threads) {
    std::sort(sets.begin(), sets.end());
    sets_ = std::move(sets);
    values_.resize(sets_.size());
    constexpr std::size_t kChunk = 64;
    parallel_for((sets_.size() + kChunk - 1) / kChunk, threads, [&](int, std::size_t chunk) {
      if (control.is_stopped()) return;
      Counter counter(table_);
      Profile cells, configs;
      std::vector<int> variables;
      const std::size_t last = std::min(sets_.size(), (chunk + 1) * kChunk);
      for (std::size_t i = chunk * kChunk; i < last; ++i) {
        variables.clear();
        std::uint32_t index = 0;
        for (std::uint64_t rest = sets_[i]; rest != 0; rest &= rest - 1) {
          variables.push_back(std::countr_zero(rest));
          index += score_.stride(variables.back());
        }
        if (variables.empty()) {
          cells = {{table_.total}, {1}};
        } else {
          const int last_variable = variables.back();
          variables.pop_back();
          counter.family(last_variable, variables, cells, configs);
        }
        Value& value = values_[i];
        value.cells = score_.cells(cells, index);
        for (std::size_t k = 0; k < score_.n_config_classes(); ++k) value.configs.push_back(score_.configs(cells, k));
      }
      control.advance(static_cast<double>(last - chunk * kChunk));
    });
  }

  const Value& at(std::uint64_t set) const {
    return values_[static_cast<std::size_t>(std::lower_bound(sets_.begin(), sets_.end(), set) - sets_.begin())];
  }

 private:
  const Columns& table_;
  const FixedScore& score_;
  std::vector<std::uint64_t> sets_;
  std::vector<Value> values_;
};

// Calls visit for every subset of `pool` of at most `most` members. Where visit returns false, supersets are skipped.
template <class Visit>
void for_each_subset(std::uint64_t pool, int most, Visit&& visit, std::uint64_t chosen = 0) {
  if (!visit(chosen) || most == 0) return;
  for (std::uint64_t rest = pool; rest != 0; rest &= rest - 1) {
    const std::uint64_t member = rest & (~rest + 1);
    for_each_subset(pool & (member - 1), most - 1, visit, chosen | member);
  }
}

}  // namespace

CandidateLists counted_candidates(const Columns& table, const FixedScore& score, const Constraints& constraints,
                                  std::size_t most_ties, Control& control, int threads) {
  const std::size_t n = table.columns.size();
  CandidateLists lists;
  lists.of_bit.resize(n);
  auto for_each_family = [&](std::size_t child, auto&& visit) {
    const std::uint64_t required = constraints.required[child];
    const int room = constraints.max_parents[child] - std::popcount(required);
    if (room < 0) return;
    for_each_subset(constraints.allowed[child] & ~required, room, [&](std::uint64_t extra) {
      double cells = table.columns[child].levels;
      for (std::uint64_t rest = required | extra; rest != 0; rest &= rest - 1) {
        cells *= table.columns[static_cast<std::size_t>(std::countr_zero(rest))].levels;
      }
      // The cap holds for every superset of a set that is over it.
      const bool admitted = extra == 0 || cells <= constraints.most_cells;
      if (admitted) visit(required | extra);
      return admitted;
    });
  };
  std::vector<std::uint64_t> needed;
  for (std::size_t child = 0; child < n && !score.is_direct(); ++child) {
    for_each_family(child, [&](std::uint64_t parents) {
      needed.push_back(parents);
      needed.push_back(parents | std::uint64_t{1} << child);
    });
    // Most sets serve several children; keep the list short as it grows.
    std::sort(needed.begin(), needed.end());
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
  }
  SetValues values(table, score);
  if (score.is_direct()) needed.clear();
  values.compute(std::move(needed), control, threads);
  if (control.is_stopped()) return lists;

  std::atomic<std::uint64_t> scored{0};
  std::atomic<bool> all_ties{true};
  parallel_for(n, threads, [&](int, std::size_t child) {
    const double child_levels = table.columns[child].levels;
    const int column = static_cast<int>(child);
    // Best score of each admitted set and its admitted subsets; sets arrive with their subsets before them when
    // sorted by size.
    std::vector<std::uint64_t> families;
    for_each_family(child, [&](std::uint64_t parents) { families.push_back(parents); });
    std::stable_sort(families.begin(), families.end(),
                     [](std::uint64_t a, std::uint64_t b) { return std::popcount(a) < std::popcount(b); });
    std::unordered_map<std::uint64_t, std::int64_t> best;
    best.reserve(families.size());
    auto& list = lists.of_bit[child];
    std::size_t ties = 0;
    Counter counter(table);
    Profile cells_profile, configs_profile;
    std::vector<int> members;
    // The score of a family one by one, for a score without cell sums.
    auto direct = [&](std::uint64_t parents, std::uint32_t index) {
      members.clear();
      for (std::uint64_t rest = parents; rest != 0; rest &= rest - 1) members.push_back(std::countr_zero(rest));
      counter.family(column, members, cells_profile, configs_profile);
      return score.family(column, index, std::popcount(parents), cells_profile, configs_profile);
    };
    auto from_sums = [&](std::uint64_t parents, std::uint32_t index) {
      const auto& below = values.at(parents);
      const auto& whole = values.at(parents | std::uint64_t{1} << child);
      const std::int64_t configs =
          score.has_configs() ? below.configs[static_cast<std::size_t>(score.config_class(column))] : below.cells;
      return whole.cells - configs - score.price(column, index) - score.per_arc() * std::popcount(parents);
    };
    for (std::uint64_t parents : families) {
      if (control.is_stopped()) return;
      std::uint32_t index = 0;
      for (std::uint64_t rest = parents; rest != 0; rest &= rest - 1) index += score.stride(std::countr_zero(rest));
      const double configurations = score.product(index);
      std::int64_t mine = kImpossible;
      if (constraints.admits(column, parents, configurations * child_levels)) {
        mine = score.is_direct() ? direct(parents, index) : from_sums(parents, index);
        ++scored;
      }
      std::int64_t subsets = kImpossible;
      for (std::uint64_t rest = parents & ~constraints.required[child]; rest != 0; rest &= rest - 1) {
        subsets = std::max(subsets, best[parents ^ (rest & (~rest + 1))]);
      }
      best[parents] = std::max(mine, subsets);
      if (mine < subsets || mine == kImpossible) continue;
      if (mine == subsets && ++ties > most_ties) {
        all_ties = false;
        continue;
      }
      list.push_back({parents, mine, complexity(configurations, child_levels, std::popcount(parents))});
    }
  });
  lists.families_scored = scored;
  lists.has_all_ties = all_ties;
  sort_candidates(lists);
  return lists;
}

}  // namespace qnml
