// 106-bit numbers as unevaluated sums of two doubles, for sums with cancelling terms.
//
// T. J. Dekker, "A floating-point technique for extending the available precision", Numer. Math. 18, 1971.
// D. E. Knuth, The Art of Computer Programming, vol. 2, section 4.2.2 (the exact sum).
// The error bounds below, with u = 2^-53, follow line by line from |rounding| <= u |result| and |low| <= u |high|;
// sharper bounds are in M. Joldes, J.-M. Muller, V. Popescu, "Tight and rigorous error bounds for basic building blocks
// of double-word arithmetic", ACM TOMS 44(2), 2017. No operation here may be contracted into a fused one or reordered.
#pragma once

#if defined(__GNUC__)
#define QNML_FLATTEN inline __attribute__((always_inline))
#else
#define QNML_FLATTEN inline
#endif

namespace qnml {

struct DoubleDouble {
  double high = 0.0;
  double low = 0.0;
};

constexpr double kRoundingSquared = 0x1.0p-106;
// |computed - (a + b)| <= this (|a| + |b|): two roundings of low parts, and one more if the high parts cancel.
constexpr double kSumError = 5.0 * kRoundingSquared;
// |computed - a b| <= this |a b|.
constexpr double kProductError = 8.0 * kRoundingSquared;

// high + low equals the sum or product exactly.
QNML_FLATTEN DoubleDouble exact_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

// The same for |a| >= |b| or a = 0.
QNML_FLATTEN DoubleDouble exact_sum_ordered(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

// The upper half of the bits; the rest is exact and fits into the lower half.
QNML_FLATTEN double upper_half(double a) {
  const double spread = 134217729.0 * a;  // 2^27 + 1
  return spread - (spread - a);
}

QNML_FLATTEN DoubleDouble exact_product(double a, double b) {
  const double product = a * b;
  const double a_upper = upper_half(a), b_upper = upper_half(b);
  const double a_lower = a - a_upper, b_lower = b - b_upper;
  return {product, ((a_upper * b_upper - product) + a_upper * b_lower + a_lower * b_upper) + a_lower * b_lower};
}

QNML_FLATTEN DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble sum = exact_sum(a.high, b.high);
  return exact_sum_ordered(sum.high, sum.low + (a.low + b.low));
}

QNML_FLATTEN DoubleDouble operator-(DoubleDouble a) { return {-a.high, -a.low}; }
QNML_FLATTEN DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }

QNML_FLATTEN DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble product = exact_product(a.high, b.high);
  return exact_sum_ordered(product.high, product.low + (a.high * b.low + a.low * b.high));
}

// Exact for powers of two, barring underflow.
QNML_FLATTEN DoubleDouble operator*(DoubleDouble a, double power) { return {a.high * power, a.low * power}; }

QNML_FLATTEN double to_double(double a) { return a; }
QNML_FLATTEN double to_double(DoubleDouble a) { return a.high + a.low; }
QNML_FLATTEN double leading(double a) { return a; }
QNML_FLATTEN double leading(DoubleDouble a) { return a.high; }

}  // namespace qnml
