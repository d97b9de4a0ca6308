// Columns as bitmaps: for each level of a column, the rows that have it. Counting the rows of a configuration with a
// given level is then an AND and a population count, 64 or more rows at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/counting/columns.hpp"

namespace qnml {

class PackedColumns {
 public:
  // Packs the columns of few levels; packs none if rows have weights.
  explicit PackedColumns(const Columns& table);

  bool is_packed(int column) const { return start_[static_cast<std::size_t>(column)] != kNone; }
  // Words per bitmap; bits beyond the rows of the table are zero.
  std::size_t words() const { return words_; }
  const std::uint64_t* level(int column, std::uint32_t level) const {
    return bits_.data() + start_[static_cast<std::size_t>(column)] + level * words_;
  }
  const std::uint64_t* all_rows() const { return bits_.data(); }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::size_t words_ = 0;
  std::vector<std::size_t> start_;
  std::vector<std::uint64_t> bits_;
};

// counts[k] = number of bits set both in row k of `rows` and in `with`.
void count_common(const std::uint64_t* rows, std::size_t n_rows, const std::uint64_t* with, std::size_t words,
                  std::uint32_t* counts);

// out = a AND b; returns the number of bits set.
std::uint64_t intersect(const std::uint64_t* a, const std::uint64_t* b, std::size_t words, std::uint64_t* out);

}  // namespace qnml
