// Sums over the cells of every set of variables at once: for each subset S, the sum over the cells of S of a
// function of their counts, for one or several functions (channels) in one walk of the subset lattice.
//
// Integers in, integers out, modulo 2^64 (a channel may hold several numbers beside each other): the sums do not depend
// on the order of rows, labels or threads, and equal multisets of counts give equal sums to the last bit.
//
// How it is fast. The set bits are ordered by entropy, highest bit first. Down the high bits the rows are split into
// ever finer cells, and cells of one row leave the walk for good. The lowest eight variables form a block whose 256
// subsets are done together from each high set:
//   - rows that agree on all variables still to come are merged, so that low-entropy variables cost little;
//   - a cell of few distinct rows is not split at all. Its contribution to the set U is a sum over the subsets A of
//     its rows that agree on U of a Moebius coefficient mu(A), so adding mu(A) at the mask on which A agrees and
//     taking superset sums once per block serves all 256 subsets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/columns.hpp"

namespace qnml {

// What one cell adds to the sums, by its count.
struct CountTerms {
  int channels = 1;
  int used = 1;                      // channels that hold anything; the rest fill up to a power of two
  std::vector<std::int64_t> values;  // [count * channels + channel], for the counts most cells have
  // For counts beyond the table, which the total weight may reach without there being many rows.
  std::function<void(std::uint64_t count, std::int64_t* values)> beyond;

  std::uint64_t table_size() const { return values.size() / static_cast<std::size_t>(channels); }
};

constexpr std::size_t kMostChannels = 32;

// How many channels a walk has for as many as are needed: the next power of two.
int padded_channels(std::size_t needed);

class Lattice {
 public:
  Lattice(const Columns& table, const CountTerms& terms);

  int n_variables() const { return n_; }
  // The column behind each bit of a set; bit 0 has the lowest entropy. Depends on the data alone, ties by column.
  const std::vector<int>& column_of_bit() const { return column_of_bit_; }

  // Called once for each run of sets first .. first + count - 1, from any thread; sums[i * channels + channel].
  using Receiver = std::function<void(std::uint64_t first, std::size_t count, const std::int64_t* sums)>;

  // Walks all 2^n sets. Returns false when it was stopped.
  bool walk(const Receiver& receive, Control& control, int threads) const;

  // The same walk for many other weights of the rows at once, for terms of up to kMostLaneChannels channels in use that
  // are tabled for every count: weights[k] has one for each row of the table. The cells are found once, and each is
  // counted for every weight. sums[(i * used + channel) * lanes + k] with lanes = lanes_for(weights.size()); lanes
  // beyond the weights given are of no use.
  // `wanted` says by set whether it is asked for; what is received of other sets is of no use. Empty: all are.
  using ManyWeights = std::vector<const std::uint64_t*>;
  bool walk_many(const ManyWeights& weights, std::vector<std::uint8_t> wanted, const Receiver& receive,
                 Control& control, int threads) const;
  static std::size_t lanes_for(std::size_t weights);

  // Rows visited by the walk, for comparison with a measured cost of one visit.
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
  std::vector<std::vector<std::uint16_t>> codes_;  // per bit above the block, dense codes of the merged rows
  std::vector<std::uint32_t> observed_;            // per bit, levels that occur
  std::vector<std::uint64_t> signature_;           // the block's codes, one byte per bit
  std::size_t patterns_ = 1;                       // different signatures
  std::vector<std::uint64_t> weight_;
  std::vector<std::uint32_t> place_of_row_;  // by row of the table, the merged row it is part of
  mutable std::uint64_t visits_ = 0;
};

}  // namespace qnml
