// What an arc costs at least: a bound on networks in which certain variables have children.
//
// The loss of a family (c | P) is the score of the best admitted family of c inside P, P itself among them, less that
// of P. It is shared out: loss(i, c) >= 0 are numbers whose sum over the i of P is at most the loss of (c | P), for
// every admitted P. Claim: if in a network D on a set S every variable i of A has a child, then score(D) is at most
// best(S) less the sum over i in A of the least loss(i, c) over the c of S. Proof: give every child its best family
// inside the one it has. That is a network on S, so it scores at most best(S), and it scores more than D by the losses
// of the families of D, which are at least the sum of loss(i, c) over the arcs of D; each i of A has one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/k_best/family_ranks.hpp"

namespace qnml {

class ArcLosses {
 public:
  ArcLosses(const std::vector<FamilyRanks>& families, Control& control, int threads);

  // In units of the score; far more than any difference where the arc is not admitted.
  std::int64_t loss(int parent, int child) const { return loss_[index(parent, child)]; }
  // The least loss of a child in the set.
  std::int64_t least(int parent, std::uint64_t set) const;

 private:
  std::size_t index(int parent, int child) const {
    return static_cast<std::size_t>(child) * n_ + static_cast<std::size_t>(parent);
  }

  std::size_t n_;
  std::vector<std::int64_t> loss_;
};

}  // namespace qnml
