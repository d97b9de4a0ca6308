#include "core/numbers/double_double_arrays.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/simd.hpp"
#include "core/numbers/double_double.hpp"
#include "core/numbers/extended_double.hpp"

namespace qnml {

QNML_VECTOR_CLONES void scale(DoubleDoubleSpan values, const std::int32_t* exponents) {
  double* __restrict high = values.high;
  double* __restrict low = values.low;
  for (std::size_t i = 0; i < values.size; ++i) {
    const double factor = factor_of_two(exponents[i]);
    high[i] *= factor;
    low[i] *= factor;
  }
}

QNML_VECTOR_CLONES void multiply(DoubleDoubleSpan to, DoubleDoubleSpan from, DoubleDouble factor) {
  double* __restrict high = to.high;
  double* __restrict low = to.low;
  const double* __restrict from_high = from.high;
  const double* __restrict from_low = from.low;
  for (std::size_t i = 0; i < to.size; ++i) {
    const DoubleDouble product = DoubleDouble{from_high[i], from_low[i]} * factor;
    high[i] = product.high;
    low[i] = product.low;
  }
}

QNML_VECTOR_CLONES void multiply_by(DoubleDoubleSpan to, DoubleDoubleSpan from) {
  double* __restrict high = to.high;
  double* __restrict low = to.low;
  const double* __restrict from_high = from.high;
  const double* __restrict from_low = from.low;
  for (std::size_t i = 0; i < to.size; ++i) {
    const DoubleDouble product = DoubleDouble{high[i], low[i]} * DoubleDouble{from_high[i], from_low[i]};
    high[i] = product.high;
    low[i] = product.low;
  }
}

QNML_VECTOR_CLONES void add(DoubleDoubleSpan to, DoubleDoubleSpan from) {
  double* __restrict high = to.high;
  double* __restrict low = to.low;
  const double* __restrict from_high = from.high;
  const double* __restrict from_low = from.low;
  for (std::size_t i = 0; i < to.size; ++i) {
    const DoubleDouble sum = DoubleDouble{high[i], low[i]} + DoubleDouble{from_high[i], from_low[i]};
    high[i] = sum.high;
    low[i] = sum.low;
  }
}

QNML_VECTOR_CLONES void add_product(DoubleDoubleSpan to, DoubleDoubleSpan from, DoubleDouble factor) {
  double* __restrict high = to.high;
  double* __restrict low = to.low;
  const double* __restrict from_high = from.high;
  const double* __restrict from_low = from.low;
  for (std::size_t i = 0; i < to.size; ++i) {
    const DoubleDouble sum = DoubleDouble{high[i], low[i]} + DoubleDouble{from_high[i], from_low[i]} * factor;
    high[i] = sum.high;
    low[i] = sum.low;
  }
}

QNML_VECTOR_CLONES void add_product(double* __restrict to, const double* __restrict from, double factor,
                                    std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) to[i] += from[i] * factor;
}

DoubleDouble sum_by_halves(DoubleDoubleSpan values) {
  for (std::size_t half = values.size / 2; half > 0; half /= 2) add(values.part(0, half), values.part(half, half));
  return {values.high[0], values.low[0]};
}

DoubleDouble fold(DoubleDoubleSpan values, const std::vector<DoubleDouble>& y) {
  for (std::size_t k = y.size(); k-- > 0;) {
    const std::size_t half = std::size_t{1} << k;
    add_product(values.part(0, half), values.part(half, half), y[k]);
  }
  return {values.high[0], values.low[0]};
}

}  // namespace qnml
