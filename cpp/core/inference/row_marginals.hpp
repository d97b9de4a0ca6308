// Marginals given each of many rows of evidence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/control.hpp"
#include "core/inference/network_tables.hpp"

namespace qnml {

enum class RowState : std::uint8_t { kAnswered, kImpossible, kTooLarge };

struct RowQuestions {
  std::span<const std::uint8_t> wanted;   // of every variable
  std::span<const std::int32_t> codes;    // rows × variables; negative for a cell that is missing
  std::span<const std::uint64_t> starts;  // first row of every run of rows that miss the same cells
  double most_entries;                    // of the tables of one thread
};

struct RowAnswers {
  std::span<double> marginals;     // rows × levels of the wanted variables; NaN where there is no answer
  std::span<double> log_evidence;  // of each row
  std::span<RowState> states;
};

// Does not depend on the number of threads: every row is answered alone, by the tree of what it misses.
void marginals_of_rows(const NetworkTables& tables, const RowQuestions& questions, int threads, Control& control,
                       const RowAnswers& answers);

}  // namespace qnml
