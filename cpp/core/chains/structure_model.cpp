#include "core/chains/structure_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/chains/parent_sums.hpp"
#include "core/chains/uncommon_families.hpp"

namespace qnml {

StructureModel::StructureModel(std::vector<ParentSums> of_children, std::shared_ptr<UncommonFamilies> wide,
                               const OutsideOdds& guess)
    : wide_(std::move(wide)), outside_(of_children.size()) {
  for (ParentSums& sums : of_children) sums_.push_back(std::make_shared<const ParentSums>(std::move(sums)));
  link();
  guessed_ = sums_;
  if (wide_ == nullptr) return;
  if (guess.odds.size() != size() * size() || guess.crowding.size() != size()) {
    throw std::invalid_argument("parents outside of the candidates need odds for every pair and a crowding for each");
  }
  for (std::size_t child = 0; child < size(); ++child) {
    const std::vector<int>& candidates = sums(child).candidates();
    OutsideParents& mine = outside_[child];
    std::ranges::set_difference(wide_->limits().allowed[child], candidates, std::back_inserter(mine.nodes));
    for (std::size_t count = 0; count <= candidates.size(); ++count) {
      OutsideParents::Odds& here = mine.by_count.emplace_back();
      for (int parent : mine.nodes) {
        const double first = guess.odds[static_cast<std::size_t>(parent) * size() + child];
        const double odds = first * std::exp(-guess.crowding[child] * static_cast<double>(count));
        here.log_odds.push_back(std::log(odds));
        here.share.push_back(odds / (1.0 + odds));
        here.log_either.push_back(std::log1p(odds));
      }
    }
    guessed_[child] = std::make_shared<const ParentSums>(with_outside(child));
  }
}

// Treats no outside parent as a descendant.
ParentSums StructureModel::with_outside(std::size_t child) const {
  std::vector<double> either;
  for (const OutsideParents::Odds& odds : outside_[child].by_count) {
    either.push_back(std::accumulate(odds.log_either.begin(), odds.log_either.end(), 0.0));
  }
  const ParentSums& mine = sums(child);
  std::vector<double> log_weights(std::size_t{1} << mine.candidates().size());
  for (std::uint32_t set = 0; set < log_weights.size(); ++set) {
    log_weights[set] = mine.log_weight(set) + either[static_cast<std::size_t>(std::popcount(set))];
  }
  return {mine.required(), mine.candidates(), std::move(log_weights)};
}

StructureModel::StructureModel(std::vector<std::shared_ptr<const ParentSums>> shared) : sums_(std::move(shared)) {
  link();
}

void StructureModel::link() {
  holders.resize(size());
  bit_in_parent.resize(size());
  reversible.assign(size(), 0);
  for (std::size_t child = 0; child < size(); ++child) {
    const int node = static_cast<int>(child);
    for (int parent : sums(child).required()) {
      holders[static_cast<std::size_t>(parent)].push_back({node, kRequiredBit});
    }
    const std::vector<int>& candidates = sums(child).candidates();
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      const auto parent = static_cast<std::size_t>(candidates[k]);
      holders[parent].push_back({node, static_cast<int>(k)});
      const std::vector<int>& theirs = sums(parent).candidates();
      const auto place = std::find(theirs.begin(), theirs.end(), node);
      const bool both_ways = place != theirs.end();
      bit_in_parent[child].push_back(both_ways ? static_cast<int>(place - theirs.begin()) : kRequiredBit);
      reversible[child] |= static_cast<std::uint32_t>(both_ways) << k;
    }
  }
}

StructureModel StructureModel::with_outside_fixed(const ChainDag& dag) const {
  std::vector<std::shared_ptr<const ParentSums>> shared = sums_;
  for (std::size_t child = 0; child < size(); ++child) {
    if (dag.outside[child].empty()) continue;
    shared[child] =
        std::make_shared<const ParentSums>(parents(dag, child), std::vector<int>(), std::vector<double>{0.0});
  }
  return StructureModel(std::move(shared));
}

std::vector<int> StructureModel::parents(const ChainDag& dag, std::size_t child) const {
  std::vector<int> found = sums(child).required();
  for (std::uint32_t rest = dag.chosen[child]; rest != 0; rest &= rest - 1) {
    found.push_back(sums(child).candidates()[static_cast<std::size_t>(std::countr_zero(rest))]);
  }
  found.insert(found.end(), dag.outside[child].begin(), dag.outside[child].end());
  std::sort(found.begin(), found.end());
  return found;
}

double StructureModel::log_weight(const ChainDag& dag, std::size_t child) const {
  if (!dag.outside[child].empty()) return wide_->log_weight(static_cast<int>(child), parents(dag, child));
  return sums(child).log_weight(dag.chosen[child]) + sums(child).log_scale();
}

std::vector<int> layers_of(const StructureModel& model, const ChosenParents& dag) {
  const std::size_t n = model.size();
  std::vector<int> waiting(n, 0), layer(n, 0), ready;
  auto has = [&](const Holder& holder) {
    return holder.bit == kRequiredBit || (dag[static_cast<std::size_t>(holder.node)] >> holder.bit & 1) != 0;
  };
  for (std::size_t parent = 0; parent < n; ++parent) {
    for (const Holder& holder : model.holders[parent]) {
      if (has(holder)) ++waiting[static_cast<std::size_t>(holder.node)];
    }
  }
  for (std::size_t node = 0; node < n; ++node) {
    if (waiting[node] == 0) ready.push_back(static_cast<int>(node));
  }
  while (!ready.empty()) {
    const auto parent = static_cast<std::size_t>(ready.back());
    ready.pop_back();
    for (const Holder& holder : model.holders[parent]) {
      if (!has(holder)) continue;
      const auto child = static_cast<std::size_t>(holder.node);
      layer[child] = std::max(layer[child], layer[parent] + 1);
      if (--waiting[child] == 0) ready.push_back(holder.node);
    }
  }
  return layer;
}

double log_weight(const StructureModel& model, const ChainDag& dag) {
  double sum = 0.0;
  for (std::size_t child = 0; child < model.size(); ++child) sum += model.log_weight(dag, child);
  return sum;
}

}  // namespace qnml
