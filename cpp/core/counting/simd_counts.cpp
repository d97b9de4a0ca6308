#include "core/counting/simd_counts.hpp"

#include <cstddef>
#include <cstdint>

#include "core/base/simd.hpp"

#if defined(QNML_HAS_VECTOR_CLONES)
#include <immintrin.h>
// From GCC's own headers, which leave unused lanes uninitialized on purpose.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace qnml {
namespace {

using End16 = SplitRow<std::uint16_t>::End;

// Every function below is inlined into the clones, so that each clone is compiled for its own vector unit.
template <class Count>
QNML_INLINE void sum_all(const CountSum<Count>* sums, std::size_t n, int lanes) {
  for (std::size_t i = 0; i < n; ++i) {
    const CountSum<Count> sum = sums[i];
    for (int k = 0; k < lanes; ++k) sum.to[k] = static_cast<Count>(sum.one[k] + sum.other[k]);
  }
}

// Sums wrap around: see simd_counts.hpp.
QNML_INLINE std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
QNML_INLINE std::int64_t minus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

// One channel; `width` numbers make a row of sums.
template <class Count>
QNML_INLINE void small_cells(const SmallCell<Count>* cells, std::size_t n, const std::int64_t* terms,
                             std::int64_t* alone, std::int64_t* atoms, int lanes, std::size_t width) {
  for (int first = 0; first < lanes; first += kLaneBlock) {
    std::int64_t sum[kLaneBlock] = {};
    for (std::size_t i = 0; i < n; ++i) {
      const Count* one = cells[i].one + first;
      if (cells[i].other == nullptr) {
        for (int k = 0; k < kLaneBlock; ++k) sum[k] = plus(sum[k], terms[one[k]]);
        continue;
      }
      const Count* other = cells[i].other + first;
      std::int64_t* together = atoms + cells[i].mask * width + first;
      for (int k = 0; k < kLaneBlock; ++k) {
        const std::int64_t apart = plus(terms[one[k]], terms[other[k]]);
        sum[k] = plus(sum[k], apart);
        together[k] = plus(together[k], minus(terms[static_cast<Count>(one[k] + other[k])], apart));
      }
    }
    for (int k = 0; k < kLaneBlock; ++k) alone[first + k] = plus(alone[first + k], sum[k]);
  }
}

template <class Count>
QNML_INLINE void split_cells(const SplitRow<Count>* rows, std::size_t n, const std::int64_t* terms, std::int64_t* whole,
                             std::int64_t* split, int lanes) {
  using End = typename SplitRow<Count>::End;
  for (int first = 0; first < lanes; first += kLaneBlock) {
    std::int64_t of_cells[kLaneBlock] = {};
    std::int64_t of_codes[kLaneBlock] = {};
    Count cell[kLaneBlock] = {};
    Count code[kLaneBlock] = {};
    for (std::size_t i = 0; i < n; ++i) {
      const Count* counts = rows[i].counts + first;
      for (int k = 0; k < kLaneBlock; ++k) code[k] = static_cast<Count>(code[k] + counts[k]);
      if (rows[i].end == End::none) continue;
      for (int k = 0; k < kLaneBlock; ++k) {
        of_codes[k] = plus(of_codes[k], terms[code[k]]);
        cell[k] = static_cast<Count>(cell[k] + code[k]);
        code[k] = 0;
      }
      if (rows[i].end == End::code) continue;
      for (int k = 0; k < kLaneBlock; ++k) {
        of_cells[k] = plus(of_cells[k], terms[cell[k]]);
        cell[k] = 0;
      }
    }
    for (int k = 0; k < kLaneBlock; ++k) {
      whole[first + k] = plus(whole[first + k], of_cells[k]);
      split[first + k] = plus(split[first + k], of_codes[k]);
    }
  }
}

QNML_VECTOR_CLONES void sum_all_16(const CountSum<std::uint16_t>* sums, std::size_t n, int lanes) {
  sum_all(sums, n, lanes);
}
QNML_VECTOR_CLONES void sum_all_32(const CountSum<std::uint32_t>* sums, std::size_t n, int lanes) {
  sum_all(sums, n, lanes);
}
QNML_VECTOR_CLONES void small_cells_16(const SmallCell<std::uint16_t>* cells, std::size_t n, const std::int64_t* terms,
                                       std::int64_t* alone, std::int64_t* atoms, int lanes, std::size_t width) {
  small_cells(cells, n, terms, alone, atoms, lanes, width);
}
QNML_VECTOR_CLONES void small_cells_32(const SmallCell<std::uint32_t>* cells, std::size_t n, const std::int64_t* terms,
                                       std::int64_t* alone, std::int64_t* atoms, int lanes, std::size_t width) {
  small_cells(cells, n, terms, alone, atoms, lanes, width);
}
QNML_VECTOR_CLONES void split_cells_16(const SplitRow<std::uint16_t>* rows, std::size_t n, const std::int64_t* terms,
                                       std::int64_t* whole, std::int64_t* split, int lanes) {
  split_cells(rows, n, terms, whole, split, lanes);
}
QNML_VECTOR_CLONES void split_cells_32(const SplitRow<std::uint32_t>* rows, std::size_t n, const std::int64_t* terms,
                                       std::int64_t* whole, std::int64_t* split, int lanes) {
  split_cells(rows, n, terms, whole, split, lanes);
}

#if defined(QNML_HAS_VECTOR_CLONES)

#define QNML_WIDE __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define QNML_WIDE_INLINE QNML_WIDE inline __attribute__((always_inline))

bool has_wide() {
  static const bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return has;
}

// Most cells have small counts in every replicate. A permutation of registers then finds their terms several times
// faster than reading memory lane by lane. Channels are processed together, since they share the counts.
template <int kChannels>
struct Avx512Terms {
  __m512i small[kChannels][4];
  const long long* values[kChannels];
};
// 8 lanes per vector. Four vectors make a block; the last block may need fewer.
template <int kChannels, int kVectors>
using Avx512Sums = __m512i[kChannels][kVectors];

template <int kChannels>
QNML_WIDE_INLINE void set_avx512_terms(const TermTable& terms, int from, Avx512Terms<kChannels>& wide) {
  for (int c = 0; c < kChannels; ++c) {
    const auto channel = static_cast<std::size_t>(from + c);
    for (int i = 0; i < 4; ++i) wide.small[c][i] = _mm512_loadu_si512(terms.small[channel].data() + 8 * i);
    wide.values[c] = reinterpret_cast<const long long*>(terms.values[channel]);
  }
}

template <int kVectors>
QNML_WIDE_INLINE __m512i load_counts(const std::uint16_t* counts) {
  if constexpr (kVectors > 2) return _mm512_loadu_si512(counts);
  return _mm512_zextsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(counts)));
}

template <int kVectors>
QNML_WIDE_INLINE void widen(__m512i counts, __m512i (&index)[kVectors]) {
  index[0] = _mm512_cvtepu16_epi64(_mm512_castsi512_si128(counts));
  if constexpr (kVectors > 1) index[1] = _mm512_cvtepu16_epi64(_mm512_extracti32x4_epi32(counts, 1));
  if constexpr (kVectors > 2) index[2] = _mm512_cvtepu16_epi64(_mm512_extracti32x4_epi32(counts, 2));
  if constexpr (kVectors > 3) index[3] = _mm512_cvtepu16_epi64(_mm512_extracti32x4_epi32(counts, 3));
}

// The terms of 32 counts, by a method that depends on the largest count.
template <int kChannels, int kVectors>
QNML_WIDE_INLINE void look_up(const Avx512Terms<kChannels>& terms, __m512i counts,
                              Avx512Sums<kChannels, kVectors>& found) {
  __m512i index[kVectors];
  widen(counts, index);
  if (_mm512_cmpge_epu16_mask(counts, _mm512_set1_epi16(16)) == 0) {
    for (int c = 0; c < kChannels; ++c) {
      const __m512i* small = terms.small[c];
      for (int j = 0; j < kVectors; ++j) found[c][j] = _mm512_permutex2var_epi64(small[0], index[j], small[1]);
    }
  } else if (_mm512_cmpge_epu16_mask(counts, _mm512_set1_epi16(32)) == 0) {
    for (int j = 0; j < kVectors; ++j) {
      const __mmask8 is_upper = _mm512_test_epi64_mask(index[j], _mm512_set1_epi64(16));
      for (int c = 0; c < kChannels; ++c) {
        const __m512i* small = terms.small[c];
        const __m512i lower = _mm512_permutex2var_epi64(small[0], index[j], small[1]);
        const __m512i upper = _mm512_permutex2var_epi64(small[2], index[j], small[3]);
        found[c][j] = _mm512_mask_blend_epi64(is_upper, lower, upper);
      }
    }
  } else {
    for (int c = 0; c < kChannels; ++c) {
      for (int j = 0; j < kVectors; ++j) found[c][j] = _mm512_i64gather_epi64(index[j], terms.values[c], 8);
    }
  }
}

template <int kChannels, int kVectors>
QNML_WIDE_INLINE void clear(Avx512Sums<kChannels, kVectors>& sums) {
  for (int c = 0; c < kChannels; ++c) {
    for (int j = 0; j < kVectors; ++j) sums[c][j] = _mm512_setzero_si512();
  }
}
template <int kChannels, int kVectors>
QNML_WIDE_INLINE void add(Avx512Sums<kChannels, kVectors>& to, const Avx512Sums<kChannels, kVectors>& what) {
  for (int c = 0; c < kChannels; ++c) {
    for (int j = 0; j < kVectors; ++j) to[c][j] = _mm512_add_epi64(to[c][j], what[c][j]);
  }
}
template <int kChannels, int kVectors>
QNML_WIDE_INLINE void subtract(Avx512Sums<kChannels, kVectors>& from, const Avx512Sums<kChannels, kVectors>& what) {
  for (int c = 0; c < kChannels; ++c) {
    for (int j = 0; j < kVectors; ++j) from[c][j] = _mm512_sub_epi64(from[c][j], what[c][j]);
  }
}
template <int kChannels, int kVectors>
QNML_WIDE_INLINE void add_to(std::int64_t* to, const Avx512Sums<kChannels, kVectors>& what, int lanes) {
  for (int c = 0; c < kChannels; ++c) {
    for (int j = 0; j < kVectors; ++j) {
      std::int64_t* at = to + c * lanes + 8 * j;
      _mm512_storeu_si512(at, _mm512_add_epi64(_mm512_loadu_si512(at), what[c][j]));
    }
  }
}

// The cells of one call, for the channels from `from` on.
struct SmallCellsWide {
  const SmallCell<std::uint16_t>* cells;
  std::size_t n;
  std::int64_t* alone;
  std::int64_t* atoms;
  int lanes;
  std::size_t width;  // numbers in a row of sums

  template <int kVectors, int kChannels>
  QNML_WIDE_INLINE void block(const Avx512Terms<kChannels>& wide, int first) const {
    Avx512Sums<kChannels, kVectors> sum;
    clear<kChannels, kVectors>(sum);
    for (std::size_t i = 0; i < n; ++i) {
      const __m512i one = load_counts<kVectors>(cells[i].one + first);
      Avx512Sums<kChannels, kVectors> apart;
      look_up<kChannels, kVectors>(wide, one, apart);
      if (cells[i].other != nullptr) {
        const __m512i other = load_counts<kVectors>(cells[i].other + first);
        Avx512Sums<kChannels, kVectors> found;
        look_up<kChannels, kVectors>(wide, other, found);
        add<kChannels, kVectors>(apart, found);
        look_up<kChannels, kVectors>(wide, _mm512_add_epi16(one, other), found);
        subtract<kChannels, kVectors>(found, apart);
        add_to<kChannels, kVectors>(atoms + cells[i].mask * width + first, found, lanes);
      }
      add<kChannels, kVectors>(sum, apart);
    }
    add_to<kChannels, kVectors>(alone + first, sum, lanes);
  }
};

struct SplitCellsWide {
  const SplitRow<std::uint16_t>* rows;
  std::size_t n;
  std::int64_t* whole;
  std::int64_t* split;
  int lanes;

  template <int kVectors, int kChannels>
  QNML_WIDE_INLINE void block(const Avx512Terms<kChannels>& wide, int first) const {
    const __m512i zero = _mm512_setzero_si512();
    Avx512Sums<kChannels, kVectors> of_cells;
    Avx512Sums<kChannels, kVectors> of_codes;
    clear<kChannels, kVectors>(of_cells);
    clear<kChannels, kVectors>(of_codes);
    __m512i cell = zero;
    __m512i code = zero;
    for (std::size_t i = 0; i < n; ++i) {
      code = _mm512_add_epi16(code, load_counts<kVectors>(rows[i].counts + first));
      if (rows[i].end == End16::none) continue;
      Avx512Sums<kChannels, kVectors> found;
      look_up<kChannels, kVectors>(wide, code, found);
      add<kChannels, kVectors>(of_codes, found);
      cell = _mm512_add_epi16(cell, code);
      code = zero;
      if (rows[i].end == End16::code) continue;
      look_up<kChannels, kVectors>(wide, cell, found);
      add<kChannels, kVectors>(of_cells, found);
      cell = zero;
    }
    add_to<kChannels, kVectors>(whole + first, of_cells, lanes);
    add_to<kChannels, kVectors>(split + first, of_codes, lanes);
  }
};

// All blocks of lanes, for the channels from `from` on.
template <int kChannels, class Cells>
QNML_WIDE void run_wide(const Cells& cells, const TermTable& terms, int from, int used) {
  Avx512Terms<kChannels> wide;
  set_avx512_terms(terms, from, wide);
  int first = 0;
  // With three channels, half a block fits into the registers.
  constexpr int kVectors = kChannels < 3 ? 4 : 2;
  for (; first + 8 * kVectors <= used; first += 8 * kVectors) cells.template block<kVectors>(wide, first);
  switch ((used - first + 7) / 8) {
    case 1:
      return cells.template block<1>(wide, first);
    case 2:
      return cells.template block<2>(wide, first);
    case 3:
    case 4:
      return cells.template block<4>(wide, first);
    default:
      return;
  }
}

// At most three channels fit into the registers. `at` returns the cells with the sums of a channel.
template <class At>
void run_channels_wide(const TermTable& terms, int used, At&& at) {
  if (terms.channels == 3) return run_wide<3>(at(0), terms, 0, used);
  int channel = 0;
  for (; channel + 1 < terms.channels; channel += 2) run_wide<2>(at(channel), terms, channel, used);
  if (channel < terms.channels) run_wide<1>(at(channel), terms, channel, used);
}

#endif

}  // namespace

void sum_counts(const CountSum<std::uint16_t>* sums, std::size_t n, int lanes) { sum_all_16(sums, n, lanes); }

void sum_counts(const CountSum<std::uint32_t>* sums, std::size_t n, int lanes) { sum_all_32(sums, n, lanes); }

void add_small_cells(const SmallCell<std::uint16_t>* cells, std::size_t n, const TermTable& terms, std::int64_t* alone,
                     std::int64_t* atoms, const LaneCount& lanes) {
  const auto width = static_cast<std::size_t>(terms.channels) * static_cast<std::size_t>(lanes.all);
#if defined(QNML_HAS_VECTOR_CLONES)
  if (has_wide()) {
    return run_channels_wide(terms, lanes.used, [&](int channel) {
      const int place = channel * lanes.all;
      return SmallCellsWide{cells, n, alone + place, atoms + place, lanes.all, width};
    });
  }
#endif
  for (int c = 0; c < terms.channels; ++c) {
    const std::int64_t* values = terms.values[static_cast<std::size_t>(c)];
    small_cells_16(cells, n, values, alone + c * lanes.all, atoms + c * lanes.all, lanes.all, width);
  }
}

void add_small_cells(const SmallCell<std::uint32_t>* cells, std::size_t n, const TermTable& terms, std::int64_t* alone,
                     std::int64_t* atoms, const LaneCount& lanes) {
  const auto width = static_cast<std::size_t>(terms.channels) * static_cast<std::size_t>(lanes.all);
  for (int c = 0; c < terms.channels; ++c) {
    const std::int64_t* values = terms.values[static_cast<std::size_t>(c)];
    small_cells_32(cells, n, values, alone + c * lanes.all, atoms + c * lanes.all, lanes.all, width);
  }
}

void add_split_cells(const SplitRow<std::uint16_t>* rows, std::size_t n, const TermTable& terms, std::int64_t* whole,
                     std::int64_t* split, const LaneCount& lanes) {
#if defined(QNML_HAS_VECTOR_CLONES)
  if (has_wide()) {
    return run_channels_wide(terms, lanes.used, [&](int channel) {
      const int place = channel * lanes.all;
      return SplitCellsWide{rows, n, whole + place, split + place, lanes.all};
    });
  }
#endif
  for (int c = 0; c < terms.channels; ++c) {
    const std::int64_t* values = terms.values[static_cast<std::size_t>(c)];
    split_cells_16(rows, n, values, whole + c * lanes.all, split + c * lanes.all, lanes.all);
  }
}

void add_split_cells(const SplitRow<std::uint32_t>* rows, std::size_t n, const TermTable& terms, std::int64_t* whole,
                     std::int64_t* split, const LaneCount& lanes) {
  for (int c = 0; c < terms.channels; ++c) {
    const std::int64_t* values = terms.values[static_cast<std::size_t>(c)];
    split_cells_32(rows, n, values, whole + c * lanes.all, split + c * lanes.all, lanes.all);
  }
}

QNML_VECTOR_CLONES void add_sums(std::int64_t* to, const std::int64_t* what, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) to[i] = plus(to[i], what[i]);
}

}  // namespace qnml
