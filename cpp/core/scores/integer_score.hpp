// Scores in whole numbers, for searches that must recognise ties.
//
// Every term of a score is rounded once to a whole number of units. Sums are then exact, so that two families with the
// same counts, two equivalent networks, or one network reached along two paths have the same score to the last bit.
//
// A score that adds up over cells (CellScore) has the form
//   local(i | P) = cells(P + i) - configs_i(P) - price_i(P),
// where cells and configs are sums over the cells of a set, and configs depends on i through its number of levels only
// (for set functions configs = cells). Therefore one lattice walk serves all families.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/counting/count.hpp"
#include "core/counting/lattice.hpp"
#include "core/scores/bdeu_terms.hpp"
#include "core/scores/integer_terms.hpp"
#include "core/scores/quotient_score.hpp"
#include "core/scores/score.hpp"
#include "core/scores/units.hpp"

namespace qnml {

// Terms are tabled for counts up to here. Larger cells are few; their terms are computed when they are met.
constexpr std::uint64_t kLongestTermTable = std::uint64_t{1} << 20;

// Limit on the different products of levels, 2^26: their tables take about 2 GiB.
constexpr double kMostProducts = 67'108'864.0;

class IntegerScore {
 public:
  IntegerScore(const IntegerScore&) = delete;  // the terms refer back to it
  // `levels`: declared number of levels per column; the score may be bound to a table with more columns. `required`:
  // the required parents of each column as bit masks, or nothing. Units are as fine as sums allow (see
  // score_range.hpp), also for scores up to `largest`; throws std::length_error if there are none.
  IntegerScore(std::shared_ptr<const Score> score, const std::vector<std::uint32_t>& levels,
               std::span<const std::uint64_t> required = {}, double largest = 0.0);

  // In nats of an observation, whatever the scale of the counts.
  double unit() const { return units_.size() / static_cast<double>(score_->scale()); }
  // Whether configs differ from cells, and how many different numbers of levels the children have then.
  bool has_configs() const { return !config_levels_.empty(); }
  std::size_t n_config_classes() const { return config_levels_.size(); }
  int config_class(int column) const { return config_class_[static_cast<std::size_t>(column)]; }

  const CountTerms& terms() const { return terms_; }
  std::size_t used_channels() const { return used_channels_; }

  // The product of the levels of a set has an index: the sum of the strides of its columns.
  std::uint32_t stride(int column) const { return stride_[static_cast<std::size_t>(column)]; }
  double product(std::uint32_t index) const { return products_.value[index]; }
  std::size_t n_products() const { return products_.value.size(); }
  // Whether a set with this product can lack the column.
  bool has_room(std::uint32_t index, int column) const;

  // Whether the channel sums do not give the value of sets with this product. It is then the sum of `cell` over their
  // counts. Only packed terms need this.
  bool needs_counts(std::uint32_t index) const { return packed_ != nullptr && packed_->needs_counts(index); }
  std::int64_t cell(std::uint64_t count, std::uint32_t index) const { return packed_->cell(count, index); }
  const BdeuTerms* packed() const { return packed_; }  // null unless the terms are packed

  std::int64_t cells(const std::int64_t* sums, std::uint32_t index) const;
  // For many weights of the rows at once: sums[channel * lanes + lane].
  void cells(const std::int64_t* sums, std::size_t lanes, std::uint32_t index, std::int64_t* out) const;
  std::int64_t configs(const std::int64_t* sums, std::size_t config_class) const { return sums[1 + config_class]; }
  std::int64_t cells(const Profile& profile, std::uint32_t index) const;
  std::int64_t configs(const Profile& profile, std::size_t config_class) const;

  // A score that does not add up over cells: its families are scored one by one from both profiles.
  bool is_direct() const { return cell_score_ == nullptr; }
  std::int64_t family(int child, std::uint32_t parents_index, int n_parents, const Profile& cells_profile,
                      const Profile& configs_profile) const;

  // The price of the parameters of a family. No price exceeds kLargestUnits: a family with a higher price is in no best
  // network.
  std::int64_t price(int child, std::uint32_t parents_index) const;
  // The price of having this many parents: of the arcs, and of the prior over structures.
  std::int64_t price_of_arcs(int n_parents) const { return price_of_arcs_[static_cast<std::size_t>(n_parents)]; }
  // Whether any number of parents has such a price.
  bool has_price_of_arcs() const { return has_price_of_arcs_; }

  // What is known about a parent set P of a child, for the bound on its supersets.
  struct Known {
    std::uint32_t index = 0;  // of the product of the levels of P
    int n_parents = 0;        // of P
    std::int64_t cells = 0;   // the values of P itself
    std::int64_t configs = 0;
    std::uint64_t seen = 0;                              // configurations of P that occur
    std::int64_t best_fit = 0;                           // cells(all) - cells(all but the child), at most zero
    int most_parents = std::numeric_limits<int>::max();  // of the supersets that matter
  };
  // Upper bound on the score of any superset of a parent set with at most `most_parents` parents, see
  // Score::upper_bound_in_units and StructurePrior::ranges.
  std::int64_t upper_bound(int child, const Known& parents) const;
  // Whether that bound is a fit minus a price.
  bool bounds_use_fit() const { return score_->bound_uses_fit(); }
  // Whether it follows from the product of the levels, whatever the counts.
  bool prices_bound() const { return !score_->bound_needs_counts(); }
  // A local score is at most minus this, whatever the parents: the price of a family without parents.
  std::int64_t least_price(int child) const { return bounds_use_fit() ? price(child, 0) : 0; }

 private:
  void set_products();
  void set_config_classes();
  void set_terms();
  void set_prices_of_arcs();
  void set_fewest_levels();
  std::int64_t set_price(std::uint32_t index) const;
  const std::int64_t* terms_of(std::uint64_t count, std::vector<std::int64_t>& scratch) const;

  std::shared_ptr<const Score> score_;
  const CellScore* cell_score_;    // the same score, where it adds up over cells
  const QuotientScore* quotient_;  // the same score, where sets have a price
  std::vector<std::uint32_t> levels_;
  Units units_;
  std::vector<std::uint32_t> stride_;
  std::vector<std::uint32_t> like_column_;  // columns with as many levels
  LevelProducts products_;
  mutable std::vector<std::atomic<std::int64_t>> set_price_;  // the prices of sets by product index
  std::int64_t per_parameter_ = 0;
  std::int64_t per_arc_ = 0;
  std::vector<std::int64_t> price_of_arcs_;  // by the number of parents
  bool has_price_of_arcs_ = false;
  // For each child: the product of the levels of the k other columns that have the fewest, by its index. Empty without
  // a prior.
  std::vector<std::vector<std::uint32_t>> fewest_levels_;
  std::vector<std::uint32_t> config_levels_;
  std::vector<int> config_class_;
  std::unique_ptr<IntegerTerms> source_;
  const BdeuTerms* packed_ = nullptr;
  CountTerms terms_;
  std::size_t used_channels_ = 0;
};

}  // namespace qnml
