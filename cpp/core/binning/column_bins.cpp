#include "core/binning/column_bins.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/binning/best_partition.hpp"
#include "core/binning/histogram.hpp"
#include "core/binning/interval_costs.hpp"
#include "core/counting/columns.hpp"
#include "core/counting/count.hpp"
#include "core/numbers/level_product.hpp"
#include "core/scores/score.hpp"
#include "core/scores/score_range.hpp"
#include "core/scores/units.hpp"

namespace qnml {
namespace {

// Terms of larger counts are computed when they are met.
constexpr std::uint64_t kLongestTable = std::uint64_t{1} << 20;

// The sets of variables with the column, each without it, and how often the fit of the network adds its cells: those of
// a family once, those of a child's parents minus once.
using SignedSets = std::map<std::vector<int>, int>;

SignedSets sets_with(int column, const std::vector<std::vector<int>>& parents) {
  SignedSets sets;
  const auto add = [&](std::vector<int> set, int sign) {
    set.erase(std::remove(set.begin(), set.end(), column), set.end());
    std::sort(set.begin(), set.end());
    sets[set] += sign;
  };
  for (std::size_t child = 0; child < parents.size(); ++child) {
    const std::vector<int>& given = parents[child];
    const bool is_own = static_cast<int>(child) == column;
    if (!is_own && std::find(given.begin(), given.end(), column) == given.end()) continue;
    if (!is_own) add(given, -1);
    std::vector<int> family = given;
    family.push_back(static_cast<int>(child));
    add(family, 1);
  }
  std::erase_if(sets, [](const auto& entry) { return entry.second == 0; });
  return sets;
}

// The cells of a set of other variables inside every piece.
struct PieceCells {
  int sign;
  std::uint32_t n_configs;
  std::vector<std::size_t> first;  // of each piece, and the end
  std::vector<std::uint32_t> config;
  std::vector<std::uint64_t> rows;
};

// The rows that are not in bins which never move, by piece.
struct RowsByPiece {
  explicit RowsByPiece(const ColumnBinsProblem& problem) : first(problem.candidates.pieces() + 1, 0) {
    const std::size_t pieces = problem.candidates.pieces();
    for (std::uint16_t piece : problem.pieces) {
      if (piece < pieces) ++first[piece + 1U];
    }
    for (std::size_t piece = 0; piece < pieces; ++piece) first[piece + 1] += first[piece];
    rows.resize(first[pieces]);
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (std::size_t row = 0; row < problem.pieces.size(); ++row) {
      const std::uint16_t piece = problem.pieces[row];
      if (piece < pieces) rows[next[piece]++] = row;
    }
  }

  std::vector<std::size_t> first;
  std::vector<std::size_t> rows;
};

PieceCells cells_in_pieces(const ColumnBinsProblem& problem, const RowsByPiece& by_piece, const std::vector<int>& set,
                           int sign) {
  std::vector<std::uint32_t> labels;
  PieceCells cells{sign, Counter(problem.table).partition(set, labels), {0}, {}, {}};
  std::vector<std::uint64_t> tally(cells.n_configs, 0);
  for (std::size_t piece = 0; piece + 1 < by_piece.first.size(); ++piece) {
    const std::size_t start = cells.config.size();
    for (std::size_t i = by_piece.first[piece]; i < by_piece.first[piece + 1]; ++i) {
      const std::size_t row = by_piece.rows[i];
      const std::uint32_t label = labels[row];
      if (tally[label] == 0) cells.config.push_back(label);
      tally[label] += problem.table.weights == nullptr ? 1 : problem.table.weights[row];
    }
    for (std::size_t i = start; i < cells.config.size(); ++i) {
      cells.rows.push_back(std::exchange(tally[cells.config[i]], 0));
    }
    cells.first.push_back(cells.config.size());
  }
  return cells;
}

// c log c in whole units, so that sums do not depend on the order of the rows.
class Terms {
 public:
  Terms(std::uint64_t total, std::size_t n_sets)
      : units_(unit_bits(static_cast<double>(n_sets) * static_cast<double>(total) *
                         (std::log(static_cast<double>(total)) + 1.0)),
               total, 1) {
    table_.resize(std::min(total, kLongestTable) + 1);
    for (std::uint64_t count = 1; count < table_.size(); ++count) table_[count] = units_.count_log_count(count);
  }

  std::int64_t of(std::uint64_t count) const {
    return count < table_.size() ? table_[count] : units_.count_log_count(count);
  }
  double size() const { return units_.size(); }

 private:
  Units units_;
  std::vector<std::int64_t> table_;
};

// fits[start]: the sum of the signed terms of all cells between the edges start and `end`, for every start.
void fits_ending_at(std::size_t end, const std::vector<PieceCells>& sets, const Terms& terms,
                    std::vector<std::uint64_t>& tally, std::vector<std::int64_t>& fits) {
  fits.assign(end, 0);
  for (const PieceCells& cells : sets) {
    tally.assign(cells.n_configs, 0);
    std::int64_t fit = 0;
    for (std::size_t start = end; start > 0; --start) {
      for (std::size_t i = cells.first[start - 1]; i < cells.first[start]; ++i) {
        std::uint64_t& count = tally[cells.config[i]];
        fit -= terms.of(count);
        count += cells.rows[i];
        fit += terms.of(count);
      }
      fits[start - 1] += cells.sign * fit;
    }
  }
}

IntervalCosts costs_of_bins(const ColumnBinsProblem& problem, const SignedSets& sets, Control& control) {
  const CutCandidates& line = problem.candidates;
  const RowsByPiece by_piece(problem);
  std::vector<PieceCells> cells(sets.size());
  std::vector<std::pair<std::vector<int>, int>> listed(sets.begin(), sets.end());
  parallel_for(sets.size(), problem.threads, [&](int, std::size_t i) {
    cells[i] = cells_in_pieces(problem, by_piece, listed[i].first, listed[i].second);
  });
  const Terms terms(problem.table.total, sets.size());
  IntervalCosts costs(line.pieces());
  std::vector<std::vector<std::uint64_t>> tallies(static_cast<std::size_t>(std::max(problem.threads, 1)));
  std::vector<std::vector<std::int64_t>> fits(tallies.size());
  // The longest first.
  parallel_for(line.pieces(), problem.threads, [&](int thread, std::size_t i) {
    if (control.is_stopped()) return;
    const std::size_t end = line.pieces() - i;
    std::vector<std::int64_t>& of_start = fits[static_cast<std::size_t>(thread)];
    fits_ending_at(end, cells, terms, tallies[static_cast<std::size_t>(thread)], of_start);
    double* of_end = costs.ending_at(end);
    std::uint64_t rows = 0;
    for (std::size_t start = end; start > 0; --start) {
      rows += line.counts[start - 1];
      of_end[start - 1] = static_cast<double>(rows) * line.log_width(start - 1, end) -
                          terms.size() * static_cast<double>(of_start[start - 1]);
    }
    control.advance(static_cast<double>(end));
  });
  return costs;
}

// What the score charges for the sets with the column, for 1, 2, ... bins, and the choice of the cuts.
std::vector<double> prices_of_bins(const ColumnBinsProblem& problem, const SignedSets& sets) {
  std::vector<double> prices = log_cut_choices(problem.candidates);
  prices.resize(std::min(prices.size(), problem.most_bins));
  for (const auto& [set, sign] : sets) {
    LevelProduct others;
    for (int variable : set) others = others.times(problem.table.levels(variable));
    for (std::size_t k = 0; k < prices.size(); ++k) {
      const auto levels = static_cast<double>(k + 1 + problem.candidates.fixed_bins);
      prices[k] += sign * problem.score.price(others.times(levels), static_cast<int>(set.size()) + 1);
    }
  }
  // Beyond the range of doubles the difference of two prices is no number.
  for (double& price : prices) {
    if (!std::isfinite(price)) price = std::numeric_limits<double>::infinity();
  }
  return prices;
}

}  // namespace

std::optional<std::vector<std::int32_t>> best_bins(const ColumnBinsProblem& problem, Control& control) {
  const SignedSets sets = sets_with(problem.column, problem.parents);
  const auto pieces = static_cast<double>(problem.candidates.pieces());
  control.start_stage("bins", pieces * (pieces + 1.0) / 2.0);
  const IntervalCosts costs = costs_of_bins(problem, sets, control);
  if (control.is_stopped()) return std::nullopt;
  const Partition found = best_partition(costs, prices_of_bins(problem, sets), control);
  if (control.is_stopped()) return std::nullopt;
  return found.cuts;
}

}  // namespace qnml
