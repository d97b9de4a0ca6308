#include "core/subset_transform.hpp"

#include <algorithm>

#include "core/simd.hpp"

namespace qnml {
namespace {

// The lowest bits are done block by block while a block sits in the first-level cache; the higher ones in passes of
// three bits each, so that memory is crossed a third as often.
template <class Value, class Better>
inline __attribute__((always_inline)) void transform(Value* values, int bits, Better better) {
  constexpr int kCached = 12;
  const std::size_t size = std::size_t{1} << bits;
  const int low = std::min(bits, kCached);
  const std::size_t block = std::size_t{1} << low;
  for (std::size_t start = 0; start < size; start += block) {
    for (std::size_t half = 1; half < block; half <<= 1) {
      for (std::size_t pair = start; pair < start + block; pair += 2 * half) {
        const Value* without = values + pair;
        Value* with = values + pair + half;
        for (std::size_t i = 0; i < half; ++i) with[i] = better(with[i], without[i]);
      }
    }
  }
  for (int bit = low; bit < bits; bit += 3) {
    const std::size_t members = std::size_t{1} << std::min(3, bits - bit);
    const std::size_t stride = std::size_t{1} << bit;
    for (std::size_t start = 0; start < size; start += stride * members) {
      for (std::size_t i = 0; i < stride; i += block) {
        Value* base = values + start + i;
        for (std::size_t half = 1; half < members; half <<= 1) {
          for (std::size_t member = half; member < members; member = (member + 1) | half) {
            Value* with = base + member * stride;
            const Value* without = base + (member ^ half) * stride;
            for (std::size_t k = 0; k < block; ++k) with[k] = better(with[k], without[k]);
          }
        }
      }
    }
  }
}

}  // namespace

QNML_VECTOR_CLONES void largest_over_subsets(std::int64_t* values, int bits) {
  transform(values, bits, [](std::int64_t a, std::int64_t b) { return a > b ? a : b; });
}

QNML_VECTOR_CLONES void smallest_over_subsets(std::uint32_t* values, int bits) {
  transform(values, bits, [](std::uint32_t a, std::uint32_t b) { return a < b ? a : b; });
}

}  // namespace qnml
