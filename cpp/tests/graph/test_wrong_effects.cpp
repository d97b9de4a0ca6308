// Effects that a wrong set of parents gets wrong, in networks small enough to do by hand. The Python tests compare them
// with all paths of all networks on four nodes.
#include <vector>

#include "core/graph/wrong_effects.hpp"
#include "tests/doctest.h"

TEST_CASE("wrong effects by hand") {
  using Lists = std::vector<std::vector<int>>;
  // 0 -> 1 -> 2 and 0 -> 2.
  const Lists triangle{{}, {0}, {0, 1}};
  CHECK(qnml::wrong_effects(triangle, {0, 1, 2}, {{}, {0}, {0, 1}}) == std::vector<int>{0, 0, 0});
  // Not adjusting for 0: it confounds 1 and 2, and the effect of 1 on 0 is taken for what is observed.
  CHECK(qnml::wrong_effects(triangle, {1}, {{}}) == std::vector<int>{2});
  // Adjusting for a node on the way, or for the target.
  CHECK(qnml::wrong_effects(triangle, {0}, {{1}}) == std::vector<int>{2});
  // 0 -> 2 <- 1: adjusting for the collider opens a path.
  const Lists collider{{}, {}, {0, 1}};
  CHECK(qnml::wrong_effects(collider, {0, 0}, {{}, {2}}) == std::vector<int>{0, 2});
  CHECK(qnml::wrong_effects({{}, {}}, {0}, {{1}}) == std::vector<int>{0});
  CHECK(qnml::wrong_effects({}, {}, {}).empty());
}
