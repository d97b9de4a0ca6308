#include <cmath>

#include "core/scores/network_nml.hpp"
#include "core/scores/regret.hpp"
#include "tests/close_to.hpp"
#include "tests/doctest.h"

TEST_CASE("regret of whole networks") {
  // Theorem of the paper: if every component is complete, the regret of the network is that of the joint configurations
  // of its components.
  CHECK(qnml::network_regret({3}, {{}}, 6) == close_to(qnml::regret(6, 3.0), 1e-12));
  CHECK(qnml::network_regret({2, 3}, {{}, {0}}, 5) == close_to(qnml::regret(5, 6.0), 1e-12));
  CHECK(qnml::network_regret({2, 3}, {{1}, {}}, 5) == close_to(qnml::regret(5, 6.0), 1e-12));
  CHECK(qnml::network_regret({2, 3}, {{}, {}}, 5) == close_to(qnml::regret(5, 2.0) + qnml::regret(5, 3.0), 1e-12));
  // A chain is not complete, and its regret is neither that of the joint nor a quotient of joints.
  const double chain = qnml::network_regret({2, 2, 2}, {{}, {0}, {1}}, 4);
  CHECK(chain < qnml::regret(4, 8.0) - 1e-3);
  CHECK(std::fabs(chain - (2 * qnml::regret(4, 4.0) - qnml::regret(4, 2.0))) > 1e-6);
  CHECK(qnml::network_regret({2, 2}, {{}, {0}}, 0) == 0.0);
}
