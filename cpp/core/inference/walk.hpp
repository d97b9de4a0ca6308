// Walking through a table together with a smaller one over some of its variables.
//
// Both have their axes in one common order, the last varying fastest. Neighbouring axes of the table that the smaller
// one has, or lacks, are taken together, so that the innermost run is either one entry of the smaller table or a
// contiguous piece of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace qnml {

struct Walk {
  struct Group {
    std::size_t size;    // entries of these axes together
    std::size_t stride;  // in the smaller table; 0 if it lacks them
  };
  std::vector<Group> groups;  // innermost first; at least one

  // `levels` of the axes of the table, outermost first, and for each whether the smaller table has it.
  static Walk through(std::span<const std::uint32_t> levels, std::span<const std::uint8_t> has);
};

// Calls visit(index in the table, index in the smaller one) at the start of every innermost run.
template <class Visit>
void over_runs(const Walk& walk, Visit&& visit) {
  const std::span<const Walk::Group> groups = walk.groups;
  const std::size_t run = groups[0].size;
  if (groups.size() == 1) {
    visit(std::size_t{0}, std::size_t{0});
    return;
  }
  constexpr std::size_t kMostGroups = 64;  // more axes of two levels or more would not fit into memory
  std::array<std::size_t, kMostGroups> digits{};
  std::size_t index = 0;
  std::size_t other = 0;
  while (true) {
    const std::size_t step = groups[1].stride;
    for (std::size_t k = 0; k < groups[1].size; ++k, index += run) visit(index, other + k * step);
    std::size_t group = 2;
    for (; group < groups.size(); ++group) {
      other += groups[group].stride;
      if (++digits[group] < groups[group].size) break;
      other -= groups[group].stride * groups[group].size;
      digits[group] = 0;
    }
    if (group == groups.size()) return;
  }
}

}  // namespace qnml
