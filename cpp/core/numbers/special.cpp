#include "core/numbers/special.hpp"

#include <cmath>

namespace qnml {
namespace {

constexpr double kHalfLogTwoPi = 0.91893853320467274178;

// From here on, the remainder of seven terms of Stirling's series is below 3e-17 (tested in
// tests/scores/test_local.py).
constexpr double kStirlingFrom = 10.0;

double stirling_series(double x) {
  const double y = 1.0 / (x * x);
  return (1.0 / 12 -
          y * (1.0 / 360 -
               y * (1.0 / 1260 - y * (1.0 / 1680 - y * (1.0 / 1188 - y * (691.0 / 360360 - y * (1.0 / 156))))))) /
         x;
}

}  // namespace

double log1p_minus(double x) {
  if (std::fabs(x) > 0.2) return std::log1p(x) - x;
  // With s = x / (2 + x): log1p(x) = 2 (s + s^3/3 + s^5/5 + ...) and 2s - x = -s x.
  const double s = x / (2.0 + x);
  const double y = s * s;
  double sum = 0.0;
  for (int k = 23; k >= 3; k -= 2) sum = sum * y + 1.0 / k;
  return -s * x + 2.0 * s * y * sum;
}

double stirling_rest(double n) {
  if (n >= kStirlingFrom) return stirling_series(n);
  return log_gamma(n + 1.0) - ((n + 0.5) * std::log(n) - n + kHalfLogTwoPi);
}

double log_gamma(double x) {
  // Shift into the range of Stirling's series; the product is divided out at once.
  double product = 1.0;
  while (x < kStirlingFrom) product *= x++;
  return (x - 0.5) * std::log(x) - x + kHalfLogTwoPi + stirling_series(x) - std::log(product);
}

double log_rising(double x, double n) {
  if (n == 0.0) return 0.0;
  // If n is not small relative to x, the two do not cancel, but the terms of the form below would.
  if (x < kStirlingFrom || x + n < kStirlingFrom || n > x) return log_gamma(x + n) - log_gamma(x);
  const double t = n / x;
  // (x + n - 1/2) log1p(t) - n  with log1p(t) = t + e leaves  n t - t/2 + (x + n - 1/2) e.
  const double e = log1p_minus(t);
  return n * std::log(x) + (n * t - 0.5 * t) + (x + n - 0.5) * e + (stirling_series(x + n) - stirling_series(x));
}

double log_rising_tiny(double log_x, double n) { return n == 0.0 ? 0.0 : log_x + log_gamma(n); }

// The error of n log x is at most n^2 / x.
double log_rising_huge(double x, double log_x, double n) { return x < 1e290 ? log_rising(x, n) : n * log_x; }

}  // namespace qnml
