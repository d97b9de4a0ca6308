#include "core/candidates.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <tuple>
#include <unordered_map>

#include "core/parallel.hpp"
#include "core/random.hpp"
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

void drop_hopeless(CandidateLists& lists, std::int64_t reached) {
  std::int64_t best = 0;
  for (const auto& list : lists.of_bit) {
    if (list.empty()) return;
    best += list.front().score;
  }
  for (auto& list : lists.of_bit) {
    const std::int64_t least = list.front().score - (best - reached);
    const auto first_out = std::find_if(list.begin(), list.end(), [&](const Candidate& c) { return c.score < least; });
    list.erase(first_out, list.end());
    list.shrink_to_fit();
  }
}

namespace {

// One child's candidates from all its sets of parents.
class DenseExtraction {
 public:
  DenseExtraction(const FamilyScores& scores, const FixedScore& score, double child_levels,
                  const Constraints& constraints, int bit)
      : scores_(scores),
        score_(score),
        child_levels_(child_levels),
        constraints_(constraints),
        is_free_(constraints.is_free()),
        bit_(bit),
        sets_(std::size_t{1} << (scores.n_variables() - 1)),
        prices_(scores.prices(bit)) {}

  std::uint64_t admitted() const { return admitted_; }
  bool has_all_ties() const { return ties_ <= most_ties_; }

  std::vector<Candidate> run(std::size_t most_ties) {
    most_ties_ = most_ties;
    find_base();
    fill_gains();
    largest_over_subsets(gains_.data(), scores_.n_variables() - 1);
    return collect();
  }

 private:
  static constexpr std::size_t kChunk = 4096;

  void fill(std::size_t first, std::size_t size, std::int64_t* values) const {
    scores_.fill(bit_, prices_, first, size, values);
    for (std::size_t k = 0; !is_free_ && k < size; ++k) {
      const std::uint64_t parents = insert_zero(first + k, bit_);
      const double cells = score_.product(scores_.product_index(parents)) * child_levels_;
      if (!constraints_.admits(bit_, parents, cells)) values[k] = kImpossible;
    }
  }

  // The smallest admitted set. What scores less than it is out; what scores more is kept as a gain over it, in steps
  // coarse enough for 32 bits.
  void find_base() {
    const std::uint64_t smallest = remove_bit(constraints_.required[static_cast<std::size_t>(bit_)], bit_);
    scores_.fill(bit_, prices_, smallest, 1, &base_);
    // No local score is above zero.
    const auto range = static_cast<std::uint64_t>(std::max<std::int64_t>(-base_, 1));
    shift_ = std::max(0, static_cast<int>(std::bit_width(range)) - 31);
  }
  std::int32_t gain(std::int64_t value) const {
    return value < base_ ? -1 : static_cast<std::int32_t>((value - base_) >> shift_);
  }

  void fill_gains() {
    gains_.resize(sets_);
    std::vector<std::int64_t> values(std::min(kChunk, sets_));
    for (std::size_t first = 0; first < sets_; first += kChunk) {
      const std::size_t size = std::min(kChunk, sets_ - first);
      fill(first, size, values.data());
      for (std::size_t k = 0; k < size; ++k) {
        admitted_ += values[k] != kImpossible;
        gains_[first + k] = gain(values[k]);
      }
    }
  }

  // Sets whose gain is not below that of a subset, as far as 32 bits tell.
  std::vector<Candidate> collect() {
    std::vector<Candidate> list;
    std::vector<Candidate> doubtful;  // some subset has the same gain
    std::vector<std::int64_t> values(std::min(kChunk, sets_));
    for (std::size_t first = 0; first < sets_; first += kChunk) {
      const std::size_t size = std::min(kChunk, sets_ - first);
      fill(first, size, values.data());
      for (std::size_t k = 0; k < size; ++k) {
        const std::int32_t mine = gain(values[k]);
        const std::uint64_t t = first + k;
        if (mine < 0 || mine != gains_[t]) continue;
        bool is_alone = true;
        for (std::uint64_t rest = t; rest != 0 && is_alone; rest &= rest - 1) {
          is_alone = gains_[t ^ (rest & (~rest + 1))] != mine;
        }
        const std::uint64_t parents = insert_zero(t, bit_);
        const double configurations = score_.product(scores_.product_index(parents));
        (is_alone ? list : doubtful)
            .push_back({parents, values[k], complexity(configurations, child_levels_, std::popcount(parents))});
      }
    }
    settle(list, doubtful);
    return list;
  }

  // A doubtful set is out if a subset scores more; if the best of its subsets scores the same, it can decide ties.
  // Sets come with their subsets before them, and the best subset of a set is itself in the list.
  void settle(std::vector<Candidate>& list, const std::vector<Candidate>& doubtful) {
    std::unordered_map<std::int32_t, std::vector<Candidate>> by_gain;
    if (doubtful.empty()) return;
    for (const Candidate& candidate : list) by_gain[gain(candidate.score)].push_back(candidate);
    for (const Candidate& candidate : doubtful) {
      std::vector<Candidate>& alike = by_gain[gain(candidate.score)];
      bool is_beaten = false;
      bool is_tie = false;
      for (std::size_t k = 0; k < alike.size() && !is_beaten; ++k) {
        if ((alike[k].parents & ~candidate.parents) != 0) continue;
        is_beaten = alike[k].score > candidate.score;
        is_tie |= alike[k].score == candidate.score;
      }
      if (is_beaten || (is_tie && ++ties_ > most_ties_)) continue;
      alike.push_back(candidate);
      list.push_back(candidate);
    }
  }

  const FamilyScores& scores_;
  const FixedScore& score_;
  double child_levels_;
  const Constraints& constraints_;
  bool is_free_;
  int bit_;
  std::size_t sets_;
  std::vector<std::int64_t> prices_;
  std::vector<std::int32_t> gains_;
  std::int64_t base_ = 0;
  int shift_ = 0;
  std::uint64_t admitted_ = 0;
  std::size_t ties_ = 0;
  std::size_t most_ties_ = 0;
};

}  // namespace

CandidateLists dense_candidates(const FamilyScores& scores, const FixedScore& score,
                                const std::vector<std::uint32_t>& levels_of_bit, const Constraints& constraints,
                                std::size_t most_ties, Control& control, int threads) {
  const auto n = static_cast<std::size_t>(scores.n_variables());
  CandidateLists lists;
  lists.of_bit.resize(n);
  std::atomic<std::uint64_t> scored{0};
  std::atomic<bool> all_ties{true};
  parallel_for(n, threads, [&](int, std::size_t b) {
    if (control.is_stopped()) return;
    DenseExtraction extraction(scores, score, levels_of_bit[b], constraints, static_cast<int>(b));
    lists.of_bit[b] = extraction.run(most_ties);
    scored += extraction.admitted();
    if (!extraction.has_all_ties()) all_ties = false;
    control.advance(1.0);
  });
  lists.families_scored = scored;
  lists.has_all_ties = all_ties;
  sort_candidates(lists);
  return lists;
}

namespace {

// Values of the sets that families of one size need, by set.
class SetValues {
 public:
  struct Value {
    std::int64_t cells = 0;
    std::uint64_t seen = 0;
    std::vector<std::int64_t> configs;
  };

  // Sets that `previous` knows are taken over.
  void compute(const Columns& table, const FixedScore& score, std::vector<std::uint64_t> sets,
               const SetValues& previous, Control& control, int threads) {
    sets_ = std::move(sets);
    values_.resize(sets_.size());
    index_.assign(std::bit_ceil(2 * sets_.size() + 1), 0);
    for (std::size_t i = 0; i < sets_.size(); ++i) index_[slot(sets_[i])] = static_cast<std::uint32_t>(i + 1);
    constexpr std::size_t kChunk = 64;
    parallel_for((sets_.size() + kChunk - 1) / kChunk, threads, [&](int, std::size_t chunk) {
      if (control.is_stopped()) return;
      Counter counter(table);
      Profile cells, configs;
      std::vector<int> variables;
      const std::size_t last = std::min(sets_.size(), (chunk + 1) * kChunk);
      for (std::size_t i = chunk * kChunk; i < last; ++i) {
        if (const Value* known = previous.find(sets_[i])) {
          values_[i] = *known;
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
        for (std::size_t k = 0; k < score.n_config_classes(); ++k) value.configs.push_back(score.configs(cells, k));
      }
    });
  }

  const Value* find(std::uint64_t set) const {
    if (index_.empty()) return nullptr;
    const std::uint32_t found = index_[slot(set)];
    return found == 0 ? nullptr : &values_[found - 1];
  }

 private:
  std::size_t slot(std::uint64_t set) const {
    std::size_t at = mix64(set) & (index_.size() - 1);
    while (index_[at] != 0 && sets_[index_[at] - 1] != set) at = (at + 1) & (index_.size() - 1);
    return at;
  }
  std::vector<std::uint64_t> sets_;
  std::vector<Value> values_;
  std::vector<std::uint32_t> index_;
};

// One child's parent sets of the current size that are alive, with the best score among their subsets and themselves.
struct Layer {
  std::vector<std::uint64_t> sets;
  std::unordered_map<std::uint64_t, std::int64_t> best;
};

std::uint32_t product_index(const FixedScore& score, std::uint64_t set) {
  std::uint32_t index = 0;
  for (; set != 0; set &= set - 1) index += score.stride(std::countr_zero(set));
  return index;
}

}  // namespace

namespace {

// What a child needs to be scored: set values from `values`, or counting on its own for a score without cell sums.
class FamilyScorer {
 public:
  FamilyScorer(const Columns& table, const FixedScore& score, int child, std::int64_t best_fit)
      : score_(score), child_(child), best_fit_(best_fit), counter_(table) {}

  struct Result {
    std::int64_t score;
    std::int64_t bound;
  };

  Result operator()(std::uint64_t parents, std::uint32_t index, const SetValues& values) {
    const SetValues::Value& set = *values.find(parents);
    const int n_parents = std::popcount(parents);
    const std::int64_t configs =
        score_.has_configs() ? set.configs[static_cast<std::size_t>(score_.config_class(child_))] : set.cells;
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
  const FixedScore& score_;
  int child_;
  std::int64_t best_fit_;
  Counter counter_;
  Profile cells_, configs_;
  std::vector<int> members_;
};

// No fit of a child is better than that given all other variables.
std::vector<std::int64_t> best_fits(const Columns& table, const FixedScore& score, Control& control, int threads) {
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

std::pair<double, double> score_and_bound(const Columns& table, const FixedScore& score, int child,
                                          std::uint64_t parents) {
  Control control;
  SetValues values;
  values.compute(table, score, {parents, parents | std::uint64_t{1} << child}, SetValues(), control, 1);
  const std::int64_t fit = best_fits(table, score, control, 1)[static_cast<std::size_t>(child)];
  FamilyScorer scorer(table, score, child, fit);
  const auto result = scorer(parents, product_index(score, parents), values);
  return {static_cast<double>(result.score) * score.unit(), static_cast<double>(result.bound) * score.unit()};
}

PrunedCandidates pruned_candidates(const Columns& table, const FixedScore& score, const Constraints& constraints,
                                   std::size_t most_ties, double most_sets, Control& control, int threads) {
  const std::size_t n = table.columns.size();
  PrunedCandidates result;
  CandidateLists& lists = result.lists;
  lists.of_bit.resize(n);
  std::vector<std::size_t> ties(n, 0);
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
    for (std::size_t child = 0; child < n; ++child) {
      for (std::uint64_t parents : wanted[child]) {
        needed.push_back(parents);
        if (!score.is_direct()) needed.push_back(parents | std::uint64_t{1} << child);
      }
    }
    std::sort(needed.begin(), needed.end());
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
        const std::uint32_t index = product_index(score, parents);
        const double configurations = score.product(index);
        if (!constraints.admits(column, parents, configurations * child_levels)) continue;
        const auto [mine, bound] = scorer(parents, index, values);
        ++scored;
        std::int64_t subsets = kImpossible;
        for (std::uint64_t rest = parents & ~constraints.required[child]; rest != 0; rest &= rest - 1) {
          const auto found = below.best.find(parents ^ (rest & (~rest + 1)));
          if (found != below.best.end()) subsets = std::max(subsets, found->second);
        }
        const std::int64_t best = std::max(mine, subsets);
        if (mine >= subsets) {
          if (mine == subsets && ++ties[child] > most_ties) {
            all_ties = false;
          } else {
            lists.of_bit[child].push_back(
                {parents, mine, complexity(configurations, child_levels, std::popcount(parents))});
          }
        }
        if (bound < best) continue;
        layer.sets.push_back(parents);
        layer.best.emplace(parents, best);
      }
      // Grow the sets that are alive by a parent above all they have beyond the required ones.
      wanted[child].clear();
      const std::uint64_t required = constraints.required[child];
      for (std::uint64_t parents : layer.sets) {
        if (std::popcount(parents) >= constraints.max_parents[child]) continue;
        const std::uint64_t extra = parents & ~required;
        const std::uint64_t above = extra == 0 ? ~std::uint64_t{0} : ~((std::bit_floor(extra) << 1) - 1);
        for (std::uint64_t rest = constraints.allowed[child] & ~required & above & ~parents; rest != 0;
             rest &= rest - 1) {
          const std::uint64_t larger = parents | (rest & (~rest + 1));
          bool subsets_alive = true;
          for (std::uint64_t r = extra; r != 0 && subsets_alive; r &= r - 1) {
            subsets_alive = layer.best.contains(larger ^ (r & (~r + 1)));
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

double forecast_alive(const Columns& table, const FixedScore& score, const Constraints& constraints) {
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
