#include "core/graph/constraints.hpp"

#include <algorithm>

namespace qnml {

std::int64_t complexity(double parent_configurations, double child_levels, int n_parents) {
  constexpr double kMostParameters = 1e12;
  const double parameters = std::min(parent_configurations * (child_levels - 1.0), kMostParameters);
  return static_cast<std::int64_t>(parameters) * 1024 + n_parents;
}

}  // namespace qnml
