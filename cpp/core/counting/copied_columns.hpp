// Columns that partition the rows in the same way, up to the names of their levels.
#pragma once

#include <vector>

#include "core/counting/columns.hpp"

namespace qnml {

// Groups of two or more columns with equally many declared levels, in which any two rows of positive weight agree in
// one column exactly if they agree in the others. Sorted by column within and between groups. Constant columns belong
// to no group.
std::vector<std::vector<int>> copied_columns(const Columns& table);

}  // namespace qnml
