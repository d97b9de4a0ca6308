#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "core/base/control.hpp"
#include "core/model/sampler.hpp"
#include "tests/doctest.h"

namespace {

// a -> b with a ternary root; b copies a with probability 0.8, and c is wide and uniform.
struct Toy {
  std::vector<std::uint32_t> b_parents = {0};
  std::vector<double> a = {0.2, 0.5, 1.0};
  std::vector<double> b = {0.8, 0.9, 1.0, 0.1, 0.9, 1.0, 0.1, 0.2, 1.0};
  std::vector<double> c;
  std::vector<qnml::SampledNode> nodes;

  Toy() {
    for (int k = 1; k <= 300; ++k) c.push_back(k == 300 ? 1.0 : k / 300.0);
    nodes = {{{}, 3, a}, {b_parents, 3, b}, {{}, 300, c}};
  }
  Toy(const Toy&) = delete;
  Toy& operator=(const Toy&) = delete;
};

struct Sample {
  std::vector<std::uint8_t> a, b;
  std::vector<std::uint16_t> c;

  Sample(const Toy& toy, std::size_t rows, std::uint64_t seed, int threads) : a(rows), b(rows), c(rows) {
    const std::vector<qnml::SampledColumn> columns = {{a.data(), false}, {b.data(), false}, {c.data(), true}};
    qnml::Control control;
    qnml::sample_rows(toy.nodes, columns, rows, seed, threads, control);
  }
  bool operator==(const Sample&) const = default;
};

bool refuses(const std::vector<qnml::SampledNode>& nodes) {
  std::uint8_t code = 0;
  const std::vector<qnml::SampledColumn> columns(nodes.size(), {&code, false});
  try {
    qnml::Control control;
    qnml::sample_rows(nodes, columns, 1, 0, 1, control);
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

constexpr std::size_t kRows = 30000;

}  // namespace

TEST_CASE("rows depend on the seed, not on the number of threads or rows") {
  const Toy toy;
  const Sample sample(toy, kRows, 42, 1);
  CHECK(sample == Sample(toy, kRows, 42, 4));
  CHECK(!(sample == Sample(toy, kRows, 43, 1)));

  Sample longer(toy, kRows + 5000, 42, 2);
  longer.a.resize(kRows);
  longer.b.resize(kRows);
  longer.c.resize(kRows);
  CHECK(sample == longer);
}

TEST_CASE("frequencies match the tables") {
  const Toy toy;
  const Sample sample(toy, kRows, 42, 1);
  // Six standard deviations: a wrong table fails, an unlucky seed does not.
  std::size_t copies = 0, middle = 0, low = 0;
  bool in_range = true;
  for (std::size_t row = 0; row < kRows; ++row) {
    copies += sample.a[row] == sample.b[row];
    middle += sample.a[row] == 1;
    low += sample.c[row] < 150;
    in_range = in_range && sample.a[row] < 3 && sample.b[row] < 3 && sample.c[row] < 300;
  }
  CHECK(in_range);
  const auto near = [&](std::size_t hits, double p) {
    return std::fabs(static_cast<double>(hits) - p * kRows) <= 6 * std::sqrt(kRows * p * (1 - p));
  };
  CHECK(near(copies, 0.8));
  CHECK(near(middle, 0.3));
  CHECK(near(low, 0.5));
}

TEST_CASE("sparse tables give the same rows") {
  const Sample sample(Toy(), kRows, 42, 1);
  // The same tables with their configurations listed, except one that is left to the row for all others: the same rows.
  Toy sparse;
  const std::vector<std::int32_t> listed = {0, 2};
  const std::vector<double> moved = {0.8, 0.9, 1.0, 0.1, 0.2, 1.0, 0.1, 0.9, 1.0};
  sparse.nodes[1] = {sparse.b_parents, 3, moved, false, listed};
  CHECK(sample == Sample(sparse, kRows, 42, 2));
  const std::vector<std::int32_t> beyond = {0, 3};
  sparse.nodes[1].configs = beyond;
  CHECK(refuses(sparse.nodes));
}

TEST_CASE("malformed networks are refused") {
  const std::vector<std::uint32_t> later = {1};
  const std::vector<double> pair = {0.5, 1.0};
  CHECK(refuses({{later, 2, pair}, {{}, 2, pair}}));  // a parent after its child
  CHECK(refuses({{{}, 3, pair}}));                    // a table of the wrong size
  CHECK(!refuses({{{}, 2, pair}}));
}
