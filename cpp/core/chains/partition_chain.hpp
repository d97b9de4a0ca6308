// Markov chains over DAGs that alternate between moves of partitions and moves of DAGs.
//
// A sweep starts from a DAG, passes to its partition, moves there, draws a DAG of the partition, and makes moves of
// DAGs. Each part leaves the distribution over DAGs invariant, so the sweep does too, and the DAG at the end of a sweep
// is the whole state. While the partition moves, nodes with parents outside their candidates keep all their parents.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/chains/structure_model.hpp"

namespace qnml {

enum Move { relocate, swap_adjacent, swap_any, split_or_merge, draw_family, reverse_arc, draw_parent, kMoves };

inline constexpr std::array<const char*, kMoves> kMoveNames{
    "relocate", "swap_adjacent", "swap_any", "split_or_merge", "draw_family", "reverse_arc", "draw_parent"};

// Number of moves of each kind per sweep: an average within the moves of partitions and within those of DAGs.
using Schedule = std::array<int, kMoves>;

struct ChainState {
  std::array<std::uint64_t, 4> random{};
  ChainDag dag;
  std::uint64_t sweeps = 0;
  std::array<std::uint64_t, kMoves> tried{};
  std::array<std::uint64_t, kMoves> changed{};
};

// The trace of a chain. A record, taken at regular numbers of sweeps, has the parents of all nodes as 64-bit words and
// the log weight of the DAG.
struct ChainRecords {
  std::vector<std::uint64_t> dags;  // records × nodes × words
  std::vector<double> log_weights;
};

inline std::size_t words_for(std::size_t nodes) { return (nodes + 63) / 64; }

// Draws a random order of the nodes that agrees with the required arcs, then parents among the predecessors by their
// weights. This gives good DAGs that differ widely.
ChainState start_chain(const StructureModel& model, std::uint64_t seed, std::uint64_t chain);

// Whether these parents form an acyclic graph of positive weight.
bool is_admitted(const StructureModel& model, const ChainDag& dag);

// Continues each chain from its state, one thread per chain. When stopped, it ends after whole sweeps, and the chains
// may have different numbers of records. The trace of a chain depends on its state alone. Throws std::invalid_argument
// if a state is not admitted.
std::vector<ChainRecords> run_chains(const StructureModel& model, std::vector<ChainState>& states,
                                     const Schedule& schedule, std::size_t records, std::size_t sweeps_per_record,
                                     int threads, Control& control);

// The ancestors of all nodes in each of several DAGs, in the form of ChainRecords.
std::vector<std::uint64_t> ancestors(const std::uint64_t* dags, std::size_t count, std::size_t nodes, int threads);

}  // namespace qnml
