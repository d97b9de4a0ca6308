// Integer loops over many counts side by side, compiled for each generation of vector units: the arithmetic of a
// lattice walk that counts for many weight vectors at once (lattice_many.hpp). A lane is the position of one weight
// vector.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace qnml {

constexpr int kLaneBlock = 32;  // the number of lanes is a multiple of this
constexpr int kMostLaneChannels = 4;

// The last lanes may only pad a block; their values are undefined.
struct LaneCount {
  int all;
  int used;
};

// The terms that a cell of a given count adds to one to four sums (channels), tabulated for every count that occurs.
struct TermTable {
  static constexpr std::size_t kSmall = 32;
  int channels = 1;
  std::array<const std::int64_t*, kMostLaneChannels> values{};  // by channel
  // The first of them, for look-ups inside vector registers.
  std::array<std::array<std::int64_t, kSmall>, kMostLaneChannels> small{};

  // `values` has `size` numbers and is not copied.
  void set(int channel, const std::int64_t* of_channel, std::size_t size) {
    const auto c = static_cast<std::size_t>(channel);
    values[c] = of_channel;
    for (std::size_t count = 0; count < kSmall; ++count) small[c][count] = count < size ? of_channel[count] : 0;
  }
};

// to = one + other; `to` may be `one`.
template <class Count>
struct CountSum {
  Count* to;
  const Count* one;
  const Count* other;
};

// A cell of one row, or of two rows that agree on the variables of `mask`.
template <class Count>
struct SmallCell {
  const Count* one;
  const Count* other;  // null: a single row
  std::uint32_t mask;
};

// A row of a cell that is split by one variable. Rows of equal code are adjacent.
template <class Count>
struct SplitRow {
  const Count* counts;
  enum class End : std::uint8_t { none, code, cell } end;  // the group of which it is the last row
};

// Adds up the counts of all merged rows, in the given order.
void sum_counts(const CountSum<std::uint16_t>* sums, std::size_t n, int lanes);
void sum_counts(const CountSum<std::uint32_t>* sums, std::size_t n, int lanes);

// Sums are laid out as [channel * lanes.all + lane], in consecutive rows if there are several. Intermediate sums may
// overflow 64 bits and wrap around, as long as the final sums do not.

// alone += g(one) + g(other), and atoms[mask] += g(one + other) - g(one) - g(other), one row of sums each.
void add_small_cells(const SmallCell<std::uint16_t>* cells, std::size_t n, const TermTable& terms, std::int64_t* alone,
                     std::int64_t* atoms, const LaneCount& lanes);
void add_small_cells(const SmallCell<std::uint32_t>* cells, std::size_t n, const TermTable& terms, std::int64_t* alone,
                     std::int64_t* atoms, const LaneCount& lanes);

// whole += g(count) over the cells, split += g(count) over the codes inside them.
void add_split_cells(const SplitRow<std::uint16_t>* rows, std::size_t n, const TermTable& terms, std::int64_t* whole,
                     std::int64_t* split, const LaneCount& lanes);
void add_split_cells(const SplitRow<std::uint32_t>* rows, std::size_t n, const TermTable& terms, std::int64_t* whole,
                     std::int64_t* split, const LaneCount& lanes);

void add_sums(std::int64_t* to, const std::int64_t* what, std::size_t size);

}  // namespace qnml
