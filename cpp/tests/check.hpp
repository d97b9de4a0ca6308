// The whole test framework: a failed check prints where and what, is counted, and the run goes on.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace check {

inline int failures = 0;
inline int checks = 0;

inline void that(bool holds, const char* what, const char* file, int line) {
  ++checks;
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
}

// Equal to `relative`, and absolutely so below one in size. Neither a NaN nor an infinity is ever close.
inline void close(double value, double expected, double relative, const char* what, const char* file, int line) {
  ++checks;
  if (std::isfinite(expected) && std::fabs(value - expected) <= relative * std::max(1.0, std::fabs(expected))) return;
  ++failures;
  std::fprintf(stderr, "%s:%d: failed: %s is %.17g, expected %.17g\n", file, line, what, value, expected);
}

}  // namespace check

// Variadic, because commas inside braces would otherwise split the argument.
#define CHECK(...) check::that(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
#define CHECK_CLOSE(value, expected, relative) check::close(value, expected, relative, #value, __FILE__, __LINE__)
