// Sums over all DAGs, each counted once: total weight, and probabilities of parent sets, arcs and directed paths.
//
// J. Tian, R. He, "Computing posterior probabilities of structural features in Bayesian networks", UAI 2009.
// J. Pensar, T. Talvitie, A. Hyttinen, M. Koivisto, "A Bayesian approach for estimating causal effects from
// observational data", AAAI 2020.
// docs/posterior-algorithms.md derives the formulas and bounds the errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/numbers/double_double.hpp"
#include "core/numbers/extended_double.hpp"
#include "core/sums/family_sums.hpp"

namespace qnml {

// A number for each set of variables, (high + low) * 2^exponent, with a bound on its relative error.
struct SetSum {
  double high = 0.0;
  double low = 0.0;
  double error = 0.0;
  std::int32_t exponent = kZeroExponent;

  DoubleDouble value() const { return {high, low}; }
  bool is_zero() const { return high == 0.0; }
};

// Shared by both sums over DAGs. Exponents come from the sums over orders, which are between one and n! times the sums
// over DAGs, so every sum stays within the range of doubles.
struct SumsProblem {
  const FamilySums<DoubleDouble>& families;
  std::vector<std::int32_t> exponent_before;  // kZeroExponent if the set is ancestral in no DAG
  std::vector<std::int32_t> exponent_after;

  int n() const { return families.n(); }
  std::uint64_t everything() const { return (std::uint64_t{1} << families.n()) - 1; }
  bool is_possible(std::uint64_t set) const { return exponent_before[set] != kZeroExponent; }
  // Relative error of one factor W_i(U) in a product: its own error and that of the multiplication.
  double factor_error() const { return family_sum_error(n()) + kProductError; }
};

// Z(S): total weight of the DAGs on S alone. Empty when stopped.
std::vector<SetSum> sums_of_structures_on(const SumsProblem& problem, Control& control, int threads);

// C(U): total weight of all completions of U, in which the variables outside U choose any parents without closing a
// cycle. For each child i and each U without i, sets nondescendants[i 2^(n-1) + U without bit i] to the probability
// that U is exactly the set of the non-descendants of i. Empty when stopped.
std::vector<SetSum> sums_of_completions(const SumsProblem& problem, const std::vector<SetSum>& before,
                                        std::vector<double>& nondescendants, Control& control, int threads);

class DagSums {
 public:
  // Does not own the scores, as FamilyTable.
  DagSums(std::span<const double> scores, int n) : table_(scores, n) {}

  // Returns false when stopped.
  bool compute(Control& control, int threads);

  double log_total() const { return log_total_; }
  // Upper bound on the error of the probability of any event about the parents or the descendants of one child.
  double error_bound() const { return error_bound_; }
  // The larger of two relative deviations: the totals by Z and by C from each other, and the parent-set probabilities
  // of a child from summing to one.
  double discrepancy() const { return discrepancy_; }

  // For each child, the probabilities of its 2^(n-1) parent sets, in the order of the scores; can be taken once.
  std::vector<double> take_parent_sets() { return std::move(parent_sets_); }
  // [parent * n + child], [ancestor * n + descendant]
  const std::vector<double>& edges() const { return edges_; }
  const std::vector<double>& ancestors() const { return ancestors_; }

  // Draws DAGs by their probabilities; returns n parent masks for each. DAG k depends only on the seed and k.
  std::vector<std::uint64_t> draw(std::size_t count, std::uint64_t seed, int threads) const;

  static double bytes(int n, int threads);

 private:
  void finish(const FamilySums<DoubleDouble>& families, const std::vector<SetSum>& before, int threads);

  FamilyTable table_;
  std::vector<FamilySums<DoubleDouble>> families_;  // has one element once computed; kept for draws
  std::vector<SetSum> completions_;
  double log_total_ = 0.0;
  double error_bound_ = 0.0;
  double discrepancy_ = 0.0;
  std::vector<double> parent_sets_;
  std::vector<double> edges_;
  std::vector<double> ancestors_;
};

}  // namespace qnml
