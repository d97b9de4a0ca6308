// Strengths of arcs in sampled DAGs and in DAGs near them, used to choose the candidate parents of each child.
//
// Under a flat prior a DAG has many arcs that come and go independently: the weight of a family hardly changes without
// them. Other arcs come in groups, in which no member helps without the rest. Reversing an arc can move such a group to
// its other end. Single changes do not reach these groups, so the sums over parent sets must include them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/chains/structure_model.hpp"

namespace qnml {

// Row parent, column child. Each value is the mean over DAGs of 1 - 1/ratio, where the ratio is the weight of the
// family divided by its weight without this parent. Parents whose removal does not lower the weight are removed first.
struct ArcStrengths {
  std::vector<double> present;  // of the arcs in the DAGs
  // Of the arcs that would appear if an arc were reversed and both its ends took the parents of both, or if parents
  // were added greedily even when they close cycles. The maximum over all these families.
  std::vector<double> potential;
};

// DAGs as in ChainRecords. The model must have `wide`, since any family may be weighed. When stopped, averages over
// fewer DAGs.
ArcStrengths arc_strengths(const StructureModel& model, const std::uint64_t* dags, std::size_t count, int threads,
                           Control& control);

}  // namespace qnml
