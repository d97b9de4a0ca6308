#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/columns.hpp"
#include "core/graph/found_network.hpp"
#include "core/graph/rules.hpp"
#include "core/local/hill_climb.hpp"
#include "core/local/screening.hpp"
#include "core/scores/family_cache.hpp"
#include "core/scores/make_score.hpp"
#include "tests/doctest.h"
#include "tests/problem_of.hpp"
#include "tests/random_table.hpp"

namespace {

using qnml::ScoreKind;
using Network = std::vector<std::vector<int>>;

constexpr double kEverything = std::numeric_limits<double>::infinity();
constexpr ScoreKind kKinds[] = {ScoreKind::bic, ScoreKind::qnml, ScoreKind::bdeu, ScoreKind::fnml, ScoreKind::bds};

// Columns that copy an earlier one with some noise.
struct NoisyCopies {
  explicit NoisyCopies(int n, std::size_t rows, unsigned seed)
      : table(std::vector<std::uint32_t>(static_cast<std::size_t>(n), 3), rows, seed) {
    const RandomTable other(std::vector<std::uint32_t>(static_cast<std::size_t>(n), 5), rows, seed + 1);
    for (std::size_t column = 1; column < table.narrow.size(); ++column) {
      const std::size_t source = (column * 7 + 3) % column;
      for (std::size_t row = 0; row < rows; ++row) {
        if (other.codes[column][row] > 1) table.narrow[column][row] = table.narrow[source][row];
      }
    }
  }
  RandomTable table;
};

bool is_acyclic(const Network& network) {
  std::vector<char> done(network.size(), 0);
  for (std::size_t step = 0; step < network.size(); ++step) {
    for (std::size_t child = 0; child < network.size(); ++child) {
      const auto& parents = network[child];
      if (std::all_of(parents.begin(), parents.end(), [&](int p) { return done[static_cast<std::size_t>(p)] != 0; })) {
        done[child] = 1;
      }
    }
  }
  return std::count(done.begin(), done.end(), 1) == static_cast<std::ptrdiff_t>(network.size());
}

double total(qnml::FamilyCache& families, const Network& network) {
  double sum = 0.0;
  for (std::size_t child = 0; child < network.size(); ++child) {
    sum += families.score(static_cast<int>(child), network[child]);
  }
  return sum;
}

void climbs(ScoreKind kind) {
  constexpr int kSize = 20;
  const NoisyCopies data(kSize, 300, 17);
  const qnml::Columns& view = data.table.view;
  qnml::Rules rules = qnml::Rules::none(kSize);
  rules.required.set(3, 9);
  rules.required.set(4, 3);
  for (int parent = 0; parent < kSize; ++parent) rules.allowed.clear(7, parent);
  rules.max_parents[5] = 1;
  qnml::FamilyCache families(view, qnml::make_score(kind, 1.0, view), kEverything, 1e7);
  const double start =
      total(families, {{}, {}, {}, {9}, {3}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}});
  std::vector<double> reached;
  for (const qnml::ClimbOptions& options :
       {qnml::ClimbOptions{1, 0, 0, 0, 0}, qnml::ClimbOptions{1, 20, 20, 0, 0}, qnml::ClimbOptions{4, 20, 20, 30, 1}}) {
    qnml::Control control;
    const qnml::FoundNetwork found = qnml::hill_climb(families, rules, {}, nullptr, options, control, 1);
    CHECK(is_acyclic(found.parents));
    // To the last bit: values are multiples of the unit.
    CHECK(found.score == total(families, found.parents));
    CHECK(found.score > start);
    CHECK(found.trace.back().score == found.score);
    CHECK(found.trace.front().score == start);
    for (int child = 0; child < kSize; ++child) {
      const auto& parents = found.parents[static_cast<std::size_t>(child)];
      CHECK(std::is_sorted(parents.begin(), parents.end()));
      for (int parent : parents) CHECK(rules.allowed.test(child, parent));
      for (int parent : rules.required.members(child))
        CHECK(std::binary_search(parents.begin(), parents.end(), parent));
    }
    CHECK(found.parents[5].size() <= 1);
    reached.push_back(found.score);
    // The same with several threads, and never below the start.
    qnml::FamilyCache others(view, qnml::make_score(kind, 1.0, view), kEverything, 1e3);
    CHECK(qnml::hill_climb(others, rules, {}, nullptr, options, control, 4).parents == found.parents);
    CHECK(qnml::hill_climb(others, rules, found.parents, nullptr, options, control, 2).score >= found.score);
  }
  CHECK(std::is_sorted(reached.begin(), reached.end()));

  // If stopped before it begins: the start itself.
  qnml::Control stopped;
  stopped.stop();
  CHECK(qnml::hill_climb(families, rules, {}, nullptr, {}, stopped, 1).score == start);
}

void screens(ScoreKind kind) {
  constexpr int kSize = 12;
  const NoisyCopies data(kSize, 200, 5);
  qnml::Rules rules = qnml::Rules::none(kSize);
  rules.allowed.clear(2, 0);
  rules.required.set(6, 11);
  qnml::FamilyCache families(data.table.view, qnml::make_score(kind, 1.0, data.table.view), kEverything, 1e7);
  qnml::Control control;
  const qnml::Screening all = qnml::screen(families, rules, kSize, control, 2);
  CHECK(all.complete);
  double bound_of_singles = 0.0;
  for (int child = 0; child < kSize; ++child) {
    const double alone = families.score(child, {});
    double best = alone;
    std::vector<int> gaining;
    for (int other = 0; other < kSize; ++other) {
      if (other == child) continue;
      best = std::max(best, families.score(child, {other}));
      const bool gains = families.score(child, {other}) - alone > families.tolerance() ||
                         families.score(other, {child}) - families.score(other, {}) > families.tolerance();
      if ((gains && rules.allowed.test(child, other)) || rules.required.test(child, other)) gaining.push_back(other);
    }
    CHECK(all.best_single[static_cast<std::size_t>(child)] == best);
    CHECK(all.candidates[static_cast<std::size_t>(child)] == gaining);
    bound_of_singles += best;
  }
  const double bound = qnml::unrelated_bound(problem_of(data.table.view, kind, 1.0), all.best_single);
  CHECK(bound >= bound_of_singles);

  // Only a few candidates each, but every child is a candidate of those it chose.
  const qnml::Screening few = qnml::screen(families, rules, 1, control, 1);
  for (int child = 0; child < kSize; ++child) {
    const auto c = static_cast<std::size_t>(child);
    CHECK(few.candidates[c].size() <= all.candidates[c].size());
    for (int parent : few.candidates[c]) {
      const auto& theirs = few.candidates[static_cast<std::size_t>(parent)];
      CHECK((!rules.allowed.test(parent, child) || rules.required.test(child, parent) ||
             std::binary_search(theirs.begin(), theirs.end(), child)));
    }
  }

  control.stop();
  CHECK(!qnml::screen(families, rules, 1, control, 2).complete);
}

}  // namespace

TEST_CASE("climbs obey the rules and depend on neither threads nor memory") {
  for (ScoreKind kind : kKinds) climbs(kind);
}

TEST_CASE("screening keeps the parents that gain") {
  for (ScoreKind kind : kKinds) screens(kind);
}
