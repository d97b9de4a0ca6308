#include "core/counting/packed_columns.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "core/counting/columns.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#define QNML_INLINE inline __attribute__((always_inline))
#else
#define QNML_INLINE inline
#endif

namespace qnml {
namespace {

// Above this many levels, splitting rows by bits is slower than by codes.
constexpr std::uint32_t kMostLevels = 64;
// Bitmaps are padded to multiples of the widest vector.
constexpr std::size_t kAligned = 8;

QNML_INLINE void count_common_here(const std::uint64_t* rows, std::size_t n_rows, const std::uint64_t* with,
                                   std::size_t words, std::uint32_t* counts) {
  for (std::size_t k = 0; k < n_rows; ++k) {
    const std::uint64_t* row = rows + k * words;
    std::uint64_t count = 0;
    for (std::size_t word = 0; word < words; ++word) {
      count += static_cast<std::uint64_t>(std::popcount(row[word] & with[word]));
    }
    counts[k] = static_cast<std::uint32_t>(count);
  }
}

QNML_INLINE std::uint64_t intersect_here(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,
                                         std::uint64_t* out) {
  std::uint64_t count = 0;
  for (std::size_t word = 0; word < words; ++word) {
    out[word] = a[word] & b[word];
    count += static_cast<std::uint64_t>(std::popcount(out[word]));
  }
  return count;
}

// One copy for each kind of processor. Baseline x86-64 has no population count, and compilers offer no clones for the
// feature that counts in vectors, so the choice is explicit.
#define QNML_POPCOUNT_COPIES(suffix, attribute)                                                                  \
  attribute void count_common_##suffix(const std::uint64_t* rows, std::size_t n_rows, const std::uint64_t* with, \
                                       std::size_t words, std::uint32_t* counts) {                               \
    count_common_here(rows, n_rows, with, words, counts);                                                        \
  }                                                                                                              \
  attribute std::uint64_t intersect_##suffix(const std::uint64_t* a, const std::uint64_t* b, std::size_t words,  \
                                             std::uint64_t* out) {                                               \
    return intersect_here(a, b, words, out);                                                                     \
  }

QNML_POPCOUNT_COPIES(plain, )
#if defined(__x86_64__) && defined(__GNUC__)
QNML_POPCOUNT_COPIES(scalar, __attribute__((target("popcnt"))))
QNML_POPCOUNT_COPIES(vector, __attribute__((target("popcnt,avx512f,avx512vl,avx512vpopcntdq,prefer-vector-width=512"))))
#define QNML_POPCOUNT_CHOICE(name)                                                                 \
  (__builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vl") ? name##_vector \
   : __builtin_cpu_supports("popcnt")                                              ? name##_scalar \
                                                                                   : name##_plain)
#else
#define QNML_POPCOUNT_CHOICE(name) name##_plain
#endif

}  // namespace

PackedColumns::PackedColumns(const Columns& table) {
  words_ = (table.rows + 64 * kAligned - 1) / (64 * kAligned) * kAligned;
  start_.assign(table.columns.size(), kNone);
  if (table.weights != nullptr || table.rows > std::numeric_limits<std::uint32_t>::max()) return;
  std::size_t size = words_;
  for (std::size_t c = 0; c < start_.size(); ++c) {
    if (table.columns[c].levels > kMostLevels) continue;
    start_[c] = size;
    size += words_ * table.columns[c].levels;
  }
  bits_.assign(size, 0);
  for (std::size_t row = 0; row < table.rows; ++row) bits_[row / 64] |= std::uint64_t{1} << (row % 64);
  for (std::size_t c = 0; c < start_.size(); ++c) {
    if (start_[c] == kNone) continue;
    std::uint64_t* mine = bits_.data() + start_[c];
    with_codes(table.columns[c], [&](const auto* codes) {
      for (std::size_t row = 0; row < table.rows; ++row) {
        mine[codes[row] * words_ + row / 64] |= std::uint64_t{1} << (row % 64);
      }
    });
  }
}

void count_common(const std::uint64_t* rows, std::size_t n_rows, const std::uint64_t* with, std::size_t words,
                  std::uint32_t* counts) {
  static const auto chosen = QNML_POPCOUNT_CHOICE(count_common);
  chosen(rows, n_rows, with, words, counts);
}

std::uint64_t intersect(const std::uint64_t* a, const std::uint64_t* b, std::size_t words, std::uint64_t* out) {
  static const auto chosen = QNML_POPCOUNT_CHOICE(intersect);
  return chosen(a, b, words, out);
}

}  // namespace qnml
