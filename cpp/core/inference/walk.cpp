#include "core/inference/walk.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace qnml {

Walk Walk::through(std::span<const std::uint32_t> levels, std::span<const std::uint8_t> has) {
  Walk walk;
  std::size_t stride = 1;
  for (std::size_t axis = levels.size(); axis-- > 0;) {
    const bool is_inside = has[axis] != 0;
    const bool continues = !walk.groups.empty() && (walk.groups.back().stride != 0) == is_inside;
    if (continues) {
      walk.groups.back().size *= levels[axis];
    } else {
      walk.groups.push_back({levels[axis], is_inside ? stride : 0});
    }
    if (is_inside) stride *= levels[axis];
  }
  if (walk.groups.empty()) walk.groups.push_back({1, 0});
  return walk;
}

}  // namespace qnml
