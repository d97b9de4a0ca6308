// The log of zero: the score of what is not admitted, and the start of a maximum.
#pragma once

#include <limits>

namespace qnml {

inline constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();

}  // namespace qnml
