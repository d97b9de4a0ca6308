#include <cmath>
#include <cstddef>

#include "core/local/best_order.hpp"
#include "core/local/stage_options.hpp"
#include "tests/doctest.h"

namespace {

using qnml::ClimbRole;
using qnml::Effort;
using qnml::StageSetting;

StageSetting setting(Effort effort, int n, std::size_t rows = 1000, bool is_equivalent = true) {
  return {effort, n, rows, is_equivalent, 7, 1e9, 0.0};
}

TEST_CASE("climbs are perturbed as often as docs/large-networks.md says") {
  CHECK(climb_options(setting(Effort::quick, 10), ClimbRole::alone).shakes == 40);
  CHECK(climb_options(setting(Effort::quick, 120), ClimbRole::alone).shakes == 120);
  CHECK(climb_options(setting(Effort::quick, 900), ClimbRole::alone).shakes == 200);
  CHECK(climb_options(setting(Effort::usual, 900), ClimbRole::alone).shakes == 200);
  CHECK(climb_options(setting(Effort::thorough, 900), ClimbRole::before_orders).shakes == 0);
  CHECK(climb_options(setting(Effort::usual, 1001), ClimbRole::alone).starts == 1);
}

TEST_CASE("the patience of equivalence search grows with the network, within bounds") {
  const auto patience = [](int n, std::size_t rows, ClimbRole role) {
    return class_options(setting(Effort::usual, n, rows), role).patience;
  };
  CHECK(patience(5, 1000, ClimbRole::alone) == 40);
  CHECK(patience(37, 1000, ClimbRole::alone) == 37 * 27 / 7);
  CHECK(patience(37, 10000, ClimbRole::alone) == 2 * (37 * 27 / 7));
  CHECK(patience(37, 1000, ClimbRole::after_orders) == 37 * 27 / 7 * 37 / 60);
  CHECK(patience(5, 1000, ClimbRole::after_orders) == 100);
  CHECK(patience(16, 10000, ClimbRole::after_orders) == 25);
  CHECK(patience(500, 1000, ClimbRole::alone) == 600);
}

TEST_CASE("quick equivalence search climbs once, unless an order search came before") {
  CHECK(class_options(setting(Effort::quick, 30), ClimbRole::alone).shakes == 0);
  CHECK(class_options(setting(Effort::quick, 30), ClimbRole::after_orders).shakes == 20);
}

TEST_CASE("small networks with few rows get many short chains that re-root subgraphs") {
  const qnml::OrderOptions small = order_options(setting(Effort::usual, 37));
  CHECK(small.chains == 7);
  CHECK(small.shakes == 16);
  CHECK(small.reroots == 12);
  const qnml::OrderOptions tiny = order_options(setting(Effort::usual, 20));
  CHECK(tiny.chains == 2);
  CHECK(tiny.reroots == 0);
  CHECK(order_options(setting(Effort::usual, 20, 1000, false)).chains == 10);
  CHECK(order_options(setting(Effort::usual, 37, 10000)).chains == 2);
}

TEST_CASE("a stage has a work limit, unless the effort is thorough") {
  CHECK(climb_options(setting(Effort::usual, 100), ClimbRole::alone).most_work == 2e6 + 40.0 * 100 * 100);
  CHECK(climb_options(setting(Effort::usual, 100), ClimbRole::after_orders).most_work == 2e6 + 10.0 * 100 * 100);
  CHECK(std::isinf(order_options(setting(Effort::thorough, 100)).most_work));
  StageSetting limited = setting(Effort::thorough, 100);
  limited.most_work = 5.0;
  CHECK(order_options(limited).most_work == 5.0);
}

TEST_CASE("no proof is tried for a quick answer") {
  CHECK(proving_effort(setting(Effort::quick, 10), true).visits == 0);
  CHECK(proving_effort(setting(Effort::usual, 100), false).visits == 100 * 100 * 1000);
  CHECK(proving_effort(setting(Effort::usual, 100), true).visits == 100 * 100 * 1000);
  CHECK(proving_effort(setting(Effort::usual, 20), true).visits == 512 * 20 * 20 * 1000);
}

}  // namespace
