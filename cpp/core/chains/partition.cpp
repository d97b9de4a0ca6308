#include "core/chains/partition.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/random.hpp"
#include "core/chains/structure_model.hpp"
#include "core/numbers/minus_infinity.hpp"
#include "core/numbers/special.hpp"

namespace qnml {
namespace {

// log of (k choose c) times the number of sizes that a part can have.
double log_splits(std::size_t k, std::size_t c) {
  const auto whole = static_cast<double>(k), part = static_cast<double>(c);
  return log_gamma(whole + 1.0) - log_gamma(part + 1.0) - log_gamma(whole - part + 1.0) + std::log(whole - 1.0);
}

}  // namespace

Partition::Partition(const StructureModel& model, std::vector<int> layer_of)
    : model_(model), layer_of_(std::move(layer_of)), term_(model.size()), marked_(model.size(), 0) {
  for (std::size_t node = 0; node < layer_of_.size(); ++node) {
    const auto at = static_cast<std::size_t>(layer_of_[node]);
    if (layers_.size() <= at) layers_.resize(at + 1);
    layers_[at].push_back(static_cast<int>(node));
  }
  for (std::size_t node = 0; node < layer_of_.size(); ++node) {
    term_[node] = term_at(static_cast<int>(node), layer_of_[node]);
  }
}

Partition::Reach Partition::reach(int node, int layer) const {
  Reach reach;
  const std::vector<int>& candidates = sums(node).candidates();
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const int theirs = layer_of_[static_cast<std::size_t>(candidates[k])];
    reach.before |= static_cast<std::uint32_t>(theirs < layer) << k;
    reach.last |= static_cast<std::uint32_t>(theirs == layer - 1) << k;
  }
  for (int parent : sums(node).required()) {
    const int theirs = layer_of_[static_cast<std::size_t>(parent)];
    reach.missing += theirs >= layer;
    reach.touched |= theirs == layer - 1;
  }
  return reach;
}

double Partition::value(int node, bool is_first, const Reach& reach) const {
  if (reach.missing != 0) return kMinusInfinity;
  if (is_first) return sums(node).log_weight(0);
  return reach.touched ? sums(node).log_within(reach.before) : sums(node).log_meeting(reach.before, reach.last);
}

void Partition::draw(Xoshiro256& random, ChosenParents& dag) const {
  dag.resize(model_.size());
  for (std::size_t i = 0; i < dag.size(); ++i) {
    const int node = static_cast<int>(i);
    const Reach r = reach(node, layer_of_[i]);
    if (layer_of_[i] == 0) {
      dag[i] = 0;
    } else if (r.touched) {
      dag[i] = sums(node).draw_within(r.before, random.uniform());
    } else {
      dag[i] = sums(node).draw_meeting(r.before, r.last, random.uniform());
    }
  }
}

bool Partition::change(int node, int layer, double& log_ratio) {
  const double fresh = term_at(node, layer);
  if (fresh == kMinusInfinity) return false;
  log_ratio += fresh - term(node);
  changed_.emplace_back(node, fresh);
  return true;
}

bool Partition::accept(double log_ratio, Xoshiro256& random) {
  if (log_ratio < 0.0 && random.uniform() >= std::exp(log_ratio)) return false;
  for (const auto& [node, fresh] : changed_) term(node) = fresh;
  return true;
}

void Partition::shift_layers(int from, int by) {
  for (int& layer : layer_of_) {
    if (layer >= from) layer += by;
  }
}

bool Partition::swap_adjacent(Xoshiro256& random) {
  if (layers_.size() < 2) return false;
  const std::size_t at = below(random, layers_.size() - 1);
  const int a = layers_[at][below(random, layers_[at].size())];
  const int b = layers_[at + 1][below(random, layers_[at + 1].size())];
  return swap(a, b, random);
}

bool Partition::swap_any(Xoshiro256& random) {
  const int a = static_cast<int>(below(random, layer_of_.size()));
  const int b = static_cast<int>(below(random, layer_of_.size()));
  return layer(a) != layer(b) && swap(a, b, random);
}

// Only the two nodes and the nodes that have one of them as a possible parent change their terms, the latter only from
// behind the earlier layer up to the layer right after the later one.
bool Partition::swap(int a, int b, Xoshiro256& random) {
  if (layer(a) > layer(b)) std::swap(a, b);
  const int early = layer(a), late = layer(b);
  layer(a) = late;
  layer(b) = early;
  changed_.clear();
  double log_ratio = 0.0;
  bool possible = change(a, late, log_ratio) && change(b, early, log_ratio);
  for (int moved : {a, b}) marked_[static_cast<std::size_t>(moved)] = 1;
  for (int moved : {a, b}) {
    for (const Holder& holder : model_.holders[static_cast<std::size_t>(moved)]) {
      const int theirs = layer(holder.node);
      if (!possible) break;
      if (marked_[static_cast<std::size_t>(holder.node)] || theirs <= early || theirs > late + 1) continue;
      marked_[static_cast<std::size_t>(holder.node)] = 1;
      possible = change(holder.node, theirs, log_ratio);
    }
  }
  for (int moved : {a, b}) {
    marked_[static_cast<std::size_t>(moved)] = 0;
    for (const Holder& holder : model_.holders[static_cast<std::size_t>(moved)]) {
      marked_[static_cast<std::size_t>(holder.node)] = 0;
    }
  }
  if (possible && accept(log_ratio, random)) {
    std::ranges::replace(layers_[static_cast<std::size_t>(early)], a, b);
    std::ranges::replace(layers_[static_cast<std::size_t>(late)], b, a);
    return true;
  }
  layer(a) = early;
  layer(b) = late;
  return false;
}

bool Partition::split_or_merge(Xoshiro256& random) {
  return (random.next() >> 63) != 0 ? split(random) : merge(random);
}

bool Partition::split(Xoshiro256& random) {
  const std::size_t at = below(random, layers_.size());
  std::vector<int>& members = layers_[at];
  if (members.size() < 2) return false;
  const std::size_t front = 1 + below(random, members.size() - 1);
  for (std::size_t i = 0; i < front; ++i) std::swap(members[i], members[i + below(random, members.size() - i)]);
  const int here = static_cast<int>(at);
  shift_layers(here + 1, 1);
  for (std::size_t i = front; i < members.size(); ++i) layer(members[i]) = here + 1;
  changed_.clear();
  double log_ratio = log_splits(members.size(), front);
  bool possible = true;
  for (std::size_t i = front; possible && i < members.size(); ++i) possible = change(members[i], here + 1, log_ratio);
  if (at + 1 < layers_.size()) {
    for (int node : layers_[at + 1]) possible = possible && change(node, here + 2, log_ratio);
  }
  if (possible && accept(log_ratio, random)) {
    std::vector<int> back(members.begin() + static_cast<std::ptrdiff_t>(front), members.end());
    members.resize(front);
    layers_.insert(layers_.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(back));
    return true;
  }
  for (std::size_t i = front; i < members.size(); ++i) layer(members[i]) = here;
  shift_layers(here + 2, -1);
  return false;
}

bool Partition::merge(Xoshiro256& random) {
  if (layers_.size() < 2) return false;
  const std::size_t at = below(random, layers_.size() - 1);
  const std::vector<int>& back = layers_[at + 1];
  const int here = static_cast<int>(at);
  shift_layers(here + 1, -1);
  changed_.clear();
  double log_ratio = -log_splits(layers_[at].size() + back.size(), layers_[at].size());
  bool possible = true;
  for (int node : back) possible = possible && change(node, here, log_ratio);
  if (at + 2 < layers_.size()) {
    for (int node : layers_[at + 2]) possible = possible && change(node, here + 1, log_ratio);
  }
  if (possible && accept(log_ratio, random)) {
    layers_[at].insert(layers_[at].end(), back.begin(), back.end());
    layers_.erase(layers_.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    return true;
  }
  shift_layers(here + 1, 1);
  for (int node : back) layer(node) = here + 1;
  return false;
}

}  // namespace qnml
