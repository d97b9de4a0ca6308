// The numbers that messages are made of: probabilities, or their logarithms where products could vanish.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace qnml {

struct Probabilities {
  static constexpr double kZero = 0.0;
  static constexpr double kOne = 1.0;
  static double from_probability(double value) { return value; }
  static double times(double a, double b) { return a * b; }
  static double plus(double a, double b) { return a + b; }
  // What is impossible beneath a message stays impossible.
  static double over(double a, double b) { return b > 0.0 ? a / b : 0.0; }
  static double to_probability(double value) { return value; }
};

struct Logarithms {
  static constexpr double kZero = -std::numeric_limits<double>::infinity();
  static constexpr double kOne = 0.0;
  static double from_probability(double value) { return std::log(value); }
  static double times(double a, double b) { return a + b; }
  static double plus(double a, double b) {
    const double high = std::max(a, b);
    return high == kZero ? kZero : high + std::log1p(std::exp(std::min(a, b) - high));
  }
  static double over(double a, double b) { return b > kZero ? a - b : kZero; }
  static double to_probability(double value) { return std::exp(value); }
};

}  // namespace qnml
