// A product of numbers of levels, kept with its logarithm because it may be larger than any double.
#pragma once

#include <cmath>

namespace qnml {

struct LevelProduct {
  double value = 1.0;  // infinity when it does not fit
  double log = 0.0;

  static LevelProduct of(double r) { return {r, std::log(r)}; }

  LevelProduct times(double r) const { return {value * r, log + std::log(r)}; }
};

}  // namespace qnml
