// The values of one numeric column as its bins see them: the places where it may be cut, and the rows between them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace qnml {

// A view. Edges are the lower end of the range, the candidate cuts in ascending order, and the upper end; an edge lies
// midway between `below` and `above`, in a unit of the caller's choice. Two numbers for an edge, because the midpoint
// of neighbouring floats is none of them; a width computed from them is exact to rounding all the same.
struct CutCandidates {
  std::span<const double> below;
  std::span<const double> above;
  std::span<const std::uint64_t> counts;  // rows between each edge and the next
  double places = 0.0;                    // where cuts may be in principle: at the candidates, or at others as well
  std::uint64_t fixed_rows = 0;           // rows in bins that never move: infinite or missing values
  std::uint32_t fixed_bins = 0;           // the number of such bins

  std::size_t pieces() const { return counts.size(); }
  std::size_t candidates() const { return counts.size() - 1; }
  // The logarithm of the distance of two edges.
  double log_width(std::size_t start, std::size_t end) const {
    return std::log(0.5 * ((above[end] - above[start]) + (below[end] - below[start])));
  }
};

}  // namespace qnml
