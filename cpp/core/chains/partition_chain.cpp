#include "core/chains/partition_chain.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/chains/dag_moves.hpp"
#include "core/chains/partition.hpp"
#include "core/chains/structure_model.hpp"

namespace qnml {
namespace {

// A round has at most one more record than this fraction (1 / kRounds) of all records before it.
constexpr std::size_t kRounds = 16;

// The kind of move at a position of the schedule.
int pick(const Schedule& schedule, int first, int last, std::size_t at) {
  for (int move = first; move < last; ++move) {
    const auto count = static_cast<std::size_t>(schedule[static_cast<std::size_t>(move)]);
    if (at < count) return move;
    at -= count;
  }
  return last;
}

class Chain {
 public:
  Chain(const StructureModel& model, const Schedule& schedule, ChainState& state, Control& control)
      : model_(model),
        schedule_(schedule),
        state_(state),
        control_(control),
        random_(state.random),
        dag_moves_(model, state.dag) {}

  // Returns false when stopped. The state is then the one before the sweep, so that a continued run draws the same
  // numbers as an uninterrupted one, and this chain must not be used any more. On wide tables a sweep takes seconds.
  bool sweep() {
    ChainState before = state_;
    make_sweep();
    if (!is_cut_short_) return true;
    state_ = std::move(before);
    return false;
  }

  void record(ChainRecords& records) const {
    const std::size_t n = model_.size();
    const std::size_t words = words_for(n);
    const std::size_t start = records.dags.size();
    records.dags.resize(start + n * words, 0);
    for (std::size_t child = 0; child < n; ++child) {
      std::uint64_t* mine = &records.dags[start + child * words];
      for (int parent : model_.parents(state_.dag, child)) mine[parent / 64] |= std::uint64_t{1} << (parent % 64);
    }
    records.log_weights.push_back(log_weight(model_, state_.dag));
  }

 private:
  void make_sweep() {
    // Few nodes have parents outside their candidates, and sums that include those parents would have to be recomputed.
    const bool is_wide = std::ranges::any_of(state_.dag.outside, [](const auto& some) { return !some.empty(); });
    if (is_wide) {
      const StructureModel fixed = model_.with_outside_fixed(state_.dag);
      ChosenParents chosen = state_.dag.chosen;
      for (std::size_t node = 0; node < chosen.size(); ++node) {
        if (!state_.dag.outside[node].empty()) chosen[node] = 0;
      }
      move_partition(fixed, chosen);
      for (std::size_t node = 0; node < chosen.size(); ++node) {
        if (state_.dag.outside[node].empty()) state_.dag.chosen[node] = chosen[node];
      }
    } else {
      move_partition(model_, state_.dag.chosen);
    }
    make_moves(draw_family, kMoves, [&](int move) {
      switch (move) {
        case draw_family:
          return dag_moves_.draw_family(random_);
        case reverse_arc:
          return dag_moves_.reverse_arc(random_);
        default:
          return dag_moves_.draw_parent(random_);
      }
    });
    ++state_.sweeps;
    state_.random = random_.state();
  }

  void move_partition(const StructureModel& model, ChosenParents& chosen) {
    Partition partition(model, layers_of(model, chosen));
    make_moves(relocate, draw_family, [&](int move) {
      switch (move) {
        case relocate:
          return partition.relocate(random_);
        case swap_adjacent:
          return partition.swap_adjacent(random_);
        case swap_any:
          return partition.swap_any(random_);
        default:
          return partition.split_or_merge(random_);
      }
    });
    partition.draw(random_, chosen);
  }

  // Makes as many moves of the kinds first .. last - 1 as the schedule has, each of a kind drawn at random.
  template <class Make>
  void make_moves(int first, int last, Make&& make) {
    const auto count =
        static_cast<std::size_t>(std::accumulate(schedule_.begin() + first, schedule_.begin() + last, 0));
    for (std::size_t step = 0; step < count && !is_cut_short_; ++step) {
      is_cut_short_ = control_.is_stopped();
      const int move = pick(schedule_, first, last, below(random_, count));
      const auto kind = static_cast<std::size_t>(move);
      ++state_.tried[kind];
      state_.changed[kind] += make(move);
    }
  }

  const StructureModel& model_;
  const Schedule& schedule_;
  ChainState& state_;
  Control& control_;
  bool is_cut_short_ = false;
  Xoshiro256 random_;
  DagMoves dag_moves_;
};

}  // namespace

ChainState start_chain(const StructureModel& model, std::uint64_t seed, std::uint64_t chain) {
  Xoshiro256 random = Xoshiro256::stream(seed, chain);
  const std::size_t n = model.size();
  ChainState state;
  state.dag.chosen.assign(n, 0);
  state.dag.outside.resize(n);
  std::vector<std::size_t> missing(n);
  std::vector<std::size_t> ready;
  std::vector<char> placed(n, 0);
  for (std::size_t node = 0; node < n; ++node) {
    missing[node] = model.sums(node).required().size();
    if (missing[node] == 0) ready.push_back(node);
  }
  while (!ready.empty()) {
    const std::size_t at = below(random, ready.size());
    const std::size_t node = ready[at];
    ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(at));
    const std::vector<int>& candidates = model.sums(node).candidates();
    std::uint32_t before = 0;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      before |= static_cast<std::uint32_t>(placed[static_cast<std::size_t>(candidates[k])] != 0) << k;
    }
    state.dag.chosen[node] = model.sums(node).draw_within(before, random.uniform());
    placed[node] = 1;
    for (const Holder& holder : model.holders[node]) {
      const auto child = static_cast<std::size_t>(holder.node);
      if (holder.bit == kRequiredBit && --missing[child] == 0) ready.push_back(child);
    }
  }
  state.random = random.state();
  return state;
}

bool is_admitted(const StructureModel& model, const ChainDag& dag) {
  if (dag.chosen.size() != model.size() || dag.outside.size() != model.size()) return false;
  for (std::size_t child = 0; child < model.size(); ++child) {
    const std::vector<int>& candidates = model.sums(child).candidates();
    const std::vector<int>& outside = dag.outside[child];
    if (static_cast<std::uint64_t>(dag.chosen[child]) >> candidates.size() != 0) return false;
    if (!outside.empty()) {
      if (model.wide() == nullptr || std::ranges::adjacent_find(outside, std::greater_equal{}) != outside.end()) {
        return false;
      }
      const std::vector<int>& allowed = model.wide()->limits().allowed[child];
      for (int parent : outside) {
        if (std::ranges::find(candidates, parent) != candidates.end()) return false;
        if (!std::ranges::binary_search(allowed, parent)) return false;
      }
    }
    if (std::isinf(model.log_weight(dag, child))) return false;
  }
  const StructureModel fixed = model.with_outside_fixed(dag);
  ChosenParents chosen = dag.chosen;
  for (std::size_t node = 0; node < chosen.size(); ++node) {
    if (!dag.outside[node].empty()) chosen[node] = 0;
  }
  const std::vector<int> layer = layers_of(fixed, chosen);
  for (std::size_t parent = 0; parent < model.size(); ++parent) {
    for (const Holder& holder : fixed.holders[parent]) {
      const auto child = static_cast<std::size_t>(holder.node);
      const bool is_arc = holder.bit == kRequiredBit || (chosen[child] >> holder.bit & 1) != 0;
      if (is_arc && layer[parent] >= layer[child]) return false;  // on a cycle, or downstream of one
    }
  }
  return true;
}

std::vector<ChainRecords> run_chains(const StructureModel& model, std::vector<ChainState>& states,
                                     const Schedule& schedule, std::size_t records, std::size_t sweeps_per_record,
                                     int threads, Control& control) {
  for (const ChainState& state : states) {
    if (!is_admitted(model, state.dag)) throw std::invalid_argument("a chain cannot start from a DAG of no weight");
  }
  std::vector<ChainRecords> found(states.size());
  control.start_stage("chains", static_cast<double>(records * states.size()));
  // Rounds grow, so that all chains have advanced about equally when time runs out, whatever the number of threads.
  std::size_t done = 0;
  while (done < records && !control.is_stopped()) {
    const std::size_t round = std::min(records - done, 1 + done / kRounds);
    parallel_for(states.size(), threads, [&](int, std::size_t which) {
      Chain chain(model, schedule, states[which], control);
      for (std::size_t record = 0; record < round; ++record) {
        for (std::size_t sweep = 0; sweep < sweeps_per_record; ++sweep) {
          if (control.is_stopped() || !chain.sweep()) return;
        }
        chain.record(found[which]);
        control.advance(1.0);
      }
    });
    done += round;
  }
  return found;
}

std::vector<std::uint64_t> ancestors(const std::uint64_t* dags, std::size_t count, std::size_t nodes, int threads) {
  const std::size_t words = words_for(nodes);
  const std::size_t size = nodes * words;
  std::vector<std::uint64_t> closed(dags, dags + count * size);
  parallel_for(count, threads, [&](int, std::size_t which) {
    std::uint64_t* above = &closed[which * size];
    // Warshall: after the iteration of a node, all paths through it are known.
    for (std::size_t middle = 0; middle < nodes; ++middle) {
      for (std::size_t node = 0; node < nodes; ++node) {
        if ((above[node * words + middle / 64] >> (middle % 64) & 1) == 0) continue;
        for (std::size_t word = 0; word < words; ++word) above[node * words + word] |= above[middle * words + word];
      }
    }
  });
  return closed;
}

}  // namespace qnml
