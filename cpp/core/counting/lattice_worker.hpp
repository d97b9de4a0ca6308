// One thread's walk over a part of the lattice (lattice.hpp explains the method). Used by lattice.cpp alone.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/lattice.hpp"

namespace qnml {

constexpr int kBlockBits = 8;  // one byte each in a 64-bit signature

// One bit per byte: whether the two signatures agree in it.
inline std::uint32_t agreement(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t difference = a ^ b;
  constexpr std::uint64_t kLow = 0x7F7F7F7F7F7F7F7FULL;
  const std::uint64_t zero_bytes = ~(((difference & kLow) + kLow) | difference | kLow);  // high bit of each zero byte
  return static_cast<std::uint32_t>((zero_bytes >> 7) * 0x0102040810204080ULL >> 56);
}

// Counts defines the weight of a row and the terms that a cell of a given weight adds to the sums: see
// lattice_counts.hpp.
template <class Counts>
class LatticeWorker {
 public:
  static constexpr int kChannels = Counts::kChannels;
  // Cells of up to this many rows are expanded into Moebius atoms: 2^d - d - 1 of them.
  static constexpr std::size_t kFewRows = Counts::kFewRows;
  using Weight = typename Counts::Weight;

  // Rows that agree on every remaining variable.
  struct MergedRow {
    std::uint64_t signature;
    Weight weight;
  };

  LatticeWorker(const Lattice& lattice, const typename Counts::Source& source, const Lattice::Receiver& receive,
                Control& control)
      : lattice_(lattice),
        receive_(receive),
        control_(control),
        counts_(source),
        block_bits_(lattice.bottom_),
        levels_(static_cast<std::size_t>(lattice.n_) + 1),
        block_levels_(kBlockBits + 1),
        sums_(std::size_t{kChannels} << block_bits_) {
    std::uint32_t widest = 1;
    for (std::uint32_t observed : lattice.observed_) widest = std::max(widest, observed);
    tally_.assign(widest, 0);
    position_.assign(widest, 0);
    // A bucket holds at most one cell: all patterns of the block.
    bucket_rows_ = lattice.patterns_;
    std::size_t most_levels = 1;
    for (int bit = 0; bit < block_bits_; ++bit) {
      most_levels = std::max<std::size_t>(most_levels, lattice.observed_[static_cast<std::size_t>(bit)]);
    }
    buckets_.resize(most_levels * bucket_rows_);
  }

  std::uint64_t visits() const { return visits_; }

  // Walks all sets whose bits at and above `low_bit` are those of `prefix`.
  void run(std::uint64_t prefix, int low_bit) {
    RowPartition& root = levels_[static_cast<std::size_t>(lattice_.n_)];
    root.rows.resize(lattice_.signature_.size());
    std::iota(root.rows.begin(), root.rows.end(), 0u);
    root.starts = {0, static_cast<std::uint32_t>(root.rows.size())};
    std::fill_n(root.base, kChannels, 0);
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
  // Cells of more than one merged row. `base` holds the sums over the cells of one row, which are constant from here
  // on.
  struct RowPartition {
    std::vector<std::uint32_t> rows;
    std::vector<std::uint32_t> starts;
    std::int64_t base[kChannels];
  };
  struct BlockPartition {
    std::vector<MergedRow> rows;
    std::vector<std::uint32_t> starts;
    std::vector<std::int64_t> atoms;  // [mask * channels + channel]
  };

  const std::int64_t* term(const Weight& weight) { return counts_.term(weight); }

  static Weight sum_of(Weight one, const Weight& other) {
    one += other;
    return one;
  }
  static void add(std::int64_t* to, const std::int64_t* what) { Counts::add(to, what); }

  void descend(std::uint64_t set, int low_bit, const RowPartition& partition) {
    if (control_.is_stopped()) return;
    block(set, partition);
    for (int bit = low_bit - 1; bit >= block_bits_; --bit) {
      RowPartition& next = levels_[static_cast<std::size_t>(bit)];
      refine(partition, bit, next);
      descend(set | std::uint64_t{1} << bit, bit, next);
    }
  }

  void refine(const RowPartition& from, int bit, RowPartition& to) {
    const std::uint16_t* codes = lattice_.codes_[static_cast<std::size_t>(bit)].data();
    to.rows.resize(from.rows.size());
    to.starts.clear();
    to.starts.push_back(0);
    std::copy_n(from.base, kChannels, to.base);
    visits_ += from.rows.size();
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
        if (tally_[code] == 1) {
          position_[code] = kDropped;
        } else {
          position_[code] = out;
          out += tally_[code];
          to.starts.push_back(out);
        }
        tally_[code] = 0;
      }
      for (std::uint32_t i = first; i < last; ++i) {
        const std::uint32_t row = from.rows[i];
        std::uint32_t& where = position_[codes[row]];
        if (where == kDropped) {
          add(to.base, term(counts_.weight(row)));
        } else {
          to.rows[where++] = row;
        }
      }
    }
    to.rows.resize(out);
  }

  // All 2^block_bits sets above the high set.
  void block(std::uint64_t set, const RowPartition& partition) {
    std::fill(sums_.begin(), sums_.end(), 0);
    counts_.tidy();
    BlockPartition& top = block_levels_[static_cast<std::size_t>(block_bits_)];
    begin_level(top, block_bits_, partition.rows.size());
    add(&top.atoms[top.atoms.size() - kChannels], partition.base);
    visits_ += partition.rows.size();
    MergedRow* merged = buckets_.data();
    for (std::size_t cell = 0; cell + 1 < partition.starts.size(); ++cell) {
      std::uint32_t size = 0;
      for (std::uint32_t i = partition.starts[cell]; i < partition.starts[cell + 1]; ++i) {
        const std::uint32_t row = partition.rows[i];
        const std::uint64_t signature = lattice_.signature_[row];
        if (size > 0 && merged[size - 1].signature == signature) {
          merged[size - 1].weight += counts_.weight(row);
        } else {
          merged[size++] = {signature, counts_.weight(row)};
        }
      }
      close_cell(top, block_bits_, 0, merged, size);
    }
    end_level(top, block_bits_, 0);
    branch(0, block_bits_, top);
    receive_(set, std::size_t{1} << block_bits_, sums_.data());
    control_.advance(1.0);
  }

  void branch(std::uint32_t set, int remaining, const BlockPartition& partition) {
    if (partition.starts.size() == 1) return;  // no cell is left to split
    for (int bit = remaining - 1; bit >= 1; --bit) {
      BlockPartition& next = block_levels_[static_cast<std::size_t>(bit)];
      split(partition, set | 1u << bit, bit, next);
      branch(set | 1u << bit, bit, next);
    }
    if (remaining >= 1) leaf(set | 1u, partition);
  }

  void split(const BlockPartition& from, std::uint32_t set, int bit, BlockPartition& to) {
    begin_level(to, bit, from.rows.size());
    const std::uint32_t rows = from.starts.back();
    visits_ += rows;
    const int shift = 8 * bit;
    const std::uint64_t suffix = (std::uint64_t{1} << shift) - 1;  // the remaining variables
    const std::uint32_t levels = lattice_.observed_[static_cast<std::size_t>(bit)];
    const std::size_t capacity = bucket_rows_;
    for (std::size_t cell = 0; cell + 1 < from.starts.size(); ++cell) {
      const MergedRow* first = from.rows.data() + from.starts[cell];
      const MergedRow* last = from.rows.data() + from.starts[cell + 1];
      // One bucket per level. Rows that are equal on the remaining variables are adjacent and merge as they arrive.
      for (const MergedRow* row = first; row != last; ++row) {
        const auto code = static_cast<std::uint8_t>(row->signature >> shift);
        MergedRow* bucket = buckets_.data() + code * capacity;
        const std::uint32_t filled = tally_[code];
        const bool same = filled > 0 && ((bucket[filled - 1].signature ^ row->signature) & suffix) == 0;
        if (same) {
          bucket[filled - 1].weight += row->weight;
        } else {
          bucket[filled] = *row;
          tally_[code] = filled + 1;
        }
      }
      for (std::uint32_t code = 0; code < levels; ++code) {
        const std::uint32_t size = tally_[code];
        if (size == 0) continue;
        tally_[code] = 0;
        close_cell(to, bit, set, buckets_.data() + code * capacity, size);
      }
    }
    end_level(to, bit, set);
  }

  // Sets whose last variable is 0: only the weights per code matter.
  void leaf(std::uint32_t set, const BlockPartition& from) {
    visits_ += from.starts.back();
    std::int64_t sum[kChannels] = {};
    for (std::size_t cell = 0; cell + 1 < from.starts.size(); ++cell) {
      const MergedRow* first = &from.rows[from.starts[cell]];
      const MergedRow* last = &from.rows[from.starts[cell + 1]];
      // Byte 0 is the major sort key, so equal codes are adjacent.
      Weight weight = first->weight;
      auto code = static_cast<std::uint8_t>(first->signature);
      for (const MergedRow* row = first + 1; row != last; ++row) {
        const auto next = static_cast<std::uint8_t>(row->signature);
        if (next != code) {
          add(sum, term(weight));
          weight = Weight{};
          code = next;
        }
        weight += row->weight;
      }
      add(sum, term(weight));
    }
    add(&sums_[set * kChannels], sum);
  }

  void begin_level(BlockPartition& level, int remaining, std::size_t rows) {
    if (level.rows.size() < rows) level.rows.resize(rows);
    level.starts.clear();
    level.starts.push_back(0);
    level.atoms.assign(std::size_t{kChannels} << remaining, 0);
  }

  // Decides what to do with a cell: keep it for further splitting, or turn it into atoms and drop it.
  void close_cell(BlockPartition& level, int remaining, std::uint32_t set, const MergedRow* rows, std::uint32_t size) {
    const std::uint32_t everything = (1u << remaining) - 1;
    std::int64_t* atoms = level.atoms.data();
    if (size == 1) {
      add(atoms + everything * kChannels, term(rows[0].weight));
      return;
    }
    if (size == 2) {
      const std::uint32_t mask = agreement(rows[0].signature, rows[1].signature) & everything;
      const std::int64_t* one = term(rows[0].weight);
      const std::int64_t* other = term(rows[1].weight);
      const std::int64_t* both = term(sum_of(rows[0].weight, rows[1].weight));
      std::int64_t* alone = atoms + everything * kChannels;
      std::int64_t* together = atoms + mask * kChannels;
      Counts::add_pair(alone, together, one, other, both);
      return;
    }
    if (size <= kFewRows) {
      add_atoms(rows, size, everything, atoms);
      return;
    }
    Weight weight{};
    for (std::uint32_t i = 0; i < size; ++i) weight += rows[i].weight;
    add(&sums_[set * kChannels], term(weight));
    std::copy_n(rows, size, level.rows.data() + level.starts.back());
    level.starts.push_back(level.starts.back() + size);
  }

  // mu(A) = sum over B in A of (-1)^(|A| - |B|) g(weight of B), added at the mask of the variables on which all of A
  // agree.
  static void subtract(std::int64_t* from, const std::int64_t* what) { Counts::subtract(from, what); }
  void add_atoms(const MergedRow* rows, std::uint32_t size, std::uint32_t everything, std::int64_t* atoms) {
    constexpr std::size_t kMost = std::size_t{1} << kFewRows;
    Weight weight[kMost];
    std::uint32_t mask[kMost];
    std::int64_t mu[kMost * kChannels];
    const std::uint32_t subsets = 1u << size;
    weight[0] = Weight{};
    std::fill_n(mu, kChannels, 0);
    for (std::uint32_t a = 1; a < subsets; ++a) {
      const auto top = static_cast<std::uint32_t>(std::bit_width(a) - 1);
      const std::uint32_t rest = a ^ 1u << top;
      weight[a] = sum_of(weight[rest], rows[top].weight);
      const auto low = static_cast<std::uint32_t>(std::countr_zero(a));
      mask[a] = rest == 0 ? everything : mask[rest] & agreement(rows[low].signature, rows[top].signature);
      std::copy_n(term(weight[a]), kChannels, mu + a * kChannels);
    }
    for (std::uint32_t bit = 1; bit < subsets; bit <<= 1) {
      for (std::uint32_t a = 0; a < subsets; ++a) {
        if (a & bit) subtract(mu + a * kChannels, mu + (a ^ bit) * kChannels);
      }
    }
    for (std::uint32_t a = 1; a < subsets; ++a) add(atoms + mask[a] * kChannels, mu + a * kChannels);
  }

  void end_level(BlockPartition& level, int remaining, std::uint32_t set) {
    std::int64_t* atoms = level.atoms.data();
    const std::size_t size = std::size_t{1} << remaining;
    for (std::size_t bit = 1; bit < size; bit <<= 1) {
      const std::size_t run = bit * kChannels;
      for (std::size_t start = 0; start < size; start += 2 * bit) {
        std::int64_t* low = atoms + start * kChannels;
        const std::int64_t* high = low + run;
        for (std::size_t i = 0; i < run; ++i) low[i] = Counts::sum(low[i], high[i]);
      }
    }
    std::int64_t* sums = &sums_[set * kChannels];
    for (std::size_t i = 0; i < size * kChannels; ++i) sums[i] = Counts::sum(sums[i], atoms[i]);
  }

  const Lattice& lattice_;
  const Lattice::Receiver& receive_;
  Control& control_;
  Counts counts_;
  int block_bits_;
  std::vector<RowPartition> levels_;
  std::vector<BlockPartition> block_levels_;
  std::vector<std::int64_t> sums_;
  std::vector<std::uint32_t> tally_;
  std::vector<std::uint32_t> position_;
  std::vector<MergedRow> buckets_;
  std::size_t bucket_rows_ = 0;
  std::vector<std::uint32_t> touched_;
  std::uint64_t visits_ = 0;
};

}  // namespace qnml
