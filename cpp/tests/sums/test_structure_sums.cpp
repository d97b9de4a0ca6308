// Double-doubles and extended doubles against exact values, sums over DAGs against numbers of DAGs.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <random>
#include <stdexcept>
#include <vector>

#include "core/base/control.hpp"
#include "core/graph/rules.hpp"
#include "core/numbers/double_double.hpp"
#include "core/numbers/extended_double.hpp"
#include "core/scores/make_score.hpp"
#include "core/sums/dag_sums.hpp"
#include "core/sums/family_sums.hpp"
#include "core/sums/family_weights.hpp"
#include "core/sums/order_sums.hpp"
#include "tests/close_to.hpp"
#include "tests/doctest.h"
#include "tests/problem_of.hpp"
#include "tests/random_table.hpp"

namespace {

using qnml::DoubleDouble;

TEST_CASE("double-double arithmetic") {
  // (2^53 - 1)^2 = 2^106 - 2^54 + 1, which fits into two doubles.
  const double odd = 9007199254740991.0;
  const DoubleDouble square = qnml::exact_product(odd, odd);
  CHECK(square.high == 0x1.ffffffffffffep+105);
  CHECK(square.low == 1.0);
  const DoubleDouble sum = qnml::exact_sum(1.0, 0x1.0p-80);
  CHECK(sum.high == 1.0);
  CHECK(sum.low == 0x1.0p-80);
  CHECK(qnml::to_double(DoubleDouble{1.0, 0x1.0p-80} - DoubleDouble{1.0, 0.0}) == 0x1.0p-80);
  // Three hundred thirds: with a single double, the error would be 1e-14.
  const DoubleDouble third{0x1.5555555555555p-2, 0x1.5555555555555p-56};
  DoubleDouble total;
  for (int i = 0; i < 300; ++i) total = total + third;
  CHECK(std::fabs(qnml::to_double(total - DoubleDouble{100.0, 0.0})) < 1e-27);
  // (a + b)(a - b) = a^2 - b^2, within the bounds that the sums rely on.
  std::mt19937_64 random(1);
  double worst = 0.0;
  for (int i = 0; i < 1000; ++i) {
    auto number = [&] {
      const double high = 1.0 + static_cast<double>(random() >> 11) * 0x1.0p-53;
      return qnml::exact_sum_ordered(high, static_cast<double>(random() >> 11) * 0x1.0p-107);
    };
    const DoubleDouble a = number(), b = number();
    const DoubleDouble left = (a + b) * (a - b), right = a * a - b * b;
    worst = std::max(worst, std::fabs(qnml::to_double(left - right)));
  }
  CHECK(worst < 200.0 * qnml::kRoundingSquared);
  CHECK(worst > 0.0);
}

TEST_CASE("numbers beyond the range of doubles") {
  using Number = qnml::Extended<double>;
  const Number small = qnml::exp_difference(-5000.0, 0.0), large = qnml::exp_difference(5000.0, 0.0);
  CHECK(small.log() == close_to(-5000.0, 1e-15));
  CHECK((small * large).value() == close_to(1.0, 1e-13));
  CHECK((small + small).log() == close_to(-5000.0 + std::numbers::ln2, 1e-15));
  CHECK((large + small).log() == large.log());
  CHECK(qnml::exp_difference(-HUGE_VAL, 3.0).is_zero());
  CHECK((small - small).is_zero());
  CHECK(small.value() == 0.0);
  CHECK(!(small - large).is_positive());
  for (const double x : {-0.1, -1.0, -37.5, -600.0})
    CHECK(qnml::exp_difference(x, 0.0).value() / std::exp(x) == close_to(1.0, 1e-15));
  // exp(x) for x = 10^6 ln 2 rounded to a double: the exponent takes the multiple, and the rounding remains.
  const qnml::Extended<double> far = qnml::exp_difference(693147.1805599453, 0.0);
  CHECK(std::log(far.mantissa) + (far.exponent - 1000000) * std::numbers::ln2 == close_to(-1.66463695421e-11, 1e-15));
}

std::vector<double> random_scores(int n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> scores(static_cast<std::size_t>(n) << (n - 1));
  for (double& score : scores) score = -40.0 * static_cast<double>(random() >> 11) * 0x1.0p-53;
  return scores;
}

bool is_acyclic(const std::uint64_t* parents, int n) {
  std::uint64_t placed = 0;
  for (int round = 0; round < n; ++round) {
    for (int i = 0; i < n; ++i) {
      if ((parents[i] & ~placed) == 0) placed |= std::uint64_t{1} << i;
    }
  }
  return placed == (std::uint64_t{1} << n) - 1;
}

TEST_CASE("numbers of DAGs and of orders") {
  // Robinson's numbers; for orders, the sum over DAGs of their linear extensions: prod over positions of 2^position,
  // times n!.
  const double dags[] = {1, 3, 25, 543, 29281, 3781503, 1138779265};
  for (int n = 1; n <= 7; ++n) {
    const std::vector<double> nothing(static_cast<std::size_t>(n) << (n - 1), 0.0);
    qnml::Control control;
    qnml::DagSums structures(nothing, n);
    CHECK(structures.compute(control, 2));
    CHECK(std::exp(structures.log_total()) == close_to(dags[n - 1], 1e-12));
    qnml::OrderSums orders(nothing, n);
    CHECK(orders.compute(control, 2));
    CHECK(orders.log_total() == close_to(std::lgamma(n + 1.0) + n * (n - 1) / 2.0 * std::numbers::ln2, 1e-13));
  }
}

TEST_CASE_TEMPLATE("threads do not change sums, and draws are acyclic", Sums, qnml::DagSums, qnml::OrderSums) {
  const int n = 12;  // blocks of the first sums begin above ten variables
  const std::vector<double> scores = random_scores(n, 3);
  qnml::Control control;
  Sums one(scores, n), several(scores, n);
  CHECK(one.compute(control, 1));
  CHECK(several.compute(control, 4));
  CHECK(one.log_total() == several.log_total());
  CHECK(one.take_parent_sets() == several.take_parent_sets());
  CHECK(one.discrepancy() < 1e-12);
  const auto draws = one.draw(50, 7, 1);
  CHECK(draws == several.draw(50, 7, 4));
  bool acyclic = true;
  for (std::size_t k = 0; k < 50; ++k) acyclic &= is_acyclic(draws.data() + k * n, n);
  CHECK(acyclic);
}

TEST_CASE("sums stop when asked and refuse malformed scores") {
  const std::vector<double> scores = random_scores(12, 5);
  qnml::Control control;
  control.stop();
  qnml::DagSums structures(scores, 12);
  qnml::OrderSums orders(scores, 12);
  CHECK(!structures.compute(control, 2));
  CHECK(!orders.compute(control, 2));
  auto refuses = [](std::vector<double> values, int n) {
    try {
      qnml::FamilyTable table(values, n);
    } catch (const std::invalid_argument&) {
      return true;
    }
    return false;
  };
  CHECK(refuses({0.0, 0.0, 0.0}, 2));
  CHECK(refuses({0.0, std::nan(""), 0.0, 0.0}, 2));
  CHECK(refuses({0.0, 0.0, -HUGE_VAL, -HUGE_VAL}, 2));
  CHECK(!refuses({0.0, -HUGE_VAL, 0.0, 0.0}, 2));
}

TEST_CASE("scores of all families obey the limits") {
  const RandomTable table({2, 3, 2, 4}, 50, 1);
  qnml::Rules rules = qnml::Rules::none(4);
  rules.max_parents.assign(4, 2);
  qnml::Control control;
  const auto kind = qnml::ScoreKind::qnml;
  const auto one = qnml::family_log_scores(problem_of(table.view, kind, 1.0, rules), control);
  CHECK(one.size() == 32);
  CHECK(one == qnml::family_log_scores(problem_of(table.view, kind, 1.0, rules, 3), control));
  bool limited = true;
  for (std::size_t i = 0; i < one.size(); ++i) limited &= std::isfinite(one[i]) == (std::popcount(i % 8) <= 2);
  CHECK(limited);
  const auto direct = qnml::family_log_scores(problem_of(table.view, qnml::ScoreKind::bds, 1.0, rules, 2), control);
  CHECK(direct.size() == 32);
  CHECK(std::isfinite(direct[0]));
  CHECK(!std::isfinite(direct[7]));
}

}  // namespace
