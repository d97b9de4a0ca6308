#include "core/scores/score.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <unordered_map>

#include "core/base/parallel.hpp"
#include "core/numbers/special.hpp"
#include "core/scores/regret.hpp"
#include "core/scores/score_range.hpp"

namespace qnml {
namespace {

template <class Term>
double sum_over(const Profile& profile, Term&& term) {
  double sum = 0.0;
  for (std::size_t i = 0; i < profile.counts.size(); ++i) {
    sum += static_cast<double>(profile.cells[i]) * term(static_cast<double>(profile.counts[i]));
  }
  return sum;
}

double count_log_count(double count) { return count * std::log(count); }

// Values computed once per key and shared by all threads.
class Memo {
 public:
  template <class Compute>
  double get(std::uint64_t key, Compute&& compute) const {
    {
      const std::shared_lock hold(lock_);
      if (auto found = values_.find(key); found != values_.end()) return found->second;
    }
    const double value = compute();
    const std::unique_lock hold(lock_);
    values_.emplace(key, value);
    return value;
  }

 private:
  mutable std::shared_mutex lock_;
  mutable std::unordered_map<std::uint64_t, double> values_;
};

// Maximised log-likelihood minus a price per free parameter (and per arc, for ebic).
class PenalizedLikelihood final : public SetScore {
 public:
  PenalizedLikelihood(std::uint64_t total, double per_parameter, double per_arc)
      : least_(count_log_count(static_cast<double>(total))), per_parameter_(per_parameter), per_arc_(per_arc) {}

  double cell(double count, const LevelProduct&) const override { return count_log_count(count); }

  double price(const LevelProduct& levels, int size) const override {
    const double parameters = levels.value - 1.0;
    const double arcs = 0.5 * size * (size - 1.0);
    return least_ + (per_parameter_ == 0.0 ? 0.0 : per_parameter_ * parameters) + per_arc_ * arcs;
  }

 private:
  double least_, per_parameter_, per_arc_;
};

// Paper, eq. (8): the one-dimensional NML code of the family divided by that of its parents.
class QuotientNml final : public SetScore {
 public:
  explicit QuotientNml(std::uint64_t total) : total_(static_cast<std::int64_t>(total)) {}

  double cell(double count, const LevelProduct&) const override { return count_log_count(count); }

  double price(const LevelProduct& levels, int) const override {
    const double key = std::isinf(levels.value) ? -levels.log : levels.value;
    return count_log_count(static_cast<double>(total_)) +
           regrets_.get(std::bit_cast<std::uint64_t>(key), [&] { return regret(total_, levels); });
  }

 private:
  std::int64_t total_;
  Memo regrets_;
};

// Silander et al. (2008): one NML code per parent configuration. Unseen configurations cost nothing.
class FactorizedNml final : public CellScore {
 public:
  double cell(double count, const LevelProduct&) const override { return count_log_count(count); }

  double config(double count, const LevelProduct&, double child_levels) const override {
    const auto rows = static_cast<std::int64_t>(count);
    const std::uint64_t key = (static_cast<std::uint64_t>(rows) << 17) | static_cast<std::uint64_t>(child_levels);
    return count_log_count(count) + regrets_.get(key, [&] { return regret(rows, child_levels); });
  }

  double price(const LevelProduct&, int) const override { return 0.0; }

 private:
  Memo regrets_;
};

// log of the Dirichlet-multinomial probability of a cell. log_weight serves where the weight itself is too small for a
// double. Unseen cells have probability one.
double log_rising_of(double count, double weight, double log_weight) {
  return weight > 1e-290 ? log_rising(weight, count) : log_rising_tiny(log_weight, count);
}

// Suzuki (2017): Dirichlet(alpha, ..., alpha) codes in place of the NML codes of qNML.
class QuotientDirichlet final : public SetScore {
 public:
  QuotientDirichlet(std::uint64_t total, double alpha) : total_(static_cast<double>(total)), alpha_(alpha) {}

  double cell(double count, const LevelProduct&) const override { return log_rising(alpha_, count); }

  double price(const LevelProduct& levels, int) const override {
    return log_rising_huge(alpha_ * levels.value, std::log(alpha_) + levels.log, total_);
  }

 private:
  double total_, alpha_;
};

// Buntine (1991), Heckerman et al. (1995): the equivalent sample size is spread evenly over all cells.
class EquivalentUniformDirichlet final : public SetScore {
 public:
  EquivalentUniformDirichlet(std::uint64_t total, double size)
      : norm_(log_rising(size, static_cast<double>(total))), size_(size), log_size_(std::log(size)) {}

  double cell(double count, const LevelProduct& levels) const override {
    return log_rising_of(count, size_ / levels.value, log_size_ - levels.log);
  }

  double price(const LevelProduct&, int) const override { return norm_; }
  bool depends_on_levels() const override { return true; }

 private:
  double norm_, size_, log_size_;
};

// Independent Dirichlet priors per parent configuration: weight 1 is K2 (Cooper and Herskovits 1992), 1/2 Jeffreys'
// prior.
class IndependentDirichlet final : public CellScore {
 public:
  explicit IndependentDirichlet(double weight) : weight_(weight) {}

  double cell(double count, const LevelProduct&) const override { return log_rising(weight_, count); }

  double config(double count, const LevelProduct&, double child_levels) const override {
    return log_rising(weight_ * child_levels, count);
  }

  double price(const LevelProduct&, int) const override { return 0.0; }

 private:
  double weight_;
};

// Scutari (2016): as BDeu, but spread over the parent configurations that occur.
class SparseDirichlet final : public Score {
 public:
  explicit SparseDirichlet(double size) : size_(size) {}

  double local(const Family& family) const override {
    const double per_config = size_ / static_cast<double>(family.configs.seen());
    const double per_cell = per_config / family.child_levels;
    return sum_over(family.cells, [&](double count) { return log_rising(per_cell, count); }) -
           sum_over(family.configs, [&](double count) { return log_rising(per_config, count); });
  }

 private:
  double size_;
};

}  // namespace

double CellScore::local(const Family& family) const {
  const LevelProduct levels = family.parent_levels.times(family.child_levels);
  const double price_with_child = price(levels, family.n_parents + 1);
  // A price beyond double's range: the difference of two infinities must not become a NaN.
  if (std::isinf(price_with_child)) return -price_with_child;
  const double with_child = sum_over(family.cells, [&](double count) { return cell(count, levels); });
  const double without =
      sum_over(family.configs, [&](double count) { return config(count, family.parent_levels, family.child_levels); });
  return (with_child - price_with_child) - (without - price(family.parent_levels, family.n_parents));
}

double SetScore::value(const Profile& cells, const LevelProduct& levels, int n_variables) const {
  return sum_over(cells, [&](double count) { return cell(count, levels); }) - price(levels, n_variables);
}

std::unique_ptr<Score> make_score(ScoreKind kind, double parameter, std::uint64_t total, int n_variables) {
  switch (kind) {
    case ScoreKind::loglik:
    case ScoreKind::aic:
    case ScoreKind::bic:
    case ScoreKind::hqc:
    case ScoreKind::ebic: {
      const Prices prices =
          prices_of(kind, parameter, static_cast<double>(total), static_cast<std::size_t>(n_variables));
      return std::make_unique<PenalizedLikelihood>(total, prices.per_parameter, prices.per_arc);
    }
    case ScoreKind::qnml:
      return std::make_unique<QuotientNml>(total);
    case ScoreKind::fnml:
      return std::make_unique<FactorizedNml>();
    case ScoreKind::bdeu:
      return std::make_unique<EquivalentUniformDirichlet>(total, parameter);
    case ScoreKind::bdq:
      return std::make_unique<QuotientDirichlet>(total, parameter);
    case ScoreKind::bds:
      return std::make_unique<SparseDirichlet>(parameter);
    case ScoreKind::bdj:
      return std::make_unique<IndependentDirichlet>(0.5);
    case ScoreKind::k2:
      return std::make_unique<IndependentDirichlet>(1.0);
  }
  throw std::logic_error("make_score: a kind without a formula");
}

std::vector<double> local_scores(const Columns& table, const FamilyList& families, const Score& score, int threads,
                                 Control& control) {
  struct Scratch {
    explicit Scratch(const Columns& table) : counter(table) {}
    Counter counter;
    Profile cells, configs;
    std::vector<int> parents;
  };
  const std::size_t count = families.children.size();
  std::vector<double> result(count);
  std::vector<std::unique_ptr<Scratch>> scratch(static_cast<std::size_t>(std::max(threads, 1)));
  parallel_for(count, threads, [&](int thread, std::size_t f) {
    if (control.is_stopped()) return;
    auto& mine = scratch[static_cast<std::size_t>(thread)];
    if (!mine) mine = std::make_unique<Scratch>(table);
    const auto first = static_cast<std::size_t>(families.offsets[f]);
    const auto last = static_cast<std::size_t>(families.offsets[f + 1]);
    mine->parents.assign(families.parents.begin() + static_cast<std::ptrdiff_t>(first),
                         families.parents.begin() + static_cast<std::ptrdiff_t>(last));
    // One order for each set, so that products of levels round alike however the caller listed the parents.
    std::sort(mine->parents.begin(), mine->parents.end());
    const int child = families.children[f];
    LevelProduct parent_levels;
    for (int parent : mine->parents) {
      parent_levels = parent_levels.times(table.columns[static_cast<std::size_t>(parent)].levels);
    }
    mine->counter.family(child, mine->parents, mine->cells, mine->configs);
    result[f] = score.local({mine->cells, mine->configs,
                             static_cast<double>(table.columns[static_cast<std::size_t>(child)].levels), parent_levels,
                             static_cast<int>(mine->parents.size())});
  });
  return result;
}

}  // namespace qnml
