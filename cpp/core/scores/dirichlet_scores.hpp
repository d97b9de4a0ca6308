// Bayesian Dirichlet scores, the logarithm of the marginal likelihood under a Dirichlet prior: bdeu, bds, bdj, k2.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/numbers/level_product.hpp"
#include "core/scores/integer_terms.hpp"
#include "core/scores/score.hpp"
#include "core/scores/units.hpp"

namespace qnml {

// What these scores share. `Base` is SetScore, ConfigScore or Score.
//
// The bound of a class in nats is its own. The bound in units is shared: the first child value in each configuration of
// the parents has probability 1 / r whatever the prior weight, where r is the number of levels of the child, and the
// other values at most 1. The number of configurations that occur grows with the parents.
template <class Base>
class DirichletScore : public Base {
 public:
  using Base::Base;

  Prices prices() const final { return {}; }
  std::int64_t upper_bound_in_units(const FamilyInUnits& family) const final {
    return -static_cast<std::int64_t>(family.seen) * family.log_child_levels;
  }
  bool bound_needs_counts() const final { return true; }
  bool bound_uses_fit() const final { return false; }
  double config_price(std::uint64_t, std::uint32_t) const final { return 0.0; }
  std::vector<double> config_prices(std::uint64_t, std::uint32_t) const final { return {}; }
};

// Buntine (1991), Heckerman et al. (1995): the equivalent sample size is spread evenly over all cells.
class EquivalentUniformDirichlet final : public DirichletScore<SetScore> {
 public:
  explicit EquivalentUniformDirichlet(const ScoreSettings& settings);

  double log_prior_weight() const override { return log_size_; }
  double cell(double count, const LevelProduct& levels) const override;
  bool depends_on_levels() const override { return true; }
  double price(const LevelProduct&, int) const override { return norm_; }
  std::unique_ptr<IntegerTerms> integer_terms(const Units& units, const LevelProducts& products,
                                              std::span<const std::uint32_t> config_levels) const override;
  // See uniform_prior_bound.
  double upper_bound(std::uint32_t child_levels, const KnownParents& parents, double fit) const override;

 private:
  double norm_, size_, log_size_;
};

// Scutari (2016): like BDeu, but the sample size is spread over the configurations of the parents that occur. The term
// of a cell depends on how many those are, so this score does not add up over cells.
class SparseDirichlet final : public DirichletScore<Score> {
 public:
  explicit SparseDirichlet(const ScoreSettings& settings);

  double data_score(const Family& family) const override;
  double log_prior_weight() const override { return log_size_; }
  // See uniform_prior_bound.
  double upper_bound(std::uint32_t child_levels, const KnownParents& parents, double fit) const override;

 private:
  double size_, log_size_;
};

// An independent Dirichlet prior for each configuration of the parents, with the weight 1 / `divisor` for each level of
// the child.
class IndependentDirichlet : public DirichletScore<ConfigScore> {
 public:
  IndependentDirichlet(const ScoreSettings& settings, std::uint64_t divisor);

  double log_prior_weight() const final { return 0.0; }
  double cell(double count, const LevelProduct& levels) const final;
  double config(double count, const LevelProduct& levels, double child_levels) const final;
  double price(const LevelProduct&, int) const final { return 0.0; }
  std::unique_ptr<IntegerTerms> integer_terms(const Units& units, const LevelProducts& products,
                                              std::span<const std::uint32_t> config_levels) const final;
  // The score is the logarithm of a probability that averages over parameters, so it is at most the fit. It is also at
  // most the bound of DirichletScore.
  double upper_bound(std::uint32_t child_levels, const KnownParents& parents, double fit) const final;

 private:
  std::uint64_t divisor_;
  double weight_;
};

// Cooper and Herskovits (1992).
class K2 final : public IndependentDirichlet {
 public:
  explicit K2(const ScoreSettings& settings) : IndependentDirichlet(settings, 1) {}
};

// Jeffreys' prior.
class JeffreysDirichlet final : public IndependentDirichlet {
 public:
  explicit JeffreysDirichlet(const ScoreSettings& settings) : IndependentDirichlet(settings, 2) {}
};

// The upper bound in nats of a score whose prior spreads the weight `a` of each configuration of the parents evenly
// over the r levels of the child, where more parents mean a smaller a.
//
// The score is the logarithm of a probability that averages over parameters, so it is at most the fit. It is also at
// most the bound of DirichletScore. For small a there is a tighter bound. Let b = a / r. Let n rows of a configuration
// have been seen, m of them with value k. The next row has value k with probability (m + b) / (n + a), while the
// largest likelihood of the rows grows by a factor g(m) / g(n), where g(m) = (m + 1)^(m + 1) / m^m = e (m + c_m) and
// c_m rises from 1/e at m = 0 over 0.4715 at m = 1 towards 1/2.
// - For m >= 1 and b <= 1/4 the probability is at most that factor: this says
//   n (c_m - b) + b (r c_m - c_n) >= m (c_n - a), where r c_m > c_n. If m = n then c_m = c_n and b <= a. Otherwise the
//   left side is at least (m + 1)(c_m - b), the right side at most m (c_n - b), and
//   m (c_n - c_m) <= 1/24 < c_m - b.
// - For m = 0, a value not seen before in the configuration, b / (n + a) <= k g(0) / g(n) with k = 4 b / (1 + a): equal
//   for n = 1, and (n + c_n) / (n + a) does not grow with n when a <= 1/4. Then k <= 1 / r.
// The first row has probability 1/r and likelihood 1. So the probability of all rows of a configuration is at most
// their largest likelihood, times 1/r, times k for each further value of the child seen in it. The score is at most the
// fit minus log r for each combination of parents and child that occurs; P has no more of those than its supersets.
// Where rows with several values cannot be distinguished, they are in one configuration of T as they are in one of P,
// and all but one of these values cost log 1/k instead of log r. More parents mean a smaller a and a smaller k.
double uniform_prior_bound(double weight, std::uint32_t child_levels, const KnownParents& parents, double fit);

}  // namespace qnml
