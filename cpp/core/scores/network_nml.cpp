#include "core/scores/network_nml.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/numbers/special.hpp"

namespace qnml {
namespace {

class Enumeration {
 public:
  Enumeration(const std::vector<std::uint32_t>& levels, const std::vector<std::vector<int>>& parents, int rows)
      : rows_(rows) {
    std::size_t cells = 1;
    for (std::uint32_t level : levels) cells *= level;
    cells_ = cells;
    for (std::size_t node = 0; node < levels.size(); ++node) {
      add_table(levels, parents[node], -1, -1.0);
      add_table(levels, parents[node], static_cast<int>(node), 1.0);
    }
    for (int count = 0; count <= rows; ++count) {
      count_log_count_.push_back(count > 0 ? count * std::log(static_cast<double>(count)) : 0.0);
      log_factorial_.push_back(log_gamma(count + 1.0));
    }
  }

  double log_sum() {
    // log P of no rows is 0: for every node, the tables of family and parents cancel there.
    place(0, rows_, log_factorial_[static_cast<std::size_t>(rows_)], 0.0);
    return std::log(sum_);
  }

 private:
  struct Marginal {
    std::vector<std::uint32_t> of_cell;
    std::vector<int> counts;
    double sign;  // +1 for a family, -1 for its parents: log P = sum n log n over families minus over configurations
  };

  // Maps every joint cell to its cell in the marginal table of the given variables.
  void add_table(const std::vector<std::uint32_t>& levels, std::vector<int> variables, int child, double sign) {
    if (child >= 0) variables.push_back(child);
    Marginal marginal;
    marginal.sign = sign;
    std::size_t size = 1;
    marginal.of_cell.assign(cells_, 0);
    for (int variable : variables) {
      std::size_t stride = 1;
      for (int before = 0; before < variable; ++before) stride *= levels[static_cast<std::size_t>(before)];
      const std::size_t level_count = levels[static_cast<std::size_t>(variable)];
      for (std::size_t cell = 0; cell < cells_; ++cell) {
        marginal.of_cell[cell] =
            static_cast<std::uint32_t>(marginal.of_cell[cell] * level_count + cell / stride % level_count);
      }
      size *= level_count;
    }
    marginal.counts.assign(size, 0);
    marginals_.push_back(std::move(marginal));
  }

  // Adds `by` rows to the cell; returns the change of the maximized log-likelihood.
  double shift(std::size_t cell, int by) {
    double change = 0.0;
    for (Marginal& marginal : marginals_) {
      int& count = marginal.counts[marginal.of_cell[cell]];
      const double before = count_log_count_[static_cast<std::size_t>(count)];
      count += by;
      change += marginal.sign * (count_log_count_[static_cast<std::size_t>(count)] - before);
    }
    return change;
  }

  // Distributes `left` rows over the cells from `from` on in every possible way. Each call fills one more cell, so the
  // depth is at most the number of rows, however many cells there are.
  void place(std::size_t from, int left, double log_number, double log_likelihood) {
    if (left == 0) {
      sum_ += std::exp(log_number + log_likelihood);
      return;
    }
    for (std::size_t cell = from; cell < cells_; ++cell) {
      // The last cell takes all remaining rows.
      for (int count = cell + 1 == cells_ ? left : 1; count <= left; ++count) {
        const double change = shift(cell, count);
        place(cell + 1, left - count, log_number - log_factorial_[static_cast<std::size_t>(count)],
              log_likelihood + change);
        shift(cell, -count);
      }
    }
  }

  int rows_;
  std::size_t cells_ = 1;
  std::vector<Marginal> marginals_;
  std::vector<double> count_log_count_;
  std::vector<double> log_factorial_;
  double sum_ = 0.0;
};

}  // namespace

double network_regret(const std::vector<std::uint32_t>& levels, const std::vector<std::vector<int>>& parents,
                      int rows) {
  return rows == 0 ? 0.0 : Enumeration(levels, parents, rows).log_sum();
}

}  // namespace qnml
