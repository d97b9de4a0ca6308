// Z(S) for all sets: Z(S) = sum over non-empty T in S of (-1)^(|T|+1) Z(S - T) prod_{i in T} W_i(S - T).
//
// Every set U adds to all its supersets, since only then can the products over T be computed from one another. Sets are
// divided into blocks by their highest variables. One thread fills a block, from its sub-blocks and itself in a fixed
// order, so the result does not depend on the number of threads.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/numbers/double_double.hpp"
#include "core/numbers/double_double_arrays.hpp"
#include "core/numbers/extended_double.hpp"
#include "core/sums/dag_sums.hpp"

namespace qnml {
namespace {

// A sum of three doubles. Up to 2^20 terms are added one by one, and the third double keeps their rounding errors (far
// below u^2 of the terms) from accumulating.
struct LongSum {
  double first = 0.0;
  double second = 0.0;
  double third = 0.0;
  double error = 0.0;  // bound on the absolute error of the added terms

  QNML_FLATTEN void add(DoubleDouble term, double term_error) {
    const DoubleDouble a = exact_sum(first, term.high);
    const DoubleDouble b = exact_sum(second, a.low);
    const DoubleDouble c = exact_sum(b.high, term.low);
    first = a.high;
    second = c.high;
    third += b.low + c.low;
    error += term_error;
  }
  DoubleDouble value() const {
    const DoubleDouble upper = exact_sum(first, second);
    return exact_sum_ordered(upper.high, upper.low + third);
  }
};

class Prefixes {
 public:
  explicit Prefixes(const SumsProblem& problem)
      : problem_(problem),
        n_(problem.n()),
        high_bits_(std::min(6, std::max(0, problem.n() - 10))),
        low_bits_(problem.n() - high_bits_),
        sums_(std::size_t{1} << n_),
        results_(std::size_t{1} << n_) {}

  std::vector<SetSum> run(Control& control, int threads) {
    sums_[0].first = 1.0;
    const std::size_t blocks = std::size_t{1} << high_bits_;
    for (int size = 0; size <= high_bits_; ++size) {
      std::vector<std::size_t> level;
      for (std::size_t block = 0; block < blocks; ++block) {
        if (std::popcount(block) == size) level.push_back(block);
      }
      parallel_for(level.size(), threads, [&](int, std::size_t i) { fill_block(level[i], control); });
      if (control.is_stopped()) return {};
    }
    return std::move(results_);
  }

 private:
  struct Scratch {
    DoubleDoubleArray products;
    std::vector<std::uint32_t> targets;
    std::vector<std::int32_t> exponents;
  };

  void fill_block(std::size_t block, Control& control) {
    Scratch scratch;
    const std::size_t lows = std::size_t{1} << low_bits_;
    scratch.products.resize(lows);
    scratch.targets.resize(lows);
    scratch.exponents.resize(lows);
    // All subsets of the block's variables, the block itself last.
    for (std::size_t part = 0;; part = (part - block) & block) {
      for (std::size_t low = 0; low < lows; ++low) {
        const std::uint64_t set = part << low_bits_ | low;
        if (part == block) settle(set);
        if (!results_[set].is_zero()) add_to_supersets(set, (block ^ part) << low_bits_, scratch);
        if (low % 64 == 0 && control.is_stopped()) return;
      }
      control.advance(std::pow(3.0, low_bits_));
      if (part == block) break;
    }
  }

  // Finishes a set to which all terms have been added.
  void settle(std::uint64_t set) {
    SetSum& result = results_[set];
    result.exponent = problem_.exponent_before[set];
    const DoubleDouble value = sums_[set].value();
    if (!problem_.is_possible(set)) return;
    // If rounding has destroyed the value, this error makes every result be refused.
    constexpr double kLost = 1e30;
    result.high = value.high > 0.0 ? value.high : std::numeric_limits<double>::min();
    result.low = value.high > 0.0 ? value.low : 0.0;
    // Adds the last rounding error, and a margin for computing the bound itself in doubles.
    result.error = value.high > 0.0 ? 1.01 * (sums_[set].error / value.high + 2.0 * kRoundingSquared) : kLost;
    if (set == 0) result.error = 0.0;
  }

  // `fixed` is part of T; the rest of T is among the low variables outside the set.
  void add_to_supersets(std::uint64_t set, std::uint64_t fixed, Scratch& scratch) {
    const SetSum& mine = results_[set];
    DoubleDouble first = -mine.value();
    std::int32_t exponent = mine.exponent;
    for (std::uint64_t rest = fixed; rest != 0; rest &= rest - 1) {
      const Extended<DoubleDouble> factor = problem_.families(std::countr_zero(rest), set);
      if (factor.is_zero()) return;
      first = first * -factor.mantissa;
      exponent += factor.exponent;
    }
    DoubleDoubleArray& products = scratch.products;
    products.set(0, first);
    scratch.targets[0] = static_cast<std::uint32_t>(set | fixed);
    scratch.exponents[0] = exponent;
    std::size_t size = 1;
    const std::uint64_t lows = (std::uint64_t{1} << low_bits_) - 1;
    for (std::uint64_t rest = ~set & lows; rest != 0; rest &= rest - 1) {
      const int variable = std::countr_zero(rest);
      const Extended<DoubleDouble> factor = problem_.families(variable, set);
      if (factor.is_zero()) continue;
      multiply({products, size, size}, {products, 0, size}, -factor.mantissa);
      const auto bit = static_cast<std::uint32_t>(std::uint64_t{1} << variable);
      for (std::size_t t = 0; t < size; ++t) scratch.targets[size + t] = scratch.targets[t] | bit;
      for (std::size_t t = 0; t < size; ++t) scratch.exponents[size + t] = scratch.exponents[t] + factor.exponent;
      size *= 2;
    }
    for (std::size_t t = 0; t < size; ++t) {
      scratch.exponents[t] -= problem_.exponent_before[scratch.targets[t]];
    }
    scale({products, 0, size}, scratch.exponents.data());
    const double factor_error = problem_.factor_error();
    const double own_error = mine.error + factor_error * std::popcount(fixed);
    for (std::size_t t = fixed == 0 ? 1 : 0; t < size; ++t) {
      const double error = own_error + factor_error * std::popcount(t);
      sums_[scratch.targets[t]].add(products[t], std::fabs(products.high[t]) * error);
    }
  }

  const SumsProblem& problem_;
  int n_;
  int high_bits_;
  int low_bits_;
  std::vector<LongSum> sums_;
  std::vector<SetSum> results_;
};

}  // namespace

std::vector<SetSum> sums_of_structures_on(const SumsProblem& problem, Control& control, int threads) {
  return Prefixes(problem).run(control, threads);
}

}  // namespace qnml
