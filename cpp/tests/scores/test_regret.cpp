#include <cmath>
#include <cstdint>

#include "core/scores/regret.hpp"
#include "tests/check.hpp"
#include "tests/tests.hpp"

namespace {

// C(n, r) by its definition: over all ways to share n observations among r values, the number of sequences times the
// maximised likelihood of each.
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

void test_regret() {
  for (int n = 1; n <= 9; ++n) {
    double factorial = 1.0;
    for (int i = 2; i <= n; ++i) factorial *= i;
    for (int r = 1; r <= 5; ++r) CHECK_CLOSE(qnml::regret(n, r), std::log(by_definition(n, r, n, factorial)), 1e-13);
  }

  for (double r : {1.0, 2.0, 17.5, 1e6, 1e200, 1e300}) {
    CHECK(qnml::regret(0, r) == 0.0);
    CHECK_CLOSE(qnml::regret(1, r), std::log(r), 1e-15);
  }
  CHECK(qnml::regret(1000000000, 1.0) == 0.0);

  // The exact column of the paper's Table 1, printed to two decimals.
  struct Printed {
    std::int64_t n;
    double r, exact;
  };
  for (const Printed& row : {Printed{50, 10, 13.24}, Printed{50, 10000, 265.28}, Printed{500, 100, 144.03},
                             Printed{5000, 1000, 1451.78}, Printed{5000, 10000, 6043.16}}) {
    CHECK(std::fabs(qnml::regret(row.n, row.r) - row.exact) <= 0.005 + 1e-9);
  }

  // C(n, r + 2) = C(n, r + 1) + (n / r) C(n, r), also where r is no whole number and n is large.
  for (std::int64_t n : {2, 7, 100, 12345, 10000000}) {
    for (double r : {1.0, 2.0, 2.5, 40.0, 3000.0}) {
      const double base = qnml::regret(n, r + 1.0);
      const double ratio = 1.0 + static_cast<double>(n) / r * std::exp(qnml::regret(n, r) - base);
      CHECK_CLOSE(qnml::regret(n, r + 2.0), base + std::log(ratio), 1e-12);
    }
  }

  for (std::int64_t r : {1, 2, 3, 9, 300}) {
    const auto table = qnml::regret_table(700, r);
    CHECK(table.size() == 701);
    for (std::int64_t m = 0; m <= 700; ++m) {
      CHECK_CLOSE(table[static_cast<std::size_t>(m)], qnml::regret(m, static_cast<double>(r)), 1e-12);
    }
  }

  // Eq. (7) nearly equals the exact value where both r and n are large, and does not cancel for a huge r.
  CHECK_CLOSE(qnml::regret_szpankowski_weinberger(5000, 10000), qnml::regret(5000, 10000), 1e-6);
  CHECK_CLOSE(qnml::regret_szpankowski_weinberger(50, 1e100), qnml::regret(50, 1e100), 1e-3);
}
