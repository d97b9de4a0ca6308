// Comparison with a relative tolerance: CHECK(value == close_to(expected, 1e-12)).
#pragma once

#include <algorithm>
#include <cmath>
#include <ostream>

struct CloseTo {
  double expected, relative;
};

// The tolerance is relative to `expected`, and absolute if `expected` is below one in magnitude.
inline CloseTo close_to(double expected, double relative) { return {expected, relative}; }

// Neither a NaN nor an infinity is ever close to anything.
inline bool operator==(double value, const CloseTo& target) {
  return std::isfinite(target.expected) &&
         std::fabs(value - target.expected) <= target.relative * std::max(1.0, std::fabs(target.expected));
}

inline std::ostream& operator<<(std::ostream& out, const CloseTo& target) {
  return out << target.expected << " (relative tolerance " << target.relative << ")";
}
