// Sums over all orders of the variables: a DAG has the weight exp(score) times the number of orders it agrees with (M.
// Koivisto, K. Sood, "Exact Bayesian structure discovery in Bayesian networks", JMLR 5, 2004).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/sums/family_sums.hpp"

namespace qnml {

// For every set S, the sum over the orders of S of the product of W_i(predecessors of i). No term is negative.
template <class Real>
ExtendedArray<double> sums_of_orders_before(const FamilySums<Real>& families, Control* control = nullptr);

// For every set U, the sum over the orders of all other variables, which follow U.
template <class Real>
ExtendedArray<double> sums_of_orders_after(const FamilySums<Real>& families, Control* control = nullptr);

class OrderSums {
 public:
  // Does not own the scores, as FamilyTable.
  OrderSums(std::span<const double> scores, int n) : table_(scores, n) {}

  // Returns false when stopped.
  bool compute(Control& control, int threads);

  double log_total() const { return log_total_; }
  // For each child, the probabilities of its 2^(n-1) parent sets, in the order of the scores; can be taken once.
  std::vector<double> take_parent_sets() { return std::move(parent_sets_); }
  // [parent * n + child]
  const std::vector<double>& edges() const { return edges_; }
  // Upper bound on the error of any probability. Nothing cancels, so it grows only with the square of n.
  double error_bound() const { return (2.0 * n() * n() + 16.0 * n() + 32.0) * 0x1.0p-53; }
  // The larger of two relative deviations: the parent-set probabilities of a child from summing to one, and the forward
  // sum over orders from the backward sum. Both are rounding errors unless something is wrong.
  double discrepancy() const { return discrepancy_; }

  // Draws DAGs by their probabilities; returns n parent masks for each. DAG k depends only on the seed and k.
  std::vector<std::uint64_t> draw(std::size_t count, std::uint64_t seed, int threads) const;

  static double bytes(int n, int threads);

 private:
  double n() const { return table_.n(); }

  FamilyTable table_;
  double log_total_ = 0.0;
  double discrepancy_ = 0.0;
  std::vector<double> parent_sets_;
  std::vector<double> edges_;
};

}  // namespace qnml
