// One thread's walk over a part of the lattice that counts for many weight vectors at once. Used by lattice.cpp alone.
//
// The cells are those of LatticeWorker, but a row is a pointer to its counts, one per weight vector. The arithmetic
// waits until a whole level of cells has been found, and then runs block by block of weight vectors, with the sums in
// vector registers (simd_counts.hpp). Cells of one or two rows become Moebius atoms. Larger cells are split, since
// looking up terms for every weight vector costs more than another split.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/line_buffer.hpp"
#include "core/counting/lattice.hpp"
#include "core/counting/lattice_worker.hpp"
#include "core/counting/simd_counts.hpp"

namespace qnml {

// Shared by all threads: the counts of the merged rows, and the sets that are wanted.
template <class Count>
struct ManySource {
  TermTable terms;
  std::vector<std::int64_t> values;  // of the terms, by channel
  LaneCount lanes{};
  LineBuffer<Count> counts;           // [row * lanes + lane]
  std::vector<std::uint8_t> subtree;  // by set: whether it, or a set that adds bits below its lowest, is wanted
};

template <class Count>
class ManyWorker {
 public:
  ManyWorker(const Lattice& lattice, const ManySource<Count>& source, const Lattice::Receiver& receive,
             Control& control)
      : lattice_(lattice),
        source_(source),
        receive_(receive),
        control_(control),
        lanes_(static_cast<std::size_t>(source.lanes.all)),
        width_(lanes_ * static_cast<std::size_t>(source.terms.channels)),
        block_bits_(lattice.bottom_),
        levels_(static_cast<std::size_t>(lattice.n_) + 1),
        block_levels_(kBlockBits + 1) {
    std::uint32_t widest = 1;
    for (std::uint32_t observed : lattice.observed_) widest = std::max(widest, observed);
    tally_.assign(widest, 0);
    is_own_.assign(widest, 0);
    position_.assign(widest, 0);
    bucket_rows_ = lattice.patterns_;
    std::size_t most_levels = 1;
    for (int bit = 0; bit < block_bits_; ++bit) {
      most_levels = std::max<std::size_t>(most_levels, lattice.observed_[static_cast<std::size_t>(bit)]);
    }
    buckets_.resize(most_levels * bucket_rows_);
    sums_.reserve(width_ << block_bits_);
    unused_.assign(width_, 0);
  }

  std::uint64_t visits() const { return visits_; }

  // Walks all sets whose bits at and above `low_bit` are those of `prefix`.
  void run(std::uint64_t prefix, int low_bit) {
    if (!is_wanted(prefix)) return;
    RowPartition& root = levels_[static_cast<std::size_t>(lattice_.n_)];
    root.rows.resize(lattice_.signature_.size());
    std::iota(root.rows.begin(), root.rows.end(), 0u);
    root.starts = {0, static_cast<std::uint32_t>(root.rows.size())};
    root.base.assign(width_, 0);
    const RowPartition* current = &root;
    for (int bit = lattice_.n_ - 1; bit >= low_bit; --bit) {
      if ((prefix >> bit & 1) == 0) continue;
      RowPartition& next = levels_[static_cast<std::size_t>(bit)];
      refine(*current, bit, next);
      current = &next;
    }
    descend(prefix, low_bit, *current);
  }

 private:
  using End = typename SplitRow<Count>::End;

  struct Row {
    std::uint64_t signature;
    const Count* counts;
  };
  // Cells of more than one row. `base` holds the sums over the cells of one row, which are constant from here on.
  struct RowPartition {
    std::vector<std::uint32_t> rows;
    std::vector<std::uint32_t> starts;
    std::vector<std::int64_t> base;
  };
  struct BlockPartition {
    std::vector<Row> rows;
    std::vector<std::uint32_t> starts;
    LineBuffer<Count> merged;  // counts of the rows merged here
    std::size_t merged_rows = 0;
  };

  bool is_wanted(std::uint64_t set) const { return source_.subtree[set] != 0; }
  const Count* counts(std::uint32_t row) const { return source_.counts.data() + row * lanes_; }

  void descend(std::uint64_t set, int low_bit, const RowPartition& partition) {
    if (control_.is_stopped()) return;
    block(set, partition);
    for (int bit = low_bit - 1; bit >= block_bits_; --bit) {
      const std::uint64_t larger = set | std::uint64_t{1} << bit;
      if (!is_wanted(larger)) continue;
      RowPartition& next = levels_[static_cast<std::size_t>(bit)];
      refine(partition, bit, next);
      descend(larger, bit, next);
    }
  }

  void refine(const RowPartition& from, int bit, RowPartition& to) {
    const std::uint16_t* codes = lattice_.codes_[static_cast<std::size_t>(bit)].data();
    to.rows.resize(from.rows.size());
    to.starts.clear();
    to.starts.push_back(0);
    to.base = from.base;
    visits_ += from.rows.size();
    small_.clear();
    std::uint32_t out = 0;
    for (std::size_t cell = 0; cell + 1 < from.starts.size(); ++cell) {
      const std::uint32_t first = from.starts[cell];
      const std::uint32_t last = from.starts[cell + 1];
      touched_.clear();
      for (std::uint32_t i = first; i < last; ++i) {
        const std::uint16_t code = codes[from.rows[i]];
        if (tally_[code]++ == 0) touched_.push_back(code);
      }
      constexpr std::uint32_t kDropped = 0xFFFFFFFFu;
      for (std::uint32_t code : touched_) {
        position_[code] = tally_[code] == 1 ? kDropped : out;
        if (tally_[code] > 1) to.starts.push_back(out += tally_[code]);
        tally_[code] = 0;
      }
      for (std::uint32_t i = first; i < last; ++i) {
        const std::uint32_t row = from.rows[i];
        std::uint32_t& where = position_[codes[row]];
        if (where == kDropped) {
          small_.push_back({counts(row), nullptr, 0});
        } else {
          to.rows[where++] = row;
        }
      }
    }
    to.rows.resize(out);
    // There are no pairs, so nothing becomes an atom.
    add_small_cells(small_.data(), small_.size(), source_.terms, to.base.data(), to.base.data(), source_.lanes);
  }

  // All 2^block_bits sets above the high set.
  void block(std::uint64_t set, const RowPartition& partition) {
    high_ = set;
    std::fill_n(sums_.data(), width_ << block_bits_, 0);
    BlockPartition& top = block_levels_[static_cast<std::size_t>(block_bits_)];
    begin_level(top, partition.rows.size());
    visits_ += partition.rows.size();
    Row* merged = buckets_.data();
    for (std::size_t cell = 0; cell + 1 < partition.starts.size(); ++cell) {
      std::uint32_t size = 0;
      bool is_own = false;
      for (std::uint32_t i = partition.starts[cell]; i < partition.starts[cell + 1]; ++i) {
        const Row row{lattice_.signature_[partition.rows[i]], counts(partition.rows[i])};
        if (size > 0 && merged[size - 1].signature == row.signature) {
          merge(top, merged[size - 1], row.counts, is_own);
          is_own = true;
        } else {
          merged[size++] = row;
          is_own = false;
        }
      }
      close_cell(top, block_bits_, merged, size);
    }
    end_level(block_bits_, 0, &partition.base);
    branch(0, block_bits_, top);
    receive_(set, std::size_t{1} << block_bits_, sums_.data());
    control_.advance(1.0);
  }

  void branch(std::uint32_t set, int remaining, const BlockPartition& partition) {
    if (partition.starts.size() == 1) return;  // no cell is left to split
    for (int bit = remaining - 1; bit >= 1; --bit) {
      if (!is_wanted(high_ | set | 1u << bit)) continue;
      BlockPartition& next = block_levels_[static_cast<std::size_t>(bit)];
      split(partition, set | 1u << bit, bit, next);
      branch(set | 1u << bit, bit, next);
    }
    leaf(set, remaining, partition);
  }

  void split(const BlockPartition& from, std::uint32_t set, int bit, BlockPartition& to) {
    const std::uint32_t rows = from.starts.back();
    begin_level(to, rows);
    visits_ += rows;
    const int shift = 8 * bit;
    const std::uint64_t suffix = (std::uint64_t{1} << shift) - 1;  // the remaining variables
    const std::uint32_t levels = lattice_.observed_[static_cast<std::size_t>(bit)];
    for (std::size_t cell = 0; cell + 1 < from.starts.size(); ++cell) {
      const Row* first = from.rows.data() + from.starts[cell];
      const Row* last = from.rows.data() + from.starts[cell + 1];
      // One bucket per level. Rows that are equal on the remaining variables are adjacent and merge as they arrive.
      for (const Row* row = first; row != last; ++row) {
        const auto code = static_cast<std::uint8_t>(row->signature >> shift);
        Row* bucket = buckets_.data() + code * bucket_rows_;
        const std::uint32_t filled = tally_[code];
        const bool same = filled > 0 && ((bucket[filled - 1].signature ^ row->signature) & suffix) == 0;
        if (same) {
          merge(to, bucket[filled - 1], row->counts, is_own_[code] != 0);
        } else {
          bucket[filled] = *row;
          tally_[code] = filled + 1;
        }
        is_own_[code] = same;
      }
      for (std::uint32_t code = 0; code < levels; ++code) {
        const std::uint32_t size = tally_[code];
        if (size == 0) continue;
        tally_[code] = 0;
        close_cell(to, bit, buckets_.data() + code * bucket_rows_, size);
      }
    }
    end_level(bit, set, nullptr);
  }

  // Cells of the set itself and of the set with variable 0 added.
  void leaf(std::uint32_t set, int remaining, const BlockPartition& from) {
    visits_ += from.starts.back();
    split_.clear();
    for (std::size_t cell = 0; cell + 1 < from.starts.size(); ++cell) {
      const Row* first = &from.rows[from.starts[cell]];
      const Row* last = &from.rows[from.starts[cell + 1]];
      // Byte 0 is the major sort key, so equal codes are adjacent.
      for (const Row* row = first; row != last; ++row) {
        const bool is_last = row + 1 == last;
        const bool ends_code = is_last || static_cast<std::uint8_t>((row + 1)->signature ^ row->signature) != 0;
        split_.push_back({row->counts, is_last ? End::cell : ends_code ? End::code : End::none});
      }
    }
    std::int64_t* with_last = remaining > 0 ? sums_.data() + (set | 1u) * width_ : unused_.data();
    add_split_cells(split_.data(), split_.size(), source_.terms, sums_.data() + set * width_, with_last, source_.lanes);
  }

  void begin_level(BlockPartition& level, std::size_t rows) {
    if (level.rows.size() < rows) level.rows.resize(rows);
    level.starts.clear();
    level.starts.push_back(0);
    level.merged.reserve((rows / 2 + 1) * lanes_);
    level.merged_rows = 0;
    merges_.clear();
    small_.clear();
    has_pairs_ = false;
  }

  void merge(BlockPartition& level, Row& into, const Count* other, bool is_own) {
    // If it was merged at this level before, its counts are stored here and can grow.
    Count* to = is_own ? const_cast<Count*>(into.counts) : level.merged.data() + level.merged_rows++ * lanes_;
    merges_.push_back({to, into.counts, other});
    into.counts = to;
  }

  // Decides what to do with a cell: keep it for further splitting, or turn it into atoms and drop it.
  void close_cell(BlockPartition& level, int remaining, const Row* rows, std::uint32_t size) {
    if (size == 1) {
      small_.push_back({rows[0].counts, nullptr, 0});
    } else if (size == 2) {
      const std::uint32_t everything = (1u << remaining) - 1;
      small_.push_back({rows[0].counts, rows[1].counts, agreement(rows[0].signature, rows[1].signature) & everything});
      has_pairs_ = true;
    } else {
      std::copy_n(rows, size, level.rows.data() + level.starts.back());
      level.starts.push_back(level.starts.back() + size);
    }
  }

  // Does the arithmetic of the level: counts of merged rows, atoms, and their superset sums.
  void end_level(int remaining, std::uint32_t set, const std::vector<std::int64_t>* base) {
    sum_counts(merges_.data(), merges_.size(), source_.lanes.all);
    if (small_.empty() && base == nullptr) return;
    const std::size_t size = std::size_t{1} << remaining;
    const std::size_t first = has_pairs_ ? 0 : size - 1;  // lower atoms are zero
    atoms_.reserve(size * width_);
    std::fill_n(atoms_.data() + first * width_, (size - first) * width_, 0);
    std::int64_t* alone = atoms_.data() + (size - 1) * width_;
    if (base != nullptr) std::copy(base->begin(), base->end(), alone);
    add_small_cells(small_.data(), small_.size(), source_.terms, alone, atoms_.data(), source_.lanes);
    std::int64_t* sums = sums_.data() + set * width_;
    if (!has_pairs_) {
      for (std::size_t i = 0; i < size; ++i) add_sums(sums + i * width_, alone, width_);
      return;
    }
    for (std::size_t bit = 1; bit < size; bit <<= 1) {
      for (std::size_t start = 0; start < size; start += 2 * bit) {
        std::int64_t* low = atoms_.data() + start * width_;
        add_sums(low, low + bit * width_, bit * width_);
      }
    }
    add_sums(sums, atoms_.data(), size * width_);
  }

  const Lattice& lattice_;
  const ManySource<Count>& source_;
  const Lattice::Receiver& receive_;
  Control& control_;
  std::size_t lanes_;
  std::size_t width_;  // numbers in the sums of one set: [channel * lanes + lane]
  int block_bits_;
  std::vector<RowPartition> levels_;
  std::vector<BlockPartition> block_levels_;
  LineBuffer<std::int64_t> sums_;
  LineBuffer<std::int64_t> atoms_;
  std::vector<std::int64_t> unused_;
  std::vector<CountSum<Count>> merges_;
  std::vector<SmallCell<Count>> small_;
  std::vector<SplitRow<Count>> split_;
  std::vector<std::uint32_t> tally_;
  std::vector<std::uint8_t> is_own_;  // whether the last row of a bucket was merged at this level
  std::vector<std::uint32_t> position_;
  std::vector<Row> buckets_;
  std::size_t bucket_rows_ = 0;
  std::vector<std::uint32_t> touched_;
  std::uint64_t high_ = 0;
  std::uint64_t visits_ = 0;
  bool has_pairs_ = false;
};

}  // namespace qnml
