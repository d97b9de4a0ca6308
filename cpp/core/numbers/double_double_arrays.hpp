// Loops over arrays of double-doubles, high and low parts apart so that they become vector code. Every loop is element
// by element: what comes out does not depend on the width of the vectors.
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

// A piece of such an array.
struct DoubleDoubleSpan {
  double* high;
  double* low;
  std::size_t size;

  DoubleDoubleSpan(double* h, double* l, std::size_t s) : high(h), low(l), size(s) {}
  DoubleDoubleSpan(DoubleDoubleArray& array, std::size_t first, std::size_t count)
      : high(array.high.data() + first), low(array.low.data() + first), size(count) {}
  DoubleDoubleSpan part(std::size_t first, std::size_t count) const { return {high + first, low + first, count}; }
};

// values *= 2^exponent, with what is below 2^-300 as zero.
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

// The sum, by halves; destroys the values. The size is a power of two.
DoubleDouble sum_by_halves(DoubleDoubleSpan values);

// The value at (y_0 .. y_{m-1}) of the polynomial that is linear in each variable, sum over sets t of values[t] times
// the product of y_k for k in t. The last variable goes first; the coefficients above each half are left as they were
// when their variable was put in, which is what the gradient needs.
DoubleDouble fold(DoubleDoubleSpan values, const std::vector<DoubleDouble>& y);

}  // namespace qnml
