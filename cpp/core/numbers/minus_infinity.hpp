// The log of zero: the score of anything not admitted, and the initial value of a maximum.
#pragma once

#include <limits>

namespace qnml {

inline constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

}  // namespace qnml
