#include "core/exact/order_search.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <unordered_map>

#include "core/base/parallel.hpp"
#include "core/base/random.hpp"
#include "core/base/watched.hpp"
#include "core/exact/order_climb.hpp"
#include "core/exact/order_outlook.hpp"
#include "core/exact/pattern_bound.hpp"

namespace qnml {
namespace {

// A set of variables that come first, with a network on it. A set has one state for each different score that is equal
// to the best one within the tolerance, and almost always there is one.
struct State {
  std::uint64_t set;
  std::int64_t score;
  std::int64_t tie;
  std::int64_t lowest, highest;  // range of the examination values among the networks of this score
  std::int32_t last;             // the variable placed last
  std::uint32_t family;          // and its place in the list of choices
};

// Two ways to the same set and score; among full equals the lower variable, so that threads do not matter.
void merge(State& into, const State& other) {
  into.lowest = std::min(into.lowest, other.lowest);
  into.highest = std::max(into.highest, other.highest);
  if (other.tie > into.tie || (other.tie == into.tie && other.last < into.last)) {
    into.tie = other.tie;
    into.last = other.last;
    into.family = other.family;
  }
}

// Open addressing by set; the next layer is split into shards so that threads never share one.
class Shard {
 public:
  void insert(const State& state, std::int64_t tolerance) {
    if (2 * (states_.size() + 1) > slots_.size()) grow();
    const std::size_t slot = find(state.set);
    if (slots_[slot] == 0) {
      states_.push_back(state);
      slots_[slot] = static_cast<std::uint32_t>(states_.size());
      return;
    }
    State& known = states_[slots_[slot] - 1];
    if (state.score == known.score) {
      merge(known, state);
    } else if (state.score > known.score + tolerance && !has_others(state.set)) {
      known = state;
    } else if (state.score >= known.score - tolerance) {
      insert_near(slots_[slot] - 1, state, tolerance);
    }
  }

  std::size_t size() const { return states_.size(); }
  const std::vector<State>& states() const { return states_; }
  // Whether a set had more states than are kept.
  bool is_overflown() const { return is_overflown_; }

  // The states that are equal to the best of their set. Those of sets that keep several are also given to `several`.
  template <typename Single, typename Several>
  void close(std::int64_t tolerance, Single&& single, Several&& several) const {
    for (const State& state : states_) {
      const auto others = others_.empty() ? others_.end() : others_.find(state.set);
      if (others == others_.end()) {
        single(state);
        continue;
      }
      std::int64_t best = state.score;
      for (std::uint32_t other : others->second) best = std::max(best, states_[other].score);
      if (state.score >= best - tolerance) several(state);
    }
  }

 private:
  static constexpr std::size_t kMostStates = 64;  // of one set

  bool has_others(std::uint64_t set) const { return !others_.empty() && others_.contains(set); }

  void insert_near(std::uint32_t first, const State& state, std::int64_t tolerance) {
    std::vector<std::uint32_t>& others = others_[state.set];
    if (others.empty()) others.push_back(first);
    for (std::uint32_t other : others) {
      if (states_[other].score == state.score) return merge(states_[other], state);
      if (states_[other].score > state.score + tolerance) return;
    }
    for (std::uint32_t other : others) {
      if (states_[other].score < state.score - tolerance) {
        states_[other] = state;
        return;
      }
    }
    if (others.size() == kMostStates) {
      is_overflown_ = true;
      return;
    }
    states_.push_back(state);
    others.push_back(static_cast<std::uint32_t>(states_.size() - 1));
  }

  std::size_t find(std::uint64_t set) const {
    std::size_t slot = mix64(set) & (slots_.size() - 1);
    while (slots_[slot] != 0 && states_[slots_[slot] - 1].set != set) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }
  void grow() {
    slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), 0);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      const std::size_t slot = find(states_[i].set);
      if (slots_[slot] == 0) slots_[slot] = static_cast<std::uint32_t>(i + 1);
    }
  }
  std::vector<State> states_;
  std::vector<std::uint32_t> slots_;                                      // the first state of a set
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> others_;  // all states of sets that have several
  bool is_overflown_ = false;
};

// How a state was reached: enough to go back from the last one.
struct Step {
  std::uint64_t set;
  std::int32_t last;
  std::uint32_t family;
};
struct Steps {
  std::vector<Step> single;    // sorted by set
  std::vector<State> several;  // of sets with several states
};

constexpr std::size_t kShards = 64;
constexpr std::size_t kFewStates = 4096;  // up to here one shard costs less than many
constexpr std::size_t kBatch = std::size_t{1} << 17;
constexpr double kBytesPerState = 2.0 * sizeof(State) + 40.0;  // both layers with their slots, and the way back

// A child's candidates in the order of the tie rule, with the numbers that go with them.
struct Choices {
  std::vector<Candidate> list;
  std::vector<std::int64_t> tie;
  std::vector<std::int64_t> examination;
  bool has_equals = false;     // within the tolerance
  std::uint64_t all_best = 0;  // the parents of every candidate that is equal to the best
};

std::vector<Choices> make_choices(const CandidateLists& lists, TieRule rule, std::uint64_t seed, std::int64_t tolerance,
                                  Control& control) {
  std::vector<Choices> choices(lists.of_bit.size());
  for (std::size_t b = 0; b < choices.size() && !control.is_stopped(); ++b) {
    const int bit = static_cast<int>(b);
    Choices& mine = choices[b];
    mine.list = lists.of_bit[b];
    std::stable_sort(mine.list.begin(), mine.list.end(), [&](const Candidate& x, const Candidate& y) {
      return x.score != y.score ? x.score > y.score : tie_value(rule, seed, bit, x) > tie_value(rule, seed, bit, y);
    });
    for (std::size_t i = 0; i < mine.list.size(); ++i) {
      mine.tie.push_back(tie_value(rule, seed, bit, mine.list[i]));
      mine.examination.push_back(examination_value(bit, mine.list[i]));
      if (mine.list[i].score >= mine.list[0].score - tolerance) mine.all_best |= mine.list[i].parents;
      mine.has_equals |= i > 0 && mine.list[i].score >= mine.list[i - 1].score - tolerance;
    }
  }
  return choices;
}

// The ways to place a variable after a set: one for each score that is equal to the best within the tolerance. Only
// families of at least the score `least` are asked for, if the best one inside has it.
template <typename Emit>
void place(const State& state, int bit, const Choices& mine, std::int64_t tolerance, std::int64_t least, Emit&& emit) {
  std::size_t first = 0;
  for (;; ++first) {
    // Most sets are given up here: lists are sorted, and the families that would do come first.
    if (first == mine.list.size() || mine.list[first].score < least) return;
    if ((mine.list[first].parents & ~state.set) == 0) break;
  }
  State next{
      state.set | std::uint64_t{1} << bit,    state.score + mine.list[first].score,    state.tie + mine.tie[first],
      state.lowest + mine.examination[first], state.highest + mine.examination[first], bit,
      static_cast<std::uint32_t>(first)};
  for (std::size_t k = first + 1; mine.has_equals && k < mine.list.size(); ++k) {
    if (mine.list[k].score < mine.list[first].score - tolerance) break;
    if ((mine.list[k].parents & ~state.set) != 0) continue;
    if (state.score + mine.list[k].score != next.score) {
      emit(next);
      next.score = state.score + mine.list[k].score;
      next.tie = state.tie + mine.tie[k];
      next.lowest = state.lowest + mine.examination[k];
      next.highest = state.highest + mine.examination[k];
      next.family = static_cast<std::uint32_t>(k);
    } else {
      next.lowest = std::min(next.lowest, state.lowest + mine.examination[k]);
      next.highest = std::max(next.highest, state.highest + mine.examination[k]);
    }
  }
  emit(next);
}

// How much a network can score that goes on from a state not yet expanded, one of the layer from `first` on or one of
// the next. Looking at them all may take long: `known`, which bounds every one of them, serves where there is no time.
std::int64_t bound_of_open(const PatternBound& bound, const std::vector<State>& layer, std::size_t first,
                           const std::vector<Shard>& next, std::int64_t known, Control& control) {
  constexpr double kGraceSeconds = 0.2;
  Control patient(control, kGraceSeconds);
  std::int64_t highest = std::numeric_limits<std::int64_t>::min();
  auto is_done = [&](const std::vector<State>& states, std::size_t from) {
    for (std::size_t i = from; i < states.size(); ++i) {
      if ((i & 0xFFF) == 0 && patient.is_stopped()) return false;
      highest = std::max(highest, states[i].score + bound.outside(states[i].set));
    }
    return true;
  };
  if (!is_done(layer, first)) return known;
  for (const Shard& shard : next) {
    if (!is_done(shard.states(), 0)) return known;
  }
  return std::min(highest, known);
}

// Reads the network off backwards.
std::vector<std::uint64_t> go_back(const std::vector<Choices>& choices, const std::vector<Steps>& way_back,
                                   const State& end) {
  std::vector<std::uint64_t> parents(choices.size(), 0);
  std::uint64_t set = end.set;
  std::int64_t score = end.score;
  Step step{end.set, end.last, end.family};
  for (std::size_t placed = choices.size(); placed-- > 0;) {
    const auto bit = static_cast<std::size_t>(step.last);
    const Candidate& family = choices[bit].list[step.family];
    parents[bit] = family.parents;
    set ^= std::uint64_t{1} << bit;
    score -= family.score;
    if (placed == 0) break;
    const Steps& before = way_back[placed - 1];
    const auto single = std::lower_bound(before.single.begin(), before.single.end(), set,
                                         [](const Step& a, std::uint64_t b) { return a.set < b; });
    if (single != before.single.end() && single->set == set) {
      step = *single;
      continue;
    }
    for (const State& state : before.several) {
      if (state.set == set && state.score == score) step = {state.set, state.last, state.family};
    }
  }
  return parents;
}

}  // namespace

OrderSearchResult order_search(const CandidateLists& lists, std::int64_t incumbent, TieRule rule, std::uint64_t seed,
                               double memory_limit, double most_states, Control& control, int threads) {
  const int n = static_cast<int>(lists.of_bit.size());
  OrderSearchResult result;
  const PatternBound bound(lists, control);
  if (control.is_stopped()) return result;
  if (bound.is_exact()) incumbent = std::max(incumbent, bound.outside(0));  // only the network itself is left to find
  const std::int64_t slack = tolerance(incumbent);                          // at least that of the optimum
  result.bound = bound.outside(0);
  const std::vector<Choices> choices = make_choices(lists, rule, seed, slack, control);
  if (control.is_stopped()) return result;

  std::vector<State> layer{{0, 0, 0, 0, 0, -1, 0}};
  std::vector<Steps> way_back;
  std::vector<std::size_t> sizes;  // of the layers
  double bytes_back = 0.0;
  bool is_overflown = false;
  // Calls keep(successor) for every way on from a state that may lead to a network as good as the known one, and
  // returns the most that one of these ways can lead to.
  auto expand = [&](const State& state, auto&& keep) {
    std::int64_t highest = kImpossible;
    // A variable all of whose best families lie inside the set can come next: in every best completion it has one
    // of them, and coming now it is there for the others. No other successor is needed. (Karan and Zola 2016.)
    int only = -1;
    for (int bit = 0; bit < n && only < 0; ++bit) {
      if ((state.set >> bit & 1) == 0 && (choices[static_cast<std::size_t>(bit)].all_best & ~state.set) == 0) {
        only = bit;
      }
    }
    for (int bit = only < 0 ? 0 : only; bit < (only < 0 ? n : only + 1); ++bit) {
      if (state.set >> bit & 1) continue;
      const std::int64_t outside = bound.outside(state.set | std::uint64_t{1} << bit);
      if (outside <= kImpossible / 2) continue;
      const std::int64_t least = incumbent - slack - outside - state.score;
      place(state, bit, choices[static_cast<std::size_t>(bit)], slack, least, [&](const State& successor) {
        // Sets that can at best equal the known network are kept: they may win a tie.
        if (successor.score + outside < incumbent - slack) return;
        keep(successor);
        highest = std::max(highest, successor.score + outside);
      });
    }
    return highest;
  };
  // The same for a range of the layer; ends early when stopped.
  auto expand_range = [&](std::size_t first, std::size_t last, auto&& keep) {
    std::int64_t highest = kImpossible;
    for (std::size_t i = first; i < last; ++i) {
      if ((i & 0x3F) == 0 && control.is_stopped()) break;
      highest = std::max(highest, expand(layer[i], keep));
    }
    return highest;
  };
  std::int64_t layer_bound = result.bound;  // no state of the layer leads to more
  for (int placed = 0; placed < n; ++placed) {
    const std::size_t shards = layer.size() < kFewStates ? 1 : kShards;
    auto shard_of = [&](const State& state) { return shards == 1 ? 0 : mix64(state.set) >> 58; };
    std::vector<Shard> next(shards);
    std::int64_t next_bound = kImpossible;
    for (std::size_t start = 0; start < layer.size(); start += kBatch) {
      const std::size_t end = std::min(layer.size(), start + kBatch);
      if (threads <= 1 || shards == 1) {
        const std::int64_t highest =
            expand_range(start, end, [&](const State& state) { next[shard_of(state)].insert(state, slack); });
        next_bound = std::max(next_bound, highest);
      } else {
        // Chunks in order, so that a shard takes its states in the order of one thread.
        constexpr std::size_t kChunk = 2048;
        const std::size_t chunks = (end - start + kChunk - 1) / kChunk;
        std::vector<std::array<std::vector<State>, kShards>> successors(chunks);
        std::vector<std::int64_t> highest(chunks, kImpossible);
        parallel_for(chunks, threads, [&](int, std::size_t chunk) {
          const std::size_t last = std::min(end, start + (chunk + 1) * kChunk);
          highest[chunk] = expand_range(start + chunk * kChunk, last, [&](const State& state) {
            successors[chunk][shard_of(state)].push_back(state);
          });
        });
        next_bound = std::max(next_bound, *std::max_element(highest.begin(), highest.end()));
        parallel_for(kShards, threads, [&](int, std::size_t shard) {
          for (auto& chunk : successors) {
            if (control.is_stopped()) return;
            for (const State& state : chunk[shard]) next[shard].insert(state, slack);
          }
        });
      }
      std::size_t size = 0;
      for (const Shard& shard : next) size += shard.size();
      result.out_of_memory = static_cast<double>(size + layer.size()) * kBytesPerState + bytes_back > memory_limit;
      const bool is_stopped = control.is_stopped();
      if (is_stopped || result.out_of_memory) {
        // When stopped, part of this batch may not have been expanded.
        const std::size_t first = is_stopped ? start : end;
        result.bound = std::max(incumbent, bound_of_open(bound, layer, first, next, layer_bound, control));
        return result;
      }
    }
    layer.clear();
    Steps steps;
    for (Shard& shard : next) {
      if (control.is_stopped()) break;
      shard.close(
          slack,
          [&](const State& state) {
            layer.push_back(state);
            steps.single.push_back({state.set, state.last, state.family});
          },
          [&](const State& state) {
            layer.push_back(state);
            steps.several.push_back(state);
          });
      is_overflown |= shard.is_overflown();
      shard = Shard();
    }
    result.states += layer.size();
    const auto by_set = [](const Step& a, const Step& b) { return a.set < b.set; };
    const bool is_sorted = sort_watched(steps.single, by_set, control);
    if (!is_sorted || control.is_stopped()) {
      result.bound = std::max(incumbent, next_bound);
      return result;
    }
    bytes_back += static_cast<double>(steps.single.size() * sizeof(Step) + steps.several.size() * sizeof(State));
    way_back.push_back(std::move(steps));
    if (layer.empty()) {
      // Nothing reaches the incumbent: no network scores as much, which cannot be when the incumbent is one.
      result.bound = incumbent;
      return result;
    }
    layer_bound = next_bound;
    sizes.push_back(layer.size());
    if (expected_states(sizes, n) > most_states) {
      result.outgrown = true;
      result.bound = std::max(incumbent, layer_bound);
      return result;
    }
    control.advance(1.0 / n);
  }

  // What is left are networks on all variables that are equal to the best, one for each score.
  result.bound = layer.front().score;
  for (const State& state : layer) result.bound = std::max(result.bound, state.score);
  const State* chosen = nullptr;
  std::int64_t lowest = 0, highest = 0;
  for (const State& state : layer) {
    if (state.score < result.bound - tolerance(result.bound)) continue;
    lowest = chosen == nullptr ? state.lowest : std::min(lowest, state.lowest);
    highest = chosen == nullptr ? state.highest : std::max(highest, state.highest);
    if (chosen == nullptr || state.tie > chosen->tie || (state.tie == chosen->tie && state.score > chosen->score)) {
      chosen = &state;
    }
  }
  result.complete = true;
  result.solution.found = true;
  result.solution.score = chosen->score;
  result.solution.ties_examined = lists.has_all_ties && !is_overflown;
  result.solution.has_ties = lowest != highest;
  result.solution.parents = go_back(choices, way_back, *chosen);
  return result;
}

}  // namespace qnml
