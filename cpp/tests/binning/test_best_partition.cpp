#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "core/base/control.hpp"
#include "core/binning/best_partition.hpp"
#include "core/binning/interval_costs.hpp"
#include "tests/close_to.hpp"
#include "tests/doctest.h"

namespace {

// The costs of histograms with random counts and widths: dividing an interval never raises their sum.
qnml::IntervalCosts random_costs(std::size_t pieces, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> rows, widths;
  for (std::size_t i = 0; i < pieces; ++i) {
    rows.push_back(static_cast<double>((random() >> 11) % 9));
    widths.push_back(1.0 + static_cast<double>((random() >> 11) % 5));
  }
  qnml::IntervalCosts costs(pieces);
  for (std::size_t end = 1; end <= pieces; ++end) {
    double h = 0.0, width = 0.0;
    for (std::size_t start = end; start > 0; --start) {
      h += rows[start - 1];
      width += widths[start - 1];
      costs.ending_at(end)[start - 1] = h > 0.0 ? h * std::log(width / h) : 0.0;
    }
  }
  return costs;
}

double cost_of(const qnml::IntervalCosts& costs, const std::vector<std::int32_t>& cuts,
               const std::vector<double>& prices) {
  double cost = prices[cuts.size()];
  std::size_t start = 0;
  for (std::int32_t cut : cuts) {
    cost += costs.ending_at(static_cast<std::size_t>(cut))[start];
    start = static_cast<std::size_t>(cut);
  }
  return cost + costs.ending_at(costs.pieces())[start];
}

// Every set of cuts.
double least_cost(const qnml::IntervalCosts& costs, const std::vector<double>& prices) {
  double least = INFINITY;
  for (std::uint32_t mask = 0; mask < std::uint32_t{1} << (costs.pieces() - 1); ++mask) {
    std::vector<std::int32_t> cuts;
    for (std::size_t edge = 1; edge < costs.pieces(); ++edge) {
      if (mask >> (edge - 1) & 1) cuts.push_back(static_cast<std::int32_t>(edge));
    }
    if (cuts.size() < prices.size()) least = std::min(least, cost_of(costs, cuts, prices));
  }
  return least;
}

}  // namespace

TEST_CASE("the best partition is the best of all") {
  std::mt19937_64 random(1);
  for (std::size_t pieces = 1; pieces <= 11; ++pieces) {
    for (unsigned seed = 0; seed < 20; ++seed) {
      const auto costs = random_costs(pieces, 100 * seed + static_cast<unsigned>(pieces));
      // Prices in no order: the search may not end at the first number of intervals that is worse.
      std::vector<double> prices(pieces);
      for (double& price : prices) price = static_cast<double>((random() >> 11) % 100) / 9.0;
      qnml::Control control;
      const auto found = qnml::best_partition(costs, prices, control);
      CHECK(found.cost == close_to(least_cost(costs, prices), 1e-12));
      CHECK(found.cost == close_to(cost_of(costs, found.cuts, prices), 1e-12));
    }
  }
}

TEST_CASE("there are at most as many intervals as prices") {
  const auto costs = random_costs(10, 5);
  qnml::Control control;
  for (std::size_t most = 1; most <= 10; ++most) {
    const std::vector<double> free(most, 0.0);
    const auto found = qnml::best_partition(costs, free, control);
    CHECK(found.cuts.size() < most);
    CHECK(found.cost == close_to(least_cost(costs, free), 1e-12));
  }
}

TEST_CASE("among equal partitions the one with the fewest intervals wins") {
  qnml::IntervalCosts costs(6);  // all zero
  qnml::Control control;
  CHECK(qnml::best_partition(costs, std::vector<double>(6, 2.0), control).cuts.empty());
}

TEST_CASE("a stopped search returns one interval") {
  const auto costs = random_costs(200, 3);
  qnml::Control control;
  control.stop();
  const auto found = qnml::best_partition(costs, std::vector<double>(200, 0.0), control);
  CHECK(found.cuts.empty());
  CHECK(found.cost == costs.ending_at(200)[0]);
}
