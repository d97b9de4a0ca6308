// Sums over all orders of the variables: structures weighted by exp(score) times the number of orders they agree with
// (M. Koivisto, K. Sood, "Exact Bayesian structure discovery in Bayesian networks", JMLR 5, 2004).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/sums/family_sums.hpp"

namespace qnml {

// For every set S the sum over the orders of S of the product of W_i(those before i). No term is negative.
template <class Real>
ExtendedArray<double> sums_of_orders_before(const FamilySums<Real>& families, Control* control = nullptr);

// For every set U the sum over the orders of all others, which come after U.
template <class Real>
ExtendedArray<double> sums_of_orders_after(const FamilySums<Real>& families, Control* control = nullptr);

class OrderSums {
 public:
  // The scores are borrowed, as for FamilyTable.
  OrderSums(std::span<const double> scores, int n) : table_(scores, n) {}

  // Returns false when stopped.
  bool compute(Control& control, int threads);

  double log_total() const { return log_total_; }
  // For each child 2^(n-1) probabilities of sets of parents, numbered like the scores; can be taken once.
  std::vector<double> take_parent_sets() { return std::move(parent_sets_); }
  // [parent * n + child]
  const std::vector<double>& edges() const { return edges_; }
  // Nothing cancels: no probability is further off than this, which grows with the square of the variables only.
  double error_bound() const { return (2.0 * n() * n() + 16.0 * n() + 32.0) * 0x1.0p-53; }
  // How far the probabilities of the parent sets of a child are from summing to one, and the sum over orders taken
  // forwards from the one taken backwards, relative: rounding, unless something is wrong.
  double discrepancy() const { return discrepancy_; }

  // Parent masks of structures drawn by their probabilities, n for each. Structure k depends on the seed and k only.
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
