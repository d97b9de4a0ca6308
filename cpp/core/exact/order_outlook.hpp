// Predicts from its first layers how many sets a search over orders will keep.
//
// The layer sizes are bell-shaped: from layer to layer they grow by a factor that itself shrinks. The logarithm of the
// factor falls fast at first and more slowly later, so extrapolating the fall of the last layers usually predicts too
// few sets: a search that is given up for it would have kept more.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace qnml {

// `sizes` of the first layers of `n`. With too little to extrapolate from, returns the number of sets kept so far.
inline double expected_states(const std::vector<std::size_t>& sizes, int n) {
  constexpr std::size_t kEnough = 1000;  // sets in the first layer used
  constexpr double kLeastFall = 0.02;    // layers do not grow forever
  double total = 0.0;
  for (std::size_t size : sizes) total += static_cast<double>(size);
  const std::size_t k = sizes.size();
  if (k < 4 || sizes[k - 4] < kEnough) return total;
  const auto growth = [&](std::size_t layer) {
    return std::log(static_cast<double>(sizes[layer]) / static_cast<double>(sizes[layer - 1]));
  };
  double now = growth(k - 1);
  const double fall = std::max((growth(k - 3) - now) / 2.0, kLeastFall);
  auto size = static_cast<double>(sizes[k - 1]);
  for (int layer = static_cast<int>(k); layer < n; ++layer) {
    now -= fall;
    size *= std::exp(now);
    total += size;
  }
  return total;
}

}  // namespace qnml
