// What no superset of a set of parents can score more than, in nats, for any number of variables.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <shared_mutex>
#include <span>
#include <utility>
#include <vector>

#include "core/numbers/level_product.hpp"
#include "core/scores/score.hpp"

namespace qnml {

// Safe to share between threads.
class SupersetBound {
 public:
  SupersetBound(ScoreKind kind, double parameter, const Columns& table);

  // What is known of a set P of parents of a child.
  struct Parents {
    LevelProduct levels;
    int size = 0;
    // Only where needs_counts(): how many configurations of P occur, how many of P and the child, and what they cost
    // fnml. Those of a subset do as well.
    std::uint64_t configs = 1;
    std::uint64_t cells = 1;
    double price = 0.0;
    // Summed over the configurations of P: how many values of the child less one there are in rows that T cannot tell
    // apart, at most in one such class of rows.
    std::uint64_t mixed = 0;
  };
  bool needs_counts() const;
  // The price of configurations of these sizes.
  double price(std::span<const std::uint64_t> configs, std::uint32_t child_levels) const;

  // No set T of parents, P a subset of T, scores more than this when T tells the rows apart no better than a set that
  // gives the child the log-likelihood `fit`, at most zero.
  //
  // With r the levels of the child:
  // - Likelihood with a price, qnml, fnml: the price grows with the parents (see IntegerScore::upper_bound), so the
  //   score is at most the fit less the price of P.
  // - bdeu, bds, bdj, k2 are logarithms of probabilities that mix over parameters, so they are at most the fit. And the
  //   first value in each configuration has probability 1/r, whatever the prior weight.
  // - bdeu, bds: let a be the prior weight of a configuration, b = a / r. Let n rows of a configuration have been seen,
  //   m of them with value k. The next row has value k with probability (m + b) / (n + a), while the largest
  //   likelihood of the rows grows by a factor g(m) / g(n), where g(m) = (m + 1)^(m + 1) / m^m = e (m + c_m) and c_m
  //   rises from 1/e at m = 0 over 0.4715 at m = 1 towards 1/2.
  //   For m >= 1 and b <= 1/4 the former is no more than the latter: that says
  //   n (c_m - b) + b (r c_m - c_n) >= m (c_n - a), where r c_m > c_n. If m = n then c_m = c_n and b <= a. Otherwise
  //   the left is at least (m + 1)(c_m - b), the right at most m (c_n - b), and m (c_n - c_m) <= 1/24 < c_m - b.
  //   For m = 0, a value not seen before in the configuration, b / (n + a) <= k g(0) / g(n) with k = 4 b / (1 + a):
  //   equal for n = 1, and (n + c_n) / (n + a) is no larger for more rows when a <= 1/4. Then k <= 1 / r.
  //   The first row has probability 1/r and likelihood 1. So the probability of all rows of a configuration is at most
  //   their largest likelihood, times 1/r, times k for each further value of the child seen in it. The score is at most
  //   the fit less log r for each combination of parents and child that occurs; of those P has no more than its
  //   supersets. Where rows with several values cannot be told apart, they are in one configuration of T as they are in
  //   one of P, and all but one of these values cost log 1/k in place of log r. More parents mean a smaller a and k.
  // - bdq: see IntegerScore::upper_bound.
  double operator()(std::uint32_t child_levels, const Parents& parents, double fit) const;

 private:
  double price_by_levels(std::uint32_t child_levels, const LevelProduct& levels, int size) const;

  ScoreKind kind_;
  double parameter_;
  std::uint64_t total_;
  std::unique_ptr<Score> score_;
  const CellScore* cell_score_;
  std::map<std::uint32_t, std::vector<double>> regrets_;  // fnml: by the levels of the child, by count
  mutable std::shared_mutex lock_;
  mutable std::map<std::pair<std::uint32_t, double>, double> prices_;
};

}  // namespace qnml
