// Upper bound on the score of any acyclic choice of families, by prices on cycles.
//
// In an acyclic network every set C of variables, a cluster, has a member without parents in C: the first of them in
// the order. Given a price p(C) >= 0 for each cluster, the reduced score of a family is its score plus the prices of
// the clusters that it avoids: those that contain its child but none of its parents. The reduced scores of a network
// sum to at least its score plus all prices, because at least one of its families avoids each cluster. So for any
// prices
//   sum over the children of the largest reduced score of a family - sum of the prices
// is an upper bound on the score of any network: the Lagrangian dual of the cluster inequalities of Jaakkola et al.
// (2010).
//
// More generally, at least k members of a cluster have fewer than k parents in it, the first k of them in the order
// (Cussens 2011). A family of a member earns the price of such a cluster of rank k if it has fewer than k parents in
// it, and the sum counts the price k times. What was said above is about rank 1.
#pragma once

#include <cstddef>
#include <vector>

#include "core/base/control.hpp"
#include "core/numbers/variable_set.hpp"

namespace qnml {

// A family, or an open choice: a parent set that represents all its supersets, with an upper bound on their scores.
// That bounds their reduced scores too, since a superset earns only prices that the set earns.
struct Choice {
  VariableSet parents;
  double score = 0.0;
  bool is_open = false;  // represents supersets
};

struct Cluster {
  VariableSet members;
  int rank = 1;

  // Whether a member with these parents earns the price.
  bool is_earned(const VariableSet& parents) const {
    return rank == 1 ? !parents.meets(members) : parents.n_common(members) < rank;
  }
  friend auto operator<=>(const Cluster&, const Cluster&) = default;
};

// The prices of all clusters, and of the clusters that contain a given child.
class ClusterPrices {
 public:
  struct Priced {
    Cluster cluster;
    double price;
  };
  explicit ClusterPrices(std::size_t n = 0) : of_child_(n) {}

  // The cluster must not have a price yet.
  void add(const Cluster& cluster, double price);
  double earned(std::size_t child, const VariableSet& parents) const {
    double sum = 0.0;
    for (const Priced& priced : of_child_[child]) {
      if (priced.cluster.is_earned(parents)) sum += priced.price;
    }
    return sum;
  }
  // The sum of the prices times the ranks.
  double total() const { return total_; }
  const std::vector<Priced>& all() const { return all_; }

 private:
  std::vector<Priced> all_;
  std::vector<std::vector<Priced>> of_child_;
  double total_ = 0.0;
};

struct ClusterBound {
  ClusterPrices prices;
  std::vector<double> most;  // by child: the largest reduced score of its choices
  double bound = 0.0;        // minus infinity when no choice of families is acyclic
  // By child and choice: its share in the optimum of the linear program, or how often it was recently the best while
  // the prices moved. The bound depends on choices that are used neither rarely nor mostly. Empty if neither is known.
  std::vector<std::vector<double>> usage;
};

// What the prices prove.
ClusterBound bound_of_prices(const std::vector<std::vector<Choice>>& choices, ClusterPrices prices);

// Alternates between two ways of improving the prices, starting from those of `known`.
// Coordinate descent: the price of one cluster at a time is raised as far as possible without increasing the largest
// reduced score of any child. While the best choices contain no acyclic network, the variables that cannot be ordered
// contain a cluster that none of their best choices avoids.
// Subgradient steps (Polyak): the price of a cluster falls if more than one best choice avoids it, and rises if none
// does; cycles of best choices add clusters. At most `steps`.
// Ends early when the bound is not above `enough`, the score reached so far.
ClusterBound cluster_bound(const std::vector<std::vector<Choice>>& choices, const ClusterPrices& known, double enough,
                           std::size_t steps, Control& control);

}  // namespace qnml
