// Sums over all acyclic structures, each once: total weight, probabilities of parent sets, arcs and paths.
//
// J. Tian, R. He, "Computing posterior probabilities of structural features in Bayesian networks", UAI 2009.
// J. Pensar, T. Talvitie, A. Hyttinen, M. Koivisto, "A Bayesian approach for estimating causal effects from
// observational data", AAAI 2020. What is computed, and why it is right and safe: docs/posterior-algorithms.md.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/sums/family_sums.hpp"

namespace qnml {

// One number for each set of variables: (high + low) * 2^exponent, with a bound on its relative error.
struct SetSum {
  double high = 0.0;
  double low = 0.0;
  double error = 0.0;
  std::int32_t exponent = kZeroExponent;

  DoubleDouble value() const { return {high, low}; }
  bool is_zero() const { return high == 0.0; }
};

// What both sums over structures share. Exponents come from the sums over orders, which are between one and n! times
// the sums over structures: with them every sum stays within the range of doubles.
struct SumsProblem {
  const FamilySums<DoubleDouble>& families;
  std::vector<std::int32_t> exponent_before;  // kZeroExponent where no structure has the set as an ancestral one
  std::vector<std::int32_t> exponent_after;

  int n() const { return families.n(); }
  std::uint64_t everything() const { return (std::uint64_t{1} << families.n()) - 1; }
  bool is_possible(std::uint64_t set) const { return exponent_before[set] != kZeroExponent; }
  // Relative error of one factor W_i(U) in a product: its own and that of the multiplication.
  double factor_error() const { return family_sum_error(n()) + kProductError; }
};

// Z(S): total weight of the structures on S alone. Empty when stopped.
std::vector<SetSum> sums_of_structures_on(const SumsProblem& problem, Control& control, int threads);

// C(U): total weight of all ways to go on from U, where the variables outside U choose parents anywhere, acyclic.
// For each child i and each U without it, nondescendants[i 2^(n-1) + U without bit i] becomes the probability that U is
// exactly the set of the non-descendants of i. Empty when stopped.
std::vector<SetSum> sums_of_completions(const SumsProblem& problem, const std::vector<SetSum>& before,
                                        std::vector<double>& nondescendants, Control& control, int threads);

class DagSums {
 public:
  // The scores are borrowed, as for FamilyTable.
  DagSums(std::span<const double> scores, int n) : table_(scores, n) {}

  // Returns false when stopped.
  bool compute(Control& control, int threads);

  double log_total() const { return log_total_; }
  // No probability of an event about the parents or the descendants of one child is further off than this.
  double error_bound() const { return error_bound_; }
  // How far Z and C are from telling the same total, relative, and the parent sets of a child from summing to one.
  double discrepancy() const { return discrepancy_; }

  // For each child 2^(n-1) probabilities of sets of parents, numbered like the scores; can be taken once.
  std::vector<double> take_parent_sets() { return std::move(parent_sets_); }
  // [parent * n + child], [ancestor * n + descendant]
  const std::vector<double>& edges() const { return edges_; }
  const std::vector<double>& ancestors() const { return ancestors_; }

  // Parent masks of structures drawn by their probabilities, n for each. Structure k depends on the seed and k only.
  std::vector<std::uint64_t> draw(std::size_t count, std::uint64_t seed, int threads) const;

  static double bytes(int n, int threads);

 private:
  void finish(const FamilySums<DoubleDouble>& families, const std::vector<SetSum>& before, int threads);

  FamilyTable table_;
  std::vector<FamilySums<DoubleDouble>> families_;  // one, once computed; kept for draws
  std::vector<SetSum> completions_;
  double log_total_ = 0.0;
  double error_bound_ = 0.0;
  double discrepancy_ = 0.0;
  std::vector<double> parent_sets_;
  std::vector<double> edges_;
  std::vector<double> ancestors_;
};

}  // namespace qnml
