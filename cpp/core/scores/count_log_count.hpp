// The term of a cell in the maximised log-likelihood.
#pragma once

#include <cmath>

namespace qnml {

inline double count_log_count(double count) { return count * std::log(count); }

}  // namespace qnml
