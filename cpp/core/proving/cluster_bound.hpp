// An upper bound on the score of every acyclic choice of families, by prices on cycles.
//
// In an acyclic network every set C of variables, a cluster, has a member without parents in C: the first of them in
// the order. Let every family without parents in C, of a child in C, earn a price p(C) >= 0, and take p(C) off once.
// A network then loses nothing, for at least one family earns the price. So for any prices
//   sum over the children of the most a family scores and earns - sum of the prices
// bounds the score of every network: the Lagrangian dual of the cluster inequalities of Jaakkola et al. (2010).
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/control.hpp"
#include "core/numbers/variable_set.hpp"

namespace qnml {

// A family, or a set of parents that stands for all its supersets with the most that one of them could score: a
// superset earns no more, for it avoids no cluster that the set does not avoid.
struct Choice {
  VariableSet parents;
  double score = 0.0;
  bool is_open = false;  // it stands for supersets
};

// The prices of the clusters that a child is in.
class ClusterPrices {
 public:
  struct Priced {
    VariableSet cluster;
    double price;
  };
  explicit ClusterPrices(std::size_t n = 0) : of_child_(n) {}

  // Of a cluster that has no price yet.
  void add(const VariableSet& cluster, double price);
  double earned(std::size_t child, const VariableSet& parents) const {
    double sum = 0.0;
    for (const Priced& priced : of_child_[child]) {
      if (!parents.meets(priced.cluster)) sum += priced.price;
    }
    return sum;
  }
  double total() const { return total_; }
  const std::vector<Priced>& all() const { return all_; }

 private:
  std::vector<Priced> all_;
  std::vector<std::vector<Priced>> of_child_;
  double total_ = 0.0;
};

struct ClusterBound {
  ClusterPrices prices;
  std::vector<double> most;  // by child: what its best choice scores and earns
  double bound = 0.0;        // minus infinity when no choice of families is acyclic
  // By child and choice: how often it was the best while the prices moved, lately. Where that is neither seldom nor
  // mostly, the bound depends on it. Empty when they did not move.
  std::vector<std::vector<double>> usage;
};

// Two ways to good prices take turns, from the prices of `known`.
// Raising the price of one cluster after the other, each as far as no child's best gets better: while no acyclic
// network is made of best choices alone, those that cannot be put in order hold a cluster that none of them avoids.
// And steps along the subgradient, after Polyak: a price falls when more than one best choice earns it, and rises when
// none does; cycles of best choices add clusters. At most so many `steps`.
// Ends early when the bound is not above `enough`, the score that is reached.
ClusterBound cluster_bound(const std::vector<std::vector<Choice>>& choices, const ClusterPrices& known, double enough,
                           std::size_t steps, Control& control);

}  // namespace qnml
