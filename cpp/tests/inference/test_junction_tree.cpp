#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/random.hpp"
#include "core/inference/clusters.hpp"
#include "core/inference/domain.hpp"
#include "core/inference/elimination_order.hpp"
#include "core/inference/explanations.hpp"
#include "core/inference/junction_tree.hpp"
#include "core/inference/network_tables.hpp"
#include "core/inference/propagation.hpp"
#include "core/inference/question.hpp"
#include "core/inference/row_marginals.hpp"
#include "core/inference/walk.hpp"
#include "core/model/conditional.hpp"
#include "tests/doctest.h"

namespace {

// A network with its tables in the open: variable v has some of the variables before it as parents.
struct Example {
  std::vector<std::uint32_t> levels;
  std::vector<std::vector<std::uint32_t>> parents;
  std::vector<std::vector<double>> rows;
  std::vector<std::vector<double>> unseen;

  qnml::NetworkTables tables() const {
    std::vector<qnml::ConditionalTable> given;
    given.reserve(levels.size());
    for (std::size_t v = 0; v < levels.size(); ++v)
      given.push_back({parents[v], levels[v], true, {}, rows[v], unseen[v]});
    return qnml::NetworkTables(given);
  }

  double probability(const std::vector<std::int32_t>& codes) const {
    double product = 1.0;
    for (std::size_t v = 0; v < levels.size(); ++v) {
      std::size_t row = 0;
      for (const std::uint32_t parent : parents[v])
        row = row * levels[parent] + static_cast<std::size_t>(codes[parent]);
      product *= rows[v][row * levels[v] + static_cast<std::size_t>(codes[v])];
    }
    return product;
  }
};

Example make_example(std::uint64_t seed, std::uint32_t variables) {
  Example example;
  auto random = qnml::Xoshiro256::stream(seed, 0);
  for (std::uint32_t v = 0; v < variables; ++v) {
    example.levels.push_back(1 + static_cast<std::uint32_t>(random.next() % 3));
    example.parents.emplace_back();
    for (std::uint32_t parent = 0; parent < v; ++parent) {
      if (random.uniform() < 0.35) example.parents.back().push_back(parent);
    }
    std::size_t configs = 1;
    for (const std::uint32_t parent : example.parents.back()) configs *= example.levels[parent];
    example.rows.emplace_back();
    for (std::size_t config = 0; config < configs; ++config) {
      std::vector<double> row;
      double sum = 0.0;
      for (std::uint32_t level = 0; level < example.levels[v]; ++level) {
        row.push_back(random.uniform() < 0.15 ? 0.0 : 0.05 + random.uniform());
        sum += row.back();
      }
      if (sum == 0.0) sum = row[0] = 1.0;
      for (const double value : row) example.rows.back().push_back(value / sum);
    }
    example.unseen.emplace_back(example.levels[v], 1.0 / example.levels[v]);
  }
  return example;
}

// Calls visit(codes) for every state of all variables.
template <class Visit>
void over_states(const Example& example, Visit&& visit) {
  std::vector<std::int32_t> codes(example.levels.size(), 0);
  while (true) {
    visit(codes);
    std::size_t v = 0;
    for (; v < codes.size(); ++v) {
      if (++codes[v] < static_cast<std::int32_t>(example.levels[v])) break;
      codes[v] = 0;
    }
    if (v == codes.size()) return;
  }
}

bool agrees(const std::vector<std::int32_t>& codes, const std::vector<std::int32_t>& row) {
  for (std::size_t v = 0; v < codes.size(); ++v) {
    if (row[v] >= 0 && row[v] != codes[v]) return false;
  }
  return true;
}

// Marginals of all variables, one after another, times the probability of the row, which comes last.
std::vector<double> plain_marginals(const Example& example, const std::vector<std::int32_t>& row) {
  std::vector<std::size_t> start;
  std::size_t width = 0;
  for (const std::uint32_t levels : example.levels) {
    start.push_back(width);
    width += levels;
  }
  std::vector<double> sums(width + 1, 0.0);
  over_states(example, [&](const std::vector<std::int32_t>& codes) {
    if (!agrees(codes, row)) return;
    const double probability = example.probability(codes);
    sums.back() += probability;
    for (std::size_t v = 0; v < codes.size(); ++v) sums[start[v] + static_cast<std::size_t>(codes[v])] += probability;
  });
  return sums;
}

std::vector<std::int32_t> make_row(const Example& example, qnml::Xoshiro256& random) {
  std::vector<std::int32_t> row;
  row.reserve(example.levels.size());
  for (const std::uint32_t levels : example.levels)
    row.push_back(random.uniform() < 0.6 ? -1 : static_cast<std::int32_t>(random.next() % levels));
  return row;
}

qnml::Question question_of(const std::vector<std::int32_t>& row) {
  qnml::Question question;
  question.cells.reserve(row.size());
  for (const std::int32_t code : row) question.cells.push_back(code < 0 ? qnml::Cell::kFree : qnml::Cell::kSeen);
  question.weighted.assign(row.size(), 0);
  question.wanted.assign(row.size(), 1);
  return question;
}

template <class Domain>
void check_marginals(const Example& example, const std::vector<std::int32_t>& row) {
  const qnml::NetworkTables tables = example.tables();
  const qnml::JunctionTree tree(tables, question_of(row), 1e9);
  std::vector<std::int32_t> codes = row;
  for (std::int32_t& code : codes) code = std::max(code, 0);
  qnml::Evidence evidence{codes, std::vector<std::span<const double>>(row.size())};
  qnml::Control control;
  qnml::Propagation<Domain> propagation(tree);
  REQUIRE(propagation.collect(evidence, control));
  const std::vector<double> expected = plain_marginals(example, row);
  CHECK(std::exp(propagation.log_total()) == doctest::Approx(expected.back()).epsilon(1e-11));
  if (expected.back() == 0.0) return;
  std::vector<double> found(tree.answer_size());
  propagation.distribute(codes, found, control);
  REQUIRE(found.size() + 1 == expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) CHECK(std::abs(found[k] - expected[k] / expected.back()) < 1e-12);
}

}  // namespace

TEST_CASE("marginals are sums over all states, in probabilities and in logarithms") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Example example = make_example(seed, 7);
    auto random = qnml::Xoshiro256::stream(seed, 1);
    const std::vector<std::int32_t> row = make_row(example, random);
    check_marginals<qnml::Probabilities>(example, row);
    check_marginals<qnml::Logarithms>(example, row);
  }
}

TEST_CASE("rows are answered alike on any number of threads") {
  const Example example = make_example(5, 7);
  const qnml::NetworkTables tables = example.tables();
  auto random = qnml::Xoshiro256::stream(5, 1);
  constexpr std::size_t kRows = 50;
  std::vector<std::int32_t> codes;
  std::vector<std::uint64_t> starts;
  for (std::size_t row = 0; row < kRows; ++row) {
    starts.push_back(row);
    const std::vector<std::int32_t> one = make_row(example, random);
    codes.insert(codes.end(), one.begin(), one.end());
  }
  std::size_t width = 0;
  for (const std::uint32_t levels : example.levels) width += levels;
  const std::vector<std::uint8_t> wanted(example.levels.size(), 1);
  std::vector<std::vector<double>> answers;
  for (const int threads : {1, 3}) {
    std::vector<double> marginals(kRows * width);
    std::vector<double> logs(kRows);
    std::vector<qnml::RowState> states(kRows);
    qnml::Control control;
    qnml::marginals_of_rows(tables, {wanted, codes, starts, 1e9}, threads, control, {marginals, logs, states});
    for (std::size_t row = 0; row < kRows; ++row) {
      const std::vector<std::int32_t> one(
          codes.begin() + static_cast<std::ptrdiff_t>(row * example.levels.size()),
          codes.begin() + static_cast<std::ptrdiff_t>((row + 1) * example.levels.size()));
      const std::vector<double> expected = plain_marginals(example, one);
      CHECK((states[row] == qnml::RowState::kAnswered) == (expected.back() > 0.0));
      if (expected.back() == 0.0) continue;
      CHECK(std::exp(logs[row]) == doctest::Approx(expected.back()).epsilon(1e-11));
      for (std::size_t k = 0; k < width; ++k)
        CHECK(std::abs(marginals[row * width + k] - expected[k] / expected.back()) < 1e-12);
    }
    for (double& value : marginals) value = std::isnan(value) ? -1.0 : value;
    answers.push_back(marginals);
  }
  CHECK(answers[0] == answers[1]);
}

TEST_CASE("a tree that is too large is only forecast") {
  const Example example = make_example(3, 7);
  const qnml::NetworkTables tables = example.tables();
  const qnml::JunctionTree tree(tables, question_of(std::vector<std::int32_t>(7, -1)), 2.0);
  CHECK_FALSE(tree.is_made());
  CHECK(tree.entries() > 2.0);
  CHECK_FALSE(tree.largest().empty());
}

TEST_CASE("small products are noticed") {
  // Sixty children of one variable, each observed at 1e-6 or half of it.
  Example example;
  for (std::uint32_t v = 0; v < 61; ++v) {
    example.levels.push_back(2);
    example.parents.emplace_back(v == 0 ? 0 : 1, 0);
    example.rows.push_back(v == 0 ? std::vector{0.5, 0.5} : std::vector{1e-6, 1 - 1e-6, 5e-7, 1 - 5e-7});
    example.unseen.push_back({0.5, 0.5});
  }
  const qnml::NetworkTables tables = example.tables();
  std::vector<std::int32_t> row(61, 0);
  row[0] = -1;
  const qnml::JunctionTree tree(tables, question_of(row), 1e9);
  row[0] = 0;
  const qnml::Evidence evidence{row, std::vector<std::span<const double>>(row.size())};
  qnml::Control control;
  qnml::Propagation<qnml::Probabilities> quick(tree);
  CHECK_FALSE(quick.collect(evidence, control));
  qnml::Propagation<qnml::Logarithms> careful(tree);
  REQUIRE(careful.collect(evidence, control));
  const double expected = std::log(0.5) + 60 * std::log(1e-6) + std::log1p(std::pow(0.5, 60));
  CHECK(careful.log_total() == doctest::Approx(expected).epsilon(1e-13));
}

TEST_CASE("a cycle of four needs one new edge") {
  qnml::InteractionGraph graph;
  graph.levels = {2, 2, 2, 5};
  graph.neighbours = {{1, 3}, {0, 2}, {1, 3}, {0, 2}};
  graph.phase = {0, 0, 0, 0};
  const qnml::VariableOrder order = qnml::elimination_order(graph);
  CHECK(order.variables.size() == 4);
  // Joining 0 and 2 gives tables over {0, 1, 2} and {0, 2, 3}; joining 1 and 3 would give two of 2·2·5 entries.
  CHECK(order.entries == 8 + 20 + 10 + 5);
  const qnml::Clusters clusters = qnml::clusters_of(order, graph.phase, true);
  REQUIRE(clusters.clusters.size() == 2);
  CHECK(clusters.clusters[0].members.back() == 1);
  CHECK(clusters.clusters[0].kept == 2);
  CHECK(clusters.clusters[0].parent == 1);
  CHECK(clusters.clusters[1].parent == qnml::Cluster::kNone);
}

TEST_CASE("phases come in order") {
  qnml::InteractionGraph graph;
  graph.levels = {2, 2, 2};
  graph.neighbours = {{1}, {0, 2}, {1}};
  graph.phase = {1, 0, 0};
  CHECK(qnml::elimination_order(graph).variables.back() == 0);
}

TEST_CASE("a walk joins neighbouring axes") {
  const std::vector<std::uint32_t> levels{2, 3, 4, 5};
  const std::vector<std::uint8_t> has{1, 0, 1, 1};
  const qnml::Walk walk = qnml::Walk::through(levels, has);
  REQUIRE(walk.groups.size() == 3);
  CHECK(walk.groups[0].size == 20);
  CHECK(walk.groups[1].stride == 0);
  CHECK(walk.groups[2].stride == 20);
  std::vector<std::size_t> others;
  qnml::over_runs(walk, [&](std::size_t, std::size_t other) { others.push_back(other); });
  CHECK(others == std::vector<std::size_t>{0, 0, 0, 20, 20, 20});
}

TEST_CASE("explanations are ranked as by enumeration") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Example example = make_example(seed, 6);
    const qnml::NetworkTables tables = example.tables();
    auto random = qnml::Xoshiro256::stream(seed, 2);
    std::vector<std::int32_t> row = make_row(example, random);
    qnml::Question question = question_of(row);
    question.kind = qnml::Question::Kind::kExplanation;
    for (std::size_t v = 0; v < row.size(); ++v) question.wanted[v] = random.uniform() < 0.6 ? 1 : 0;
    std::map<std::vector<std::int32_t>, double> sums;
    over_states(example, [&](std::vector<std::int32_t> codes) {
      if (!agrees(codes, row)) return;
      const double probability = example.probability(codes);
      for (std::size_t v = 0; v < codes.size(); ++v) codes[v] = question.wanted[v] != 0 ? codes[v] : 0;
      sums[codes] += probability;
    });
    std::vector<double> expected;
    for (const auto& [codes, probability] : sums) {
      if (probability > 0.0) expected.push_back(probability);
    }
    std::sort(expected.begin(), expected.end(), std::greater<>());
    const qnml::JunctionTree tree(tables, question, 1e9);
    for (std::int32_t& code : row) code = std::max(code, 0);
    const qnml::Evidence evidence{row, std::vector<std::span<const double>>(row.size())};
    qnml::Control control;
    const std::vector<qnml::Explanation> found = qnml::explanations(tree, evidence, 7, control);
    REQUIRE(found.size() == std::min<std::size_t>(7, expected.size()));
    for (std::size_t k = 0; k < found.size(); ++k)
      CHECK(std::exp(found[k].log_probability) == doctest::Approx(expected[k]).epsilon(1e-10));
  }
}
