// Upper bound on how well some parents and all candidates not yet decided on can fit a child.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/counting/columns.hpp"

namespace qnml {

// The rows labelled by their values of a set of variables.
struct RowLabels {
  std::vector<std::uint32_t> of_row;
  std::uint32_t count = 1;
};
void label_rows(const Columns& table, const std::vector<int>& variables, RowLabels& labels);

// Whether a table with one entry per combination of levels would be much larger than the data. Levels are declared and
// need not occur: two columns with 60,000 levels each have more combinations than fit into memory.
bool is_too_sparse(std::uint64_t entries, std::size_t rows);

// c log c for counts c, tabulated as far as that pays.
class LogCounts {
 public:
  explicit LogCounts(std::uint64_t total);
  double operator()(std::uint64_t count) const;

 private:
  std::vector<double> tabled_;
};

// An order of the candidates such that those at its end fit the child badly, even together. It is built from the end,
// each time with the candidate that improves the fit least among a few that are re-evaluated. Takes about five passes
// over the table per candidate.
std::vector<int> order_by_fit(const Columns& table, int child, const std::vector<int>& candidates);

// R(k) is the set of candidates from place k of their order on. Conditioning does not increase entropy, so no parent
// set between P and P + R(k) fits the child better than P + R(k).
class RemainingFits {
 public:
  RemainingFits(const Columns& table, const LogCounts& log_counts, int child, const std::vector<int>& order);

  // Upper bound on the log-likelihood of the child given P and R(k), with the rows labelled by P; at most zero. If
  // memory does not suffice to store every R(k), a slightly larger set is used. If P and the child have too many
  // combinations to count in a table, the bound is zero, a perfect fit.
  double operator()(const RowLabels& parents, std::size_t place);
  // After that call: the sum over the labels of m - 1, where m is the largest number of values of the child in a class
  // of rows with this label that P and R(k) do not distinguish.
  std::uint64_t mixed() const { return mixed_; }
  // Rows visited, a measure of the work.
  std::uint64_t visits() const { return visits_; }

 private:
  // Rows that R(k) does not distinguish although they differ in the child, class by class. All other rows are fitted
  // perfectly, whatever the parents.
  struct Remaining {
    std::size_t place;
    std::vector<std::uint32_t> rows;
    std::vector<std::uint32_t> ends;
  };

  // Rows of one class with the same level of a column.
  struct OfLevel {
    std::uint32_t size = 0;
    std::uint32_t next = 0;     // where its next row goes
    std::uint32_t step = 0;     // from there to the one after
    std::uint16_t value = 0;    // of the child in the first of them
    std::uint16_t differs = 0;  // nonzero: another row has another value
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
