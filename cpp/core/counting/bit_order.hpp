// The lattice numbers variables by bits in an order of its own. These functions renumber sets of variables between that
// order and the order of the columns.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace qnml {

inline std::uint64_t to_bits(std::uint64_t columns, const std::vector<int>& column_of_bit) {
  std::uint64_t bits = 0;
  for (std::size_t bit = 0; bit < column_of_bit.size(); ++bit) {
    if (columns >> column_of_bit[bit] & 1) bits |= std::uint64_t{1} << bit;
  }
  return bits;
}

inline std::uint64_t to_columns(std::uint64_t bits, const std::vector<int>& column_of_bit) {
  std::uint64_t columns = 0;
  for (; bits != 0; bits &= bits - 1) {
    columns |= std::uint64_t{1} << column_of_bit[static_cast<std::size_t>(std::countr_zero(bits))];
  }
  return columns;
}

}  // namespace qnml
