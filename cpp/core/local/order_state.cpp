#include "core/local/order_state.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/base/random.hpp"
#include "core/graph/rules.hpp"
#include "core/local/parent_growth.hpp"
#include "core/local/tuning.hpp"

namespace qnml {
std::vector<int> draw_order(const std::vector<std::vector<int>>& network, Xoshiro256* random) {
  // Kahn's algorithm. Available variables are in descending order, so that the last is the lowest.
  const std::size_t n = network.size();
  std::vector<std::size_t> waits(n);
  std::vector<std::vector<int>> children(n);
  std::vector<int> free;
  for (std::size_t variable = n; variable-- > 0;) {
    waits[variable] = network[variable].size();
    if (waits[variable] == 0) free.push_back(static_cast<int>(variable));
    for (int parent : network[variable]) {
      children[static_cast<std::size_t>(parent)].push_back(static_cast<int>(variable));
    }
  }
  std::vector<int> order;
  while (!free.empty()) {
    if (random != nullptr) std::swap(free[random->next() % free.size()], free.back());
    order.push_back(free.back());
    free.pop_back();
    for (int child : children[static_cast<std::size_t>(order.back())]) {
      if (--waits[static_cast<std::size_t>(child)] > 0) continue;
      if (random != nullptr) {
        free.push_back(child);
      } else {
        free.insert(std::upper_bound(free.begin(), free.end(), child, std::greater<>()), child);
      }
    }
  }
  return order;
}

OrderState::OrderState(ParentGrowth& growth, const Rules& rules, std::vector<int> order, WalkWork& work, int threads)
    : growth_(&growth),
      rules_(&rules),
      work_(&work),
      n_(static_cast<int>(order.size())),
      order_(std::move(order)),
      position_(order_.size()),
      sets_(order_.size()),
      ahead_(n_),
      path_(n_),
      pending_(order_.size(), 1),
      threads_(threads),
      scratch_(order_.size(), ahead_.words()) {
  for (int child = 0; child < n_; ++child) has_demands_ |= !rules.required.members(child).empty();
  set_order(order_);
}

std::vector<std::vector<int>> OrderState::network() const {
  std::vector<std::vector<int>> network;
  network.reserve(order_.size());
  for (int variable = 0; variable < n_; ++variable) network.push_back(parents(variable));
  return network;
}

void OrderState::walk(int variable, WalkWork& work) {
  const int mine = position_of(variable);
  set_of(variable) = growth_->walk(
      variable, [&](int other) { return position_of(other) < mine; }, ahead_.row(variable), path_.row(variable), work);
}

void OrderState::set_order(std::vector<int> order) {
  order_ = std::move(order);
  for (int place = 0; place < n_; ++place) position_of(variable_at(place)) = place;
  std::fill(pending_.begin(), pending_.end(), 1);
  walk_all();
}

void OrderState::walk_all() {
  const auto size = static_cast<std::size_t>(n_);
  std::vector<WalkWork::Log> met(threads_ > 1 && !growth_->is_full() ? size : 0);
  parallel_for(met.size(), threads_, [&](int, std::size_t variable) {
    WalkWork logging = work_->logging_to(met[variable]);
    walk(static_cast<int>(variable), logging);
  });
  score_ = 0.0;
  for (std::size_t variable = 0; variable < size; ++variable) {
    if (variable < met.size() && met[variable].is_whole()) {
      work_->meet(met[variable]);
    } else {
      walk(static_cast<int>(variable), *work_);
    }
    score_ += sets_[variable]->score;
  }
}

OrderState::Range OrderState::range_of(int variable) const {
  Range range{0, n_ - 1};
  if (!has_demands_) return range;
  for (int place = 0; place < n_; ++place) {
    const int other = variable_at(place);
    if (rules_->required.test(variable, other)) range.first = place + 1;
    if (rules_->required.test(other, variable)) {
      range.last = place - 1;
      break;
    }
  }
  return range;
}

// The position of the variable that gains most; of equal ones the nearest, and its own if none gains.
//
// In either direction it loses or gains predecessors one at a time, and so do the variables it passes. A position that
// could gain only if a family became better by losing predecessors, or worse by gaining some, is not examined. Walks
// are greedy, so such a position may exist, but hardly ever does.
OrderState::Place OrderState::best_place(int variable, Scratch& scratch, WalkWork& work) const {
  const Range range = range_of(variable);
  Place best{position_of(variable), growth_->tolerance()};
  look_before(variable, range.first, best, scratch, work);
  look_after(variable, range.last, best, scratch, work);
  return best;
}

// Moves the variable there; returns whether it was elsewhere.
bool OrderState::settle(int variable, const Place& best) {
  if (best.at == position_of(variable)) return false;
  shift(variable, best.at);
  return true;
}

void OrderState::look_before(int variable, int first, Place& best, Scratch& scratch, WalkWork& work) const {
  const int mine = position_of(variable);
  // Gains of the variables it passes, accumulated up to each position, and their upper bound from there on.
  double others = 0.0;
  int last_gain = mine;
  for (int place = mine - 1; place >= first; --place) {
    const int other = variable_at(place);
    if (ahead_.test(other, variable)) {
      const ParentSet* set = growth_->walk(
          other, [&](int x) { return x == variable || position_of(x) < place; }, scratch.ahead.data(),
          scratch.path.data(), work);
      others += set->score - set_of(other)->score;
      last_gain = place;
    }
    scratch.change[static_cast<std::size_t>(place)] = others;
  }
  const double most = others;
  const double here = set_of(variable)->score;
  double own = here;
  std::copy_n(path_.row(variable), scratch.path.size(), scratch.path.data());
  for (int place = mine - 1; place >= last_gain; --place) {
    const int passed = variable_at(place);
    if (scratch.path[static_cast<std::size_t>(passed) / 64] >> (passed % 64) & 1) {
      own = growth_
                ->walk(
                    variable, [&](int x) { return position_of(x) < place; }, scratch.ahead.data(), scratch.path.data(),
                    work)
                ->score;
    }
    if (own - here + most <= best.gain) return;
    best.offer(place, own - here + scratch.change[static_cast<std::size_t>(place)]);
  }
}

void OrderState::look_after(int variable, int last, Place& best, Scratch& scratch, WalkWork& work) const {
  const int mine = position_of(variable);
  const double here = set_of(variable)->score;
  const double most = growth_
                          ->walk(
                              variable, [&](int x) { return x != variable && position_of(x) <= last; },
                              scratch.ahead.data(), scratch.path.data(), work)
                          ->score -
                      here;
  double own = here;
  double others = 0.0;
  std::vector<std::uint64_t> own_ahead(ahead_.row(variable), ahead_.row(variable) + ahead_.words());
  for (int place = mine + 1; place <= last; ++place) {
    const int passed = variable_at(place);
    if (path_.test(passed, variable)) {
      const ParentSet* set = growth_->walk(
          passed, [&](int x) { return x != variable && position_of(x) < place; }, scratch.ahead.data(),
          scratch.path.data(), work);
      others += set->score - set_of(passed)->score;
    }
    if (most + others <= best.gain) return;
    if (own_ahead[static_cast<std::size_t>(passed) / 64] >> (passed % 64) & 1) {
      own = growth_
                ->walk(
                    variable, [&](int x) { return x != variable && position_of(x) <= place; }, own_ahead.data(),
                    scratch.path.data(), work)
                ->score;
    }
    best.offer(place, own - here + others);
  }
}

void OrderState::move(int variable, int place) {
  const Range range = range_of(variable);
  shift(variable, std::clamp(place, range.first, range.last));
}

// Moves the variable and repeats the walks that are affected.
void OrderState::shift(int variable, int place) {
  const int from = position_of(variable);
  if (place == from) return;
  const int step = place < from ? -1 : 1;
  for (int at = from; at != place; at += step) {
    const int other = variable_at(at + step);
    order_[static_cast<std::size_t>(at)] = other;
    position_of(other) = at;
  }
  order_[static_cast<std::size_t>(place)] = variable;
  position_of(variable) = place;
  auto renew = [&](int noticed) {
    wake_around(noticed);
    score_ -= set_of(noticed)->score;
    walk(noticed, *work_);
    score_ += set_of(noticed)->score;
    wake_around(noticed);
  };
  renew(variable);
  for (int at = from; at != place; at += step) {
    const int other = variable_at(at);
    if (step < 0 ? ahead_.test(other, variable) : path_.test(other, variable)) renew(other);
    // The variables in between may now gain from changing places with it.
    if (ahead_.test(other, variable) || path_.test(other, variable)) pending_[static_cast<std::size_t>(other)] = 1;
  }
}

void OrderState::wake_around(int variable) {
  pending_[static_cast<std::size_t>(variable)] = 1;
  for (int parent : parents(variable)) pending_[static_cast<std::size_t>(parent)] = 1;
}

bool OrderState::settle_pending(Control& control, Xoshiro256& random) {
  bool moved = false;
  for (std::vector<int> turns;; turns.clear()) {
    for (int variable = 0; variable < n_; ++variable) {
      if (pending_[static_cast<std::size_t>(variable)]) turns.push_back(variable);
    }
    if (turns.empty()) return moved;
    for (std::size_t i = turns.size(); i > 1; --i) std::swap(turns[i - 1], turns[random.next() % i]);
    if (!settle_in_turn(turns, control, moved)) return false;
  }
}

// Returns false if it ended early.
bool OrderState::settle_in_turn(const std::vector<int>& turns, Control& control, bool& moved) {
  const auto threads = static_cast<std::size_t>(threads_);
  std::size_t ahead = tuning::orders::kLeastAhead * threads;
  for (std::size_t next = 0; next < turns.size();) {
    const bool looks_ahead = threads_ > 1 && !growth_->is_full();
    const std::vector<Prospect> prospects =
        looks_ahead ? look_ahead(turns, next, std::min(ahead, turns.size() - next)) : std::vector<Prospect>(1);
    bool has_moved = false;
    for (std::size_t k = 0; k < prospects.size() && !has_moved; ++k, ++next) {
      if (control.is_stopped() || work_->is_over()) return false;
      const int variable = turns[next];
      pending_[static_cast<std::size_t>(variable)] = 0;
      if (looks_ahead && prospects[k].met.is_whole()) {
        work_->meet(prospects[k].met);
        has_moved = settle(variable, prospects[k].best);
      } else {
        has_moved = settle(variable, best_place(variable, scratch_, *work_));
      }
    }
    moved |= has_moved;
    ahead =
        has_moved ? tuning::orders::kLeastAhead * threads : std::min(2 * ahead, tuning::orders::kMostAhead * threads);
  }
  return true;
}

std::vector<OrderState::Prospect> OrderState::look_ahead(const std::vector<int>& turns, std::size_t first,
                                                         std::size_t size) {
  std::vector<Prospect> prospects(size);
  std::vector<Scratch> scratch(static_cast<std::size_t>(threads_), scratch_);
  parallel_for(size, threads_, [&](int thread, std::size_t k) {
    WalkWork logging = work_->logging_to(prospects[k].met);
    prospects[k].best = best_place(turns[first + k], scratch[static_cast<std::size_t>(thread)], logging);
  });
  return prospects;
}

void OrderState::improve(bool is_thorough, Control& control, Xoshiro256& random) {
  while (settle_pending(control, random) && is_thorough) std::fill(pending_.begin(), pending_.end(), 1);
}

}  // namespace qnml
