#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "core/base/control.hpp"
#include "core/binning/cut_candidates.hpp"
#include "core/binning/histogram.hpp"
#include "core/scores/regret.hpp"
#include "tests/close_to.hpp"
#include "tests/doctest.h"

namespace {

struct Line {
  std::vector<double> edges;
  std::vector<std::uint64_t> counts;
  double places = 0.0;
  qnml::CutCandidates view(std::uint64_t fixed_rows = 0, std::uint32_t fixed_bins = 0) const {
    return {edges, edges, counts, places, fixed_rows, fixed_bins};
  }
};

Line random_line(std::size_t pieces, unsigned seed) {
  std::mt19937_64 random(seed);
  Line line{{0.0}, {}, static_cast<double>(pieces + seed % 4) - 1.0};
  for (std::size_t i = 0; i < pieces; ++i) {
    line.edges.push_back(line.edges.back() + 0.1 * static_cast<double>(1 + (random() >> 11) % 30));
    line.counts.push_back((random() >> 11) % 12);
  }
  line.counts[0] += 1;
  return line;
}

// The criterion as it is stated, for the cuts in `mask`.
double code_length(const Line& line, std::uint32_t mask, std::uint64_t fixed_rows, std::uint32_t fixed_bins) {
  std::uint64_t total = fixed_rows;
  for (std::uint64_t count : line.counts) total += count;
  const auto n = static_cast<double>(total);
  double length = 0.0, start = line.edges[0], h = 0.0;
  int bins = 1;
  for (std::size_t i = 0; i < line.counts.size(); ++i) {
    h += static_cast<double>(line.counts[i]);
    const bool is_cut = i + 1 == line.counts.size() || (mask >> i & 1);
    if (!is_cut) continue;
    if (h > 0.0) length -= h * (std::log(h / n) - std::log(line.edges[i + 1] - start));
    start = line.edges[i + 1];
    h = 0.0;
    bins += i + 1 < line.counts.size();
  }
  double choices = 1.0;
  for (int k = 1; k < bins; ++k) choices *= (line.places + 1.0 - k) / k;
  return length + qnml::regret(static_cast<std::int64_t>(total), bins + static_cast<double>(fixed_bins)) +
         std::log(choices);
}

}  // namespace

TEST_CASE("an NML histogram has the shortest code of all") {
  for (std::size_t pieces = 1; pieces <= 10; ++pieces) {
    for (unsigned seed = 0; seed < 20; ++seed) {
      const Line line = random_line(pieces, 7 * seed + static_cast<unsigned>(pieces));
      const std::uint64_t fixed_rows = seed % 3 == 0 ? 0 : seed;
      const std::uint32_t fixed_bins = seed % 3;
      qnml::Control control;
      std::uint32_t found = 0;
      for (std::int32_t cut : qnml::nml_histogram(line.view(fixed_rows, fixed_bins), control))
        found |= std::uint32_t{1} << (cut - 1);
      double least = INFINITY;
      for (std::uint32_t mask = 0; mask < std::uint32_t{1} << (pieces - 1); ++mask)
        least = std::min(least, code_length(line, mask, fixed_rows, fixed_bins));
      CHECK(code_length(line, found, fixed_rows, fixed_bins) == close_to(least, 1e-12));
    }
  }
}

TEST_CASE("histograms do not depend on threads") {
  std::vector<Line> lines(12);
  std::vector<qnml::CutCandidates> views(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i] = random_line(60, static_cast<unsigned>(i));
    views[i] = lines[i].view();
  }
  qnml::Control control;
  const auto alone = qnml::nml_histograms(views, 1, control);
  CHECK(alone == qnml::nml_histograms(views, 4, control));
  bool is_cut = false;
  for (const auto& cuts : alone) is_cut = is_cut || !cuts.empty();
  CHECK(is_cut);
}

TEST_CASE("the number of ways to choose cuts") {
  Line line = random_line(7, 1);
  line.places = 6.0;
  const auto all = qnml::log_cut_choices(line.view());
  const double expected[] = {1, 6, 15, 20, 15, 6, 1};
  for (std::size_t cuts = 0; cuts <= 6; ++cuts) CHECK(all[cuts] == close_to(std::log(expected[cuts]), 1e-12));
  line.places = 1e15;
  CHECK(qnml::log_cut_choices(line.view())[1] == close_to(std::log(1e15), 1e-12));
  CHECK(qnml::log_cut_choices(line.view())[2] == close_to(std::log(1e15) + std::log((1e15 - 1) / 2), 1e-12));
}

TEST_CASE("a width between neighbouring floats is exact") {
  const double low = 1e9, high = std::nextafter(low, 2e9);
  const std::vector<double> below{2 * low - high, low, high}, above{low, high, 2 * high - low};
  const std::vector<std::uint64_t> counts{1, 1};
  const qnml::CutCandidates column{below, above, counts, 1.0};
  CHECK(column.log_width(0, 1) == close_to(std::log(high - low), 1e-12));
  CHECK(column.log_width(0, 2) == close_to(std::log(2 * (high - low)), 1e-12));
}
