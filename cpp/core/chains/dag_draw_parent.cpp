// Redraws one parent of a node among all admitted parents, candidates or not.
//
// A fair coin chooses a base set B: either the current parents, or the current parents without one that is not
// required, drawn uniformly. Then one of B and all B + v that close no cycle is drawn. If B has k parents that are not
// required, B is chosen from B with probability 1/2 and from B + v with probability 1/2 / (k + 1). Drawing in
// proportion to the weights times these probabilities leaves the distribution of the parent set invariant.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/random.hpp"
#include "core/chains/dag_moves.hpp"
#include "core/chains/structure_model.hpp"
#include "core/chains/uncommon_families.hpp"

namespace qnml {

// Numbers the parents that are not required: candidates first, by bit, then the others.
void DagMoves::remove_parent(std::size_t child, std::size_t which) {
  std::uint32_t& chosen = dag_.chosen[child];
  const auto inside = static_cast<std::size_t>(std::popcount(chosen));
  if (which < inside) {
    std::uint32_t rest = chosen;
    for (; which > 0; --which) rest &= rest - 1;
    chosen &= ~(rest & (~rest + 1));
    return;
  }
  std::vector<int>& outside = dag_.outside[child];
  const auto gone = outside.begin() + static_cast<std::ptrdiff_t>(which - inside);
  std::erase(outside_children_[static_cast<std::size_t>(*gone)], static_cast<int>(child));
  outside.erase(gone);
}

void DagMoves::add_parent(std::size_t child, int parent) {
  const std::vector<int>& candidates = model_.sums(child).candidates();
  const auto place = std::lower_bound(candidates.begin(), candidates.end(), parent);
  if (place != candidates.end() && *place == parent) {
    dag_.chosen[child] |= std::uint32_t{1} << (place - candidates.begin());
    return;
  }
  std::vector<int>& outside = dag_.outside[child];
  outside.insert(std::lower_bound(outside.begin(), outside.end(), parent), parent);
  outside_children_[static_cast<std::size_t>(parent)].push_back(static_cast<int>(child));
}

bool DagMoves::draw_parent(Xoshiro256& random) {
  UncommonFamilies* wide = model_.wide();
  if (wide == nullptr) return false;
  const std::size_t node = below(random, dag_.chosen.size());
  const int child = static_cast<int>(node);
  const std::vector<int> before = model_.parents(dag_, node);
  const std::size_t optional = before.size() - model_.sums(node).required().size();
  if ((random.next() >> 63) != 0) {
    if (optional == 0) return false;
    remove_parent(node, below(random, optional));
  }
  const std::vector<int> base = model_.parents(dag_, node);
  reach_from(child, kNobody, kNobody);
  others_.clear();
  for (int other : wide->limits().allowed[node]) {
    const bool is_free = reached_[static_cast<std::size_t>(other)] == 0;
    if (is_free && !std::binary_search(base.begin(), base.end(), other)) others_.push_back(other);
  }
  weights_.resize(others_.size() + 1);
  wide->additions(child, base, others_, weights_.data());
  const double log_choices = std::log(static_cast<double>(base.size() + 1 - model_.sums(node).required().size()));
  for (double& weight : weights_) weight -= log_choices;
  weights_.back() = wide->log_weight(child, base);
  const double highest = *std::max_element(weights_.begin(), weights_.end());
  double total = 0.0;
  for (double& weight : weights_) total += weight = std::exp(weight - highest);
  double left = random.uniform() * total;
  std::size_t chosen = 0;
  while (chosen < others_.size() && (left -= weights_[chosen]) >= 0.0) ++chosen;
  if (chosen < others_.size()) add_parent(node, others_[chosen]);
  return model_.parents(dag_, node) != before;
}

}  // namespace qnml
