#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/count.hpp"
#include "core/counting/lattice.hpp"
#include "core/exact/exact.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/integer_score.hpp"
#include "core/scores/make_score.hpp"
#include "tests/doctest.h"
#include "tests/problem_of.hpp"
#include "tests/random_table.hpp"

namespace {

struct Reweighted {
  // All have the same total, as bootstrap resamples do.
  Reweighted(std::size_t rows, std::size_t replicates, std::uint64_t total, unsigned seed)
      : weights(replicates, std::vector<std::uint64_t>(rows, 0)) {
    std::mt19937_64 random(seed);
    const std::uint64_t step = std::max<std::uint64_t>(total / (4 * rows), 1);
    for (auto& mine : weights) {
      for (std::uint64_t left = total; left > 0;) {
        const std::uint64_t drawn = std::min(left, step);
        mine[(random() >> 11) % rows] += drawn;
        left -= drawn;
      }
      all.push_back(mine.data());
    }
  }
  std::vector<std::vector<std::uint64_t>> weights;
  qnml::Lattice::ManyWeights all;
};

std::vector<std::int64_t> walked(const RandomTable& table, const qnml::CountTerms& terms,
                                 const qnml::Lattice::ManyWeights& weights) {
  const qnml::Lattice lattice(table.view, terms);
  const std::size_t width = qnml::Lattice::lanes_for(weights.size()) * static_cast<std::size_t>(terms.used);
  std::vector<std::int64_t> sums(width << lattice.n_variables());
  qnml::Control control;
  CHECK(lattice.walk_many(
      weights, {},
      [&](std::uint64_t first, std::size_t count, const std::int64_t* values) {
        std::copy_n(values, count * width, sums.data() + first * width);
      },
      control, 2));
  return sums;
}

// Terms are arbitrary 64-bit numbers, so that sums wrap around. A table of terms for counts beyond 16 bits uses the
// loops without explicit vector instructions.
TEST_CASE("channels computed together equal channels computed separately") {
  constexpr std::size_t kRows = 120;
  constexpr std::uint64_t kLonger = std::uint64_t{1} << 16;
  const RandomTable table({2, 3, 2, 1, 4, 2, 2, 3, 2, 300, 2}, kRows, 3);
  const Reweighted drawn(kRows, 40, kRows, 5);
  const std::size_t lanes = qnml::Lattice::lanes_for(drawn.all.size());
  std::mt19937_64 random(11);
  std::vector<std::vector<std::int64_t>> term(4, std::vector<std::int64_t>(kLonger + 1, 0));
  for (auto& of_channel : term) {
    for (std::size_t count = 1; count <= kRows; ++count) of_channel[count] = static_cast<std::int64_t>(random());
  }
  std::vector<std::vector<std::int64_t>> apart;
  for (const auto& of_channel : term) {
    qnml::CountTerms terms;
    terms.values.assign(of_channel.begin(), of_channel.begin() + kRows + 1);
    apart.push_back(walked(table, terms, drawn.all));
  }
  for (int used = 1; used <= 4; ++used) {
    for (std::uint64_t last : {std::uint64_t{kRows}, kLonger}) {
      qnml::CountTerms terms;
      terms.used = used;
      terms.channels = qnml::padded_channels(static_cast<std::size_t>(used));
      const auto channels = static_cast<std::size_t>(terms.channels);
      terms.values.assign((last + 1) * channels, 0);
      for (std::size_t c = 0; c < static_cast<std::size_t>(used); ++c) {
        for (std::uint64_t count = 0; count <= last; ++count) terms.values[count * channels + c] = term[c][count];
      }
      const std::vector<std::int64_t> together = walked(table, terms, drawn.all);
      bool all_equal = true;
      for (std::size_t i = 0; i < together.size(); ++i) {
        const std::size_t c = i / lanes % static_cast<std::size_t>(used);
        const std::size_t set = i / lanes / static_cast<std::size_t>(used);
        all_equal &= i % lanes >= drawn.all.size() || together[i] == apart[c][set * lanes + i % lanes];
      }
      CHECK(all_equal);
    }
  }
}

// log Gamma(e + c) - log Gamma(e) as a product, in long double, without differences of large numbers.
long double log_rising_slowly(long double e, std::uint64_t count) {
  long double sum = 0.0L;
  for (std::uint64_t k = 0; k < count; ++k) sum += std::log(e + static_cast<long double>(k));
  return sum;
}

// Totals for each layout of the sums; weights on both sides of the point where the polynomial begins.
TEST_CASE("bdeu equals its formula") {
  std::mt19937_64 random(17);
  const std::vector<std::uint32_t> levels = {2, 3, 3, 5, 7, 11, 1, 13};
  for (std::uint64_t total : {std::uint64_t{1}, std::uint64_t{9}, std::uint64_t{1000}, std::uint64_t{32767},
                              std::uint64_t{32768}, (std::uint64_t{1} << 20) + 5}) {
    for (double ess : {1e-3, 0.3, 1.0, 10.0, 1000.0}) {
      const qnml::IntegerScore score(
          qnml::make_score(qnml::ScoreKind::bdeu, ess, total, static_cast<int>(levels.size())), levels);
      for (std::size_t variables = 0; variables <= levels.size(); variables += total > 100'000 ? 4 : 1) {
        std::uint32_t index = 0;
        for (std::size_t v = 0; v < variables; ++v) index += score.stride(static_cast<int>(v));
        // Few cells, with counts that vary widely.
        std::vector<std::uint64_t> counts;
        for (std::uint64_t left = total; left > 0;) {
          const std::uint64_t largest = counts.size() > 20 ? left : std::max<std::uint64_t>(left / 3, 1);
          counts.push_back(1 + random() % std::min<std::uint64_t>(largest, std::uint64_t{1} << (random() % 21)));
          if (counts.size() > 200) counts.back() = left;
          left -= counts.back();
        }
        std::sort(counts.begin(), counts.end());
        qnml::Profile profile;
        long double expected = 0.0L;
        for (std::uint64_t count : counts) {
          if (profile.counts.empty() || profile.counts.back() != count) {
            profile.counts.push_back(count);
            profile.cells.push_back(0);
          }
          ++profile.cells.back();
          expected += log_rising_slowly(static_cast<long double>(ess) / score.product(index), count);
        }
        const double found = static_cast<double>(score.cells(profile, index)) * score.unit();
        const auto off = static_cast<double>(std::abs(static_cast<long double>(found) - expected));
        CHECK(off <= 1e-12 * static_cast<double>(std::abs(expected)) + 1e-11);
      }
    }
  }
}

// One walk for all weights finds the networks and scores of separate searches, to the last bit. The second total needs
// 32-bit counts.
TEST_CASE("reweighted tables give the results of separate searches") {
  constexpr std::size_t kRows = 150;
  RandomTable table({2, 3, 2, 4, 2, 6, 3, 2, 5, 1}, kRows, 23);
  const std::size_t n = table.view.columns.size();
  // Declared levels beyond those that occur.
  table.view.columns[2].levels = 7;
  table.view.columns[9].levels = 3;
  // Independent columns would leave no parents to compare.
  for (std::size_t row = 0; row < kRows; ++row) {
    if (row % 4 != 0) table.narrow[4][row] = table.narrow[0][row];
    if (row % 3 != 0)
      table.narrow[6][row] = static_cast<std::uint8_t>((table.narrow[1][row] + table.narrow[0][row]) % 3);
  }
  qnml::Control control;
  for (std::uint64_t total : {std::uint64_t{kRows}, std::uint64_t{70'000}}) {
    const Reweighted drawn(kRows, 9, total, 31);
    for (double ess : {0.01, 1.0, 15.0, 4000.0}) {
      CHECK(qnml::can_reweight(*qnml::make_score(qnml::ScoreKind::bdeu, ess, total, 1)));
      table.view.total = total;
      table.view.weights = drawn.all[0];
      const qnml::SearchProblem shared = problem_of(table.view, qnml::ScoreKind::bdeu, ess, 2);
      const std::vector<qnml::ExactResult> many = qnml::learn_reweighted(shared, drawn.all, {}, control);
      std::size_t arcs = 0;
      for (std::size_t k = 0; k < drawn.all.size(); ++k) {
        table.view.weights = drawn.all[k];
        const qnml::SearchProblem problem = problem_of(table.view, qnml::ScoreKind::bdeu, ess);
        const qnml::ExactResult alone = qnml::learn_exact(problem, {}, control);
        CHECK(many[k].optimal);
        CHECK(many[k].parents == alone.parents);
        CHECK(many[k].score == alone.score);
        CHECK(many[k].has_ties == alone.has_ties);
        for (std::uint64_t parents : alone.parents) arcs += parents != 0;
      }
      CHECK(arcs > 0);
    }
  }
}

}  // namespace
