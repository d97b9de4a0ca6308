// How well a child can be fitted by some parents and all of the candidates that are still to be decided on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/counting/columns.hpp"

namespace qnml {

// The rows told apart by a set of variables.
struct RowLabels {
  std::vector<std::uint32_t> of_row;
  std::uint32_t count = 1;
};
void label_rows(const Columns& table, const std::vector<int>& variables, RowLabels& labels);

// Whether a table with one entry for every combination of levels is much larger than the rows. Levels are declared and
// need not occur: two columns with 60,000 each have more combinations than memory holds.
bool is_too_sparse(std::uint64_t entries, std::size_t rows);

// Counts times their logarithms, tabled as far as that is worth it.
class LogCounts {
 public:
  explicit LogCounts(std::uint64_t total);
  double operator()(std::uint64_t count) const;

 private:
  std::vector<double> tabled_;
};

// An order of the candidates such that those at its end fit the child badly, even together: from the end, always the
// one that improves the fit least, as far as a few looks tell. Takes about five looks at the table for each candidate.
std::vector<int> order_by_fit(const Columns& table, int child, const std::vector<int>& candidates);

// The candidates are in an order; R(k) are those from place k on. Conditioning does not raise entropy, so no set of
// parents between P and P + R(k) fits the child better than P + R(k).
class RemainingFits {
 public:
  RemainingFits(const Columns& table, const LogCounts& log_counts, int child, const std::vector<int>& order);

  // An upper bound on the log-likelihood of the child given P and R(k), with the rows labelled by P: at most zero.
  // Where memory forbids to keep every R(k), that given a slightly larger set; where P and the child have too many
  // combinations to be counted in a table, zero, a perfect fit.
  double operator()(const RowLabels& parents, std::size_t place);
  // After that: summed over the labels, how many values of the child less one there are in rows that P and R(k) do not
  // tell apart, at most in one such class of rows.
  std::uint64_t mixed() const { return mixed_; }
  // Rows that were looked at, a measure of the work.
  std::uint64_t visits() const { return visits_; }

 private:
  // Rows that R(k) does not tell apart although their children differ, class after class. All other rows are fitted
  // perfectly, whatever the parents.
  struct Remaining {
    std::size_t place;
    std::vector<std::uint32_t> rows;
    std::vector<std::uint32_t> ends;
  };

  // Rows of one class that a column gives the same level.
  struct OfLevel {
    std::uint32_t size = 0;
    std::uint32_t next = 0;     // where its next row goes
    std::uint32_t step = 0;     // from there to the one after
    std::uint16_t value = 0;    // of the child in the first of them
    std::uint16_t differs = 0;  // not zero: another has another value
  };

  Remaining refined(const Remaining& remaining, const Column& column);
  double fit_of_class(const std::uint32_t* first, const std::uint32_t* last, const RowLabels& parents);

  const Columns& table_;
  const LogCounts& log_counts_;
  std::uint32_t levels_;
  std::vector<std::uint16_t> codes_;  // of the child
  std::vector<Remaining> kept_;       // from the last place to the first
  std::vector<std::uint64_t> cells_, configs_;
  std::vector<std::uint32_t> touched_, levels_seen_;
  std::vector<OfLevel> by_level_;
  std::vector<std::uint16_t> most_values_;  // by label, where there are several
  std::vector<std::uint32_t> mixed_labels_;
  std::uint64_t mixed_ = 0;
  std::uint64_t visits_ = 0;
};

}  // namespace qnml
