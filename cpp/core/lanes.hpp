// Integer loops over many counts side by side, compiled for each generation of vector units.
#pragma once

#include <cstdint>

namespace qnml {

void add_counts(std::uint16_t* to, const std::uint16_t* what, int size);
void add_counts(std::uint32_t* to, const std::uint32_t* what, int size);
void add_sums(std::int64_t* to, const std::int64_t* what, int size);
void subtract_sums(std::int64_t* from, const std::int64_t* what, int size);
// alone += one + other; together += both - one - other.
void add_pair_sums(std::int64_t* alone, std::int64_t* together, const std::int64_t* one, const std::int64_t* other,
                   const std::int64_t* both, int size);
// values[i] = table[counts[i]].
void look_up(const std::int64_t* table, const std::uint16_t* counts, std::int64_t* values, int size);
void look_up(const std::int64_t* table, const std::uint32_t* counts, std::int64_t* values, int size);

}  // namespace qnml
