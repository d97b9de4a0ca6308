// Numbers beyond the range of doubles: a mantissa and a power of two. The weights of DAGs differ by thousands of nats,
// and those far below the best still matter if the best families form cycles. Scaling by powers of two is exact.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/numbers/double_double.hpp"

namespace qnml {

// The exponent of zero: below every other exponent, and a sum of two of them still fits.
constexpr std::int32_t kZeroExponent = -(1 << 29);

// 2^exponent for -1022 .. 1023; zero for -1023.
QNML_FLATTEN double power_of_two(std::int32_t exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(static_cast<std::int64_t>(exponent) + 1023) << 52);
}

// 2^exponent as a factor of numbers that are added to others near one: values below 2^-300 count as zero. Exponents
// above 100 occur only with zero mantissas.
QNML_FLATTEN double factor_of_two(std::int32_t exponent) {
  return power_of_two(exponent < -300 ? -1023 : (exponent > 100 ? 100 : exponent));
}

// mantissa * 2^exponent. The leading part of the mantissa is in [1, 2), or the number is zero. Negative numbers have
// negative mantissas.
template <class Real>
struct Extended {
  Real mantissa{};
  std::int32_t exponent = kZeroExponent;

  bool is_zero() const { return leading(mantissa) == 0.0; }
  bool is_positive() const { return leading(mantissa) > 0.0; }

  static Extended of(Real value, std::int32_t exponent) {
    const double first = leading(value);
    if (first == 0.0) return {};
    const auto shift = static_cast<std::int32_t>(std::ilogb(first));
    return {value * power_of_two(-shift), exponent + shift};
  }

  friend Extended operator*(Extended a, Extended b) { return of(a.mantissa * b.mantissa, a.exponent + b.exponent); }
  friend Extended operator+(Extended a, Extended b) {
    const std::int32_t common = std::max(a.exponent, b.exponent);
    return of(a.mantissa * factor_of_two(a.exponent - common) + b.mantissa * factor_of_two(b.exponent - common),
              common);
  }
  friend Extended operator-(Extended a, Extended b) { return a + Extended{-b.mantissa, b.exponent}; }

  // Zero if it is too small for a double.
  double value() const {
    if (is_zero() || exponent < -1074) return 0.0;
    return std::ldexp(to_double(mantissa), exponent);
  }
  double log() const { return std::log(to_double(mantissa)) + exponent * std::numbers::ln2; }
  Extended<double> rounded() const { return {to_double(mantissa), exponent}; }
};

// a += b for non-negative numbers, without branches, so that compilers can vectorize loops over arrays.
template <class Real>
QNML_FLATTEN void add_to(Real& mantissa, std::int32_t& exponent, Real other, std::int32_t other_exponent) {
  const std::int32_t common = exponent > other_exponent ? exponent : other_exponent;
  const Real sum = mantissa * factor_of_two(exponent - common) + other * factor_of_two(other_exponent - common);
  const bool carries = leading(sum) >= 2.0;
  mantissa = sum * (carries ? 0.5 : 1.0);
  exponent = common + (carries ? 1 : 0);
}

// a / b for positive numbers.
inline Extended<double> ratio(double a, Extended<double> b) {
  return Extended<double>::of(a / b.mantissa, -b.exponent);
}

// exp(score - best) to within a few roundings, however far below the best.
inline Extended<double> exp_difference(double score, double best) {
  if (score == -HUGE_VAL) return {};
  const DoubleDouble difference = exact_sum(score, -best);
  const double power = std::nearbyint(difference.high / std::numbers::ln2);
  // ln 2 in two parts. The first has 24 spare bits, so its multiples are exact.
  // NOLINTNEXTLINE(modernize-use-std-numbers)
  constexpr double kUpper = 0x1.62e42fep-1, kLower = 0x1.f473de6af278fp-30;
  const double rest = ((difference.high - power * kUpper) - power * kLower) + difference.low;
  return Extended<double>::of(std::exp(rest), static_cast<std::int32_t>(power));
}

}  // namespace qnml
