// A product of numbers of levels, stored with its logarithm because it may exceed the range of doubles.
#pragma once

#include <cmath>

namespace qnml {

struct LevelProduct {
  double value = 1.0;  // infinity if it does not fit
  double log = 0.0;

  static LevelProduct of(double r) { return {r, std::log(r)}; }

  LevelProduct times(double r) const { return {value * r, log + std::log(r)}; }
};

}  // namespace qnml
