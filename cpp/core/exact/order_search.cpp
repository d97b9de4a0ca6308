#include "core/exact/order_search.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/base/random.hpp"
#include "core/base/watched.hpp"
#include "core/exact/candidates.hpp"
#include "core/exact/layer_states.hpp"
#include "core/exact/order_outlook.hpp"
#include "core/exact/order_solution.hpp"
#include "core/exact/pattern_bound.hpp"
#include "core/graph/tie_breaking.hpp"

namespace qnml {
namespace {

constexpr std::size_t kShards = 64;
constexpr std::size_t kFewStates = 4096;  // below this, one shard costs less than many
constexpr std::size_t kBatch = std::size_t{1} << 17;
constexpr double kBytesPerState = 2.0 * sizeof(LayerState) + 40.0;  // both layers with their slots, and the way back

// A variable's candidate parent sets in the order of the tie-breaking rule, with the values that break ties.
struct Choices {
  std::vector<Candidate> list;
  std::vector<std::int64_t> tie;
  std::vector<std::int64_t> examination;
  bool has_equals = false;     // whether two neighbours in the list tie within the tolerance
  std::uint64_t all_best = 0;  // union of the candidates that tie with the best
};

std::vector<Choices> make_choices(const CandidateLists& lists, TieRule rule, std::uint64_t seed, std::int64_t tolerance,
                                  Control& control) {
  std::vector<Choices> choices(lists.of_bit.size());
  for (std::size_t b = 0; b < choices.size() && !control.is_stopped(); ++b) {
    const int bit = static_cast<int>(b);
    Choices& mine = choices[b];
    mine.list = lists.of_bit[b];
    const auto tie_of = [&](const Candidate& one) { return tie_value(rule, seed, bit, one.parents, one.complexity); };
    std::stable_sort(mine.list.begin(), mine.list.end(), [&](const Candidate& x, const Candidate& y) {
      return x.score != y.score ? x.score > y.score : tie_of(x) > tie_of(y);
    });
    for (std::size_t i = 0; i < mine.list.size(); ++i) {
      mine.tie.push_back(tie_of(mine.list[i]));
      mine.examination.push_back(examination_value(bit, mine.list[i].parents));
      if (mine.list[i].score >= mine.list[0].score - tolerance) mine.all_best |= mine.list[i].parents;
      mine.has_equals |= i > 0 && mine.list[i].score >= mine.list[i - 1].score - tolerance;
    }
  }
  return choices;
}

// Emits the states that place a variable after a set: one for each distinct score within the tolerance of the best
// family inside the set. Emits none if that best family scores less than `least`.
template <typename Emit>
void place(const LayerState& state, int bit, const Choices& mine, std::int64_t tolerance, std::int64_t least,
           Emit&& emit) {
  std::size_t first = 0;
  for (;; ++first) {
    // Most sets are pruned here: lists are sorted, so the families that score enough come first.
    if (first == mine.list.size() || mine.list[first].score < least) return;
    if ((mine.list[first].parents & ~state.set) == 0) break;
  }
  LayerState next{
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

// Upper bound on the score of any network that extends a state not yet expanded: one of the layer from index `first`
// on, or one of the next layer. Visiting all of them may take long; when there is no time, returns `known`, an upper
// bound for every one of them.
std::int64_t bound_of_open(const PatternBound& bound, const std::vector<LayerState>& layer, std::size_t first,
                           const std::vector<LayerShard>& next, std::int64_t known, Control& control) {
  constexpr double kGraceSeconds = 0.2;
  Control patient(control, kGraceSeconds);
  std::int64_t highest = std::numeric_limits<std::int64_t>::min();
  auto is_done = [&](const std::vector<LayerState>& states, std::size_t from) {
    for (std::size_t i = from; i < states.size(); ++i) {
      if ((i & 0xFFF) == 0 && patient.is_stopped()) return false;
      highest = std::max(highest, states[i].score + bound.outside(states[i].set));
    }
    return true;
  };
  if (!is_done(layer, first)) return known;
  for (const LayerShard& shard : next) {
    if (!is_done(shard.states(), 0)) return known;
  }
  return std::min(highest, known);
}

// Reads off the network backwards from its last state.
std::vector<std::uint64_t> go_back(const std::vector<Choices>& choices, const std::vector<LayerSteps>& way_back,
                                   const LayerState& end) {
  std::vector<std::uint64_t> parents(choices.size(), 0);
  std::uint64_t set = end.set;
  std::int64_t score = end.score;
  LayerStep step{end.set, end.last, end.family};
  for (std::size_t placed = choices.size(); placed-- > 0;) {
    const auto bit = static_cast<std::size_t>(step.last);
    const Candidate& family = choices[bit].list[step.family];
    parents[bit] = family.parents;
    set ^= std::uint64_t{1} << bit;
    score -= family.score;
    if (placed == 0) break;
    const LayerSteps& before = way_back[placed - 1];
    const auto single = std::lower_bound(before.single.begin(), before.single.end(), set,
                                         [](const LayerStep& a, std::uint64_t b) { return a.set < b; });
    if (single != before.single.end() && single->set == set) {
      step = *single;
      continue;
    }
    for (const LayerState& state : before.several) {
      if (state.set == set && state.score == score) step = {state.set, state.last, state.family};
    }
  }
  return parents;
}

// The search itself: the current layer of states, and how the states of earlier layers were reached.
class LayeredSearch {
 public:
  LayeredSearch(const PatternBound& bound, std::vector<Choices> choices, std::int64_t incumbent, std::int64_t slack,
                double memory_limit, double most_states, Control& control, int threads)
      : bound_(bound),
        choices_(std::move(choices)),
        n_(static_cast<int>(choices_.size())),
        incumbent_(incumbent),
        slack_(slack),
        memory_limit_(memory_limit),
        most_states_(most_states),
        control_(control),
        threads_(threads),
        layer_bound_(bound.outside(0)) {
    result_.bound = layer_bound_;
  }

  OrderSearchResult run(bool has_all_ties) {
    for (int placed = 0; placed < n_; ++placed) {
      std::vector<LayerShard> next(layer_.size() < kFewStates ? 1 : kShards);
      if (!expand_layer(next) || !enter(next)) return std::move(result_);
      control_.advance(1.0 / n_);
    }
    choose(has_all_ties);
    return std::move(result_);
  }

 private:
  template <typename Keep>
  std::int64_t expand(const LayerState& state, Keep&& keep) const;
  template <typename Keep>
  std::int64_t expand_range(std::size_t first, std::size_t last, Keep&& keep) const;
  std::int64_t expand_batch(std::size_t start, std::size_t end, std::vector<LayerShard>& next) const;
  std::int64_t expand_in_threads(std::size_t start, std::size_t end, std::vector<LayerShard>& next) const;
  bool expand_layer(std::vector<LayerShard>& next);
  bool enter(std::vector<LayerShard>& next);
  void choose(bool has_all_ties);

  int only_successor(std::uint64_t set) const;

  static std::size_t shard_of(const LayerState& state, std::size_t shards) {
    return shards == 1 ? 0 : mix64(state.set) >> 58;
  }

  // Ends the search without a network; returns false, as the steps do that end it.
  bool give_up(std::int64_t bound) {
    result_.bound = std::max(incumbent_, bound);
    return false;
  }

  const PatternBound& bound_;
  const std::vector<Choices> choices_;
  const int n_;
  const std::int64_t incumbent_;  // score of a known network
  const std::int64_t slack_;      // tolerance within which scores tie
  const double memory_limit_;
  const double most_states_;
  Control& control_;
  const int threads_;

  OrderSearchResult result_;
  std::vector<LayerState> layer_{{0, 0, 0, 0, 0, -1, 0}};
  std::int64_t layer_bound_;               // upper bound for all states of the layer
  std::int64_t next_bound_ = kImpossible;  // and for those of the next
  std::vector<LayerSteps> way_back_;
  std::vector<std::size_t> sizes_;  // of the layers so far
  double bytes_back_ = 0.0;
  bool is_overflown_ = false;
};

// A variable all of whose best families lie inside the set can come next: in every best completion it has one of them,
// and coming now it is available to the others. No other successor is needed. (Karan and Zola 2016.) -1 if there is
// none.
int LayeredSearch::only_successor(std::uint64_t set) const {
  for (int bit = 0; bit < n_; ++bit) {
    if ((set >> bit & 1) == 0 && (choices_[static_cast<std::size_t>(bit)].all_best & ~set) == 0) return bit;
  }
  return -1;
}

// Calls keep(successor) for every successor of a state that may lead to a network as good as the known one, and returns
// an upper bound on the score of the networks that these lead to.
template <typename Keep>
std::int64_t LayeredSearch::expand(const LayerState& state, Keep&& keep) const {
  std::int64_t highest = kImpossible;
  const int only = only_successor(state.set);
  for (int bit = only < 0 ? 0 : only; bit < (only < 0 ? n_ : only + 1); ++bit) {
    if (state.set >> bit & 1) continue;
    const std::int64_t outside = bound_.outside(state.set | std::uint64_t{1} << bit);
    if (outside <= kImpossible / 2) continue;
    const std::int64_t least = incumbent_ - slack_ - outside - state.score;
    place(state, bit, choices_[static_cast<std::size_t>(bit)], slack_, least, [&](const LayerState& successor) {
      // Sets that can at best equal the known network are kept: they may win a tie.
      if (successor.score + outside < incumbent_ - slack_) return;
      keep(successor);
      highest = std::max(highest, successor.score + outside);
    });
  }
  return highest;
}

// The same for a range of the layer; ends early when stopped.
template <typename Keep>
std::int64_t LayeredSearch::expand_range(std::size_t first, std::size_t last, Keep&& keep) const {
  std::int64_t highest = kImpossible;
  for (std::size_t i = first; i < last; ++i) {
    if ((i & 0x3F) == 0 && control_.is_stopped()) break;
    highest = std::max(highest, expand(layer_[i], keep));
  }
  return highest;
}

std::int64_t LayeredSearch::expand_batch(std::size_t start, std::size_t end, std::vector<LayerShard>& next) const {
  if (threads_ > 1 && next.size() > 1) return expand_in_threads(start, end, next);
  return expand_range(start, end,
                      [&](const LayerState& state) { next[shard_of(state, next.size())].insert(state, slack_); });
}

std::int64_t LayeredSearch::expand_in_threads(std::size_t start, std::size_t end, std::vector<LayerShard>& next) const {
  // Chunks in order, so that a shard receives its states in the same order as with one thread.
  constexpr std::size_t kChunk = 2048;
  const std::size_t chunks = (end - start + kChunk - 1) / kChunk;
  std::vector<std::array<std::vector<LayerState>, kShards>> successors(chunks);
  std::vector<std::int64_t> highest(chunks, kImpossible);
  parallel_for(chunks, threads_, [&](int, std::size_t chunk) {
    const std::size_t last = std::min(end, start + (chunk + 1) * kChunk);
    highest[chunk] = expand_range(start + chunk * kChunk, last, [&](const LayerState& state) {
      successors[chunk][shard_of(state, kShards)].push_back(state);
    });
  });
  parallel_for(kShards, threads_, [&](int, std::size_t shard) {
    for (auto& chunk : successors) {
      if (control_.is_stopped()) return;
      for (const LayerState& state : chunk[shard]) next[shard].insert(state, slack_);
    }
  });
  return *std::max_element(highest.begin(), highest.end());
}

// Fills the next layer. False when the search ends: it was stopped, or the layers outgrow the memory.
bool LayeredSearch::expand_layer(std::vector<LayerShard>& next) {
  next_bound_ = kImpossible;
  for (std::size_t start = 0; start < layer_.size(); start += kBatch) {
    const std::size_t end = std::min(layer_.size(), start + kBatch);
    next_bound_ = std::max(next_bound_, expand_batch(start, end, next));
    std::size_t size = 0;
    for (const LayerShard& shard : next) size += shard.size();
    result_.out_of_memory = static_cast<double>(size + layer_.size()) * kBytesPerState + bytes_back_ > memory_limit_;
    const bool is_stopped = control_.is_stopped();
    if (is_stopped || result_.out_of_memory) {
      // When stopped, part of this batch may not have been expanded.
      return give_up(bound_of_open(bound_, layer_, is_stopped ? start : end, next, layer_bound_, control_));
    }
  }
  return true;
}

// Makes the next layer the current one. False when the search ends: it was stopped, nothing is left, or too many states
// are to be expected.
bool LayeredSearch::enter(std::vector<LayerShard>& next) {
  layer_.clear();
  LayerSteps steps;
  for (LayerShard& shard : next) {
    if (control_.is_stopped()) break;
    shard.close(
        slack_,
        [&](const LayerState& state) {
          layer_.push_back(state);
          steps.single.push_back({state.set, state.last, state.family});
        },
        [&](const LayerState& state) {
          layer_.push_back(state);
          steps.several.push_back(state);
        });
    is_overflown_ |= shard.is_overflown();
    shard = LayerShard();
  }
  result_.states += layer_.size();
  const auto by_set = [](const LayerStep& a, const LayerStep& b) { return a.set < b.set; };
  const bool is_sorted = sort_watched(steps.single, by_set, control_);
  if (!is_sorted || control_.is_stopped()) return give_up(next_bound_);
  bytes_back_ +=
      static_cast<double>(steps.single.size() * sizeof(LayerStep) + steps.several.size() * sizeof(LayerState));
  way_back_.push_back(std::move(steps));
  // No state reaches the incumbent: no network scores as much, which is impossible when the incumbent is a network.
  if (layer_.empty()) return give_up(incumbent_);
  layer_bound_ = next_bound_;
  sizes_.push_back(layer_.size());
  if (expected_states(sizes_, n_) > most_states_) {
    result_.outgrown = true;
    return give_up(layer_bound_);
  }
  return true;
}

// The last layer holds networks on all variables that tie with the best, one for each distinct score.
void LayeredSearch::choose(bool has_all_ties) {
  result_.bound = layer_.front().score;
  for (const LayerState& state : layer_) result_.bound = std::max(result_.bound, state.score);
  const LayerState* chosen = nullptr;
  std::int64_t lowest = 0, highest = 0;
  for (const LayerState& state : layer_) {
    if (state.score < result_.bound - tolerance(result_.bound)) continue;
    lowest = chosen == nullptr ? state.lowest : std::min(lowest, state.lowest);
    highest = chosen == nullptr ? state.highest : std::max(highest, state.highest);
    if (chosen == nullptr || state.tie > chosen->tie || (state.tie == chosen->tie && state.score > chosen->score)) {
      chosen = &state;
    }
  }
  result_.complete = true;
  result_.solution.found = true;
  result_.solution.score = chosen->score;
  result_.solution.ties_examined = has_all_ties && !is_overflown_;
  result_.solution.has_ties = lowest != highest;
  result_.solution.parents = go_back(choices_, way_back_, *chosen);
}

}  // namespace

OrderSearchResult order_search(const CandidateLists& lists, std::int64_t incumbent, TieRule rule, std::uint64_t seed,
                               double memory_limit, double most_states, Control& control, int threads) {
  OrderSearchResult unstarted;
  const PatternBound bound(lists, control);
  if (control.is_stopped()) return unstarted;
  if (bound.is_exact()) incumbent = std::max(incumbent, bound.outside(0));  // only the network itself is left to find
  const std::int64_t slack = tolerance(incumbent);                          // at least that of the optimum
  unstarted.bound = bound.outside(0);
  std::vector<Choices> choices = make_choices(lists, rule, seed, slack, control);
  if (control.is_stopped()) return unstarted;
  return LayeredSearch(bound, std::move(choices), incumbent, slack, memory_limit, most_states, control, threads)
      .run(lists.has_all_ties);
}

}  // namespace qnml
