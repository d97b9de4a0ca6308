// Sums over the cells of every set of variables at once: for each subset S, the sum over the cells of S of a function
// of their counts, for one or several functions (channels) in one walk of the subset lattice.
//
// Sums are integers modulo 2^64 (a channel may pack several numbers). They do not depend on the order of rows, labels
// or threads, and equal multisets of counts give equal sums to the last bit.
//
// Why it is fast. The bits of a set are ordered by entropy, highest bit first. Along the high bits, the rows are split
// into ever finer cells, and cells of one row leave the walk for good. The lowest eight variables form a block, whose
// 256 subsets are computed together for each high set:
// - Rows that agree on all remaining variables are merged, so that low-entropy variables cost little.
// - A cell of few distinct rows is not split at all. Its contribution to the set U is a sum of Moebius coefficients
//   mu(A) over the subsets A of its rows that agree on U. So adding mu(A) at the mask on which A agrees, and taking
//   superset sums once per block, serves all 256 subsets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/columns.hpp"

namespace qnml {

// The terms that one cell adds to the sums, by its count.
struct CountTerms {
  int channels = 1;
  int used = 1;                      // channels in use; the rest pads to a power of two
  std::vector<std::int64_t> values;  // [count * channels + channel], for the most frequent counts
  // For counts beyond the table, which weighted rows can reach even if there are few rows.
  std::function<void(std::uint64_t count, std::int64_t* values)> beyond;

  std::uint64_t table_size() const { return values.size() / static_cast<std::size_t>(channels); }
};

constexpr std::size_t kMostChannels = 32;
// Limit on the variables of a walk that keeps its sums: at 30, one sum of 8 bytes per set takes 8 GiB.
constexpr int kMostLatticeVariables = 30;

// Number of channels of a walk that needs this many: the next power of two.
int padded_channels(std::size_t needed);

class Lattice {
 public:
  Lattice(const Columns& table, const CountTerms& terms);

  int n_variables() const { return n_; }
  // The column behind each bit of a set; bit 0 has the lowest entropy. Depends only on the data; ties by column.
  const std::vector<int>& column_of_bit() const { return column_of_bit_; }

  // The rows as the walk sees them: identical ones merged, in the order of the walk, with dense codes of the levels
  // that occur. The first `byte_bits` bits, at most eight, have codes that fit into a byte.
  std::size_t rows() const { return weight_.size(); }
  const std::vector<std::uint64_t>& weights() const { return weight_; }
  std::uint32_t observed(int bit) const { return observed_[static_cast<std::size_t>(bit)]; }
  int byte_bits() const { return bottom_; }
  std::uint16_t code(int bit, std::size_t row) const {
    return bit < bottom_ ? static_cast<std::uint16_t>(signature_[row] >> (8 * bit) & 0xFF)
                         : codes_[static_cast<std::size_t>(bit)][row];
  }

  // Called once for each run of sets first .. first + count - 1, from any thread; sums[i * channels + channel].
  using Receiver = std::function<void(std::uint64_t first, std::size_t count, const std::int64_t* sums)>;

  // Walks all 2^n sets. Returns false when stopped.
  bool walk(const Receiver& receive, Control& control, int threads) const;

  // The same walk for many weight vectors of the rows at once, for terms of up to kMostLaneChannels used channels that
  // are tabulated for every count. weights[k] has one weight per row of the table. The cells are found once, and each
  // is counted for every weight vector. sums[(i * used + channel) * lanes + k] with lanes = lanes_for(weights.size());
  // the values of padding lanes are undefined.
  // `wanted` tells by set whether it is needed; the values received for other sets are undefined. Empty: all are
  // needed.
  using ManyWeights = std::vector<const std::uint64_t*>;
  bool walk_many(const ManyWeights& weights, std::vector<std::uint8_t> wanted, const Receiver& receive,
                 Control& control, int threads) const;
  static std::size_t lanes_for(std::size_t weights);

  // Number of row visits of the walk, to be multiplied by the measured cost of one.
  std::uint64_t visits() const { return visits_; }

 private:
  template <class Counts>
  friend class LatticeWorker;
  template <class Count>
  friend class ManyWorker;
  template <class Count>
  void walk_with_many(const ManyWeights& weights, std::vector<std::uint8_t> wanted, const Receiver& receive,
                      Control& control, int threads) const;
  template <class Worker, class Source>
  void walk_with(const Source& source, const Receiver& receive, Control& control, int threads) const;

  const CountTerms& terms_;
  int n_ = 0;
  int bottom_ = 0;  // variables of the block
  std::vector<int> column_of_bit_;
  std::vector<std::vector<std::uint16_t>> codes_;  // per bit above the block: dense codes of the merged rows
  std::vector<std::uint32_t> observed_;            // per bit: number of levels that occur
  std::vector<std::uint64_t> signature_;           // codes of the block, one byte per bit
  std::size_t patterns_ = 1;                       // number of distinct signatures
  std::vector<std::uint64_t> weight_;
  std::vector<std::uint32_t> place_of_row_;  // by row of the table: the merged row that contains it
  mutable std::uint64_t visits_ = 0;
};

}  // namespace qnml
