#include "core/exact/order_climb.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/random.hpp"
#include "core/exact/candidates.hpp"
#include "core/exact/order_solution.hpp"

namespace qnml {
namespace {

class Climb {
 public:
  explicit Climb(const CandidateLists& lists) : lists_(lists), n_(lists.of_bit.size()) {}

  std::int64_t score_of(std::size_t variable, std::uint64_t before) const {
    const int which = first_inside(lists_.of_bit[variable], before);
    return which < 0 ? kImpossible : lists_.of_bit[variable][static_cast<std::size_t>(which)].score;
  }

  std::int64_t total(const std::vector<std::size_t>& order) const {
    std::int64_t sum = 0;
    std::uint64_t before = 0;
    for (std::size_t variable : order) {
      const std::int64_t score = score_of(variable, before);
      // An impossible family outweighs any difference of possible ones, and a sum of a few of them does not overflow.
      sum += score == kImpossible ? kImpossible / 64 : score;
      before |= std::uint64_t{1} << variable;
    }
    return sum;
  }

  // Moves each variable in turn to its best position, until a whole round brings no gain.
  std::int64_t improve(std::vector<std::size_t>& order, Control& control) const {
    std::int64_t current = total(order);
    for (bool improved = true; improved && !control.is_stopped();) {
      improved = false;
      for (std::size_t variable = 0; variable < n_ && !control.is_stopped(); ++variable) {
        improved |= reinsert(order, variable, current);
      }
    }
    return current;
  }

 private:
  bool reinsert(std::vector<std::size_t>& order, std::size_t variable, std::int64_t& current) const {
    std::vector<std::size_t> others;
    for (std::size_t v : order) {
      if (v != variable) others.push_back(v);
    }
    // Suffix sums of the others with the variable before them, prefix sums without it.
    const std::uint64_t mine = std::uint64_t{1} << variable;
    auto weigh = [](std::int64_t score) { return score == kImpossible ? kImpossible / 64 : score; };
    std::vector<std::int64_t> with(n_, 0);
    std::vector<std::uint64_t> before(n_, 0);
    for (std::size_t k = 0; k + 1 < n_; ++k) before[k + 1] = before[k] | std::uint64_t{1} << others[k];
    for (std::size_t k = n_ - 1; k-- > 0;) with[k] = with[k + 1] + weigh(score_of(others[k], before[k] | mine));
    std::int64_t prefix = 0;
    std::int64_t best = current;
    std::size_t best_place = n_;
    for (std::size_t place = 0; place < n_; ++place) {
      const std::int64_t here = prefix + weigh(score_of(variable, before[place])) + with[place];
      if (here > best) {
        best = here;
        best_place = place;
      }
      if (place + 1 < n_) prefix += weigh(score_of(others[place], before[place]));
    }
    if (best_place == n_) return false;
    others.insert(others.begin() + static_cast<std::ptrdiff_t>(best_place), variable);
    order = std::move(others);
    current = best;
    return true;
  }

  const CandidateLists& lists_;
  std::size_t n_;
};

}  // namespace

OrderSolution order_climb(const CandidateLists& lists, int restarts, std::uint64_t seed, Control& control) {
  const std::size_t n = lists.of_bit.size();
  const Climb climb(lists);
  std::vector<std::size_t> best_order(n);
  std::iota(best_order.begin(), best_order.end(), std::size_t{0});
  std::int64_t best = climb.improve(best_order, control);
  Xoshiro256 random = Xoshiro256::stream(seed, 0);
  for (int restart = 1; restart < restarts && !control.is_stopped(); ++restart) {
    std::vector<std::size_t> order = best_order;
    if (restart % 4 == 0) {
      for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[random.next() % i]);
    } else {
      // Perturb the best order: swap a few random pairs of variables.
      for (std::size_t k = 0; k < 2 + n / 8; ++k) std::swap(order[random.next() % n], order[random.next() % n]);
    }
    const std::int64_t score = climb.improve(order, control);
    if (score > best) {
      best = score;
      best_order = std::move(order);
    }
  }
  OrderSolution solution;
  solution.parents.assign(n, 0);
  std::uint64_t before = 0;
  for (std::size_t variable : best_order) {
    const int which = first_inside(lists.of_bit[variable], before);
    if (which < 0) return solution;
    const Candidate& candidate = lists.of_bit[variable][static_cast<std::size_t>(which)];
    solution.parents[variable] = candidate.parents;
    solution.score += candidate.score;
    before |= std::uint64_t{1} << variable;
  }
  solution.found = true;
  return solution;
}

}  // namespace qnml
