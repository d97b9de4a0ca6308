#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/columns.hpp"
#include "core/scores/local_scores.hpp"
#include "core/scores/make_score.hpp"
#include "core/scores/regret.hpp"
#include "tests/all_scores.hpp"
#include "tests/close_to.hpp"
#include "tests/doctest.h"
#include "tests/random_table.hpp"

namespace {

using qnml::ScoreKind;

struct Families {
  std::vector<std::int32_t> children;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> parents;

  void add(int child, const std::vector<int>& its_parents) {
    children.push_back(child);
    parents.insert(parents.end(), its_parents.begin(), its_parents.end());
    offsets.push_back(static_cast<std::int64_t>(parents.size()));
  }

  std::vector<double> scores(const qnml::Columns& table, ScoreKind kind, int threads = 1) const {
    const auto scores = qnml::make_part_scores(kind, 0.5, table, static_cast<int>(table.columns.size()));
    qnml::Control control;
    return qnml::local_scores(table, {children, offsets, parents}, scores, threads, control);
  }

  double total(const qnml::Columns& table, ScoreKind kind) const {
    double sum = 0.0;
    for (double value : scores(table, kind)) sum += value;
    return sum;
  }
};

Families network(const std::vector<std::vector<int>>& parents) {
  Families families;
  for (std::size_t child = 0; child < parents.size(); ++child) families.add(static_cast<int>(child), parents[child]);
  return families;
}

// Two tables of four rows, small enough to score by hand.
TEST_CASE("scores computed by hand") {
  const std::uint8_t a[] = {0, 0, 1, 1};
  const std::uint8_t b[] = {0, 0, 1, 0};
  qnml::Columns table{{{a, false, 2}, {b, false, 2}}, 4, nullptr, 4};
  Families families;
  families.add(1, {0});
  const double fit = 2 * std::log(0.5);  // certain given a = 0, a fair coin given a = 1
  const double log4 = std::log(4.0);
  CHECK(families.scores(table, ScoreKind::loglik)[0] == close_to(fit, 1e-14));
  CHECK(families.scores(table, ScoreKind::aic)[0] == close_to(fit - 2, 1e-14));
  CHECK(families.scores(table, ScoreKind::bic)[0] == close_to(fit - log4, 1e-14));
  CHECK(families.scores(table, ScoreKind::qnml)[0] ==
        close_to(fit - (qnml::regret(4, 4.0) - qnml::regret(4, 2.0)), 1e-14));
  // C(2, 2) = 5/2: the four sequences of two coin flips have maximized likelihoods 1, 1/4, 1/4 and 1.
  CHECK(families.scores(table, ScoreKind::fnml)[0] == close_to(fit - 2 * std::log(2.5), 1e-14));
  // K2: 0!2!/3! for a = 0 and 1!1!/3! for a = 1.
  CHECK(families.scores(table, ScoreKind::k2)[0] == close_to(std::log(2.0 / 6) + std::log(1.0 / 6), 1e-13));
}

}  // namespace

TEST_CASE("set functions give equivalent networks the same score") {
  const RandomTable table({2, 3, 4, 300}, 200, 11);
  const qnml::Columns& view = table.view;

  // x -> y -> z, x <- y <- z and x <- y -> z are equivalent; every set function gives them the same score.
  const Families chain = network({{}, {0}, {1}, {}});
  const Families back = network({{1}, {2}, {}, {}});
  const Families fork = network({{1}, {}, {1}, {}});
  const Families collider = network({{}, {0, 2}, {}, {}});
  for (ScoreKind kind : {ScoreKind::loglik, ScoreKind::aic, ScoreKind::bic, ScoreKind::hqc, ScoreKind::ebic,
                         ScoreKind::qnml, ScoreKind::bdeu, ScoreKind::bdq}) {
    const double expected = chain.total(view, kind);
    CHECK(back.total(view, kind) == close_to(expected, 1e-12));
    CHECK(fork.total(view, kind) == close_to(expected, 1e-12));
    CHECK(std::fabs(collider.total(view, kind) - expected) > 1e-6);
  }
  // The other scores distinguish equivalent networks, so the check above can fail.
  CHECK(std::fabs(fork.total(view, ScoreKind::fnml) - chain.total(view, ScoreKind::fnml)) > 1e-6);
}

TEST_CASE("neither the order of parents nor threads change a bit") {
  const RandomTable table({2, 3, 4, 300}, 200, 11);
  const qnml::Columns& view = table.view;
  Families forth, swapped;
  for (int repeat = 0; repeat < 20; ++repeat) {
    forth.add(0, {1, 2, 3});
    swapped.add(0, {3, 1, 2});
  }
  for (ScoreKind kind : kAllScores) {
    const auto expected = forth.scores(view, kind);
    CHECK(swapped.scores(view, kind) == expected);
    CHECK(forth.scores(view, kind, 4) == expected);
    CHECK(std::isfinite(expected[0]));
    CHECK(expected[0] < 0.0);
  }
}

TEST_CASE("a weight equals repeated rows") {
  const RandomTable weighted({2, 3, 4}, 60, 5, true);
  std::vector<std::vector<std::uint8_t>> repeated(3);
  for (std::size_t row = 0; row < 60; ++row) {
    for (std::uint64_t copy = 0; copy < weighted.weights[row]; ++copy) {
      for (std::size_t i = 0; i < 3; ++i) repeated[i].push_back(weighted.narrow[i][row]);
    }
  }
  const qnml::Columns copies{
      {{repeated[0].data(), false, 2}, {repeated[1].data(), false, 3}, {repeated[2].data(), false, 4}},
      repeated[0].size(),
      nullptr,
      repeated[0].size()};
  const Families complete = network({{}, {0}, {0, 1}});
  for (ScoreKind kind : kAllScores) CHECK(complete.scores(weighted.view, kind) == complete.scores(copies, kind));
}
