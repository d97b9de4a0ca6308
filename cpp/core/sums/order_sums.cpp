#include "core/sums/order_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/numbers/double_double.hpp"
#include "core/numbers/extended_double.hpp"
#include "core/numbers/set_marginals.hpp"
#include "core/numbers/subset_transform.hpp"
#include "core/sums/family_sums.hpp"
#include "core/sums/stages.hpp"

namespace qnml {
namespace {

constexpr std::uint64_t kLookEvery = 0xFFF;  // sets between two checks for a stop

}  // namespace

template <class Real>
ExtendedArray<double> sums_of_orders_before(const FamilySums<Real>& families, Control* control) {
  const std::size_t sets = std::size_t{1} << families.n();
  ExtendedArray<double> sums(sets);
  sums.set(0, {1.0, 0});
  for (std::uint64_t set = 1; set < sets; ++set) {
    if (control != nullptr && (set & kLookEvery) == 0 && control->is_stopped()) break;
    for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) {
      const int last = std::countr_zero(rest);
      const std::uint64_t others = set ^ std::uint64_t{1} << last;
      sums.add(set, sums[others] * families(last, others).rounded());
    }
  }
  return sums;
}

template <class Real>
ExtendedArray<double> sums_of_orders_after(const FamilySums<Real>& families, Control* control) {
  const std::size_t sets = std::size_t{1} << families.n();
  ExtendedArray<double> sums(sets);
  sums.set(sets - 1, {1.0, 0});
  for (std::uint64_t set = sets - 1; set-- > 0;) {
    if (control != nullptr && (set & kLookEvery) == 0 && control->is_stopped()) break;
    for (std::uint64_t rest = ~set & (sets - 1); rest != 0; rest &= rest - 1) {
      const int next = std::countr_zero(rest);
      sums.add(set, sums[set | std::uint64_t{1} << next] * families(next, set).rounded());
    }
  }
  return sums;
}

bool OrderSums::compute(Control& control, int threads) {
  const int n = table_.n();
  const auto columns = static_cast<std::size_t>(n);
  const std::size_t sets = table_.sets();
  control.start_stage(sums_stage::kSums, 3.0);
  const FamilySums<double> families(table_, threads, &control);
  if (control.is_stopped()) return false;
  control.advance(1.0);
  const ExtendedArray<double> before = sums_of_orders_before(families, &control);
  if (control.is_stopped()) return false;
  control.advance(1.0);
  const ExtendedArray<double> after = sums_of_orders_after(families, &control);
  if (control.is_stopped()) return false;
  const Extended<double> total = before[before.mantissa.size() - 1];
  if (total.is_zero()) throw std::invalid_argument("no acyclic structure is admitted");
  control.start_stage(sums_stage::kProbabilities, n);
  parent_sets_.assign(columns * sets, 0.0);
  edges_.assign(columns * columns, 0.0);
  std::vector<double> gaps(columns, 0.0);
  parallel_for(columns, threads, [&](int, std::size_t child) {
    if (control.is_stopped()) return;
    const int i = static_cast<int>(child);
    ExtendedArray<double> sums(sets);
    for (std::size_t set = 0; set < sets; ++set) {
      const std::uint64_t others = insert_zero(set, i);
      sums.set(set, before[others] * after[others | std::uint64_t{1} << i]);
    }
    sum_over_supersets(sums.mantissa.data(), sums.exponent.data(), n - 1);
    double* mine = parent_sets_.data() + child * sets;
    for (std::size_t set = 0; set < sets; ++set) {
      const Extended<double> weight = table_.weight(i, set) * sums[set];
      if (weight.is_positive()) {
        mine[set] = Extended<double>{weight.mantissa / total.mantissa, weight.exponent - total.exponent}.value();
      }
    }
    std::copy(mine, mine + sets, sums.mantissa.begin());
    const std::vector<double> arcs = marginals_of_bits(sums.mantissa.data(), n - 1);
    for (int k = 0; k < n - 1; ++k) {
      edges_[static_cast<std::size_t>(k < i ? k : k + 1) * columns + child] = arcs[static_cast<std::size_t>(k)];
    }
    gaps[child] = std::fabs(arcs.back() - 1.0);
    control.advance(1.0);
  });
  if (control.is_stopped()) return false;
  const double backwards = after[0].mantissa / total.mantissa * std::ldexp(1.0, after[0].exponent - total.exponent);
  discrepancy_ = std::max(std::fabs(backwards - 1.0), *std::max_element(gaps.begin(), gaps.end()));
  log_total_ = table_.sum_of_best() + total.log();
  return true;
}

double OrderSums::bytes(int n, int threads) {
  const double sets = std::ldexp(1.0, n);
  return FamilySums<double>::bytes(n) + 8.0 * n * sets / 2.0 + 24.0 * sets + threads * 12.0 * sets / 2.0;
}

template ExtendedArray<double> sums_of_orders_before(const FamilySums<double>&, Control*);
template ExtendedArray<double> sums_of_orders_before(const FamilySums<DoubleDouble>&, Control*);
template ExtendedArray<double> sums_of_orders_after(const FamilySums<double>&, Control*);
template ExtendedArray<double> sums_of_orders_after(const FamilySums<DoubleDouble>&, Control*);

}  // namespace qnml
