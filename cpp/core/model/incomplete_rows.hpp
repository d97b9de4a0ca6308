// Rows with missing cells under a network structure: expected counts of its families for any parameters, exact.
//
// The cells of all families that the rows can take are numbered as slots: family by family, configuration of the
// parents by configuration, one slot for each level of the child. Parameters and counts are arrays over the slots.
// Families of few cells list every configuration. The others list those that are compatible with a row: memory grows
// with the rows and their missing parents, not with the product of the levels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/model/config_index.hpp"
#include "core/model/elimination.hpp"
#include "core/model/row_posterior.hpp"

namespace qnml {

// Not owned. Negative codes stand for missing cells.
struct IncompleteTable {
  std::vector<const std::int32_t*> columns;
  std::vector<std::uint32_t> levels;
  std::size_t rows = 0;
  const std::uint64_t* weights = nullptr;  // null: every row counts once

  std::uint64_t weight(std::size_t row) const { return weights == nullptr ? 1 : weights[row]; }
};

// A row with missing cells and their posterior.
struct ConditionedRow {
  std::size_t place;                       // among the rows with missing cells, in the order of the table
  std::size_t row;                         // of the table
  std::span<const std::uint32_t> missing;  // its missing variables, in ascending order
  const EliminationPlan& plan;
  RowPosterior& posterior;
  double log_evidence;  // of the families with missing members; minus infinity if the row is impossible
};

class IncompleteRows {
 public:
  // Plans the work; nothing of its size is allocated yet. The table must outlive this object; it should have no
  // identical rows. Throws std::invalid_argument if a parent is no variable.
  IncompleteRows(IncompleteTable table, std::vector<std::vector<std::uint32_t>> parents);

  // Entries of the tables of the row that takes most, and its missing cells.
  double most_entries() const { return most_entries_; }
  std::size_t most_missing() const { return most_missing_; }
  // Upper bound on the slots, and on the references of rows to them.
  double slots_needed() const { return slots_needed_; }

  // Allocates. Call it once, before anything below. Unfinished when stopped.
  void prepare(Control& control);

  std::size_t families() const { return families_.size(); }
  std::size_t slots() const { return first_slot_.back(); }
  std::size_t first_slot(std::size_t family) const { return first_slot_[family]; }
  // The configurations that the family lists, one code per parent.
  std::vector<std::int32_t> configs(std::size_t family) const;
  const IncompleteTable& table() const { return table_; }
  // The rows with missing cells, in ascending order. A missing cell of a variable with one level is not missing.
  std::span<const std::uint32_t> incomplete() const { return incomplete_; }
  // The missing variables of one of them, in ascending order.
  std::span<const std::uint32_t> missing(std::size_t place) const { return patterns_[pattern_of_row_[place]].missing; }
  // Counts of the rows in which all members of the family are observed.
  std::span<const double> observed_counts() const { return observed_; }

  // Adds the counts of complete rows. They must be completions of rows of the table.
  void count(std::span<const std::int32_t* const> columns, std::size_t rows, const std::uint64_t* weights,
             std::span<double> counts) const;
  // Log-probabilities of complete rows, likewise.
  std::vector<double> log_prob(std::span<const std::int32_t* const> columns, std::size_t rows,
                               std::span<const double> probabilities) const;
  // Expected counts if the missing cells were independent of everything, with these probabilities of the levels of each
  // variable, one variable after the other.
  std::vector<double> spread(std::span<const double> marginals) const;

  // Expected counts given the observed cells. Returns the log-likelihood of the observed cells: minus infinity if a row
  // is impossible. A row whose missing cells have no possible values adds nothing to the families that contain them.
  // Neither depends on the number of threads. Unfinished when stopped.
  double expect(std::span<const double> probabilities, std::span<double> counts, int threads, Control& control) const;

  // Visits every row with missing cells, from any thread, in any order.
  using Visitor = std::function<void(int thread, const ConditionedRow& row)>;
  void for_each_posterior(std::span<const double> probabilities, int threads, Control& control,
                          const Visitor& visit) const;

 private:
  struct Family {
    std::vector<std::uint32_t> members;  // the parents and, last, the child
    std::vector<std::uint32_t> strides;  // of the members in a family that lists all configurations
    std::uint32_t levels;                // of the child
    double cells;
    bool lists_all;
    std::vector<std::int32_t> configs;  // otherwise
    std::unique_ptr<ConfigIndex> index;
  };
  // Rows with the same missing cells.
  struct Pattern {
    std::vector<std::uint32_t> missing;
    std::vector<std::uint32_t> open;  // families with a missing member
    std::vector<OpenFamily> families;
    EliminationPlan plan;
  };
  // Scratch memory of one thread.
  struct Workspace {
    RowPosterior posterior;
    std::vector<const double*> values;
    std::vector<double> gathered;
  };

  bool is_missing(std::uint32_t variable, std::size_t row) const {
    return table_.columns[variable][row] < 0 && table_.levels[variable] > 1;
  }
  std::uint32_t code(std::uint32_t variable, std::size_t row) const {
    const std::int32_t code = table_.columns[variable][row];
    return code < 0 ? 0 : static_cast<std::uint32_t>(code);  // the only level, if it is not missing
  }
  void find_patterns();
  Pattern pattern_of(std::vector<std::uint32_t> missing) const;
  void list_configs(Family& family, Control& control) const;
  void place_rows(Control& control);
  void place_listed(const Family& family, std::size_t first, std::size_t row);
  template <class Visit>
  void over_cells(std::span<const std::int32_t* const> columns, std::size_t rows, Visit&& visit) const;
  template <class Visit>
  void over_configs(const Family& family, std::size_t row, Visit&& visit) const;
  // The first slots of the open families of a row.
  const std::uint32_t* starts_of(std::size_t place) const { return starts_.data() + first_start_[place]; }
  std::size_t entries_of(const Pattern& pattern, std::size_t open) const;
  double condition(std::size_t place, std::span<const double> probabilities, Workspace& mine) const;
  double log_likelihood_of_observed(std::span<const double> probabilities) const;

  IncompleteTable table_;
  std::vector<Family> families_;
  std::vector<Pattern> patterns_;
  std::vector<std::uint32_t> incomplete_;      // rows with missing cells
  std::vector<std::uint32_t> pattern_of_row_;  // of each of these
  double most_entries_ = 0.0;
  std::size_t most_missing_ = 0;
  double slots_needed_ = 0.0;

  std::vector<std::size_t> first_slot_{0};
  std::vector<double> observed_;
  // Of each incomplete row, for each of its open families: the slot of its first entry, or if not all configurations
  // are listed, where its slots begin in `listed_slots_`.
  std::vector<std::size_t> first_start_;
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> listed_slots_;
};

}  // namespace qnml
