#include "core/local/best_order.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/base/random.hpp"
#include "core/graph/found_network.hpp"
#include "core/graph/rules.hpp"
#include "core/local/hill_climb.hpp"
#include "core/local/order_state.hpp"
#include "core/local/parent_growth.hpp"
#include "core/local/tuning.hpp"
#include "core/scores/family_cache.hpp"

namespace qnml {
namespace {

using Network = std::vector<std::vector<int>>;

constexpr ClimbOptions kPolish{.starts = 1, .tabu = tuning::climb::kTabu.usual, .patience = tuning::climb::kTabu.usual};

std::size_t below(Xoshiro256& random, std::size_t bound) { return static_cast<std::size_t>(random.next() % bound); }

// The variable with its parents and children.
std::vector<int> neighbourhood(const OrderState& state, int variable) {
  std::vector<int> found = state.parents(variable);
  found.push_back(variable);
  for (int child = 0; child < static_cast<int>(state.order().size()); ++child) {
    const std::vector<int>& parents = state.parents(child);
    if (std::binary_search(parents.begin(), parents.end(), variable)) found.push_back(child);
  }
  return found;
}

// The wanted order, changed so that required parents come before their children.
std::vector<int> with_required_first(const std::vector<int>& wanted, const Network& required) {
  std::vector<int> order;
  std::vector<char> is_placed(wanted.size(), 0);
  std::vector<int> waiting;
  for (int variable : wanted) {
    for (waiting.push_back(variable); !waiting.empty();) {
      const int next = waiting.back();
      const auto& parents = required[static_cast<std::size_t>(next)];
      const auto missing = std::find_if(parents.begin(), parents.end(),
                                        [&](int parent) { return !is_placed[static_cast<std::size_t>(parent)]; });
      if (missing != parents.end()) {
        waiting.push_back(*missing);
        continue;
      }
      waiting.pop_back();
      if (is_placed[static_cast<std::size_t>(next)]) continue;
      is_placed[static_cast<std::size_t>(next)] = 1;
      order.push_back(next);
    }
  }
  return order;
}

// Re-roots a connected subgraph of random size at one of its variables: its variables exchange positions so that those
// nearer to the root come first. The direction of a long path depends on both of its ends, and reversing its arcs one
// by one leads through much worse networks.
std::vector<int> turned_away(const OrderState& state, Xoshiro256& random) {
  const Network network = state.network();
  const std::size_t n = network.size();
  Network adjacent = network;
  for (std::size_t child = 0; child < n; ++child) {
    for (int parent : network[child]) adjacent[static_cast<std::size_t>(parent)].push_back(static_cast<int>(child));
  }
  const std::size_t most = tuning::orders::kLeastRerooted + below(random, n);
  std::vector<int> part{static_cast<int>(below(random, n))};
  std::vector<char> is_inside(n, 0);
  is_inside[static_cast<std::size_t>(part.front())] = 1;
  for (std::size_t next = 0; next < part.size(); ++next) {
    std::vector<int>& around = adjacent[static_cast<std::size_t>(part[next])];
    for (std::size_t i = around.size(); i > 1; --i) std::swap(around[i - 1], around[below(random, i)]);
    for (int variable : around) {
      if (is_inside[static_cast<std::size_t>(variable)] || part.size() >= most) continue;
      is_inside[static_cast<std::size_t>(variable)] = 1;
      part.push_back(variable);
    }
  }
  std::vector<int> order = state.order();
  std::size_t placed = 0;
  for (int& variable : order) {
    if (is_inside[static_cast<std::size_t>(variable)]) variable = part[placed++];
  }
  return order;
}

// One chain: its state, the state before the last perturbation, and its own random numbers.
struct Chain {
  OrderState state;
  OrderState before;
  Xoshiro256 random;

  void shake(std::size_t turned, const Network& required) {
    const std::size_t n = state.order().size();
    if (below(random, std::max(n, 2 * turned)) < turned) {
      state.set_order(with_required_first(turned_away(state, random), required));
      return;
    }
    if (below(random, tuning::orders::kRedrawEvery) == 0) state.set_order(draw_order(state.network(), &random));
    const std::vector<int> around = neighbourhood(state, static_cast<int>(below(random, n)));
    for (std::size_t moves = 1 + below(random, tuning::orders::kMostMoves); moves > 0; --moves) {
      const int variable = around[below(random, around.size())];
      const std::vector<int>& parents = state.parents(variable);
      if (!parents.empty() && below(random, tuning::orders::kMoveKinds) < tuning::orders::kArcReversals) {
        state.move(variable, state.position(parents[below(random, parents.size())]));
      } else {
        state.move(variable, static_cast<int>(below(random, n)));
      }
    }
  }

  void search(const OrderOptions& options, const Network& required, Control& control) {
    before = state;
    for (int k = 0; k < options.shakes && !control.is_stopped() && !state.is_over(); ++k) {
      shake(static_cast<std::size_t>(options.reroots), required);
      state.improve(false, control, random);
      if (state.score() < before.score()) {
        state = before;
      } else {
        if (state.score() > before.score()) state.improve(true, control, random);
        before = state;
      }
    }
  }
};

// Crossover of two orders: a section of `one` in place, the rest in the sequence of `other`; required parents before
// their children.
std::vector<int> cross(const std::vector<int>& one, const std::vector<int>& other, const Network& required,
                       Xoshiro256& random) {
  const std::size_t n = one.size();
  std::size_t first = below(random, n);
  std::size_t last = below(random, n);
  if (first > last) std::swap(first, last);
  std::vector<char> is_inside(n, 0);
  for (std::size_t k = first; k <= last; ++k) is_inside[static_cast<std::size_t>(one[k])] = 1;
  std::vector<int> mixed;
  for (int variable : other) {
    if (!is_inside[static_cast<std::size_t>(variable)]) mixed.push_back(variable);
  }
  const auto at = [](auto& order, std::size_t k) { return order.begin() + static_cast<std::ptrdiff_t>(k); };
  mixed.insert(at(mixed, first), at(one, first), at(one, last + 1));
  return with_required_first(mixed, required);
}

class Search {
 public:
  Search(FamilyCache& families, const Rules& rules, const std::vector<std::vector<int>>* candidates,
         const OrderOptions& options, Control& control, int threads)
      : families_(families),
        rules_(rules),
        candidates_(candidates),
        options_(options),
        control_(control),
        threads_(threads),
        growth_(families, rules, candidates, options.memory_bytes, control) {
    for (int child = 0; child < families.n_variables(); ++child) required_.push_back(rules.required.members(child));
  }

  FoundNetwork run(const Network& start) {
    const Network& first = start.empty() ? required_ : start;
    double score = 0.0;
    for (std::size_t child = 0; child < first.size(); ++child) {
      score += families_.score(static_cast<int>(child), first[child]);
    }
    keep(first, score);
    if (first.empty()) return std::move(best_);
    growth_.begin(options_.pair_partners, options_.tries_all_pairs, threads_);
    const int chains = std::clamp(options_.chains, 1, WalkWork::kMost);
    for (int k = 0; k < chains; ++k) work_.emplace_back(k, options_.most_work / chains);
    for (int k = 0; k < chains; ++k) {
      Xoshiro256 random = Xoshiro256::stream(options_.seed, static_cast<std::uint64_t>(k));
      OrderState state(growth_, rules_, k == 0 ? draw_order(first, nullptr) : draw_order(required_, &random),
                       work_[static_cast<std::size_t>(k)], threads_);
      chains_.push_back({state, state, random});
    }
    with_all([&](Chain& chain) { chain.state.improve(true, control_, chain.random); });
    while (polish()) {
    }
    for (int round = 0, idle = 0; round < options_.rounds && !is_over(); ++round) {
      control_.advance(1.0);
      const double before = best_.score;
      if (with_all([&](Chain& chain) { chain.search(options_, required_, control_); })) {
        while (polish()) {
        }
      }
      idle = best_.score - before > options_.least_gain * std::abs(before) ? 0 : idle + 1;
      if (idle >= options_.patience) break;
      mix();
    }
    for (const WalkWork& work : work_) {
      best_.work += work.done();
      best_.is_cut |= work.is_over();
    }
    return std::move(best_);
  }

 private:
  // Does the work on every chain, one thread each, then updates what the chains share, in the order of the chains.
  template <class Work>
  bool with_all(const Work& work) {
    const int threads_of_each = std::max(1, threads_ / static_cast<int>(chains_.size()));
    parallel_for(chains_.size(), threads_, [&](int, std::size_t k) {
      chains_[k].state.use_threads(threads_of_each);
      work(chains_[k]);
      chains_[k].state.use_threads(threads_);
    });
    bool is_better = false;
    std::vector<Network> networks{best_.parents};
    for (const Chain& chain : chains_) {
      networks.push_back(chain.state.network());
      is_better |= keep(networks.back(), chain.state.score());
    }
    bool has_forgotten = growth_.widen(networks, threads_);
    if (!has_forgotten && growth_.is_full()) {
      growth_.forget();
      has_forgotten = true;
    }
    if (has_forgotten) {
      for (Chain& chain : chains_) chain.state.walk_all();
    }
    return is_better;
  }

  bool keep(const Network& network, double score) {
    if (!best_.trace.empty() && score <= best_.score + families_.tolerance()) return false;
    const std::chrono::duration<double> passed = Control::Clock::now() - begun_;
    best_.parents = network;
    best_.score = score;
    best_.trace.push_back({passed.count(), score});
    return true;
  }

  // Hill climbing from the best network. If it finds a better one, the worst chain continues from that.
  bool polish() {
    ClimbOptions options = kPolish;
    options.most_work = options_.most_work - best_.work;
    const FoundNetwork climbed = hill_climb(families_, rules_, best_.parents, candidates_, options, control_, threads_);
    best_.work += climbed.work;
    best_.is_cut |= climbed.is_cut;
    if (!keep(climbed.parents, climbed.score)) return false;
    Chain& chain = worst();
    chain.state.set_order(draw_order(climbed.parents, nullptr));
    chain.state.improve(true, control_, chain.random);
    keep(chain.state.network(), chain.state.score());
    return true;
  }

  // The worst chain continues from a crossover of its order with the best.
  void mix() {
    Chain& chain = worst();
    const Chain& top = *std::max_element(chains_.begin(), chains_.end(), is_worse);
    if (&top == &chain) return;
    chain.state.set_order(cross(top.state.order(), chain.state.order(), required_, chain.random));
    chain.state.improve(true, control_, chain.random);
  }

  // Whether no chain may continue.
  bool is_over() {
    return control_.is_stopped() ||
           std::all_of(work_.begin(), work_.end(), [](const WalkWork& work) { return work.is_over(); });
  }

  static bool is_worse(const Chain& a, const Chain& b) { return a.state.score() < b.state.score(); }
  Chain& worst() { return *std::min_element(chains_.begin(), chains_.end(), is_worse); }

  FamilyCache& families_;
  const Rules& rules_;
  const std::vector<std::vector<int>>* candidates_;
  const OrderOptions& options_;
  Control& control_;
  int threads_;
  ParentGrowth growth_;
  Network required_;
  std::vector<WalkWork> work_;  // by chain
  std::vector<Chain> chains_;
  FoundNetwork best_;
  Control::Clock::time_point begun_ = Control::Clock::now();
};

}  // namespace

FoundNetwork best_order(FamilyCache& families, const Rules& rules, const Network& start,
                        const std::vector<std::vector<int>>* candidates, const OrderOptions& options, Control& control,
                        int threads) {
  return Search(families, rules, candidates, options, control, threads).run(start);
}

}  // namespace qnml
