// The cost of every interval between two edges of a line, for `best_partition`.
#pragma once

#include <cstddef>
#include <vector>

namespace qnml {

// Edges are numbered 0..pieces. Costs lie together by the end of their interval, as the dynamic programming reads them.
class IntervalCosts {
 public:
  explicit IntervalCosts(std::size_t pieces) : pieces_(pieces), costs_(pieces * (pieces + 1) / 2) {}

  std::size_t pieces() const { return pieces_; }
  // The costs of the intervals that end at edge `end` >= 1, by the edge at which they start: 0..end-1.
  double* ending_at(std::size_t end) { return costs_.data() + (end - 1) * end / 2; }
  const double* ending_at(std::size_t end) const { return costs_.data() + (end - 1) * end / 2; }

 private:
  std::size_t pieces_;
  std::vector<double> costs_;
};

}  // namespace qnml
