// Spanning trees and forests, compared with all choices of at most one parent each.
#include <cstddef>
#include <optional>
#include <random>
#include <vector>

#include "core/numbers/minus_infinity.hpp"
#include "core/shapes/spanning_tree.hpp"
#include "tests/doctest.h"

namespace {

using qnml::ArcGains;
using qnml::Span;
using qnml::TreeParents;

// The gain of the network, or nothing if it is not admitted or has a cycle.
std::optional<double> value_of(const ArcGains& gains, const TreeParents& parents, Span span) {
  double sum = 0.0;
  std::size_t roots = 0;
  for (std::size_t child = 0; child < parents.size(); ++child) {
    if (parents[child] < 0) {
      if (gains.needs_parent(child)) return {};
      ++roots;
      continue;
    }
    const double gain = gains(child, static_cast<std::size_t>(parents[child]));
    if (gain == qnml::kMinusInfinity) return {};
    sum += gain;
    std::size_t steps = 0;
    for (int up = parents[child]; up >= 0; up = parents[static_cast<std::size_t>(up)]) {
      if (++steps > parents.size()) return {};
    }
  }
  if (span == Span::tree && roots != 1) return {};
  return sum;
}

std::optional<double> best_of_all(const ArcGains& gains, Span span) {
  std::optional<double> best;
  TreeParents parents(gains.size(), -1);
  for (std::size_t place = 0; place < parents.size();) {
    const std::optional<double> value = value_of(gains, parents, span);
    if (value && (!best || *value > *best)) best = value;
    for (place = 0; place < parents.size(); ++place) {
      if (++parents[place] < static_cast<int>(parents.size())) break;
      parents[place] = -1;
    }
  }
  return best;
}

ArcGains random_gains(std::size_t n, std::mt19937& random, bool is_symmetric) {
  ArcGains gains(n);
  auto draw = [&](unsigned below) { return static_cast<int>(random() % below); };
  for (std::size_t child = 0; child < n; ++child) {
    for (std::size_t parent = 0; parent < (is_symmetric ? child : n); ++parent) {
      // Few different gains, so that there are ties.
      if (child == parent || draw(5) == 0) continue;
      gains(child, parent) = draw(12) - 4;
      if (is_symmetric) gains(parent, child) = gains(child, parent);
    }
    if (!is_symmetric && draw(6) == 0) gains.demand_parent(child);
  }
  return gains;
}

}  // namespace

TEST_CASE("the best directed tree and forest are those of all choices") {
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t n = 1 + round % 5;
    const ArcGains gains = random_gains(n, random, false);
    for (Span span : {Span::tree, Span::forest}) {
      const std::optional<double> best = best_of_all(gains, span);
      const TreeParents found = qnml::best_directed(gains, span);
      CHECK(found.empty() == !best.has_value());
      if (best) CHECK(value_of(gains, found, span) == best);
    }
  }
}

TEST_CASE("the best undirected tree and forest are those of all choices") {
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    const std::size_t n = 1 + round % 5;
    const ArcGains gains = random_gains(n, random, true);
    CHECK(gains.is_symmetric());
    for (Span span : {Span::tree, Span::forest}) {
      const std::optional<double> best = best_of_all(gains, span);
      const TreeParents found = qnml::best_span(gains, span);
      CHECK(found.empty() == !best.has_value());
      if (best) CHECK(value_of(gains, found, span) == best);
    }
  }
}

TEST_CASE("directed and undirected search agree on large symmetric gains") {
  std::mt19937 random(3);
  for (std::size_t n : {60, 200}) {
    const ArcGains gains = random_gains(n, random, true);
    for (Span span : {Span::tree, Span::forest}) {
      const auto directed = value_of(gains, qnml::best_directed(gains, span), span);
      CHECK(directed.has_value());
      CHECK(directed == value_of(gains, qnml::best_undirected(gains, span), span));
    }
  }
}

TEST_CASE("a chain of ever better cycles is contracted level by level") {
  // Each pair of neighbours prefers each other over all before them.
  const std::size_t n = 400;
  ArcGains gains(n);
  for (std::size_t k = 0; k + 1 < n; ++k) gains(k, k + 1) = gains(k + 1, k) = static_cast<double>(k);
  const TreeParents found = qnml::best_directed(gains, Span::tree);
  const auto arcs = static_cast<double>(n - 1);
  CHECK(value_of(gains, found, Span::tree).value_or(-1.0) == arcs * (arcs - 1.0) / 2.0);
}

TEST_CASE("an arc that gains nothing is in no forest") {
  ArcGains gains(2);
  gains(0, 1) = gains(1, 0) = 0.0;
  CHECK(qnml::best_undirected(gains, Span::forest) == TreeParents{-1, -1});
  CHECK(qnml::best_directed(gains, Span::forest) == TreeParents{-1, -1});
  CHECK(qnml::best_directed(gains, Span::tree).size() == 2);
}

TEST_CASE("a demanded parent that closes a cycle leaves no forest") {
  ArcGains gains(2);
  gains(0, 1) = gains(1, 0) = 3.0;
  gains.demand_parent(0);
  CHECK(qnml::best_directed(gains, Span::forest) == TreeParents{1, -1});
  gains.demand_parent(1);
  CHECK(qnml::best_directed(gains, Span::forest).empty());
}
