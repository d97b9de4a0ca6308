// C(U) for all sets: C(U) = sum over non-empty T outside U of (-1)^(|T|+1) C(U + T) prod_{i in T} W_i(U), and its
// gradient. For fixed U this is a polynomial that is linear in each W_i(U). One fold gives its value, and a backward
// pass through the fold gives all derivatives, in 2^(n-|U|) steps each.
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
#include "core/numbers/subset_transform.hpp"
#include "core/sums/dag_sums.hpp"

namespace qnml {
namespace {

// Working memory of one thread.
struct Scratch {
  DoubleDoubleArray terms;
  DoubleDoubleArray products;
  std::vector<double> errors;
  std::vector<std::uint32_t> targets;
  std::vector<std::int32_t> exponents;
  std::vector<int> variables;
  std::vector<DoubleDouble> factors;  // mantissas of -W_i(U)

  void resize(std::size_t size) {
    if (errors.size() >= size) return;
    terms.resize(size);
    products.resize(size);
    errors.resize(size);
    targets.resize(size);
    exponents.resize(size);
  }
};

class Completions {
 public:
  Completions(const SumsProblem& problem, const std::vector<SetSum>& before, std::vector<double>& nondescendants)
      : problem_(problem),
        before_(before),
        nondescendants_(nondescendants),
        n_(problem.n()),
        results_(std::size_t{1} << problem.n()) {}

  std::vector<SetSum> run(Control& control, int threads) {
    results_[problem_.everything()] = {1.0, 0.0, 0.0, 0};
    std::vector<Scratch> scratch(static_cast<std::size_t>(std::max(threads, 1)));
    for (int size = n_ - 1; size >= 0; --size) {
      const std::vector<std::uint32_t> level = sets_of_size(size);
      constexpr std::size_t kChunk = 16;
      parallel_for((level.size() + kChunk - 1) / kChunk, threads, [&](int thread, std::size_t chunk) {
        if (control.is_stopped()) return;
        const std::size_t last = std::min(level.size(), (chunk + 1) * kChunk);
        for (std::size_t i = chunk * kChunk; i < last; ++i)
          complete(level[i], scratch[static_cast<std::size_t>(thread)]);
        control.advance(std::ldexp(static_cast<double>(last - chunk * kChunk), n_ - size));
      });
      if (control.is_stopped()) return {};
    }
    return std::move(results_);
  }

 private:
  std::vector<std::uint32_t> sets_of_size(int size) const {
    std::vector<std::uint32_t> sets;
    for (std::uint32_t set = 0; set <= problem_.everything(); ++set) {
      if (std::popcount(set) == size && problem_.is_possible(set)) sets.push_back(set);
    }
    return sets;
  }

  void complete(std::uint64_t set, Scratch& scratch) {
    const std::size_t size = list_terms(set, scratch);
    const double error = fold_errors(size, scratch);
    const DoubleDouble value = -fold({scratch.terms, 0, size}, scratch.factors);
    SetSum& result = results_[set];
    result.exponent = problem_.exponent_after[set];
    // If rounding has destroyed the value, this error makes every result be refused.
    constexpr double kLost = 1e30;
    result.high = value.high > 0.0 ? value.high : std::numeric_limits<double>::min();
    result.low = value.high > 0.0 ? value.low : 0.0;
    result.error = value.high > 0.0 ? 1.01 * error / value.high : kLost;
    write_gradient(set, scratch);
  }

  // C(U + T) for all T, scaled so that only the mantissas of W_i(U) remain to be multiplied.
  std::size_t list_terms(std::uint64_t set, Scratch& scratch) const {
    scratch.variables.clear();
    scratch.factors.clear();
    scratch.resize(std::size_t{1} << (n_ - std::popcount(set)));
    scratch.targets[0] = static_cast<std::uint32_t>(set);
    scratch.exponents[0] = -problem_.exponent_after[set];
    std::size_t size = 1;
    for (std::uint64_t rest = problem_.everything() & ~set; rest != 0; rest &= rest - 1) {
      const int variable = std::countr_zero(rest);
      const Extended<DoubleDouble> factor = problem_.families(variable, set);
      if (factor.is_zero()) continue;
      scratch.variables.push_back(variable);
      scratch.factors.push_back(-factor.mantissa);
      const auto bit = static_cast<std::uint32_t>(std::uint64_t{1} << variable);
      for (std::size_t t = 0; t < size; ++t) scratch.targets[size + t] = scratch.targets[t] | bit;
      for (std::size_t t = 0; t < size; ++t) scratch.exponents[size + t] = scratch.exponents[t] + factor.exponent;
      size *= 2;
    }
    scratch.terms.set(0, {});
    scratch.errors[0] = 0.0;
    for (std::size_t t = 1; t < size; ++t) {
      const SetSum& target = results_[scratch.targets[t]];
      scratch.terms.high[t] = target.high;
      scratch.terms.low[t] = target.low;
      scratch.errors[t] = target.error;
      scratch.exponents[t] += target.exponent;
    }
    scale({scratch.terms, 0, size}, scratch.exponents.data());
    return size;
  }

  // The sum over T of the errors of its terms: the error of C(U + T), one per factor, and one per addition it passes
  // through. It holds for the value. It also holds for x_i times each derivative, since every term of that is a term of
  // the value.
  double fold_errors(std::size_t size, Scratch& scratch) const {
    const double factor_error = problem_.factor_error();
    const double sum_error = kSumError * static_cast<double>(scratch.factors.size() + 1);
    for (std::size_t t = 1; t < size; ++t) {
      scratch.errors[t] = scratch.terms.high[t] * (scratch.errors[t] + factor_error * std::popcount(t) + sum_error);
    }
    for (std::size_t k = scratch.factors.size(); k-- > 0;) {
      const std::size_t half = std::size_t{1} << k;
      add_product(scratch.errors.data(), scratch.errors.data() + half, -scratch.factors[k].high, half);
    }
    return scratch.errors[0];
  }

  // W_i(U) dC(U)/dW_i(U) is the weight of the completions of U in which i is the only variable with all its parents in
  // U, so that all others are descendants of i. Times Z(U) and divided by the total, it is the probability that U is
  // the set of the non-descendants of i.
  void write_gradient(std::uint64_t set, Scratch& scratch) {
    const SetSum& mine = before_[set];
    const SetSum& total = before_.back();
    const double scale = mine.high / total.high;
    const std::int32_t exponent = mine.exponent + problem_.exponent_after[set] - total.exponent;
    scratch.products.set(0, {1.0, 0.0});
    for (std::size_t k = 0; k < scratch.factors.size(); ++k) {
      const std::size_t half = std::size_t{1} << k;
      const DoubleDoubleSpan upper(scratch.terms, half, half);
      multiply_by(upper, {scratch.products, 0, half});
      const DoubleDouble slope = sum_by_halves(upper);
      const DoubleDouble weight = slope * -scratch.factors[k];
      // Probabilities below 2^-900 are negligible and would need extra care below.
      const double probability = exponent < -900 ? 0.0 : std::ldexp(std::max(weight.high, 0.0) * scale, exponent);
      nondescendants_[static_cast<std::size_t>(scratch.variables[k]) << (n_ - 1) |
                      remove_bit(set, scratch.variables[k])] = probability;
      if (k + 1 < scratch.factors.size()) {
        multiply({scratch.products, half, half}, {scratch.products, 0, half}, scratch.factors[k]);
      }
    }
  }

  const SumsProblem& problem_;
  const std::vector<SetSum>& before_;
  std::vector<double>& nondescendants_;
  int n_;
  std::vector<SetSum> results_;
};

}  // namespace

std::vector<SetSum> sums_of_completions(const SumsProblem& problem, const std::vector<SetSum>& before,
                                        std::vector<double>& nondescendants, Control& control, int threads) {
  return Completions(problem, before, nondescendants).run(control, threads);
}

}  // namespace qnml
