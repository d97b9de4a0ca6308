// Columns that tell the rows apart in the same way, up to the names of their levels.
#pragma once

#include <vector>

#include "core/counting/columns.hpp"

namespace qnml {

// Groups of two and more columns with as many declared levels, in which two rows that count agree in one column exactly
// when they agree in the others. Within a group and between groups in order of the columns. A column that never changes
// is in none.
std::vector<std::vector<int>> copied_columns(const Columns& table);

}  // namespace qnml
