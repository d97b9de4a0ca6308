// What is asked of a network, and the graph of the variables that have to be summed out for it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/inference/elimination_order.hpp"
#include "core/inference/network_tables.hpp"

namespace qnml {

enum class Cell : std::uint8_t { kFree, kSeen, kSet };  // of one variable; kSet: by an intervention

struct Question {
  enum class Kind : std::uint8_t {
    kMarginals,    // of each wanted variable
    kJoint,        // one table over the wanted variables, which are summed out last
    kExplanation,  // the most probable levels of the wanted variables
  };
  std::vector<Cell> cells;
  std::vector<std::uint8_t> weighted;  // whether there is soft evidence on a variable
  std::vector<std::uint8_t> wanted;
  Kind kind = Kind::kMarginals;
};

struct QuestionGraph {
  std::vector<std::uint32_t> free;                 // variables to be summed out, ascending; the graph numbers them so
  std::vector<std::uint32_t> factors;              // variables whose tables matter
  std::vector<std::vector<std::uint32_t>> scopes;  // of each factor: the free members of its family, as numbered
  InteractionGraph graph;                          // wanted variables have phase 1 if they come last
};

// Observed variables are fixed and so not in the graph. The tables that matter are those of the wanted and observed
// variables and their ancestors; an intervention removes the table of its variable.
QuestionGraph question_graph(const NetworkTables& tables, const Question& question);

}  // namespace qnml
