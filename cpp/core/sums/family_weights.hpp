// Local scores of all families at once, for sums over DAGs.
#pragma once

#include <vector>

#include "core/base/control.hpp"
#include "core/counting/columns.hpp"
#include "core/graph/rules.hpp"
#include "core/scores/make_score.hpp"

namespace qnml {

// For each column i, the 2^(n-1) local scores in nats, by parent set among the other columns (with bit i removed, see
// remove_bit); minus infinity if not admitted. The columns follow one another in one array, which is empty when
// stopped. MaskRules are by column.
std::vector<double> family_log_scores(const Columns& table, ScoreKind kind, double parameter, const MaskRules& rules,
                                      int threads, Control& control);

}  // namespace qnml
