#include "core/numbers/dual_simplex.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace qnml {
namespace {

constexpr double kFeasible = 1e-9;  // a value this far below zero counts as zero
constexpr double kLeastPivot = 1e-7;
constexpr std::size_t kInvertEvery = 200;
constexpr double kFar = 1e6;  // along a ray

// Costs are lowered by tiny amounts that follow from the number of the variable alone. Without them most steps of the
// dual simplex method would not move the prices, since many reduced costs are equal.
double perturbation(std::size_t variable) {
  std::uint64_t bits = (variable + 1) * 0x9E3779B97F4A7C15ULL;
  bits ^= bits >> 29;
  return 1e-6 * static_cast<double>(bits >> 11 & 0xffff) / 65536.0;
}

}  // namespace

DualSimplex::DualSimplex(const std::vector<std::vector<double>>& costs) : n_equations_(costs.size()) {
  for (std::size_t equation = 0; equation < costs.size(); ++equation) {
    std::size_t best = 0;
    const std::size_t first = cost_.size();
    for (std::size_t k = 0; k < costs[equation].size(); ++k) {
      cost_.push_back(costs[equation][k] - perturbation(cost_.size()));
      equation_.push_back(static_cast<std::uint32_t>(equation));
      if (cost_.back() > cost_[first + best]) best = k;
    }
    basic_.push_back(static_cast<std::uint32_t>(first + best));
  }
  inequalities_.resize(cost_.size());
  right_.assign(n_equations_, 1.0);
  place_.assign(cost_.size(), kNowhere);
  for (std::size_t row = 0; row < n_equations_; ++row) {
    place_[basic_[row]] = static_cast<std::uint32_t>(row);
    rows_.emplace_back(n_equations_, 0.0);
    rows_.back()[row] = 1.0;
  }
  norms_.assign(n_equations_, 1.0);
  recompute();
}

template <class Visit>
void DualSimplex::each_row(std::uint32_t column, Visit&& visit) const {
  if (is_slack(column)) return visit(n_equations_ + column - n_variables(), -1.0);
  visit(equation_[column], 1.0);
  for (std::uint32_t row : inequalities_[column]) visit(row, 1.0);
}

void DualSimplex::add(const std::vector<std::uint32_t>& variables, double least) {
  const auto row = static_cast<std::uint32_t>(rows_.size());
  const auto slack = static_cast<std::uint32_t>(place_.size());
  std::vector<double> mine(rows_.size() + 1, 0.0);
  double value = -least;
  for (std::uint32_t variable : variables) {
    inequalities_[variable].push_back(row);
    const std::uint32_t place = place_[variable];
    if (place == kNowhere) continue;
    value += values_[place];
    for (std::size_t k = 0; k < row; ++k) mine[k] += rows_[place][k];
  }
  mine[row] = -1.0;
  for (std::vector<double>& known : rows_) known.push_back(0.0);
  rows_.push_back(std::move(mine));
  right_.push_back(least);
  basic_.push_back(slack);
  place_.push_back(row);
  values_.push_back(value);
  reduced_.push_back(0.0);
  norms_.push_back(0.0);
  set_norm(row);
  work_ += variables.size() * rows_.size();
}

void DualSimplex::set_norm(std::size_t row) {
  double norm = 0.0;
  for (double entry : rows_[row]) norm += entry * entry;
  norms_[row] = std::max(norm, 1e-12);
}

// Values, prices and reduced costs from the inverse.
void DualSimplex::recompute() {
  const std::size_t size = rows_.size();
  values_.assign(size, 0.0);
  std::vector<double> price(size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    const double cost = is_slack(basic_[i]) ? 0.0 : cost_[basic_[i]];
    for (std::size_t k = 0; k < size; ++k) {
      values_[i] += rows_[i][k] * right_[k];
      price[k] += cost * rows_[i][k];
    }
  }
  reduced_.resize(place_.size());
  for (std::uint32_t column = 0; column < place_.size(); ++column) {
    reduced_[column] = 0.0;
    if (place_[column] != kNowhere) continue;
    double cost = is_slack(column) ? 0.0 : cost_[column];
    each_row(column, [&](std::size_t row, double sign) { cost -= sign * price[row]; });
    reduced_[column] = std::min(cost, 0.0);
  }
  work_ += 2 * size * size + 8 * place_.size();
}

// Gauss-Jordan elimination. Slacks come first, each with its own row, so that most of the work is on the others. False
// if the basis is singular up to rounding.
bool DualSimplex::invert() {
  const std::size_t size = rows_.size();
  std::vector<std::uint32_t> columns = basic_;
  std::stable_partition(columns.begin(), columns.end(), [&](std::uint32_t column) { return is_slack(column); });
  std::vector<std::vector<double>> inverse(size, std::vector<double>(size, 0.0));
  for (std::size_t k = 0; k < size; ++k) inverse[k][k] = 1.0;
  std::vector<char> is_used(size, 0);
  std::vector<std::uint32_t> basic(size, kNowhere);
  std::vector<double> image(size);
  for (std::uint32_t column : columns) {
    std::size_t best = size;
    for (std::size_t i = 0; i < size; ++i) {
      image[i] = 0.0;
      each_row(column, [&](std::size_t row, double sign) { image[i] += sign * inverse[i][row]; });
      if (is_used[i] == 0 && (best == size || std::abs(image[i]) > std::abs(image[best]))) best = i;
    }
    if (std::abs(image[best]) < kLeastPivot) return false;
    const double scale = 1.0 / image[best];
    for (double& entry : inverse[best]) entry *= scale;
    for (std::size_t i = 0; i < size; ++i) {
      if (i == best || image[i] == 0.0) continue;
      for (std::size_t k = 0; k < size; ++k) inverse[i][k] -= image[i] * inverse[best][k];
      work_ += size;
    }
    is_used[best] = 1;
    basic[best] = column;
  }
  rows_ = std::move(inverse);
  basic_ = std::move(basic);
  for (std::size_t i = 0; i < size; ++i) {
    place_[basic_[i]] = static_cast<std::uint32_t>(i);
    set_norm(i);
  }
  work_ += size * size;
  return true;
}

// The row whose value is farthest below zero, measured along the edge.
DualSimplex::Leaving DualSimplex::leaving() const {
  Leaving best{0, false};
  double most = 0.0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (values_[i] >= -kFeasible) continue;
    const double distance = values_[i] * values_[i] / norms_[i];
    if (distance > most) {
      most = distance;
      best = {i, true};
    }
  }
  return best;
}

// The column whose reduced cost reaches zero first when the value of the row rises. Among those that reach it about
// together, the one with the largest pivot.
std::uint32_t DualSimplex::entering(std::size_t row, double& step) {
  const std::vector<double>& mine = rows_[row];
  along_.assign(place_.size(), 0.0);
  double shortest = 1e300;
  for (std::uint32_t column = 0; column < place_.size(); ++column) {
    if (place_[column] != kNowhere) continue;
    double sum = 0.0;
    each_row(column, [&](std::size_t k, double sign) { sum += sign * mine[k]; });
    along_[column] = sum;
    if (sum < -kLeastPivot) shortest = std::min(shortest, (reduced_[column] - 1e-9) / sum);
    if (!is_slack(column)) work_ += inequalities_[column].size();
  }
  std::uint32_t best = kNowhere;
  for (std::uint32_t column = 0; column < place_.size(); ++column) {
    if (along_[column] >= -kLeastPivot || reduced_[column] / along_[column] > shortest) continue;
    if (best == kNowhere || along_[column] < along_[best]) best = column;
  }
  work_ += 3 * place_.size();
  if (best != kNowhere) step = std::max(0.0, reduced_[best] / along_[best]);
  return best;
}

void DualSimplex::pivot(std::size_t row, std::uint32_t column, double step) {
  const std::size_t size = rows_.size();
  direction_.assign(size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    each_row(column, [&](std::size_t k, double sign) { direction_[i] += sign * rows_[i][k]; });
  }
  for (std::uint32_t other = 0; other < place_.size(); ++other) {
    if (place_[other] == kNowhere) reduced_[other] = std::min(0.0, reduced_[other] - step * along_[other]);
  }
  const std::uint32_t left = basic_[row];
  reduced_[left] = -step;
  reduced_[column] = 0.0;
  const double scale = 1.0 / direction_[row];
  const double value = values_[row] * scale;
  for (double& entry : rows_[row]) entry *= scale;
  for (std::size_t i = 0; i < size; ++i) {
    if (i == row || std::abs(direction_[i]) < 1e-13) continue;
    values_[i] -= direction_[i] * value;
    double norm = 0.0;
    for (std::size_t k = 0; k < size; ++k) {
      rows_[i][k] -= direction_[i] * rows_[row][k];
      norm += rows_[i][k] * rows_[i][k];
    }
    norms_[i] = std::max(norm, 1e-12);
    work_ += 2 * size;
  }
  values_[row] = value;
  set_norm(row);
  place_[left] = kNowhere;
  place_[column] = static_cast<std::uint32_t>(row);
  basic_[row] = column;
  work_ += 4 * size;
}

DualSimplex::Status DualSimplex::solve(std::uint64_t limit) {
  ray_.clear();
  const std::uint64_t last = work_ + limit;
  for (bool is_fresh = false; work_ < last;) {
    if (pivots_ >= kInvertEvery) {
      if (!invert()) return Status::limit;
      recompute();
      pivots_ = 0;
      is_fresh = true;
    }
    const Leaving leaves = leaving();
    if (!leaves.found) return Status::optimal;
    double step = 0.0;
    const std::uint32_t column = entering(leaves.row, step);
    if (column == kNowhere) {
      if (is_fresh || pivots_ == 0) {
        ray_ = rows_[leaves.row];
        return Status::infeasible;
      }
      pivots_ = kInvertEvery;
      continue;
    }
    is_fresh = false;
    pivot(leaves.row, column, step);
    ++pivots_;
  }
  return Status::limit;
}

double DualSimplex::value(std::size_t variable) const {
  const std::uint32_t place = place_[variable];
  return place == kNowhere ? 0.0 : values_[place];
}

std::vector<double> DualSimplex::prices() const {
  std::vector<double> prices;
  for (std::size_t k = n_equations_; k < rows_.size(); ++k) {
    const std::size_t slack = n_variables() + k - n_equations_;
    // The reduced cost of a slack is minus its price.
    double price = place_[slack] == kNowhere ? -reduced_[slack] : 0.0;
    if (!ray_.empty()) price -= kFar * ray_[k];
    prices.push_back(std::max(price, 0.0));
  }
  return prices;
}

}  // namespace qnml
