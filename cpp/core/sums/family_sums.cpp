#include "core/sums/family_sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>
#include <span>
#include <stdexcept>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/base/simd.hpp"
#include "core/numbers/double_double.hpp"
#include "core/numbers/extended_double.hpp"

namespace qnml {
namespace {

template <class Real>
QNML_FLATTEN void add_all(Real* to, std::int32_t* to_exponent, const Real* from, const std::int32_t* from_exponent,
                          std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) add_to(to[i], to_exponent[i], from[i], from_exponent[i]);
}

// First within blocks that fit into a cache, then over the higher bits.
template <class Real>
QNML_FLATTEN void transform(Real* mantissa, std::int32_t* exponent, int bits, bool into_larger) {
  constexpr int kCached = 11;
  const std::size_t size = std::size_t{1} << bits;
  auto pass = [&](std::size_t start, std::size_t end, std::size_t half) {
    for (std::size_t pair = start; pair < end; pair += 2 * half) {
      const std::size_t to = into_larger ? pair + half : pair;
      const std::size_t from = into_larger ? pair : pair + half;
      add_all(mantissa + to, exponent + to, mantissa + from, exponent + from, half);
    }
  };
  const std::size_t block = std::size_t{1} << std::min(bits, kCached);
  for (std::size_t start = 0; start < size; start += block) {
    for (std::size_t half = 1; half < block; half <<= 1) pass(start, start + block, half);
  }
  for (std::size_t half = block; half < size; half <<= 1) pass(0, size, half);
}

}  // namespace

FamilyTable::FamilyTable(std::span<const double> scores, int n) : scores_(scores), n_(n) {
  if (n < 1 || n > 30 || scores.size() != static_cast<std::size_t>(n) * sets()) {
    throw std::invalid_argument("scores must be n * 2^(n-1) numbers for n from 1 to 30");
  }
  double ranges = 0.0;
  for (int child = 0; child < n; ++child) {
    double best = -std::numeric_limits<double>::infinity(), worst = std::numeric_limits<double>::infinity();
    for (std::size_t set = 0; set < sets(); ++set) {
      const double value = score(child, set);
      if (std::isnan(value) || value == std::numeric_limits<double>::infinity()) {
        throw std::invalid_argument("scores must be finite or minus infinity");
      }
      best = std::max(best, value);
      if (std::isfinite(value)) worst = std::min(worst, value);
    }
    if (!std::isfinite(best)) throw std::invalid_argument("every child must have an admitted family");
    best_.push_back(best);
    ranges += (best - worst) / std::numbers::ln2;
  }
  if (ranges > 0x1.0p28) throw std::overflow_error("scores must not differ by more than 10^8 nats");
}

double FamilyTable::sum_of_best() const {
  DoubleDouble sum;
  for (const double best : best_) sum = sum + DoubleDouble{best, 0.0};
  return to_double(sum);
}

template <class Real>
FamilySums<Real>::FamilySums(const FamilyTable& table, int threads, Control* control)
    : n_(table.n()), sums_(static_cast<std::size_t>(table.n()) * table.sets()) {
  const std::size_t sets = table.sets();
  parallel_for(static_cast<std::size_t>(n_), threads, [&](int, std::size_t child) {
    if (control != nullptr && control->is_stopped()) return;
    const std::size_t first = child * sets;
    for (std::size_t set = 0; set < sets; ++set) {
      const Extended<double> weight = table.weight(static_cast<int>(child), set);
      sums_.set(first + set, {Real{weight.mantissa}, weight.exponent});
    }
    sum_over_subsets(sums_.mantissa.data() + first, sums_.exponent.data() + first, n_ - 1);
  });
}

template <class Real>
double FamilySums<Real>::bytes(int n) {
  return std::ldexp(static_cast<double>(n) * static_cast<double>(sizeof(Real) + sizeof(std::int32_t)), n - 1);
}

QNML_VECTOR_CLONES void sum_over_subsets(double* mantissa, std::int32_t* exponent, int bits) {
  transform(mantissa, exponent, bits, true);
}
void sum_over_subsets(DoubleDouble* mantissa, std::int32_t* exponent, int bits) {
  transform(mantissa, exponent, bits, true);
}
QNML_VECTOR_CLONES void sum_over_supersets(double* mantissa, std::int32_t* exponent, int bits) {
  transform(mantissa, exponent, bits, false);
}

template class FamilySums<double>;
template class FamilySums<DoubleDouble>;

}  // namespace qnml
