// The states of a search over orders, layer by layer, and how each was reached.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/base/random.hpp"

namespace qnml {

// A set of variables that come first in the order, with the best network on it. A set has one state for each distinct
// score within the tolerance of its best one; almost always that is a single state.
struct LayerState {
  std::uint64_t set;
  std::int64_t score;
  std::int64_t tie;
  std::int64_t lowest, highest;  // range of the examination values over the networks with this score
  std::int32_t last;             // the variable placed last
  std::uint32_t family;          // index of its parent set in its list of choices
};

// Merges two paths to the same set and score. Complete ties go to the lower variable, so that the result does not
// depend on the number of threads.
inline void merge(LayerState& into, const LayerState& other) {
  into.lowest = std::min(into.lowest, other.lowest);
  into.highest = std::max(into.highest, other.highest);
  if (other.tie > into.tie || (other.tie == into.tie && other.last < into.last)) {
    into.tie = other.tie;
    into.last = other.last;
    into.family = other.family;
  }
}

// A part of a layer: a hash table of states with open addressing, keyed by set. A layer is split into shards so that no
// two threads share one.
class LayerShard {
 public:
  void insert(const LayerState& state, std::int64_t tolerance) {
    if (2 * (states_.size() + 1) > slots_.size()) grow();
    const std::size_t slot = find(state.set);
    if (slots_[slot] == 0) {
      states_.push_back(state);
      slots_[slot] = static_cast<std::uint32_t>(states_.size());
      return;
    }
    LayerState& known = states_[slots_[slot] - 1];
    if (state.score == known.score) {
      merge(known, state);
    } else if (state.score > known.score + tolerance && !has_others(state.set)) {
      known = state;
    } else if (state.score >= known.score - tolerance) {
      insert_near(slots_[slot] - 1, state, tolerance);
    }
  }

  std::size_t size() const { return states_.size(); }
  const std::vector<LayerState>& states() const { return states_; }
  // Whether some set had more states than the limit, so that some were dropped.
  bool is_overflown() const { return is_overflown_; }

  // Passes on the states within the tolerance of the best of their set: to `single` if the set has one state, else to
  // `several`.
  template <typename Single, typename Several>
  void close(std::int64_t tolerance, Single&& single, Several&& several) const {
    for (const LayerState& state : states_) {
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
  static constexpr std::size_t kMostStates = 64;  // per set

  bool has_others(std::uint64_t set) const { return !others_.empty() && others_.contains(set); }

  void insert_near(std::uint32_t first, const LayerState& state, std::int64_t tolerance) {
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
  std::vector<LayerState> states_;
  std::vector<std::uint32_t> slots_;  // by hash, one plus the index of the set's first state
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>>
      others_;  // indices of all states, for sets with several
  bool is_overflown_ = false;
};

// How the states of a layer were reached: enough to read off the network backwards.
struct LayerStep {
  std::uint64_t set;
  std::int32_t last;
  std::uint32_t family;
};
struct LayerSteps {
  std::vector<LayerStep> single;    // sorted by set
  std::vector<LayerState> several;  // for sets with several states
};

}  // namespace qnml
