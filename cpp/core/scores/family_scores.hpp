// Local scores of all families of a few dozen variables, in whole units, with sets of variables as bit masks.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/columns.hpp"
#include "core/counting/lattice.hpp"
#include "core/scores/integer_score.hpp"

namespace qnml {

// local(bit | parents) for every set of parents, from one walk of the lattice. Keeps 2^n values for cells, and as many
// for each class of configurations.
class FamilyScores {
 public:
  FamilyScores(const Columns& table, const IntegerScore& score) : table_(table), score_(score) {}

  // One walk for several scores of the same table (or a few walks, if the scores have too many channels for one).
  // Returns false when stopped.
  static bool compute(const std::vector<FamilyScores*>& together, Control& control, int threads);

  // Sets up products and prices only, for values that are kept elsewhere.
  void set_bits(const std::vector<int>& column_of_bit);

  // Counts the sets whose value the channel sums do not give (IntegerScore::needs_counts), and calls
  // receive(set, value) once for each, from any thread.
  using ValueReceiver = std::function<void(std::uint64_t set, std::int64_t value)>;
  void count_small_products(const ValueReceiver& receive, Control& control, int threads) const;

  int n_variables() const { return static_cast<int>(column_of_bit_.size()); }
  const std::vector<int>& column_of_bit() const { return column_of_bit_; }
  std::uint64_t visits() const { return visits_; }

  // Prices of a child by the product index of its parents.
  std::vector<std::int64_t> prices(int bit) const;

  // values[k] for the sets T = first + k of the other variables, numbered without the bit; `prices` as above.
  void fill(int bit, const std::vector<std::int64_t>& prices, std::uint64_t first, std::size_t count,
            std::int64_t* values) const;

  // Upper bound on the scores of the child with all supersets of these parents that have at most `most_parents` members
  // (IntegerScore::upper_bound).
  std::int64_t upper_bound(int bit, std::uint64_t parents, int most_parents) const;

  std::uint32_t product_index(std::uint64_t set) const { return low_index_[set & 0xFFFF] + high_index_[set >> 16]; }

  static double bytes(int n, std::size_t config_classes) {
    return std::ldexp(8.0 * (1.0 + static_cast<double>(config_classes)), n);
  }

 private:
  static bool walk(const std::vector<FamilyScores*>& together, const CountTerms& terms, Control& control, int threads);
  bool prepare(const std::vector<int>& column_of_bit, Control& control);
  void receive(std::uint64_t first, std::size_t count, const std::int64_t* sums, std::size_t channels);
  void set_product_indices();

  const Columns& table_;
  const IntegerScore& score_;
  std::vector<std::size_t> channel_;  // of the walk, for each channel of the score
  std::vector<int> column_of_bit_;
  std::vector<std::uint32_t> low_index_, high_index_;
  std::vector<std::int64_t> cells_;
  std::vector<std::vector<std::int64_t>> configs_;
  std::uint64_t visits_ = 0;
};

}  // namespace qnml
