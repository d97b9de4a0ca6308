// The best tree or forest over variables, given what each arc gains.
#pragma once

#include <cstddef>
#include <vector>

#include "core/numbers/minus_infinity.hpp"

namespace qnml {

// By child and parent: what the child's score gains by this parent. Minus infinity: the arc is not admitted.
class ArcGains {
 public:
  explicit ArcGains(std::size_t n) : n_(n), gain_(n * n, kMinusInfinity), needs_parent_(n, 0) {}

  std::size_t size() const { return n_; }
  double& operator()(std::size_t child, std::size_t parent) { return gain_[child * n_ + parent]; }
  double operator()(std::size_t child, std::size_t parent) const { return gain_[child * n_ + parent]; }
  // Whether the child must have a parent: then it has no other arcs than the required one.
  bool needs_parent(std::size_t child) const { return needs_parent_[child] != 0; }
  void demand_parent(std::size_t child) { needs_parent_[child] = 1; }

  // Whether every arc gains as much as its reverse, and no arc is demanded.
  bool is_symmetric() const;

 private:
  std::size_t n_;
  std::vector<double> gain_;
  std::vector<char> needs_parent_;
};

// The variables of a shape: those among which the arcs are chosen.
enum class Span {
  tree,   // every variable but one has a parent
  forest  // every variable has at most one parent
};

// The parent of each variable, or -1. Empty if there is no tree, or no forest with the demanded parents.
using TreeParents = std::vector<int>;

// The spanning forest of undirected edges with the largest gain (Prim 1957), for symmetric gains. Its arcs point away
// from the first variable of each part. A forest has no edge that gains nothing.
TreeParents best_undirected(const ArcGains& gains, Span span);

// The best forest of directed arcs, each variable with at most one parent (Chu and Liu 1965, Edmonds 1967; in time
// proportional to the square of the number of variables, Tarjan 1977). A forest has no arc that gains nothing, unless
// it is demanded.
TreeParents best_directed(const ArcGains& gains, Span span);

// The one of them that the gains admit.
TreeParents best_span(const ArcGains& gains, Span span);

}  // namespace qnml
