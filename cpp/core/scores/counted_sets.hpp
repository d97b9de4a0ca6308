// Values of the sets of variables whose counts are needed (IntegerScore::needs_counts), for many row weights at once.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/columns.hpp"
#include "core/counting/lattice.hpp"
#include "core/scores/integer_score.hpp"

namespace qnml {

// Sets of columns whose levels have the same product.
struct AlikeSets {
  std::uint32_t index;
  std::vector<std::uint64_t> sets;
};

// Calls receive(set, values) once for each set, from any thread, with a value for each row weight. Each weight has the
// total of the table. After a stop some sets are missing.
using ValueReceiver = std::function<void(std::uint64_t set, const std::int64_t* values)>;
void value_counted_sets(const Columns& table, const IntegerScore& score, const Lattice::ManyWeights& weights,
                        const std::vector<AlikeSets>& alike, const ValueReceiver& receive, Control& control,
                        int threads);

}  // namespace qnml
