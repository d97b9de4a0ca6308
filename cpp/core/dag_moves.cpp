#include "core/dag_moves.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace qnml {

void DagMoves::reach_from(const ChosenParents& dag, int node, int without, int also_without) {
  std::ranges::fill(reached_, 0);
  reached_[static_cast<std::size_t>(node)] = 1;
  stack_.assign(1, node);
  while (!stack_.empty()) {
    const auto parent = static_cast<std::size_t>(stack_.back());
    stack_.pop_back();
    for (const Holder& holder : model_.holders[parent]) {
      const auto child = static_cast<std::size_t>(holder.node);
      if (reached_[child] || holder.node == without || holder.node == also_without) continue;
      if (holder.bit != kRequiredBit && (dag[child] >> holder.bit & 1) == 0) continue;
      reached_[child] = 1;
      stack_.push_back(holder.node);
    }
  }
}

bool DagMoves::free_candidates(int node, std::uint32_t& free) const {
  const ParentSums& sums = model_.sums[static_cast<std::size_t>(node)];
  free = 0;
  for (std::size_t k = 0; k < sums.candidates().size(); ++k) {
    free |= static_cast<std::uint32_t>(reached_[static_cast<std::size_t>(sums.candidates()[k])] == 0) << k;
  }
  return std::ranges::none_of(sums.required(),
                              [&](int parent) { return reached_[static_cast<std::size_t>(parent)] != 0; });
}

bool DagMoves::draw_family(ChosenParents& dag, Xoshiro256& random) {
  const std::size_t node = below(random, dag.size());
  reach_from(dag, static_cast<int>(node), kNobody, kNobody);
  std::uint32_t free = 0;
  free_candidates(static_cast<int>(node), free);
  const std::uint32_t before = dag[node];
  dag[node] = model_.sums[node].draw_within(free, random.uniform());
  return dag[node] != before;
}

std::size_t DagMoves::count_reversible(const ChosenParents& dag) const {
  std::size_t count = 0;
  for (std::size_t child = 0; child < dag.size(); ++child) {
    count += static_cast<std::size_t>(std::popcount(dag[child] & model_.reversible[child]));
  }
  return count;
}

// In the words of the paper: the arc i -> j is turned round; both nodes lose their parents; i draws new ones with j
// among them, then j draws new ones. The sums over what could have been drawn make up the ratio.
bool DagMoves::reverse_arc(ChosenParents& dag, Xoshiro256& random) {
  const std::size_t arcs = count_reversible(dag);
  if (arcs == 0) return false;
  std::size_t chosen = below(random, arcs);
  std::size_t j = 0;
  std::uint32_t there = dag[j] & model_.reversible[j];
  while (chosen >= static_cast<std::size_t>(std::popcount(there))) {
    chosen -= static_cast<std::size_t>(std::popcount(there));
    ++j;
    there = dag[j] & model_.reversible[j];
  }
  for (; chosen > 0; --chosen) there &= there - 1;
  const auto bit_of_i = static_cast<std::size_t>(std::countr_zero(there));
  const int child = static_cast<int>(j);
  const int parent = model_.sums[j].candidates()[bit_of_i];
  const auto i = static_cast<std::size_t>(parent);
  const std::uint32_t with_i = std::uint32_t{1} << bit_of_i;
  const std::uint32_t with_j = std::uint32_t{1} << model_.bit_in_parent[j][bit_of_i];
  const std::uint32_t old_i = dag[i], old_j = dag[j];

  std::uint32_t free = 0;
  // The way back: j would draw its parents with i among them, then i.
  reach_from(dag, child, parent, child);
  free_candidates(child, free);
  double log_ratio = -model_.sums[j].log_meeting(free, with_i);
  reach_from(dag, parent, parent, kNobody);
  free_candidates(parent, free);
  log_ratio -= model_.sums[i].log_within(free);
  // The way there.
  reach_from(dag, parent, parent, child);
  free_candidates(parent, free);
  log_ratio += model_.sums[i].log_meeting(free, with_j);
  dag[i] = model_.sums[i].draw_meeting(free, with_j, random.uniform());
  reach_from(dag, child, child, kNobody);
  if (free_candidates(child, free)) {
    log_ratio += model_.sums[j].log_within(free);
    dag[j] = model_.sums[j].draw_within(free, random.uniform());
    log_ratio += std::log(static_cast<double>(arcs)) - std::log(static_cast<double>(count_reversible(dag)));
    if (log_ratio >= 0.0 || random.uniform() < std::exp(log_ratio)) return true;
  }
  dag[i] = old_i;
  dag[j] = old_j;
  return false;
}

}  // namespace qnml
