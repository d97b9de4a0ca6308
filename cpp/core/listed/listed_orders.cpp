#include "core/listed/listed_orders.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/base/random.hpp"
#include "core/listed/listed_families.hpp"

namespace qnml {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::size_t kMostMoved = 4;  // variables that one perturbation moves

class OrderChain {
 public:
  OrderChain(const ListedFamilies& families, Control& control, double most_steps)
      : families_(families),
        control_(control),
        most_steps_(most_steps),
        n_(static_cast<std::size_t>(families.n_variables())),
        place_(n_),
        choice_(n_) {}

  std::int64_t score() const { return score_; }
  const std::vector<int>& order() const { return order_; }
  const ListedChoice& choice() const { return choice_; }
  bool is_over() { return steps_ > most_steps_ || control_.is_stopped(); }
  bool is_cut() const { return steps_ > most_steps_; }

  // The order must admit a network.
  void set_order(std::vector<int> order) {
    order_ = std::move(order);
    for (std::size_t k = 0; k < n_; ++k) place_[index(order_[k])] = k;
    score_ = 0;
    for (int variable : order_) {
      choice_[index(variable)] = first_before(variable, 0, place_[index(variable)], -1);
      score_ += score_of(variable, choice_[index(variable)]);
    }
  }

  void climb() {
    for (bool improved = true; improved && !is_over();) {
      improved = false;
      for (int variable = 0; variable < static_cast<int>(n_) && !is_over(); ++variable) improved |= reinsert(variable);
    }
  }

  void shake(Xoshiro256& random) {
    std::vector<int> wanted = order_;
    for (std::size_t moves = 1 + random.next() % kMostMoved; moves > 0; --moves) {
      const std::size_t from = random.next() % n_, to = random.next() % n_;
      const int variable = wanted[from];
      wanted.erase(wanted.begin() + static_cast<std::ptrdiff_t>(from));
      wanted.insert(wanted.begin() + static_cast<std::ptrdiff_t>(to), variable);
    }
    set_order(admitted_order(families_, wanted));
  }

 private:
  static std::size_t index(int variable) { return static_cast<std::size_t>(variable); }

  std::int64_t score_of(int variable, std::size_t place) const { return families_.of(variable)[place].score; }

  // The first family from `from` on whose parents all come before `limit`, without `left_out`.
  std::size_t first_before(int child, std::size_t from, std::size_t limit, int left_out) {
    const auto& list = families_.of(child);
    for (std::size_t k = from; k < list.size(); ++k) {
      ++steps_;
      const std::span<const int> parents = families_.parents(list[k]);
      if (std::all_of(parents.begin(), parents.end(),
                      [&](int parent) { return place_[index(parent)] < limit && parent != left_out; })) {
        return k;
      }
    }
    return kNone;
  }

  // The first family, better than the one at `to`, with the parent `joining` and others that all come before `limit`.
  std::size_t first_with(int child, std::size_t to, std::size_t limit, int joining) {
    const auto& list = families_.of(child);
    for (std::size_t k = 0; k < to; ++k) {
      ++steps_;
      bool has_it = false;
      const std::span<const int> parents = families_.parents(list[k]);
      const bool fits = std::all_of(parents.begin(), parents.end(), [&](int parent) {
        has_it |= parent == joining;
        return parent == joining || place_[index(parent)] < limit;
      });
      if (fits && has_it) return k;
    }
    return to;
  }

  bool has_parent(int child, std::size_t family, int parent) const {
    const std::span<const int> parents = families_.parents(families_.of(child)[family]);
    return std::binary_search(parents.begin(), parents.end(), parent);
  }

  // Moves a variable step by step past its predecessors, and past its successors, and keeps the best place.
  bool reinsert(int variable) {
    const std::size_t here = place_[index(variable)];
    std::int64_t best = 0;
    std::size_t best_place = here;
    auto consider = [&](std::int64_t gain, std::size_t place) {
      if (gain <= best) return;
      best = gain;
      best_place = place;
    };
    std::int64_t gain = 0;
    std::size_t mine = choice_[index(variable)];
    for (std::size_t k = here; k-- > 0;) {
      const int other = order_[k];
      const std::size_t theirs = choice_[index(other)];
      gain += score_of(other, first_with(other, theirs, k, variable)) - score_of(other, theirs);
      if (has_parent(variable, mine, other)) {
        const std::size_t next = first_before(variable, mine + 1, k, -1);
        if (next == kNone) break;
        gain += score_of(variable, next) - score_of(variable, mine);
        mine = next;
      }
      consider(gain, k);
    }
    gain = 0;
    mine = choice_[index(variable)];
    for (std::size_t k = here + 1; k < n_; ++k) {
      const int other = order_[k];
      const std::size_t theirs = choice_[index(other)];
      if (has_parent(other, theirs, variable)) {
        const std::size_t next = first_before(other, theirs + 1, k, variable);
        if (next == kNone) break;
        gain += score_of(other, next) - score_of(other, theirs);
      }
      const std::size_t better = first_with(variable, mine, k, other);
      gain += score_of(variable, better) - score_of(variable, mine);
      mine = better;
      consider(gain, k);
    }
    if (best_place == here) return false;
    move(variable, here, best_place);
    return true;
  }

  void move(int variable, std::size_t from, std::size_t to) {
    order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(from));
    order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(to), variable);
    for (std::size_t k = std::min(from, to); k <= std::max(from, to); ++k) place_[index(order_[k])] = k;
    for (std::size_t k = std::min(from, to); k <= std::max(from, to); ++k) {
      const int moved = order_[k];
      score_ -= score_of(moved, choice_[index(moved)]);
      choice_[index(moved)] = first_before(moved, 0, k, -1);
      score_ += score_of(moved, choice_[index(moved)]);
    }
  }

  const ListedFamilies& families_;
  Control& control_;
  double most_steps_;
  std::size_t n_;
  std::vector<int> order_;
  std::vector<std::size_t> place_;
  ListedChoice choice_;
  std::int64_t score_ = 0;
  double steps_ = 0.0;
};

ListedOrderResult run_chain(OrderChain& chain, const ListedOrderOptions& options, Xoshiro256& random) {
  chain.climb();
  ListedOrderResult best{chain.choice(), chain.score()};
  std::vector<int> best_order = chain.order();
  for (std::size_t waited = 0; waited < options.patience && !chain.is_over(); ++waited) {
    chain.shake(random);
    chain.climb();
    const bool is_better = chain.score() > best.score;
    if (chain.score() >= best.score) {
      best.choice = chain.choice();
      best.score = chain.score();
      best_order = chain.order();
    } else {
      chain.set_order(best_order);
    }
    if (is_better) waited = 0;
  }
  best.is_cut = chain.is_cut();
  return best;
}

}  // namespace

std::vector<int> admitted_order(const ListedFamilies& families, const std::vector<int>& wanted) {
  const std::size_t n = wanted.size();
  std::vector<char> is_placed(n, 0);
  auto can_come = [&](int variable) {
    const auto& list = families.of(variable);
    return std::any_of(list.begin(), list.end(), [&](const ListedFamilies::Family& family) {
      const std::span<const int> parents = families.parents(family);
      return std::all_of(parents.begin(), parents.end(),
                         [&](int parent) { return is_placed[static_cast<std::size_t>(parent)] != 0; });
    });
  };
  std::vector<int> order, waiting = wanted;
  while (!waiting.empty()) {
    const auto next = std::find_if(waiting.begin(), waiting.end(), can_come);
    if (next == waiting.end()) return {};
    is_placed[static_cast<std::size_t>(*next)] = 1;
    order.push_back(*next);
    waiting.erase(next);
  }
  return order;
}

ListedOrderResult search_listed_orders(const ListedFamilies& families, const std::vector<int>& start,
                                       const ListedOrderOptions& options, Control& control, int threads) {
  std::vector<ListedOrderResult> found(std::max<std::size_t>(options.chains, 1));
  parallel_for(found.size(), threads, [&](int, std::size_t number) {
    Xoshiro256 random = Xoshiro256::stream(options.seed, number);
    OrderChain chain(families, control, options.most_steps);
    std::vector<int> order = start;
    if (number > 0) {
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.next() % i]);
      order = admitted_order(families, order);
    }
    chain.set_order(std::move(order));
    found[number] = run_chain(chain, options, random);
    control.advance(1.0);
  });
  ListedOrderResult best = found.front();
  bool is_cut = false;
  for (const ListedOrderResult& one : found) {
    is_cut |= one.is_cut;
    if (one.score > best.score) best = one;
  }
  best.is_cut = is_cut;
  return best;
}

}  // namespace qnml
