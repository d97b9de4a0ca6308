#include "core/numbers/subset_transform.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/base/simd.hpp"

namespace qnml {
namespace {

// Every function below is inlined into the clones.

template <class Value, class Better>
QNML_INLINE void combine(Value* with, const Value* without, std::size_t size, Better better) {
  for (std::size_t i = 0; i < size; ++i) with[i] = better(with[i], without[i]);
}

// The lowest bits are processed block by block while a block stays in the first-level cache. The higher bits take
// passes of four bits each, which reads the memory a quarter as often.
template <class Value, class Better>
QNML_INLINE void transform(Value* values, int bits, Better better) {
  constexpr int kCached = 13;
  constexpr int kTogether = 4;
  constexpr std::size_t kStrip = 1024;
  const std::size_t size = std::size_t{1} << bits;
  const int low = std::min(bits, kCached);
  const std::size_t block = std::size_t{1} << low;
  for (std::size_t start = 0; start < size; start += block) {
    for (std::size_t half = 1; half < block; half <<= 1) {
      for (std::size_t pair = start; pair < start + block; pair += 2 * half) {
        combine(values + pair + half, values + pair, half, better);
      }
    }
  }
  for (int bit = low; bit < bits; bit += kTogether) {
    const std::size_t members = std::size_t{1} << std::min(kTogether, bits - bit);
    const std::size_t stride = std::size_t{1} << bit;
    for (std::size_t start = 0; start < size; start += stride * members) {
      for (std::size_t i = 0; i < stride; i += kStrip) {
        Value* base = values + start + i;
        for (std::size_t half = 1; half < members; half <<= 1) {
          for (std::size_t member = half; member < members; member = (member + 1) | half) {
            combine(base + member * stride, base + (member ^ half) * stride, kStrip, better);
          }
        }
      }
    }
  }
}

}  // namespace

QNML_VECTOR_CLONES void largest_over_subsets(std::int32_t* values, int bits) {
  transform(values, bits, [](std::int32_t a, std::int32_t b) { return a > b ? a : b; });
}

QNML_VECTOR_CLONES void smallest_over_subsets(std::uint32_t* values, int bits) {
  transform(values, bits, [](std::uint32_t a, std::uint32_t b) { return a < b ? a : b; });
}

QNML_VECTOR_CLONES void take_larger(std::int32_t* values, const std::int32_t* others, std::size_t size) {
  combine(values, others, size, [](std::int32_t a, std::int32_t b) { return a > b ? a : b; });
}

}  // namespace qnml
