// The scores of a family, each a formula over count profiles. Natural logarithms, higher is better.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/count.hpp"
#include "core/numbers/level_product.hpp"

namespace qnml {

enum class ScoreKind { loglik, aic, bic, hqc, ebic, qnml, fnml, bdeu, bdq, bds, bdj, k2 };

// What a formula may know of a family.
struct Family {
  const Profile& cells;    // of the parents and the child together
  const Profile& configs;  // of the parents
  double child_levels;
  LevelProduct parent_levels;
  int n_parents;
};

// A score bound to a sample size and a number of variables. Safe to share between threads.
class Score {
 public:
  virtual ~Score() = default;
  virtual double local(const Family& family) const = 0;
};

// A score that adds up over cells:
//   local(i | P) = [sum of cell over P + i] - price(P + i) - ([sum of config over P] - price(P)).
// All but bds are of this kind.
class CellScore : public Score {
 public:
  // The part of one cell of a set of variables whose levels multiply to `levels`.
  virtual double cell(double count, const LevelProduct& levels) const = 0;
  // The part of one configuration of the parents.
  virtual double config(double count, const LevelProduct& levels, double child_levels) const = 0;
  virtual double price(const LevelProduct& levels, int n_variables) const = 0;
  // Whether the parts differ between sets with other levels, but for those of the child.
  virtual bool depends_on_levels() const { return false; }
  double local(const Family& family) const final;
};

// A score that is a set function: local(i | P) = value(P + i) - value(P), hence equal on equivalent networks.
class SetScore : public CellScore {
 public:
  double config(double count, const LevelProduct& levels, double) const final { return cell(count, levels); }
  double value(const Profile& cells, const LevelProduct& levels, int n_variables) const;
};

// The parameter is the equivalent sample size of bdeu and bds, alpha of bdq, gamma of ebic; others ignore it.
std::unique_ptr<Score> make_score(ScoreKind kind, double parameter, std::uint64_t total, int n_variables);

struct FamilyList {
  std::span<const std::int32_t> children;
  std::span<const std::int64_t> offsets;  // parents of family f are parents[offsets[f] .. offsets[f + 1])
  std::span<const std::int32_t> parents;
};

// Scores every family, in parallel over families; the result does not depend on the number of threads. When it is
// stopped some are not scored.
std::vector<double> local_scores(const Columns& table, const FamilyList& families, const Score& score, int threads,
                                 Control& control);

}  // namespace qnml
