#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/scores/regret.hpp"
#include "tests/close_to.hpp"
#include "tests/doctest.h"

namespace {

// C(n, r) by its definition: over all ways to distribute n observations over r values, the number of sequences times
// the maximized likelihood of each.
double by_definition(int left, int values, int total, double factor) {
  if (values == 1) {
    for (int i = 1; i <= left; ++i) factor /= i;
    return factor * std::pow(static_cast<double>(left) / total, left);
  }
  double sum = 0.0;
  double inverse_factorial = 1.0;
  for (int count = 0; count <= left; ++count) {
    if (count > 0) inverse_factorial /= count;
    const double share = std::pow(static_cast<double>(count) / total, count);
    sum += by_definition(left - count, values - 1, total, factor * inverse_factorial * share);
  }
  return sum;
}

}  // namespace

TEST_CASE("regret by definition") {
  for (int n = 1; n <= 9; ++n) {
    double factorial = 1.0;
    for (int i = 2; i <= n; ++i) factorial *= i;
    for (int r = 1; r <= 5; ++r)
      CHECK(qnml::regret(n, r) == close_to(std::log(by_definition(n, r, n, factorial)), 1e-13));
  }
}

TEST_CASE("regret of no row, one row and one level") {
  for (double r : {1.0, 2.0, 17.5, 1e6, 1e200, 1e300}) {
    CHECK(qnml::regret(0, r) == 0.0);
    CHECK(qnml::regret(1, r) == close_to(std::log(r), 1e-15));
  }
  CHECK(qnml::regret(1000000000, 1.0) == 0.0);
}

TEST_CASE("the paper's Table 1") {
  // The exact column of the paper's Table 1, printed to two decimals.
  struct Printed {
    std::int64_t n;
    double r, exact;
  };
  for (const Printed& row : {Printed{50, 10, 13.24}, Printed{50, 10000, 265.28}, Printed{500, 100, 144.03},
                             Printed{5000, 1000, 1451.78}, Printed{5000, 10000, 6043.16}}) {
    CHECK(std::fabs(qnml::regret(row.n, row.r) - row.exact) <= 0.005 + 1e-9);
  }
}

TEST_CASE("the recurrence over levels") {
  // C(n, r + 2) = C(n, r + 1) + (n / r) C(n, r), also for non-integer r and large n.
  for (std::int64_t n : {2, 7, 100, 12345, 10000000}) {
    for (double r : {1.0, 2.0, 2.5, 40.0, 3000.0}) {
      const double base = qnml::regret(n, r + 1.0);
      const double ratio = 1.0 + static_cast<double>(n) / r * std::exp(qnml::regret(n, r) - base);
      CHECK(qnml::regret(n, r + 2.0) == close_to(base + std::log(ratio), 1e-12));
    }
  }
}

TEST_CASE("tables of regrets") {
  for (std::int64_t r : {1, 2, 3, 9, 300}) {
    const auto table = qnml::regret_table(700, r);
    CHECK(table.size() == 701);
    for (std::int64_t m = 0; m <= 700; ++m) {
      CHECK(table[static_cast<std::size_t>(m)] == close_to(qnml::regret(m, static_cast<double>(r)), 1e-12));
    }
  }
}

TEST_CASE("regrets of many numbers of levels") {
  for (std::int64_t n : {0, 1, 2, 50, 12345, 1000000000}) {
    const auto regrets = qnml::regrets_by_levels(n, 1500);
    CHECK(regrets.size() == 1500);
    for (std::size_t r : {1, 2, 3, 4, 10, 77, 1000, 1500}) {
      CHECK(regrets[r - 1] == close_to(qnml::regret(n, static_cast<double>(r)), 1e-12));
    }
  }
  CHECK(qnml::regrets_by_levels(9, 1) == std::vector<double>{0.0});
}

TEST_CASE("the approximation of Szpankowski and Weinberger") {
  // Eq. (7) nearly equals the exact value if both r and n are large, and does not cancel for huge r.
  CHECK(qnml::regret_szpankowski_weinberger(5000, 10000) == close_to(qnml::regret(5000, 10000), 1e-6));
  CHECK(qnml::regret_szpankowski_weinberger(50, 1e100) == close_to(qnml::regret(50, 1e100), 1e-3));
}
