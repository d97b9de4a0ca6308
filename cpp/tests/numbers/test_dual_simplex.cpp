#include <cstdint>
#include <vector>

#include "core/numbers/dual_simplex.hpp"
#include "tests/close_to.hpp"
#include "tests/doctest.h"

TEST_CASE("a linear program is solved, and solved again after each inequality") {
  // Variables 0 and 1 share the first equation, 2 and 3 the second.
  qnml::DualSimplex program({{-1.0, -4.0}, {-2.0, -3.0}});
  REQUIRE(program.solve(1'000'000) == qnml::DualSimplex::Status::optimal);
  CHECK(program.value(0) == close_to(1.0, 1e-9));
  CHECK(program.value(2) == close_to(1.0, 1e-9));
  // 1 or 3: three is cheaper to exchange.
  program.add({1, 3}, 1.0);
  REQUIRE(program.solve(1'000'000) == qnml::DualSimplex::Status::optimal);
  CHECK(program.value(3) == close_to(1.0, 1e-9));
  CHECK(program.prices()[0] == close_to(1.0, 1e-5));
  // One and a half of them: half of 1 as well.
  program.add({1, 3}, 1.5);
  REQUIRE(program.solve(1'000'000) == qnml::DualSimplex::Status::optimal);
  CHECK(program.value(1) == close_to(0.5, 1e-9));
  CHECK(program.value(3) == close_to(1.0, 1e-9));
  CHECK(program.prices()[1] == close_to(3.0, 1e-5));
  // 0 and 1 sum to one, so this cannot be.
  program.add({0, 1}, 2.0);
  CHECK(program.solve(1'000'000) == qnml::DualSimplex::Status::infeasible);
  CHECK(program.prices()[2] > 1000.0);
}

TEST_CASE("a program ends at its limit of work") {
  qnml::DualSimplex program({{-1.0, -4.0}, {-2.0, -3.0}});
  program.add({1, 3}, 1.0);
  CHECK(program.solve(0) == qnml::DualSimplex::Status::limit);
  CHECK(program.prices()[0] == 0.0);
}
