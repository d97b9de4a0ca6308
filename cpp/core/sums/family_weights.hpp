// Local scores of all families at once, for sums over structures.
#pragma once

#include <vector>

#include "core/base/control.hpp"
#include "core/counting/columns.hpp"
#include "core/graph/rules.hpp"
#include "core/scores/make_score.hpp"

namespace qnml {

// For each column i the 2^(n-1) local scores in nats, by the set of its parents among the other columns (with bit i
// taken out, see remove_bit); minus infinity where not admitted. One column after the other in one array; empty when
// stopped. MaskRules are by column.
std::vector<double> family_log_scores(const Columns& table, ScoreKind kind, double parameter, const MaskRules& rules,
                                      int threads, Control& control);

}  // namespace qnml
