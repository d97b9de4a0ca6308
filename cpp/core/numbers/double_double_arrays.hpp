// Loops over arrays of double-doubles, with high and low parts in separate arrays so that compilers can vectorize.
// Every loop is elementwise, so the result does not depend on the width of the vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/numbers/double_double.hpp"

namespace qnml {

struct DoubleDoubleArray {
  std::vector<double> high, low;

  explicit DoubleDoubleArray(std::size_t size = 0) : high(size), low(size) {}
  void resize(std::size_t size) {
    high.resize(size);
    low.resize(size);
  }
  DoubleDouble operator[](std::size_t i) const { return {high[i], low[i]}; }
  void set(std::size_t i, DoubleDouble value) {
    high[i] = value.high;
    low[i] = value.low;
  }
};

// A part of such an array.
struct DoubleDoubleSpan {
  double* high;
  double* low;
  std::size_t size;

  DoubleDoubleSpan(double* h, double* l, std::size_t s) : high(h), low(l), size(s) {}
  DoubleDoubleSpan(DoubleDoubleArray& array, std::size_t first, std::size_t count)
      : high(array.high.data() + first), low(array.low.data() + first), size(count) {}
  DoubleDoubleSpan part(std::size_t first, std::size_t count) const { return {high + first, low + first, count}; }
};

// values *= 2^exponent; values below 2^-300 become zero.
void scale(DoubleDoubleSpan values, const std::int32_t* exponents);

// to = from * factor
void multiply(DoubleDoubleSpan to, DoubleDoubleSpan from, DoubleDouble factor);

// to *= from
void multiply_by(DoubleDoubleSpan to, DoubleDoubleSpan from);

// to += from
void add(DoubleDoubleSpan to, DoubleDoubleSpan from);

// to += from * factor
void add_product(DoubleDoubleSpan to, DoubleDoubleSpan from, DoubleDouble factor);

// to += from * factor, for bounds on errors
void add_product(double* to, const double* from, double factor, std::size_t size);

// Pairwise sum; destroys the values. The size is a power of two.
DoubleDouble sum_by_halves(DoubleDoubleSpan values);

// The value at (y_0 .. y_{m-1}) of the multilinear polynomial sum over sets t of values[t] times the product of y_k for
// k in t. The last variable is substituted first. The coefficients in each upper half keep the values they had when
// their variable was substituted, as the gradient requires.
DoubleDouble fold(DoubleDoubleSpan values, const std::vector<DoubleDouble>& y);

}  // namespace qnml
