// How much arcs matter to DAGs and to what their neighbours need, to choose by which parents shall be summed over.
//
// Under a flat prior a DAG has many arcs that come and go by themselves: its families weigh about the same without
// them. Others come in groups, each member of no use without the rest, and go over in groups to the other end of an arc
// that is turned round. Such groups are out of reach of single changes, and it is these that sums over sets of parents
// have to know.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/chains/structure_model.hpp"

namespace qnml {

// Row parent, column child, each the mean over DAGs of 1 - 1/ratio, with the ratio of the weights of a family and the
// same without this parent. Families are first rid of parents without whom they weigh more.
struct ArcStrengths {
  std::vector<double> present;  // of the arcs that are there
  // Of those that would be if an arc of these were turned round, and both its ends had all parents of both, or if
  // parents were added one by one whether or not they close cycles: the highest of all.
  std::vector<double> potential;
};

// DAGs as in ChainRecords. The model weighs any family, so it has `wide`. When stopped, of fewer DAGs.
ArcStrengths arc_strengths(const StructureModel& model, const std::uint64_t* dags, std::size_t count, int threads,
                           Control& control);

}  // namespace qnml
