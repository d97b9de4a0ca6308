#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/random.hpp"
#include "core/model/completions.hpp"
#include "core/model/em.hpp"
#include "core/model/incomplete_rows.hpp"
#include "tests/close_to.hpp"
#include "tests/doctest.h"

namespace {

struct HoledTable {
  std::vector<std::vector<std::int32_t>> codes;
  std::vector<std::vector<std::uint32_t>> parents;
  qnml::IncompleteTable view;
};

// A chain with some shortcuts; every third cell or so is missing.
HoledTable make_table(std::uint64_t seed, std::size_t rows, const std::vector<std::uint32_t>& levels) {
  HoledTable table;
  auto random = qnml::Xoshiro256::stream(seed, 0);
  for (std::uint32_t v = 0; v < levels.size(); ++v) {
    table.parents.emplace_back();
    for (std::uint32_t parent = 0; parent < v; ++parent) {
      if (parent + 1 == v || random.uniform() < 0.3) table.parents.back().push_back(parent);
    }
    table.codes.emplace_back();
    for (std::size_t row = 0; row < rows; ++row) {
      const bool is_missing = random.uniform() < 0.35;
      const auto code = static_cast<std::int32_t>(random.next() % levels[v]);
      table.codes.back().push_back(is_missing ? -1 : code);
    }
  }
  table.view.levels = levels;
  table.view.rows = rows;
  for (const auto& column : table.codes) table.view.columns.push_back(column.data());
  return table;
}

std::vector<double> random_probabilities(const qnml::IncompleteRows& rows, std::uint64_t seed) {
  auto random = qnml::Xoshiro256::stream(seed, 1);
  std::vector<double> weights(rows.slots());
  for (double& weight : weights) weight = random.uniform() < 0.1 ? 0.0 : random.uniform();
  std::vector<double> probabilities(rows.slots());
  qnml::maximise(rows, weights, probabilities);
  return probabilities;
}

// The probability of a complete row, for families that list all configurations.
double joint(const HoledTable& table, const qnml::IncompleteRows& rows, const std::vector<double>& probabilities,
             const std::vector<std::uint32_t>& codes) {
  double product = 1.0;
  for (std::size_t v = 0; v < codes.size(); ++v) {
    std::size_t config = 0;
    for (const std::uint32_t parent : table.parents[v]) config = config * table.view.levels[parent] + codes[parent];
    product *= probabilities[rows.first_slot(v) + config * table.view.levels[v] + codes[v]];
  }
  return product;
}

// Sums over all completions of a row.
double plain_likelihood(const HoledTable& table, const qnml::IncompleteRows& rows,
                        const std::vector<double>& probabilities, std::size_t row) {
  std::vector<std::uint32_t> codes(table.codes.size(), 0);
  double sum = 0.0;
  while (true) {
    bool agrees = true;
    for (std::size_t v = 0; v < codes.size(); ++v) {
      agrees &= table.codes[v][row] < 0 || table.codes[v][row] == static_cast<std::int32_t>(codes[v]);
    }
    if (agrees) sum += joint(table, rows, probabilities, codes);
    std::size_t v = 0;
    for (; v < codes.size(); ++v) {
      if (++codes[v] < table.view.levels[v]) break;
      codes[v] = 0;
    }
    if (v == codes.size()) return sum;
  }
}

}  // namespace

TEST_CASE("incomplete rows: likelihoods are sums over all completions") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const HoledTable table = make_table(seed, 12, {2, 3, 1, 4, 2, 3});
    qnml::Control control;
    qnml::IncompleteRows rows(table.view, table.parents);
    rows.prepare(control);
    const std::vector<double> probabilities = random_probabilities(rows, seed);
    std::vector<double> counts(rows.slots());
    const double found = rows.expect(probabilities, counts, 1, control);
    double expected = 0.0;
    for (std::size_t row = 0; row < table.view.rows; ++row) {
      expected += std::log(plain_likelihood(table, rows, probabilities, row));
    }
    if (std::isinf(expected)) {
      CHECK(std::isinf(found));
      continue;
    }
    CHECK(found == close_to(expected, 1e-12));
    for (std::size_t family = 0; family < rows.families(); ++family) {
      const auto first = counts.begin() + static_cast<std::ptrdiff_t>(rows.first_slot(family));
      const auto last = counts.begin() + static_cast<std::ptrdiff_t>(rows.first_slot(family + 1));
      CHECK(std::accumulate(first, last, 0.0) == close_to(12.0, 1e-12));
    }
  }
}

TEST_CASE("incomplete rows: threads change nothing, and completions add up") {
  const HoledTable table = make_table(3, 300, {2, 3, 2, 4, 2, 3, 2, 2, 3});
  qnml::Control control;
  qnml::IncompleteRows rows(table.view, table.parents);
  rows.prepare(control);
  const std::vector<double> start = rows.spread(std::vector<double>(23, 0.4));
  const qnml::EmResult one = qnml::run_em(rows, start, 1e-8, 30, 1, control);
  const qnml::EmResult many = qnml::run_em(rows, start, 1e-8, 30, 4, control);
  CHECK(one.trace == many.trace);
  CHECK(one.counts == many.counts);
  for (std::size_t step = 1; step < one.trace.size(); ++step) CHECK(one.trace[step] >= one.trace[step - 1] - 1e-9);
  const qnml::CompletionOptions options{64, 8, 16, 7};
  const qnml::Completions alone = qnml::complete_rows(rows, one.probabilities, options, 1, control);
  const qnml::Completions shared = qnml::complete_rows(rows, one.probabilities, options, 4, control);
  CHECK(alone.columns == shared.columns);
  CHECK(alone.weights == shared.weights);
  CHECK(alone.impossible == 0);
  std::vector<std::uint64_t> total(table.view.rows, 0);
  for (std::size_t k = 0; k < alone.weights.size(); ++k) {
    total[alone.sources[k]] += alone.weights[k];
    for (std::size_t v = 0; v < table.codes.size(); ++v) {
      const std::int32_t code = table.codes[v][alone.sources[k]];
      const bool agrees = code < 0 || alone.columns[v][k] == static_cast<std::uint16_t>(code);
      CHECK(agrees);
      CHECK(alone.columns[v][k] < table.view.levels[v]);
    }
  }
  CHECK(total == std::vector<std::uint64_t>(table.view.rows, 64));
  // As complete rows, the completions have the counts of every family.
  std::vector<std::vector<std::int32_t>> codes;
  std::vector<const std::int32_t*> columns;
  codes.reserve(alone.columns.size());
  columns.reserve(alone.columns.size());
  for (const auto& column : alone.columns) codes.emplace_back(column.begin(), column.end());
  for (const auto& column : codes) columns.push_back(column.data());
  std::vector<double> counts(rows.slots(), 0.0);
  rows.count(columns, alone.weights.size(), alone.weights.data(), counts);
  CHECK(std::accumulate(counts.begin(), counts.end(), 0.0) == close_to(9 * 300 * 64.0, 1e-12));
}

TEST_CASE("incomplete rows: a stop ends the steps") {
  const HoledTable table = make_table(4, 50, {2, 3, 2});
  qnml::Control control;
  qnml::IncompleteRows rows(table.view, table.parents);
  rows.prepare(control);
  const std::vector<double> start = rows.spread(std::vector<double>(7, 0.4));
  control.stop();
  const qnml::EmResult stopped = qnml::run_em(rows, start, 1e-8, 30, 2, control);
  CHECK(stopped.trace.empty());
  CHECK(stopped.counts == start);
}
