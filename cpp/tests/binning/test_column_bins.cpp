#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "core/base/control.hpp"
#include "core/binning/column_bins.hpp"
#include "core/binning/cut_candidates.hpp"
#include "core/counting/count.hpp"
#include "core/numbers/level_product.hpp"
#include "core/scores/make_score.hpp"
#include "tests/close_to.hpp"
#include "tests/doctest.h"
#include "tests/random_table.hpp"

namespace {

constexpr int kColumn = 2;
constexpr std::size_t kPieces = 8;

// A table whose column 2 is to be binned, the pieces in which its values lie, and a network around it.
struct Example {
  explicit Example(unsigned seed, bool weighted, std::uint32_t fixed_bins)
      : table({2, 3, static_cast<std::uint32_t>(kPieces) + 2, 2, 4}, 60, seed, weighted), fixed(fixed_bins) {
    std::mt19937_64 random(seed);
    edges.push_back(0.0);
    for (std::size_t i = 0; i < kPieces; ++i)
      edges.push_back(edges.back() + static_cast<double>(1 + (random() >> 11) % 9));
    counts.assign(kPieces, 0);
    for (std::size_t row = 0; row < table.view.rows; ++row) {
      std::uint32_t piece = table.codes[kColumn][row];
      if (piece >= kPieces + fixed) piece = 0;
      // Dependent columns, so that cuts are worth their price.
      if (random() % 8 != 0) set(0, row, piece < 3 ? 0 : 1);
      if (random() % 8 != 0) set(3, row, piece > 4 ? 0 : 1);
      pieces.push_back(static_cast<std::uint16_t>(piece));
      (piece < kPieces ? counts[piece] : fixed_rows) += table.weight(row);
    }
  }

  void set(std::size_t column, std::size_t row, std::uint32_t code) {
    table.codes[column][row] = code;
    table.narrow[column][row] = static_cast<std::uint8_t>(code);
  }

  qnml::CutCandidates candidates() const { return {edges, edges, counts, kPieces + 3.0, fixed_rows, fixed}; }

  RandomTable table;
  std::uint32_t fixed;
  std::vector<double> edges;
  std::vector<std::uint64_t> counts;
  std::uint64_t fixed_rows = 0;
  std::vector<std::uint16_t> pieces;
  // 0 -> 2, {2, 4} -> 1, {2, 0} -> 3
  std::vector<std::vector<int>> parents{{}, {2, 4}, {0}, {2, 0}, {}};
};

// The code length of the whole table with these cuts, computed from scratch.
double code_length(Example& example, qnml::ScoreKind kind, std::uint32_t mask) {
  std::vector<std::uint32_t> bin(kPieces + example.fixed);
  std::uint32_t bins = 1;
  for (std::size_t piece = 0; piece < kPieces; ++piece) {
    if (piece > 0 && (mask >> (piece - 1) & 1)) ++bins;
    bin[piece] = bins - 1;
  }
  for (std::uint32_t i = 0; i < example.fixed; ++i) bin[kPieces + i] = bins + i;
  for (std::size_t row = 0; row < example.pieces.size(); ++row) example.set(kColumn, row, bin[example.pieces[row]]);
  qnml::Columns table = example.table.view;
  table.columns[kColumn].levels = bins + example.fixed;
  const auto score = qnml::make_score(kind, 0.5, table);
  qnml::Counter counter(table);
  double length = 0.0;
  for (int child = 0; child < 5; ++child) {
    const auto& parents = example.parents[static_cast<std::size_t>(child)];
    qnml::Profile cells, configs;
    counter.family(child, parents, cells, configs);
    qnml::LevelProduct levels;
    for (int parent : parents) levels = levels.times(table.levels(parent));
    length -= score->local(
        {cells, configs, static_cast<double>(table.levels(child)), levels, static_cast<int>(parents.size())});
  }
  double start = 0.0, rows = 0.0;
  for (std::size_t piece = 0; piece < kPieces; ++piece) {
    rows += static_cast<double>(example.counts[piece]);
    if (piece + 1 < kPieces && !(mask >> piece & 1)) continue;
    length += rows * std::log(example.edges[piece + 1] - start);
    start = example.edges[piece + 1];
    rows = 0.0;
  }
  for (std::uint32_t cut = 1; cut < bins; ++cut) length += std::log((kPieces + 4.0 - cut) / cut);
  return length;
}

std::uint32_t mask_of(const std::vector<std::int32_t>& cuts) {
  std::uint32_t mask = 0;
  for (std::int32_t cut : cuts) mask |= std::uint32_t{1} << (cut - 1);
  return mask;
}

std::vector<std::int32_t> find(const Example& example, qnml::ScoreKind kind, std::size_t most_bins, int threads) {
  const auto score = qnml::make_score(kind, 0.5, example.table.view);
  qnml::Control control;
  const auto found = qnml::best_bins({example.table.view, dynamic_cast<const qnml::SetScore&>(*score), kColumn,
                                      example.parents, example.candidates(), example.pieces, most_bins, threads},
                                     control);
  REQUIRE(found.has_value());
  return found.value_or(std::vector<std::int32_t>{});
}

}  // namespace

TEST_CASE("the best bins of a column are the best of all") {
  bool is_cut = false, is_whole = false;
  for (qnml::ScoreKind kind : {qnml::ScoreKind::qnml, qnml::ScoreKind::bic, qnml::ScoreKind::aic, qnml::ScoreKind::hqc,
                               qnml::ScoreKind::ebic}) {
    for (unsigned seed = 0; seed < 6; ++seed) {
      Example example(seed, seed % 2 == 1, seed % 3);
      for (std::size_t most_bins : {std::size_t{8}, std::size_t{3}}) {
        const auto found = find(example, kind, most_bins, 1);
        double least = INFINITY;
        for (std::uint32_t mask = 0; mask < 1U << (kPieces - 1); ++mask) {
          if (static_cast<std::size_t>(std::popcount(mask)) < most_bins)
            least = std::min(least, code_length(example, kind, mask));
        }
        CHECK(code_length(example, kind, mask_of(found)) == close_to(least, 1e-10));
        is_cut = is_cut || !found.empty();
        is_whole = is_whole || found.size() + 1 < most_bins;
      }
    }
  }
  CHECK(is_cut);
  CHECK(is_whole);
}

TEST_CASE("the best bins do not depend on threads") {
  for (unsigned seed = 0; seed < 4; ++seed) {
    const Example example(seed, true, 1);
    CHECK(find(example, qnml::ScoreKind::qnml, 8, 1) == find(example, qnml::ScoreKind::qnml, 8, 4));
  }
}

TEST_CASE("a stopped step returns nothing") {
  const Example example(1, false, 0);
  const auto score = qnml::make_score(qnml::ScoreKind::qnml, 0.0, example.table.view);
  qnml::Control control;
  control.stop();
  CHECK(!qnml::best_bins({example.table.view, dynamic_cast<const qnml::SetScore&>(*score), kColumn, example.parents,
                          example.candidates(), example.pieces, 8, 1},
                         control));
}
