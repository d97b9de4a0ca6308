// Draws a parent set in proportion to its weight, using only the sums of weights over subsets.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/base/random.hpp"
#include "core/numbers/extended_double.hpp"
#include "core/numbers/subset_transform.hpp"
#include "core/sums/family_sums.hpp"

namespace qnml {

// Whether an event of weight `with` happens, against `without`. Weights are differences of sums; values that rounding
// made negative count as zero.
template <class Real>
bool happens(Extended<Real> with, Extended<Real> without, Xoshiro256& random) {
  if (!with.is_positive()) return false;
  if (!without.is_positive()) return true;
  const std::int32_t difference = without.exponent - with.exponent;
  const double odds_against = to_double(without.mantissa) / to_double(with.mantissa);
  const double probability =
      difference > 1000 ? 0.0 : 1.0 / (1.0 + (difference < -1000 ? 0.0 : std::ldexp(odds_against, difference)));
  return random.uniform() < probability;
}

// Draws a parent set inside `allowed` that intersects `met` (if `met` is empty: any set), in proportion to its weight.
// Each variable in turn is included or excluded. The weight of the sets between R and U is the sum over A in R of
// (-1)^|A| W(U - A). It has 2^|R| terms: few, since R contains only chosen parents.
template <class Real>
class ParentDraw {
 public:
  ParentDraw(const FamilyTable& table, const FamilySums<Real>& families) : table_(table), families_(families) {}

  std::uint64_t operator()(int child, std::uint64_t allowed, std::uint64_t met, Xoshiro256& random) const {
    // Rounding gives a family that is not admitted a weight of at most 1e-30, not zero.
    constexpr int kTries = 100;
    for (int attempt = 0; attempt < kTries; ++attempt) {
      const std::uint64_t parents = draw(child, allowed, met, random);
      const bool meets = met == 0 || (parents & met) != 0;
      if (meets && table_.score(child, remove_bit(parents, child)) > -HUGE_VAL) return parents;
    }
    return best(child, allowed, met);
  }

 private:
  std::uint64_t draw(int child, std::uint64_t allowed, std::uint64_t met, Xoshiro256& random) const {
    std::uint64_t chosen = 0;
    std::uint64_t open = allowed;  // not excluded yet
    // Variables of `met` first: once one of them is included, half of the sums are no longer needed.
    for (const std::uint64_t part : {allowed & met, allowed & ~met}) {
      for (std::uint64_t rest = part; rest != 0; rest &= rest - 1) {
        const std::uint64_t bit = rest & (~rest + 1);
        const Extended<Real> with = weight(child, chosen | bit, open, met);
        const Extended<Real> without = weight(child, chosen, open ^ bit, met);
        if (happens(with, without, random)) {
          chosen |= bit;
        } else {
          open ^= bit;
        }
      }
    }
    return chosen;
  }

  // Total weight of the sets between `least` and `most` that intersect `met`.
  Extended<Real> weight(int child, std::uint64_t least, std::uint64_t most, std::uint64_t met) const {
    const Extended<Real> all = between(child, least, most);
    return met == 0 || (least & met) != 0 ? all : all - between(child, least, most & ~met);
  }

  Extended<Real> between(int child, std::uint64_t least, std::uint64_t most) const {
    Extended<Real> sum;
    for (std::uint64_t part = 0;; part = (part - least) & least) {
      const Extended<Real> term = families_(child, most & ~part);
      sum = std::popcount(part) % 2 == 0 ? sum + term : sum - term;
      if (part == least) return sum;
    }
  }

  // Reached only through a fault: the best admitted family is better than a wrong one.
  std::uint64_t best(int child, std::uint64_t allowed, std::uint64_t met) const {
    std::uint64_t found = 0;
    double score = -HUGE_VAL;
    for (std::uint64_t part = 0;; part = (part - allowed) & allowed) {
      const double value = table_.score(child, remove_bit(part, child));
      if ((met == 0 || (part & met) != 0) && value > score) {
        score = value;
        found = part;
      }
      if (part == allowed) return found;
    }
  }

  const FamilyTable& table_;
  const FamilySums<Real>& families_;
};

}  // namespace qnml
