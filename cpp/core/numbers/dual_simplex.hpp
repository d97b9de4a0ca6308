// Linear programs by the dual simplex method:
//   maximize c x  subject to  a x = b in each equation, a x >= b in each inequality, x >= 0,
// where every coefficient is 0 or 1 and each variable is in exactly one equation.
//
// Inequalities can be added to a solved program, which is then solved again from where it was. The inverse of the basis
// is kept explicitly: it has as many rows as the program, hundreds, while there may be many variables.
//
// Nothing here is exact. The prices of the rows are meant for bounds that are valid for any prices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace qnml {

class DualSimplex {
 public:
  enum class Status { optimal, infeasible, limit };

  // One equation with right-hand side 1 for each entry of `costs`: its variables, which are numbered one equation after
  // the other. No equation is empty. The most valuable variables form a basis to start from.
  explicit DualSimplex(const std::vector<std::vector<double>>& costs);

  // The sum of these variables, in ascending order, is at least `least`.
  void add(const std::vector<std::uint32_t>& variables, double least);

  // Ends at `limit` after this many units of work, numbers added or multiplied, or if rounding spoils the basis.
  Status solve(std::uint64_t limit);

  std::size_t n_rows() const { return rows_.size(); }
  std::uint64_t work() const { return work_; }
  double value(std::size_t variable) const;
  // Of the inequalities, in the order in which they were added: at least zero. When the program is infeasible, the
  // prices still lower the bound of the dual without end along a ray; these are prices far along it.
  std::vector<double> prices() const;

 private:
  struct Leaving {
    std::size_t row;
    bool found;
  };
  static constexpr std::uint32_t kNowhere = 0xffffffffU;

  std::size_t n_variables() const { return cost_.size(); }
  bool is_slack(std::uint32_t column) const { return column >= n_variables(); }
  template <class Visit>
  void each_row(std::uint32_t column, Visit&& visit) const;
  Leaving leaving() const;
  std::uint32_t entering(std::size_t row, double& step);
  void pivot(std::size_t row, std::uint32_t column, double step);
  bool invert();
  void recompute();
  void set_norm(std::size_t row);

  // Columns: the variables, then one slack for each inequality.
  std::vector<double> cost_;
  std::vector<std::uint32_t> equation_;                   // by variable
  std::vector<std::vector<std::uint32_t>> inequalities_;  // by variable: the rows it is in
  std::size_t n_equations_;
  std::vector<double> right_;              // by row of the program
  std::vector<std::uint32_t> basic_;       // by row of the inverse: its column
  std::vector<std::uint32_t> place_;       // by column: its row in the inverse, or nowhere
  std::vector<std::vector<double>> rows_;  // of the inverse
  std::vector<double> norms_;              // their squared lengths
  std::vector<double> values_;             // of the basic columns
  std::vector<double> reduced_;            // by column: reduced costs, at most zero
  std::vector<double> along_, direction_;  // scratch
  std::vector<double> ray_;                // if infeasible
  std::uint64_t work_ = 0;
  std::size_t pivots_ = 0;
};

}  // namespace qnml
