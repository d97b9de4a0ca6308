// Lower bounds on the loss due to an arc, which bound the score of networks in which certain variables have children.
//
// The loss of a family (c | P) is the score of the best admitted family of c inside P (P included) minus that of P. It
// is divided among the parents: loss(i, c) >= 0 are numbers whose sum over i in P is at most the loss of (c | P), for
// every admitted P. Claim: if every variable i of A has a child in a network D on a set S, then score(D) is at most
// best(S) minus the sum over i in A of the least loss(i, c) over c in S. Proof: replace every family of D by the best
// family inside it. The result is a network on S, so it scores at most best(S). It exceeds score(D) by the losses of
// the families of D, which are at least the sum of loss(i, c) over the arcs i -> c of D; and each i in A has such an
// arc.
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

  // In units of the score; larger than any difference of scores if the arc is not admitted.
  std::int64_t loss(int parent, int child) const { return loss_[index(parent, child)]; }
  // The least loss(parent, child) over the children in the set.
  std::int64_t least(int parent, std::uint64_t set) const;

 private:
  std::size_t index(int parent, int child) const {
    return static_cast<std::size_t>(child) * n_ + static_cast<std::size_t>(parent);
  }

  std::size_t n_;
  std::vector<std::int64_t> loss_;
};

}  // namespace qnml
