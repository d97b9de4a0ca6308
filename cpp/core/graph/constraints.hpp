// Which families a network of up to 64 variables may have, and how simple a family is.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace qnml {

// What is admitted for each child. Sets are bit masks, by the same numbering as the lists made from them.
struct Constraints {
  std::vector<std::uint64_t> allowed;
  std::vector<std::uint64_t> required;
  std::vector<int> max_parents;
  // Levels of a family with parents beyond the required ones may not multiply to more than this.
  double most_cells = std::numeric_limits<double>::infinity();

  // Whether every set of other variables is admitted for every child.
  bool is_free() const {
    const std::uint64_t everything =
        allowed.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << allowed.size()) - 1;
    for (std::size_t b = 0; b < allowed.size(); ++b) {
      if ((allowed[b] | std::uint64_t{1} << b) != everything || required[b] != 0 ||
          max_parents[b] < static_cast<int>(allowed.size()) - 1) {
        return false;
      }
    }
    return most_cells == std::numeric_limits<double>::infinity();
  }

  bool admits(int bit, std::uint64_t parents, double cells) const {
    const auto b = static_cast<std::size_t>(bit);
    return (parents & ~allowed[b]) == 0 && (required[b] & ~parents) == 0 && std::popcount(parents) <= max_parents[b] &&
           (cells <= most_cells || parents == required[b]);
  }
};

// Free parameters (capped) * 1024 + number of parents: adds up over a network, and breaks ties between scores.
std::int64_t complexity(double parent_configurations, double child_levels, int n_parents);

}  // namespace qnml
