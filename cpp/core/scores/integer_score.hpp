// Scores in whole numbers, for searches that must recognise ties.
//
// Every term of a score is rounded once to a multiple of `unit()`; sums are then exact, so that two families with the
// same counts, two equivalent networks, or one network reached along two paths have the same score to the last bit.
// For up to kConsistentRows observations the logarithms of whole numbers are built from those of their prime factors,
// so that identities such as 4 log 4 = 4 (2 log 2) hold as well, in fits, in the price of a parameter and in
// factorials.
//
// Every score but bds has the form
//   local(i | P) = cells(P + i) - configs_i(P) - price_i(P),
// where cells and configs are sums over the cells of a set and configs depends on i through its number of levels only
// (for set functions configs = cells). That is what makes one lattice walk serve all families.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/counting/lattice.hpp"
#include "core/numbers/level_product.hpp"
#include "core/scores/bdeu_terms.hpp"
#include "core/scores/score.hpp"

namespace qnml {

class IntegerScore {
 public:
  IntegerScore(const IntegerScore&) = delete;  // the terms refer back to it
  // `levels`: declared number of levels per column. `required`: the parents that each column has in any case, as bit
  // masks, or nothing. Units are as fine as sums allow (see score_range.hpp); throws std::length_error where none are.
  IntegerScore(ScoreKind kind, double parameter, std::uint64_t total, const std::vector<std::uint32_t>& levels,
               std::span<const std::uint64_t> required = {});

  double unit() const { return unit_; }
  // Whether configs differ from cells, and how many kinds of children there are then.
  bool has_configs() const { return !config_levels_.empty(); }
  std::size_t n_config_classes() const { return config_levels_.size(); }
  int config_class(int column) const { return config_class_[static_cast<std::size_t>(column)]; }

  const CountTerms& terms() const { return terms_; }
  std::size_t used_channels() const { return used_channels_; }

  // The product of the levels of a set is known by an index that adds up over its columns.
  std::uint32_t stride(int column) const { return stride_[static_cast<std::size_t>(column)]; }
  double product(std::uint32_t index) const { return product_[index]; }
  std::size_t n_products() const { return product_.size(); }
  // Whether a set with this product can be without the column.
  bool has_room(std::uint32_t index, int column) const;

  // Whether the channel sums do not tell the value of sets with this product, which then takes their counts (bdeu):
  // the sum of `cell` over their cells.
  bool needs_counts(std::uint32_t index) const { return bdeu_ && bdeu_->needs_counts(index); }
  std::int64_t cell(std::uint64_t count, std::uint32_t index) const { return bdeu_->cell(count, index); }

  std::int64_t cells(const std::int64_t* sums, std::uint32_t index) const;
  // For many weights of the rows at once: sums[channel * lanes + lane].
  void cells(const std::int64_t* sums, std::size_t lanes, std::uint32_t index, std::int64_t* out) const;
  std::int64_t configs(const std::int64_t* sums, std::size_t config_class) const { return sums[1 + config_class]; }
  std::int64_t cells(const Profile& profile, std::uint32_t index) const;
  std::int64_t configs(const Profile& profile, std::size_t config_class) const;

  // bds has no cell sums: the weight of a cell depends on how many configurations of the parents occur. Its families
  // are scored one by one from both profiles.
  bool is_direct() const { return direct_ != nullptr; }
  std::int64_t family(int child, std::uint32_t parents_index, int n_parents, const Profile& cells_profile,
                      const Profile& configs_profile) const;

  // What the fit of a family is charged with: by the products of levels, and for each arc. No price is above
  // kLargestUnits: families that would have a higher one are never in a best network, whatever it is.
  std::int64_t price(int child, std::uint32_t parents_index) const;
  std::int64_t per_arc() const { return per_arc_; }

  // No superset of a set of parents scores more than this. `cells` and `configs` are those of the set itself, `seen` is
  // how many of its configurations occur, `best_fit` is cells(all) - cells(all but the child), at most zero.
  //
  // Likelihood with a price, and qnml: the fit of the child given more parents is at most best_fit, the fit given all
  // others (conditioning does not raise entropy), and the price grows with the product q of the parents' levels: for
  // qnml because reg(N, e^x) is convex in x (C(N, k) is a polynomial in k with positive coefficients, paper Lemma 1),
  // so that reg(N, r q) - reg(N, q) grows with q.
  // bdq: the rising factorial satisfies a^(c + d) >= a^(c) a^(d), so splitting cells does not raise their sum, and
  // cells(P + i) - cells(P) is at most zero. The price
  // log (arq)^(N) - log (aq)^(N) has derivative sum_k a k (r - 1) / ((arq + k)(aq + k)) >= 0 in q.
  // fnml: the price sum_j reg(N_j, r) grows when configurations split, reg(N + M, r) <= reg(N, r) + reg(M, r) (paper,
  // Appendix B).
  // bdeu, bds, bdj, k2: the first child value seen in each configuration has probability 1 / r whatever the prior
  // weight, the others at most 1; the number of configurations that occur grows with the parents.
  std::int64_t upper_bound(int child, std::uint32_t parents_index, int n_parents, std::int64_t cells,
                           std::int64_t configs, std::uint64_t seen, std::int64_t best_fit) const;
  // Whether the bound is a fit minus a price by the product of levels.
  bool bounds_use_fit() const;

  // Whether it grows with the product of levels, whatever the counts.
  bool prices_bound() const { return !bdeu_ && !direct_ && config_levels_.empty(); }

  // A local score is at most minus this, whatever the parents: the price of the cheapest family.
  std::int64_t least_price(int child) const;

 private:
  void set_products(const std::vector<std::uint32_t>& levels);
  void set_terms();
  void set_logs();
  void make_consistent();
  std::int64_t rounded(double value) const;
  std::int64_t log_of(std::uint64_t number) const;
  std::int64_t set_price(std::uint32_t index) const;
  void compute_terms(std::uint64_t count, std::int64_t* out) const;
  const std::int64_t* terms_of(std::uint64_t count, std::vector<std::int64_t>& scratch) const;

  ScoreKind kind_;
  double parameter_;
  std::uint64_t total_;
  double unit_ = 1.0;
  double scale_ = 1.0;
  std::vector<std::uint32_t> levels_;
  std::vector<std::uint32_t> stride_;
  std::vector<std::uint32_t> like_column_;  // columns with as many levels
  std::vector<double> product_;
  std::vector<double> log_product_;
  std::vector<std::int64_t> whole_log_product_;               // sums of log_of
  std::vector<std::int64_t> logs_;                            // of whole numbers, consistent with their factors
  mutable std::vector<std::atomic<std::int64_t>> set_price_;  // qnml and bdq: what the code of a set costs
  std::int64_t per_parameter_ = 0;
  std::int64_t per_arc_ = 0;
  std::vector<std::uint32_t> config_levels_;
  std::vector<int> config_class_;
  CountTerms terms_;
  std::size_t used_channels_ = 0;
  std::unique_ptr<BdeuTerms> bdeu_;
  std::unique_ptr<Score> direct_;
};

}  // namespace qnml
