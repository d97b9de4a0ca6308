// The k best networks, or equivalence classes, of listed families.
#pragma once

#include "core/base/control.hpp"
#include "core/k_best/k_best.hpp"
#include "core/listed/listed_problem.hpp"

namespace qnml {

// As k_best, among networks of listed families only.
KBestResult k_best_listed(const ListedProblem& problem, const KBestOptions& options, Control& control);

}  // namespace qnml
