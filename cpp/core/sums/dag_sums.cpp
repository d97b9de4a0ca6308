#include "core/sums/dag_sums.hpp"

#include <algorithm>
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
#include "core/sums/order_sums.hpp"
#include "core/sums/stages.hpp"

namespace qnml {
namespace {

// Exponents for both sums. A set is possible only if it has both DAGs on it and completions.
SumsProblem make_problem(const FamilySums<DoubleDouble>& families) {
  SumsProblem problem{families, sums_of_orders_before(families).exponent, sums_of_orders_after(families).exponent};
  for (std::size_t set = 0; set < problem.exponent_before.size(); ++set) {
    if (problem.exponent_before[set] != kZeroExponent && problem.exponent_after[set] != kZeroExponent) continue;
    problem.exponent_before[set] = kZeroExponent;
    problem.exponent_after[set] = kZeroExponent;
  }
  return problem;
}

}  // namespace

bool DagSums::compute(Control& control, int threads) {
  const int n = table_.n();
  families_.clear();
  families_.emplace_back(table_, threads, &control);
  const FamilySums<DoubleDouble>& families = families_.front();
  if (control.is_stopped()) return false;
  const SumsProblem problem = make_problem(families);
  if (!problem.is_possible(problem.everything())) throw std::invalid_argument("no acyclic structure is admitted");
  control.start_stage(sums_stage::kSums, std::pow(3.0, n));
  const std::vector<SetSum> before = sums_of_structures_on(problem, control, threads);
  if (before.empty()) return false;
  control.start_stage(sums_stage::kCompletions, std::pow(3.0, n));
  parent_sets_.assign(static_cast<std::size_t>(n) * table_.sets(), 0.0);
  completions_ = sums_of_completions(problem, before, parent_sets_, control, threads);
  if (completions_.empty()) return false;
  control.start_stage(sums_stage::kProbabilities, n);
  finish(families, before, threads);
  return true;
}

// Converts probabilities of non-descendants into probabilities of parent sets. Given that U is the set of the
// non-descendants of i, its parent set is P in U with probability w_i(P) / W_i(U). Hence p_i(P) = w_i(P) * sum over U
// that contain P of nondescendants(U) / W_i(U). All terms are positive, so doubles suffice.
void DagSums::finish(const FamilySums<DoubleDouble>& families, const std::vector<SetSum>& before, int threads) {
  const int n = table_.n();
  const auto columns = static_cast<std::size_t>(n);
  const std::size_t sets = table_.sets();
  edges_.assign(columns * columns, 0.0);
  ancestors_.assign(columns * columns, 0.0);
  std::vector<double> errors(columns, 0.0), gaps(columns, 0.0);
  parallel_for(columns, threads, [&](int, std::size_t child) {
    const int i = static_cast<int>(child);
    double* mine = parent_sets_.data() + child * sets;
    ExtendedArray<double> ratios(sets);
    std::vector<double> copy(mine, mine + sets);
    for (std::size_t set = 0; set < sets; ++set) {
      if (mine[set] == 0.0) continue;
      const std::uint64_t others = insert_zero(set, i);
      errors[child] += mine[set] * before[others].error;
      ratios.set(set, ratio(mine[set], families(i, others).rounded()));
    }
    // A variable that is not a non-descendant is a descendant.
    const std::vector<double> apart = marginals_of_bits(copy.data(), n - 1);
    sum_over_supersets(ratios.mantissa.data(), ratios.exponent.data(), n - 1);
    for (std::size_t set = 0; set < sets; ++set) mine[set] = (table_.weight(i, set) * ratios[set]).value();
    std::copy(mine, mine + sets, copy.begin());
    const std::vector<double> arcs = marginals_of_bits(copy.data(), n - 1);
    for (int k = 0; k < n - 1; ++k) {
      const auto other = static_cast<std::size_t>(k < i ? k : k + 1);
      const auto place = static_cast<std::size_t>(k);
      edges_[other * columns + child] = arcs[place];
      ancestors_[child * columns + other] = std::max(apart.back() - apart[place], 0.0);
    }
    gaps[child] = std::fabs(arcs.back() - 1.0);
  });
  const SetSum& forward = before.back();
  const SetSum& backward = completions_.front();
  const double ways = std::ldexp(to_double(backward.value()), backward.exponent - forward.exponent);
  discrepancy_ =
      std::max(std::fabs(ways / to_double(forward.value()) - 1.0), *std::max_element(gaps.begin(), gaps.end()));
  // The error of C(U) is weighted by Z(U) C(U) / Z(V), which is at most one; see docs/posterior-algorithms.md.
  double error = 0.0;
  for (std::size_t set = 0; set < before.size(); ++set) {
    if (before[set].is_zero()) continue;
    const std::int32_t exponent = before[set].exponent + completions_[set].exponent - forward.exponent;
    const double closed = before[set].high * completions_[set].high / forward.high;
    if (exponent > -1000) error += completions_[set].error * std::ldexp(closed, exponent);
  }
  error += *std::max_element(errors.begin(), errors.end()) + forward.error;
  // Rounding errors without cancellation: of exp in n weights, in numerator and denominator, and of the sums in this
  // function.
  constexpr double kRounding = 0x1.0p-53;
  error_bound_ = 1.01 * error + (8.0 * n + 32.0) * kRounding;
  log_total_ = table_.sum_of_best() + Extended<DoubleDouble>{forward.value(), forward.exponent}.log();
}

double DagSums::bytes(int n, int threads) {
  const double sets = std::ldexp(1.0, n);
  const double arrays = FamilySums<DoubleDouble>::bytes(n) + 8.0 * n * sets / 2.0;
  return arrays + sets * (2.0 * sizeof(SetSum) + 32.0 + 8.0) + threads * sets * 52.0;
}

}  // namespace qnml
