// Transforms over the lattice of subsets, in place.
#pragma once

#include <cstddef>
#include <cstdint>

namespace qnml {

// values[T] becomes the largest of values[U] over all subsets U of T.
void largest_over_subsets(std::int32_t* values, int bits);

// values[T] becomes the smallest of values[U] over all subsets U of T.
void smallest_over_subsets(std::uint32_t* values, int bits);

// Subsets of the other variables as numbers without the bit of one variable, and back.
inline std::uint64_t remove_bit(std::uint64_t set, int bit) {
  const std::uint64_t low = (std::uint64_t{1} << bit) - 1;
  return (set & low) | (set >> 1 & ~low);
}
inline std::uint64_t insert_zero(std::uint64_t set, int bit) {
  const std::uint64_t low = (std::uint64_t{1} << bit) - 1;
  return (set & low) | (set & ~low) << 1;
}

}  // namespace qnml
