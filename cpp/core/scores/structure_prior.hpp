// The prior over structures that searches pay for: a price of a family that depends on its number of parents alone.
//
// The sparse prior of n variables gives a family with k parents the probability 1 / C(n - 1, k), up to a constant: all
// numbers of parents are as probable, and so are all sets of one size. Its price is
//   c(k) = log C(n - 1, k) >= 0, with c(0) = c(n - 1) = 0.
// - Reversing a covered arc x -> y exchanges the numbers of parents of x and y, so equivalent networks pay the same.
// - It is a set function: c(|P|) = h(|P + i|) - h(|P|) with h(k) = c(0) + ... + c(k - 1), the price of a set.
// - c is symmetric, c(k) = c(n - 1 - k), and concave: C(n - 1, k + 1) / C(n - 1, k) = (n - 1 - k) / (k + 1) falls with
//   k. So it rises up to (n - 1) / 2 and falls beyond, and on a range of sizes it is least at one of the ends.
#pragma once

#include <cstddef>
#include <vector>

namespace qnml {

enum class PriorKind { uniform, sparse };

class StructurePrior {
 public:
  StructurePrior() = default;  // uniform: no price
  // For `n` variables; each price is multiplied by `scale`, see ScoreSettings.
  StructurePrior(PriorKind kind, int n, double scale);

  bool is_uniform() const { return price_.empty(); }
  // Of a family with k < n parents, and of a set of k <= n variables, in nats times the scale.
  double price(int k) const { return is_uniform() ? 0.0 : price_[static_cast<std::size_t>(k)]; }
  double set_price(int k) const { return is_uniform() ? 0.0 : set_price_[static_cast<std::size_t>(k)]; }
  // No family pays more.
  double highest_price() const;

  // The sizes of the supersets of a set of `size` parents in two ranges, for bounds on their scores. Those of the first
  // pay at least `near`. The rest have at least `far_size` parents, many more, and pay at least `far`.
  struct Ranges {
    double near = 0.0;
    int far_size = 0;  // 0: there are no others
    double far = 0.0;
  };
  // Of supersets with at most `most` parents, where size <= most < n.
  //
  // If c(most) >= c(size), the whole range pays at least c(size), because c is concave. Otherwise most is beyond the
  // size that mirrors `size`, n - 1 - size. If that is beyond `size` too, the sizes up to it pay at least c(size), and
  // the larger ones, on the falling side, at least c(most). If not, all sizes are on the falling side.
  Ranges ranges(int size, int most) const;

 private:
  std::vector<double> price_, set_price_;
};

}  // namespace qnml
