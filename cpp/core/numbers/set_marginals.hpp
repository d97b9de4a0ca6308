// Sums over the sets that contain each element, for all elements at once.
#pragma once

#include <cstddef>
#include <vector>

namespace qnml {

// For each bit, the sum of values[T] over the sets T with that bit, and finally the sum of all values. Destroys the
// values: each bit is folded away after it has been summed. This takes twice the number of sets in total and sums
// pairwise.
inline std::vector<double> marginals_of_bits(double* values, int bits) {
  std::vector<double> result(static_cast<std::size_t>(bits) + 1, 0.0);
  for (int bit = bits - 1; bit >= 0; --bit) {
    const std::size_t half = std::size_t{1} << bit;
    double* upper = values + half;
    for (std::size_t i = 0; i < half; ++i) values[i] += upper[i];
    for (std::size_t step = half / 2; step > 0; step /= 2) {
      for (std::size_t i = 0; i < step; ++i) upper[i] += upper[i + step];
    }
    result[static_cast<std::size_t>(bit)] = upper[0];
  }
  result.back() = values[0];
  return result;
}

}  // namespace qnml
