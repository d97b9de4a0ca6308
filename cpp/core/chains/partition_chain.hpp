// Chains over DAGs that alternate between moves of partitions and moves of DAGs.
//
// One sweep starts from a DAG, goes over to its partition, makes moves there, draws a DAG of the partition, and makes
// moves of DAGs. Each part leaves the weights of DAGs as they are, so their sequence does, and the DAG at the end of a
// sweep is all there is to remember. While partitions move, nodes with parents outside of their candidates keep all
// their parents.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/random.hpp"
#include "core/chains/structure_model.hpp"

namespace qnml {

enum Move { relocate, swap_adjacent, swap_any, split_or_merge, draw_family, reverse_arc, draw_parent, kMoves };

// How many moves of each kind a sweep makes, on average for those of partitions and for those of DAGs.
using Schedule = std::array<int, kMoves>;

struct ChainState {
  std::array<std::uint64_t, 4> random{};
  ChainDag dag;
  std::uint64_t sweeps = 0;
  std::array<std::uint64_t, kMoves> tried{};
  std::array<std::uint64_t, kMoves> changed{};
};

// What a chain went through: after every so many sweeps the parents of all nodes, as words of 64 bits, and the log
// weight of the DAG.
struct ChainRecords {
  std::vector<std::uint64_t> dags;  // records × nodes × words
  std::vector<double> log_weights;
};

inline std::size_t words_for(std::size_t nodes) { return (nodes + 63) / 64; }

// A random order of the nodes that agrees with the required arcs, and parents drawn among predecessors by their
// weights: good DAGs, far apart from each other.
ChainState start_chain(const StructureModel& model, std::uint64_t seed, std::uint64_t chain);

// Whether these parents form an acyclic graph that has a weight.
bool is_admitted(const StructureModel& model, const ChainDag& dag);

// Goes on from each state, one thread a chain. Stops after whole sweeps when told to, the chains then after different
// numbers of records. What a chain does depends on its state alone. Throws std::invalid_argument where a state is not
// admitted.
std::vector<ChainRecords> run_chains(const StructureModel& model, std::vector<ChainState>& states,
                                     const Schedule& schedule, std::size_t records, std::size_t sweeps_per_record,
                                     int threads, Control& control);

// For each of a row of DAGs, as in ChainRecords, the ancestors of all nodes in the same form.
std::vector<std::uint64_t> ancestors(const std::uint64_t* dags, std::size_t count, std::size_t nodes, int threads);

}  // namespace qnml
