// Layers of small graphs, by hand. The Python tests compare total lengths with linear programming.
#include <algorithm>
#include <vector>

#include "core/layout/columns.hpp"
#include "tests/doctest.h"

TEST_CASE("rows by hand") {
  // As high as possible, 4 would be three rows above its only child.
  CHECK(qnml::layer_rows(5, {{0, 1}, {1, 2}, {2, 3}, {4, 3}}) == std::vector<int>{0, 1, 2, 3, 2});
  CHECK(qnml::layer_rows(2, {}) == std::vector<int>{0, 0});
  CHECK(qnml::layer_rows(0, {}).empty());
}

TEST_CASE("crossings by hand") {
  // Arcs a-d, b-c cross; arcs that share an end do not.
  const qnml::Arcs arcs{{0, 3}, {1, 2}, {1, 3}};
  CHECK(qnml::count_crossings({{0, 1}, {2, 3}}, qnml::lowers_of(4, arcs)) == 1);
  CHECK(qnml::count_crossings({{1, 0}, {2, 3}}, qnml::lowers_of(4, arcs)) == 0);
  CHECK(qnml::order_layers({0, 0, 1, 1}, arcs).n_vertices == 4);
}

TEST_CASE("an arc over three rows gets two bends") {
  const qnml::LayerOrder found = qnml::order_layers({0, 1, 2, 3}, {{0, 1}, {1, 2}, {2, 3}, {0, 3}});
  CHECK(found.n_vertices == 6);
  CHECK(found.chains[3] == std::vector<int>{0, 4, 5, 3});
  CHECK(found.rows[1].size() == 2);
  CHECK(qnml::order_layers({}, {}).rows.empty());
}

TEST_CASE("isotonic regression by hand") {
  using Numbers = std::vector<double>;
  CHECK(qnml::nearest_ordered({1, 4, 2, 5}, {1, 1, 1, 1}) == Numbers{1, 3, 3, 5});
  CHECK(qnml::nearest_ordered({3, 0}, {1, 2}) == Numbers{1, 1});
  CHECK(qnml::nearest_ordered({3, 2, 1}, {1, 1, 1}) == Numbers{2, 2, 2});
  CHECK(qnml::nearest_ordered({}, {}).empty());
}

TEST_CASE("a parent stands above the middle of its children") {
  const qnml::LayerOrder order = qnml::order_layers({0, 1, 1}, {{0, 1}, {0, 2}});
  const std::vector<double> xs = qnml::layer_columns(order, {10, 40, 60}, 20);
  CHECK(std::min(xs[1] - 20, xs[2] - 30) == doctest::Approx(0));
  CHECK(xs[0] == doctest::Approx((xs[1] + xs[2]) / 2));
}
