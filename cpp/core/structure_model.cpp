#include "core/structure_model.hpp"

#include <algorithm>
#include <utility>

namespace qnml {

StructureModel::StructureModel(std::vector<ParentSums> of_children) : sums(std::move(of_children)) {
  holders.resize(size());
  bit_in_parent.resize(size());
  reversible.assign(size(), 0);
  for (std::size_t child = 0; child < size(); ++child) {
    const int node = static_cast<int>(child);
    for (int parent : sums[child].required()) holders[static_cast<std::size_t>(parent)].push_back({node, kRequiredBit});
    const std::vector<int>& candidates = sums[child].candidates();
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      const auto parent = static_cast<std::size_t>(candidates[k]);
      holders[parent].push_back({node, static_cast<int>(k)});
      const std::vector<int>& theirs = sums[parent].candidates();
      const auto place = std::find(theirs.begin(), theirs.end(), node);
      const bool both_ways = place != theirs.end();
      bit_in_parent[child].push_back(both_ways ? static_cast<int>(place - theirs.begin()) : kRequiredBit);
      reversible[child] |= static_cast<std::uint32_t>(both_ways) << k;
    }
  }
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

double log_weight(const StructureModel& model, const ChosenParents& dag) {
  double sum = 0.0;
  for (std::size_t child = 0; child < model.size(); ++child) {
    sum += model.sums[child].log_weight(dag[child]) + model.sums[child].log_scale();
  }
  return sum;
}

}  // namespace qnml
