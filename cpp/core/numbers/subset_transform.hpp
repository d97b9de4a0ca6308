// In-place transforms over the subset lattice.
#pragma once

#include <cstddef>
#include <cstdint>

namespace qnml {

// Replaces values[T] by the maximum of values[U] over all subsets U of T.
void largest_over_subsets(std::int32_t* values, int bits);

// Replaces values[T] by the minimum of values[U] over all subsets U of T.
void smallest_over_subsets(std::uint32_t* values, int bits);

// Replaces each value by the larger of it and the other one in its place.
void take_larger(std::int32_t* values, const std::int32_t* others, std::size_t size);

// Convert between sets of the other variables and their indices, which omit the bit of one variable.
inline std::uint64_t remove_bit(std::uint64_t set, int bit) {
  const std::uint64_t low = (std::uint64_t{1} << bit) - 1;
  return (set & low) | (set >> 1 & ~low);
}
inline std::uint64_t insert_zero(std::uint64_t set, int bit) {
  const std::uint64_t low = (std::uint64_t{1} << bit) - 1;
  return (set & low) | (set & ~low) << 1;
}

}  // namespace qnml
