#include "core/layered.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "core/order_climb.hpp"
#include "core/parallel.hpp"
#include "core/pattern_bound.hpp"
#include "core/random.hpp"

namespace qnml {
namespace {

// A set of variables that come first, with the best network on it.
struct State {
  std::uint64_t set;
  std::int64_t score;
  std::int64_t tie;
  std::int64_t lowest, highest;  // range of the examination numbers among equals (see order_dp)
  std::int32_t last;             // the variable placed last
};

// The better of two ways to the same set; among full equals the lower variable, so that threads do not matter.
void merge(State& into, const State& other) {
  if (other.score < into.score) return;
  if (other.score > into.score) {
    into = other;
    return;
  }
  into.lowest = std::min(into.lowest, other.lowest);
  into.highest = std::max(into.highest, other.highest);
  if (other.tie > into.tie || (other.tie == into.tie && other.last < into.last)) {
    into.tie = other.tie;
    into.last = other.last;
  }
}

// Open addressing by set; the next layer is split into shards so that threads never share one.
class Shard {
 public:
  void insert(const State& state) {
    if (2 * (states_.size() + 1) > slots_.size()) grow();
    const std::size_t slot = find(state.set);
    if (slots_[slot] == 0) {
      states_.push_back(state);
      slots_[slot] = static_cast<std::uint32_t>(states_.size());
    } else {
      merge(states_[slots_[slot] - 1], state);
    }
  }
  std::vector<State>& states() { return states_; }

 private:
  std::size_t find(std::uint64_t set) const {
    std::size_t slot = mix64(set) & (slots_.size() - 1);
    while (slots_[slot] != 0 && states_[slots_[slot] - 1].set != set) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }
  void grow() {
    slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), 0);
    for (std::size_t i = 0; i < states_.size(); ++i) {
      slots_[find(states_[i].set)] = static_cast<std::uint32_t>(i + 1);
    }
  }
  std::vector<State> states_;
  std::vector<std::uint32_t> slots_;
};

constexpr std::size_t kShards = 64;
constexpr std::size_t kBatch = std::size_t{1} << 17;
constexpr double kBytesPerState = 2.0 * sizeof(State) + 40.0;  // both layers with their slots, and the way back

// A child's candidates in the order of the tie rule, with the numbers that go with them.
struct Choices {
  std::vector<Candidate> list;
  std::vector<std::int64_t> tie;
  std::vector<std::int64_t> examination;
  bool has_equals = false;
  std::uint64_t all_best = 0;  // the parents of every candidate that has the best score
};

}  // namespace

LayeredResult layered_search(const CandidateLists& lists, std::int64_t incumbent, TieRule rule, std::uint64_t seed,
                             bool examine_ties, double memory_limit, Control& control, int threads) {
  const int n = static_cast<int>(lists.of_bit.size());
  constexpr std::uint64_t kExamination = 0x51ED270B0A1F39C5ULL;
  std::vector<Choices> choices(static_cast<std::size_t>(n));
  for (int bit = 0; bit < n; ++bit) {
    Choices& mine = choices[static_cast<std::size_t>(bit)];
    mine.list = lists.of_bit[static_cast<std::size_t>(bit)];
    std::stable_sort(mine.list.begin(), mine.list.end(), [&](const Candidate& a, const Candidate& b) {
      return a.score != b.score ? a.score > b.score : tie_value(rule, seed, bit, a) > tie_value(rule, seed, bit, b);
    });
    for (std::size_t i = 0; i < mine.list.size(); ++i) {
      mine.tie.push_back(tie_value(rule, seed, bit, mine.list[i]));
      mine.examination.push_back(tie_value(TieRule::random, kExamination, bit, mine.list[i]));
      if (mine.list[i].score == mine.list[0].score) mine.all_best |= mine.list[i].parents;
      mine.has_equals |= i > 0 && mine.list[i].score == mine.list[i - 1].score;
    }
  }
  const PatternBound bound(lists);

  LayeredResult result;
  result.bound = bound.outside(0);
  std::vector<State> layer{{0, 0, 0, 0, 0, -1}};
  std::vector<std::vector<std::pair<std::uint64_t, std::int32_t>>> way_back;  // set and its last variable, per layer
  double bytes_back = 0.0;
  for (int placed = 0; placed < n; ++placed) {
    std::vector<Shard> next(kShards);
    for (std::size_t start = 0; start < layer.size(); start += kBatch) {
      const std::size_t end = std::min(layer.size(), start + kBatch);
      constexpr std::size_t kChunk = 2048;
      const std::size_t chunks = (end - start + kChunk - 1) / kChunk;
      std::vector<std::array<std::vector<State>, kShards>> successors(chunks);
      parallel_for(chunks, threads, [&](int, std::size_t chunk) {
        const std::size_t last = std::min(end, start + (chunk + 1) * kChunk);
        for (std::size_t i = start + chunk * kChunk; i < last; ++i) {
          const State& state = layer[i];
          // A variable all of whose best families lie inside the set can come next: in every best completion it has one
          // of them, and coming now it is there for the others. No other successor is needed. (Karan and Zola 2016.)
          int only = -1;
          for (int bit = 0; bit < n && only < 0; ++bit) {
            if ((state.set >> bit & 1) == 0 && (choices[static_cast<std::size_t>(bit)].all_best & ~state.set) == 0)
              only = bit;
          }
          for (int bit = only < 0 ? 0 : only; bit < (only < 0 ? n : only + 1); ++bit) {
            if (state.set >> bit & 1) continue;
            const Choices& mine = choices[static_cast<std::size_t>(bit)];
            const int found = first_inside(mine.list, state.set);
            if (found < 0) continue;
            const auto which = static_cast<std::size_t>(found);
            const std::uint64_t set = state.set | std::uint64_t{1} << bit;
            const std::int64_t score = state.score + mine.list[which].score;
            // Sets that can at best equal the known network are kept: they may win a tie.
            if (score + bound.outside(set) < incumbent) continue;
            State successor{set, score, state.tie + mine.tie[which], state.lowest, state.highest, bit};
            if (examine_ties) {
              std::int64_t lowest = mine.examination[which];
              std::int64_t highest = lowest;
              for (std::size_t k = which + 1;
                   mine.has_equals && k < mine.list.size() && mine.list[k].score == mine.list[which].score; ++k) {
                if ((mine.list[k].parents & ~state.set) != 0) continue;
                lowest = std::min(lowest, mine.examination[k]);
                highest = std::max(highest, mine.examination[k]);
              }
              successor.lowest += lowest;
              successor.highest += highest;
            }
            successors[chunk][mix64(set) >> 58].push_back(successor);
          }
        }
      });
      parallel_for(kShards, threads, [&](int, std::size_t shard) {
        for (auto& chunk : successors) {
          for (const State& state : chunk[shard]) next[shard].insert(state);
        }
      });
      std::size_t size = 0;
      for (Shard& shard : next) size += shard.states().size();
      result.out_of_memory = static_cast<double>(size + layer.size()) * kBytesPerState + bytes_back > memory_limit;
      if (control.is_stopped() || result.out_of_memory) {
        // What is left of this layer and what has been reached of the next bound every unfinished network.
        result.bound = incumbent;
        for (std::size_t i = end; i < layer.size(); ++i) {
          result.bound = std::max(result.bound, layer[i].score + bound.outside(layer[i].set));
        }
        for (Shard& shard : next) {
          for (const State& state : shard.states())
            result.bound = std::max(result.bound, state.score + bound.outside(state.set));
        }
        return result;
      }
    }
    layer.clear();
    std::vector<std::pair<std::uint64_t, std::int32_t>> back;
    for (Shard& shard : next) {
      for (const State& state : shard.states()) {
        layer.push_back(state);
        back.emplace_back(state.set, state.last);
      }
      shard = Shard();
    }
    result.states += layer.size();
    std::sort(back.begin(), back.end());
    bytes_back += static_cast<double>(back.size()) * 16.0;
    way_back.push_back(std::move(back));
    if (layer.empty()) {
      // Nothing reaches the incumbent: no network scores as much, which cannot be when the incumbent is one.
      result.bound = incumbent;
      return result;
    }
    control.advance(1.0 / n);
  }

  const State& final_state = layer.front();
  result.complete = true;
  result.bound = final_state.score;
  result.solution.found = true;
  result.solution.score = final_state.score;
  result.solution.ties_examined = examine_ties && lists.has_all_ties;
  result.solution.has_ties = examine_ties && final_state.lowest != final_state.highest;
  result.solution.parents.assign(static_cast<std::size_t>(n), 0);
  std::uint64_t set = final_state.set;
  for (int placed = n; placed-- > 0;) {
    const auto& back = way_back[static_cast<std::size_t>(placed)];
    const auto found = std::lower_bound(back.begin(), back.end(), std::pair<std::uint64_t, std::int32_t>(set, -1));
    const auto bit = static_cast<std::size_t>(found->second);
    set ^= std::uint64_t{1} << bit;
    const int which = first_inside(choices[bit].list, set);
    result.solution.parents[bit] = choices[bit].list[static_cast<std::size_t>(which)].parents;
  }
  return result;
}

}  // namespace qnml
