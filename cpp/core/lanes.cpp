#include "core/lanes.hpp"

#include "core/simd.hpp"

namespace qnml {

QNML_VECTOR_CLONES void add_counts(std::uint16_t* to, const std::uint16_t* what, int size) {
  for (int i = 0; i < size; ++i) to[i] += what[i];
}

QNML_VECTOR_CLONES void add_counts(std::uint32_t* to, const std::uint32_t* what, int size) {
  for (int i = 0; i < size; ++i) to[i] += what[i];
}

QNML_VECTOR_CLONES void add_sums(std::int64_t* to, const std::int64_t* what, int size) {
  for (int i = 0; i < size; ++i) to[i] += what[i];
}

QNML_VECTOR_CLONES void subtract_sums(std::int64_t* from, const std::int64_t* what, int size) {
  for (int i = 0; i < size; ++i) from[i] -= what[i];
}

QNML_VECTOR_CLONES void add_pair_sums(std::int64_t* alone, std::int64_t* together, const std::int64_t* one,
                                      const std::int64_t* other, const std::int64_t* both, int size) {
  for (int i = 0; i < size; ++i) {
    const std::int64_t apart = one[i] + other[i];
    alone[i] += apart;
    together[i] += both[i] - apart;
  }
}

QNML_VECTOR_CLONES void look_up(const std::int64_t* table, const std::uint16_t* counts, std::int64_t* values,
                                int size) {
  for (int i = 0; i < size; ++i) values[i] = table[counts[i]];
}

QNML_VECTOR_CLONES void look_up(const std::int64_t* table, const std::uint32_t* counts, std::int64_t* values,
                                int size) {
  for (int i = 0; i < size; ++i) values[i] = table[counts[i]];
}

}  // namespace qnml
