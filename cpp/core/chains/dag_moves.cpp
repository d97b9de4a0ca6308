#include "core/chains/dag_moves.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/random.hpp"
#include "core/chains/parent_sums.hpp"
#include "core/chains/structure_model.hpp"

namespace qnml {

DagMoves::DagMoves(const StructureModel& model, ChainDag& dag)
    : model_(model), dag_(dag), outside_children_(model.size()), reached_(model.size(), 0) {
  for (std::size_t child = 0; child < model.size(); ++child) {
    for (int parent : dag.outside[child]) {
      outside_children_[static_cast<std::size_t>(parent)].push_back(static_cast<int>(child));
    }
  }
}

void DagMoves::reach_from(int node, int without, int also_without) {
  std::ranges::fill(reached_, 0);
  reached_[static_cast<std::size_t>(node)] = 1;
  stack_.assign(1, node);
  auto visit = [&](int child) {
    if (reached_[static_cast<std::size_t>(child)] || child == without || child == also_without) return;
    reached_[static_cast<std::size_t>(child)] = 1;
    stack_.push_back(child);
  };
  while (!stack_.empty()) {
    const auto parent = static_cast<std::size_t>(stack_.back());
    stack_.pop_back();
    for (const Holder& holder : model_.holders[parent]) {
      const std::uint32_t chosen = dag_.chosen[static_cast<std::size_t>(holder.node)];
      if (holder.bit == kRequiredBit || (chosen >> holder.bit & 1) != 0) visit(holder.node);
    }
    for (int child : outside_children_[parent]) visit(child);
  }
}

bool DagMoves::free_candidates(int node, std::uint32_t& free) const {
  const ParentSums& sums = model_.sums(static_cast<std::size_t>(node));
  free = 0;
  for (std::size_t k = 0; k < sums.candidates().size(); ++k) {
    free |= static_cast<std::uint32_t>(reached_[static_cast<std::size_t>(sums.candidates()[k])] == 0) << k;
  }
  return std::ranges::none_of(sums.required(),
                              [&](int parent) { return reached_[static_cast<std::size_t>(parent)] != 0; });
}

void DagMoves::draw_outside(std::size_t node, Xoshiro256& random) {
  const OutsideParents& mine = model_.outside(node);
  const auto& share = mine.by_count[static_cast<std::size_t>(std::popcount(dag_.chosen[node]))].share;
  std::vector<int> fresh;
  for (std::size_t k = 0; k < mine.nodes.size(); ++k) {
    if (reached_[static_cast<std::size_t>(mine.nodes[k])] != 0) continue;
    if (random.uniform() < share[k]) fresh.push_back(mine.nodes[k]);
  }
  set_outside(node, std::move(fresh));
}

void DagMoves::set_outside(std::size_t node, std::vector<int> fresh) {
  const int child = static_cast<int>(node);
  for (int parent : dag_.outside[node]) std::erase(outside_children_[static_cast<std::size_t>(parent)], child);
  for (int parent : fresh) outside_children_[static_cast<std::size_t>(parent)].push_back(child);
  dag_.outside[node] = std::move(fresh);
}

bool DagMoves::has_reached(const std::vector<int>& some) const {
  return std::ranges::any_of(some, [&](int one) { return reached_[static_cast<std::size_t>(one)] != 0; });
}

void DagMoves::exchange_outside(std::size_t i, std::size_t j) {
  std::vector<int> of_i, of_j;
  auto sort_out = [&](std::size_t from, std::size_t to, std::vector<int>& same, std::vector<int>& other) {
    for (int parent : dag_.outside[from]) {
      (std::ranges::binary_search(model_.outside(to).nodes, parent) ? other : same).push_back(parent);
    }
  };
  sort_out(i, j, of_i, of_j);
  sort_out(j, i, of_j, of_i);
  std::ranges::sort(of_i);
  std::ranges::sort(of_j);
  set_outside(i, std::move(of_i));
  set_outside(j, std::move(of_j));
}

double DagMoves::excess(std::size_t node, bool is_kept) const {
  if (model_.wide() == nullptr) return 0.0;
  double value = model_.log_weight(dag_, node) - model_.guessed(node).log_weight(dag_.chosen[node]);
  if (is_kept) return value;
  const OutsideParents& mine = model_.outside(node);
  const auto& odds = mine.by_count[static_cast<std::size_t>(std::popcount(dag_.chosen[node]))];
  for (int parent : dag_.outside[node]) {
    value -= odds.log_odds[static_cast<std::size_t>(std::ranges::lower_bound(mine.nodes, parent) - mine.nodes.begin())];
  }
  for (std::size_t k = 0; k < mine.nodes.size(); ++k) {
    if (reached_[static_cast<std::size_t>(mine.nodes[k])] == 0) value += odds.log_either[k];
  }
  return value;
}

bool DagMoves::accept(double log_ratio, Xoshiro256& random) const {
  return log_ratio >= 0.0 || random.uniform() < std::exp(log_ratio);
}

// Draws by the sums and the guessed odds. With parents outside the candidates, this draw is only a proposal.
bool DagMoves::draw_family(Xoshiro256& random) {
  const std::size_t node = below(random, dag_.chosen.size());
  reach_from(static_cast<int>(node), kNobody, kNobody);
  std::uint32_t free = 0;
  free_candidates(static_cast<int>(node), free);
  const std::uint32_t old_chosen = dag_.chosen[node];
  const std::vector<int> old_outside = dag_.outside[node];
  const bool is_kept = model_.wide() == nullptr || (random.next() >> 63) != 0;
  const double old_excess = excess(node, is_kept);
  dag_.chosen[node] = model_.guessed(node).draw_within(free, random.uniform());
  if (!is_kept) draw_outside(node, random);
  if (dag_.chosen[node] == old_chosen && dag_.outside[node] == old_outside) return false;
  if (accept(excess(node, is_kept) - old_excess, random)) return true;
  dag_.chosen[node] = old_chosen;
  set_outside(node, old_outside);
  return false;
}

std::size_t DagMoves::count_reversible() const {
  std::size_t count = 0;
  for (std::size_t child = 0; child < dag_.chosen.size(); ++child) {
    count += static_cast<std::size_t>(std::popcount(dag_.chosen[child] & model_.reversible[child]));
  }
  return count;
}

// As in the paper: the arc i -> j is reversed, both nodes lose their parents, i draws new ones that include j, then j
// draws new ones. The ratio consists of the sums over all possible draws and of the differences between guessed odds
// and weights.
bool DagMoves::reverse_arc(Xoshiro256& random) {
  ChosenParents& dag = dag_.chosen;
  const std::size_t arcs = count_reversible();
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
  const int parent = model_.sums(j).candidates()[bit_of_i];
  const auto i = static_cast<std::size_t>(parent);
  const std::uint32_t with_i = std::uint32_t{1} << bit_of_i;
  const std::uint32_t with_j = std::uint32_t{1} << model_.bit_in_parent[j][bit_of_i];
  const std::uint32_t old_i = dag[i], old_j = dag[j];
  const std::vector<int> old_outside_i = dag_.outside[i], old_outside_j = dag_.outside[j];

  // Parents outside the candidates are kept, exchanged between the two ends, or redrawn.
  const std::size_t way = model_.wide() == nullptr ? 0 : below(random, 3);
  const bool is_kept = way != 2;
  std::uint32_t free = 0;
  // Reverse proposal: j would draw its parents with i among them, then i.
  reach_from(child, parent, child);
  free_candidates(child, free);
  double log_ratio = -model_.guessed(j).log_meeting(free, with_i) - excess(j, is_kept);
  reach_from(parent, parent, kNobody);
  free_candidates(parent, free);
  log_ratio -= model_.guessed(i).log_within(free) + excess(i, is_kept);
  // Forward proposal.
  if (way == 1) exchange_outside(i, j);
  reach_from(parent, parent, child);
  free_candidates(parent, free);
  bool closes = is_kept && has_reached(dag_.outside[i]);
  log_ratio += model_.guessed(i).log_meeting(free, with_j);
  dag[i] = model_.guessed(i).draw_meeting(free, with_j, random.uniform());
  if (!is_kept) draw_outside(i, random);
  log_ratio += excess(i, is_kept);
  reach_from(child, child, kNobody);
  closes = closes || (is_kept && has_reached(dag_.outside[j]));
  if (!closes && free_candidates(child, free)) {
    log_ratio += model_.guessed(j).log_within(free);
    dag[j] = model_.guessed(j).draw_within(free, random.uniform());
    if (!is_kept) draw_outside(j, random);
    log_ratio += excess(j, is_kept);
    log_ratio += std::log(static_cast<double>(arcs)) - std::log(static_cast<double>(count_reversible()));
    if (accept(log_ratio, random)) return true;
  }
  dag[i] = old_i;
  dag[j] = old_j;
  set_outside(i, old_outside_i);
  set_outside(j, old_outside_j);
  return false;
}

}  // namespace qnml
