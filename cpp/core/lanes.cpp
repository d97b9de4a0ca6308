#include "core/lanes.hpp"

#include "core/simd.hpp"

#if defined(QNML_HAS_VECTOR_CLONES)
#include <immintrin.h>
// Of GCC's own headers, which leave unused lanes as they are on purpose.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace qnml {
namespace {

using End16 = SplitRow<std::uint16_t>::End;

// Every function below is inlined into the clones, so that each is compiled for its own vector unit.
template <class Count>
QNML_INLINE void sum_all(const CountSum<Count>* sums, std::size_t n, int lanes) {
  for (std::size_t i = 0; i < n; ++i) {
    const CountSum<Count> sum = sums[i];
    for (int k = 0; k < lanes; ++k) sum.to[k] = static_cast<Count>(sum.one[k] + sum.other[k]);
  }
}

template <class Count>
QNML_INLINE void small_cells(const SmallCell<Count>* cells, std::size_t n, const std::int64_t* terms,
                             std::int64_t* alone, std::int64_t* atoms, int lanes) {
  for (int first = 0; first < lanes; first += kLaneBlock) {
    std::int64_t sum[kLaneBlock] = {};
    for (std::size_t i = 0; i < n; ++i) {
      const Count* one = cells[i].one + first;
      if (cells[i].other == nullptr) {
        for (int k = 0; k < kLaneBlock; ++k) sum[k] += terms[one[k]];
        continue;
      }
      const Count* other = cells[i].other + first;
      std::int64_t* together = atoms + cells[i].mask * static_cast<std::size_t>(lanes) + first;
      for (int k = 0; k < kLaneBlock; ++k) {
        const std::int64_t apart = terms[one[k]] + terms[other[k]];
        sum[k] += apart;
        together[k] += terms[static_cast<Count>(one[k] + other[k])] - apart;
      }
    }
    for (int k = 0; k < kLaneBlock; ++k) alone[first + k] += sum[k];
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
        of_codes[k] += terms[code[k]];
        cell[k] = static_cast<Count>(cell[k] + code[k]);
        code[k] = 0;
      }
      if (rows[i].end == End::code) continue;
      for (int k = 0; k < kLaneBlock; ++k) {
        of_cells[k] += terms[cell[k]];
        cell[k] = 0;
      }
    }
    for (int k = 0; k < kLaneBlock; ++k) {
      whole[first + k] += of_cells[k];
      split[first + k] += of_codes[k];
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
                                       std::int64_t* alone, std::int64_t* atoms, int lanes) {
  small_cells(cells, n, terms, alone, atoms, lanes);
}
QNML_VECTOR_CLONES void small_cells_32(const SmallCell<std::uint32_t>* cells, std::size_t n, const std::int64_t* terms,
                                       std::int64_t* alone, std::int64_t* atoms, int lanes) {
  small_cells(cells, n, terms, alone, atoms, lanes);
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

// Most cells have small counts in every replicate: a permutation of registers then finds their terms several times
// faster than reading memory lane by lane.
struct WideTerms {
  __m512i small[4];
  const long long* values;
};

QNML_WIDE_INLINE WideTerms wide_terms(const TermTable& terms) {
  WideTerms wide;
  for (int i = 0; i < 4; ++i) wide.small[i] = _mm512_loadu_si512(terms.small.data() + 8 * i);
  wide.values = reinterpret_cast<const long long*>(terms.values);
  return wide;
}

QNML_WIDE_INLINE void widen(__m512i counts, __m512i index[4]) {
  index[0] = _mm512_cvtepu16_epi64(_mm512_castsi512_si128(counts));
  index[1] = _mm512_cvtepu16_epi64(_mm512_extracti32x4_epi32(counts, 1));
  index[2] = _mm512_cvtepu16_epi64(_mm512_extracti32x4_epi32(counts, 2));
  index[3] = _mm512_cvtepu16_epi64(_mm512_extracti32x4_epi32(counts, 3));
}

// The terms of 32 counts, by their largest one.
QNML_WIDE_INLINE void look_up(const WideTerms& terms, __m512i counts, __m512i found[4]) {
  __m512i index[4];
  widen(counts, index);
  if (_mm512_cmpge_epu16_mask(counts, _mm512_set1_epi16(16)) == 0) {
    for (int j = 0; j < 4; ++j) found[j] = _mm512_permutex2var_epi64(terms.small[0], index[j], terms.small[1]);
  } else if (_mm512_cmpge_epu16_mask(counts, _mm512_set1_epi16(32)) == 0) {
    for (int j = 0; j < 4; ++j) {
      const __mmask8 is_upper = _mm512_test_epi64_mask(index[j], _mm512_set1_epi64(16));
      const __m512i lower = _mm512_permutex2var_epi64(terms.small[0], index[j], terms.small[1]);
      const __m512i upper = _mm512_permutex2var_epi64(terms.small[2], index[j], terms.small[3]);
      found[j] = _mm512_mask_blend_epi64(is_upper, lower, upper);
    }
  } else {
    for (int j = 0; j < 4; ++j) found[j] = _mm512_i64gather_epi64(index[j], terms.values, 8);
  }
}

QNML_WIDE_INLINE void add_to(std::int64_t* to, const __m512i what[4]) {
  for (int j = 0; j < 4; ++j) {
    _mm512_storeu_si512(to + 8 * j, _mm512_add_epi64(_mm512_loadu_si512(to + 8 * j), what[j]));
  }
}

QNML_WIDE void small_cells_wide(const SmallCell<std::uint16_t>* cells, std::size_t n, const TermTable& terms,
                                std::int64_t* alone, std::int64_t* atoms, int lanes) {
  const WideTerms wide = wide_terms(terms);
  for (int first = 0; first < lanes; first += kLaneBlock) {
    __m512i sum[4] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512()};
    for (std::size_t i = 0; i < n; ++i) {
      const __m512i one = _mm512_loadu_si512(cells[i].one + first);
      __m512i apart[4];
      look_up(wide, one, apart);
      if (cells[i].other != nullptr) {
        const __m512i other = _mm512_loadu_si512(cells[i].other + first);
        __m512i found[4];
        look_up(wide, other, found);
        for (int j = 0; j < 4; ++j) apart[j] = _mm512_add_epi64(apart[j], found[j]);
        look_up(wide, _mm512_add_epi16(one, other), found);
        for (int j = 0; j < 4; ++j) found[j] = _mm512_sub_epi64(found[j], apart[j]);
        add_to(atoms + cells[i].mask * static_cast<std::size_t>(lanes) + first, found);
      }
      for (int j = 0; j < 4; ++j) sum[j] = _mm512_add_epi64(sum[j], apart[j]);
    }
    add_to(alone + first, sum);
  }
}

QNML_WIDE void split_cells_wide(const SplitRow<std::uint16_t>* rows, std::size_t n, const TermTable& terms,
                                std::int64_t* whole, std::int64_t* split, int lanes) {
  const WideTerms wide = wide_terms(terms);
  const __m512i zero = _mm512_setzero_si512();
  for (int first = 0; first < lanes; first += kLaneBlock) {
    __m512i of_cells[4] = {zero, zero, zero, zero};
    __m512i of_codes[4] = {zero, zero, zero, zero};
    __m512i cell = zero;
    __m512i code = zero;
    for (std::size_t i = 0; i < n; ++i) {
      code = _mm512_add_epi16(code, _mm512_loadu_si512(rows[i].counts + first));
      if (rows[i].end == End16::none) continue;
      __m512i found[4];
      look_up(wide, code, found);
      for (int j = 0; j < 4; ++j) of_codes[j] = _mm512_add_epi64(of_codes[j], found[j]);
      cell = _mm512_add_epi16(cell, code);
      code = zero;
      if (rows[i].end == End16::code) continue;
      look_up(wide, cell, found);
      for (int j = 0; j < 4; ++j) of_cells[j] = _mm512_add_epi64(of_cells[j], found[j]);
      cell = zero;
    }
    add_to(whole + first, of_cells);
    add_to(split + first, of_codes);
  }
}

#endif

}  // namespace

void sum_counts(const CountSum<std::uint16_t>* sums, std::size_t n, int lanes) { sum_all_16(sums, n, lanes); }

void sum_counts(const CountSum<std::uint32_t>* sums, std::size_t n, int lanes) { sum_all_32(sums, n, lanes); }

void add_small_cells(const SmallCell<std::uint16_t>* cells, std::size_t n, const TermTable& terms, std::int64_t* alone,
                     std::int64_t* atoms, int lanes) {
#if defined(QNML_HAS_VECTOR_CLONES)
  if (has_wide()) return small_cells_wide(cells, n, terms, alone, atoms, lanes);
#endif
  small_cells_16(cells, n, terms.values, alone, atoms, lanes);
}

void add_small_cells(const SmallCell<std::uint32_t>* cells, std::size_t n, const TermTable& terms, std::int64_t* alone,
                     std::int64_t* atoms, int lanes) {
  small_cells_32(cells, n, terms.values, alone, atoms, lanes);
}

void add_split_cells(const SplitRow<std::uint16_t>* rows, std::size_t n, const TermTable& terms, std::int64_t* whole,
                     std::int64_t* split, int lanes) {
#if defined(QNML_HAS_VECTOR_CLONES)
  if (has_wide()) return split_cells_wide(rows, n, terms, whole, split, lanes);
#endif
  split_cells_16(rows, n, terms.values, whole, split, lanes);
}

void add_split_cells(const SplitRow<std::uint32_t>* rows, std::size_t n, const TermTable& terms, std::int64_t* whole,
                     std::int64_t* split, int lanes) {
  split_cells_32(rows, n, terms.values, whole, split, lanes);
}

QNML_VECTOR_CLONES void add_sums(std::int64_t* to, const std::int64_t* what, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) to[i] += what[i];
}

}  // namespace qnml
