// Sums of family weights: for each child i and each set U of other variables, W_i(U) = sum over P in U of exp(score(i |
// P)).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/numbers/double_double.hpp"
#include "core/numbers/extended_double.hpp"
#include "core/numbers/subset_transform.hpp"

namespace qnml {

// Local scores of all families in the layout of family_log_scores; does not own them.
class FamilyTable {
 public:
  // Throws std::invalid_argument if there are not n * 2^(n-1) scores, if a score is NaN or plus infinity, if a child
  // has no admitted family, or if scores differ so much that exponents could overflow.
  FamilyTable(std::span<const double> scores, int n);

  int n() const { return n_; }
  std::size_t sets() const { return std::size_t{1} << (n_ - 1); }
  double score(int child, std::uint64_t others) const {
    return scores_[static_cast<std::size_t>(child) * sets() + others];
  }
  // The best score of a child; its weights are relative to it.
  double best(int child) const { return best_[static_cast<std::size_t>(child)]; }
  double sum_of_best() const;
  Extended<double> weight(int child, std::uint64_t others) const {
    return exp_difference(score(child, others), best(child));
  }

 private:
  std::span<const double> scores_;
  int n_;
  std::vector<double> best_;
};

// A non-negative set function, stored as two arrays.
template <class Real>
struct ExtendedArray {
  std::vector<Real> mantissa;
  std::vector<std::int32_t> exponent;

  explicit ExtendedArray(std::size_t size = 0) : mantissa(size), exponent(size, kZeroExponent) {}
  Extended<Real> operator[](std::size_t i) const { return {mantissa[i], exponent[i]}; }
  void set(std::size_t i, Extended<Real> value) {
    mantissa[i] = value.mantissa;
    exponent[i] = value.exponent;
  }
  void add(std::size_t i, Extended<Real> value) { add_to(mantissa[i], exponent[i], value.mantissa, value.exponent); }
};

// Replaces values[T] by the sum of values[U] over all subsets (supersets) U of T. Each value results from at most
// `bits` additions of non-negative numbers.
void sum_over_subsets(double* mantissa, std::int32_t* exponent, int bits);
void sum_over_subsets(DoubleDouble* mantissa, std::int32_t* exponent, int bits);
void sum_over_supersets(double* mantissa, std::int32_t* exponent, int bits);

template <class Real>
class FamilySums {
 public:
  // Incomplete when stopped.
  FamilySums(const FamilyTable& table, int threads, Control* control = nullptr);

  int n() const { return n_; }
  // W_i(U) relative to the best weight of the child. U must not contain the child.
  Extended<Real> operator()(int child, std::uint64_t set) const {
    return sums_[static_cast<std::size_t>(child) << (n_ - 1) | remove_bit(set, child)];
  }

  static double bytes(int n);

 private:
  int n_;
  ExtendedArray<Real> sums_;
};

// Relative error of a sum if Real is DoubleDouble: 3 u^2 per addition, since nothing cancels.
inline double family_sum_error(int n) { return 3.0 * n * kRoundingSquared; }

}  // namespace qnml
