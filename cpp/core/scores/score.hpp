// The interface of a score: a formula over counts, with everything a search must know about it.
//
// A score is one class. It states its terms, its prices and an upper bound on the score of all supersets of a parent
// set. These are pure virtual functions, here or in the base class of a family of scores, so that a class that forgets
// one does not compile. Nothing outside make_score.cpp asks which score it is. Natural logarithms; higher is better.
//
//   Score                    any decomposable score
//     CellScore              adds up over the cells of sets of variables
//       SetScore             local(i | P) = f(P + i) - f(P): equal on equivalent networks
//         PenalizedLikelihood    loglik, aic, bic, hqc, ebic
//         QuotientScore          qnml, bdq
//         (bdeu)
//       ConfigScore          configurations of the parents have terms of their own: fnml, bdj, k2
//     (bds, qnml with switched regrets)
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/counting/count.hpp"
#include "core/numbers/level_product.hpp"
#include "core/scores/integer_terms.hpp"
#include "core/scores/structure_prior.hpp"
#include "core/scores/units.hpp"

namespace qnml {

// What a score is made from.
//
// Counts may come in units of 1 / `scale` of an observation, where an observation is spread over several rows. With
// counts u = scale c and N observations, the sum of u log u over the cells of a set is scale times the sum of c log c,
// plus N scale log(scale) whatever the set. So with every price multiplied by the scale, a fit minus a price is
// `scale` times the score of the fractional counts, in the same integer arithmetic.
struct ScoreSettings {
  double parameter;  // the equivalent sample size of bdeu and bds, alpha of bdq, gamma of ebic, the formula of switched
                     // regrets; others ignore it
  std::uint64_t total;  // the sum of all counts: observations times `scale`
  int n_variables;
  std::uint64_t scale = 1;  // counts per observation; others than 1 take a score with price_ignores_counts()
  PriorKind prior = PriorKind::uniform;
};

// A family as the formulas see it.
struct Family {
  const Profile& cells;    // of the parents and the child together
  const Profile& configs;  // of the parents
  double child_levels;
  LevelProduct parent_levels;
  int n_parents;
};

// The price of a free parameter and of an arc in a penalized likelihood, in nats. Zero for other scores.
struct Prices {
  double per_parameter = 0.0;
  double per_arc = 0.0;
};

// What an upper bound in nats may use about a set P of parents.
struct KnownParents {
  LevelProduct levels;
  int size = 0;
  // The rest is set only where Score::bound_needs_counts(). The values of a subset of P are valid as well.
  std::uint64_t configs = 1;  // configurations of P that occur
  std::uint64_t cells = 1;    // configurations of P and the child that occur
  double price = 0.0;         // the sum of Score::config_price over the configurations of P
  // A superset T of P may be unable to distinguish some rows. For each configuration of P take the class of such rows
  // that has the most child values, and count these values less one. `mixed` is the sum over the configurations.
  std::uint64_t mixed = 0;
};

// What an upper bound in units may use about a family: a set P of parents and a child.
struct FamilyInUnits {
  std::int64_t log_child_levels;
  std::int64_t price;     // of its parameters and arcs, see IntegerScore::price
  std::int64_t cells;     // the terms of the cells of P ...
  std::int64_t configs;   // ... and of its configurations
  std::uint64_t seen;     // configurations of P that occur
  std::int64_t best_fit;  // the fit of the child given all other variables; at most zero
};

// A score bound to a sample size, a number of variables and a prior over structures. Safe to share between threads.
// Scores, prices and bounds are in nats times the scale of the settings.
//
// What a class states, its terms, prices and bounds, is about the data. The price of the prior is the same for all
// scores and is added here, where local scores and the prices of sets are asked for, and in the two places that turn
// bounds on the score of the data into bounds for searches: IntegerScore and SupersetBound.
class Score {
 public:
  explicit Score(const ScoreSettings& settings)
      : total_(settings.total),
        scale_(settings.scale),
        prior_(settings.prior, settings.n_variables, static_cast<double>(settings.scale)) {}
  virtual ~Score() = default;
  Score(const Score&) = delete;

  std::uint64_t total() const { return total_; }
  std::uint64_t scale() const { return scale_; }
  std::uint64_t observations() const { return total_ / scale_; }
  const StructurePrior& prior() const { return prior_; }

  // Whether the score is the fit, c log c in every cell, minus a price that follows from the number of observations,
  // the levels and the arcs alone. It is then defined for fractional counts as well.
  virtual bool price_ignores_counts() const { return false; }

  // What a search adds up: the score of the data minus the price of the number of parents.
  double local(const Family& family) const { return data_score(family) - prior_.price(family.n_parents); }
  virtual double data_score(const Family& family) const = 0;

  virtual Prices prices() const = 0;
  // The price of a free parameter in units. Overridden where it is a logarithm of a whole number, so that it is
  // consistent with the logarithms of the fit.
  virtual std::int64_t parameter_price(const Units& units) const { return units.rounded(prices().per_parameter); }
  // The logarithm of the weight of a Dirichlet prior that the user may choose, else zero. It bounds the size of scores
  // (score_range.hpp).
  virtual double log_prior_weight() const = 0;

  // The upper bound on the data score of a child with any superset T of a parent set P, in two forms. Each class
  // carries the proof of its bound. Since no prior pays, it is one on the local score as well.
  //
  // In nats. `fit` is an upper bound on the log-likelihood of the child given T, at most zero.
  virtual double upper_bound(std::uint32_t child_levels, const KnownParents& parents, double fit) const = 0;
  // In units, before rounding: the caller adds a slack.
  virtual std::int64_t upper_bound_in_units(const FamilyInUnits& family) const = 0;
  // Whether the bounds need the counts of KnownParents, or follow from the levels and the fit alone.
  virtual bool bound_needs_counts() const = 0;
  // Whether the bound in units is a fit minus a price. Then no local score exceeds minus the price of a family without
  // parents.
  virtual bool bound_uses_fit() const = 0;
  // The price of a configuration of the parents with this count, for KnownParents::price.
  virtual double config_price(std::uint64_t count, std::uint32_t child_levels) const = 0;
  // The same for all counts from 0 to `last`; empty where configurations have no price.
  virtual std::vector<double> config_prices(std::uint64_t last, std::uint32_t child_levels) const = 0;

 private:
  std::uint64_t total_;
  std::uint64_t scale_;
  StructurePrior prior_;
};

// A score that adds up over cells:
//   local(i | P) = [sum of cell over P + i] - price(P + i) - ([sum of config over P] - price(P)).
class CellScore : public Score {
 public:
  using Score::Score;

  // The term of one cell of a set of variables whose levels multiply to `levels`.
  virtual double cell(double count, const LevelProduct& levels) const = 0;
  // The term of one configuration of the parents.
  virtual double config(double count, const LevelProduct& levels, double child_levels) const = 0;
  // Whether the terms depend on the levels of the set, other than those of the child.
  virtual bool depends_on_levels() const = 0;
  virtual double price(const LevelProduct& levels, int n_variables) const = 0;
  // The terms in units. `config_levels`: the different numbers of levels of the children, for a ConfigScore. What is
  // passed outlives the terms.
  virtual std::unique_ptr<IntegerTerms> integer_terms(const Units& units, const LevelProducts& products,
                                                      std::span<const std::uint32_t> config_levels) const = 0;

  // The price of a set that a search pays: the difference is the price of a family, whatever the terms.
  double price_with_prior(const LevelProduct& levels, int n_variables) const {
    return price(levels, n_variables) + prior().set_price(n_variables);
  }

  double data_score(const Family& family) const final;
};

// A score that is a set function: local(i | P) = f(P + i) - f(P).
class SetScore : public CellScore {
 public:
  using CellScore::CellScore;
  double config(double count, const LevelProduct& levels, double) const final { return cell(count, levels); }
};

// A score whose term of a configuration depends on the number of levels of the child. Its terms do not depend on other
// levels.
class ConfigScore : public CellScore {
 public:
  using CellScore::CellScore;
  bool depends_on_levels() const final { return false; }
};

// The sum of a term over the cells of a profile.
template <class Term>
double sum_over(const Profile& profile, Term&& term) {
  double sum = 0.0;
  for (std::size_t i = 0; i < profile.counts.size(); ++i) {
    sum += static_cast<double>(profile.cells[i]) * term(static_cast<double>(profile.counts[i]));
  }
  return sum;
}

}  // namespace qnml
