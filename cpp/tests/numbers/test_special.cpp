#include <cmath>

#include "core/numbers/special.hpp"
#include "tests/close_to.hpp"
#include "tests/doctest.h"

TEST_CASE("log gamma at whole and half numbers") {
  // Factorials are known; so is Gamma(1/2)^2 = pi.
  double log_factorial = 0.0;
  for (int n = 1; n <= 60; ++n) {
    log_factorial += std::log(static_cast<double>(n));
    CHECK(qnml::log_gamma(n + 1.0) == close_to(log_factorial, 1e-13));
  }
  CHECK(2.0 * qnml::log_gamma(0.5) == close_to(std::log(3.14159265358979323846), 1e-14));
}

TEST_CASE("log of rising factorials") {
  // log x (x + 1) ... (x + n - 1), term by term.
  for (double x : {1e-300, 1e-5, 0.5, 1.0, 7.25, 1e6, 1e15}) {
    double sum = 0.0;
    for (int n = 1; n <= 40; ++n) {
      sum += std::log(x + (n - 1));
      CHECK(qnml::log_rising(x, n) == close_to(sum, 1e-12));
    }
  }
  CHECK(qnml::log_rising(3.0, 0.0) == 0.0);
}

TEST_CASE("log1p minus its argument") {
  // log(1 + x) - x = -x^2/2 + x^3/3 - ... for tiny x, where the two terms cancel.
  CHECK(qnml::log1p_minus(1e-8) / (-0.5e-16 + 1e-24 / 3) == close_to(1.0, 1e-14));
  CHECK(qnml::log1p_minus(3.0) == close_to(std::log(4.0) - 3.0, 1e-14));
}
