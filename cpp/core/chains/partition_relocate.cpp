// Removes one node from a partition and reinserts it by the weights of all its places.
//
// Without the node v there are m layers. It can join one of them or form a layer of its own in one of the m + 1 gaps.
// The effect of a place on another node depends only on the layer of that node, in one of four ways: v is not before
// it, v is in an earlier layer, v is with others in the layer right before it, or v is alone there. With sums of these
// terms over each layer, every place costs a few additions.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/random.hpp"
#include "core/chains/partition.hpp"
#include "core/chains/structure_model.hpp"
#include "core/numbers/minus_infinity.hpp"

namespace qnml {
namespace {

constexpr int kNowhere = std::numeric_limits<int>::max() / 2;  // a layer that is before no node

}  // namespace

// Places: 2 k + 1 joins layer k, 2 k forms a new layer before it.
bool Partition::relocate(Xoshiro256& random) {
  const int node = static_cast<int>(below(random, model_.size()));
  const auto from = static_cast<std::size_t>(layer(node));
  const std::size_t old_place = 2 * from + (layers_[from].size() > 1 ? 1 : 0);
  take_out(node);
  set_shifted(node);
  weigh_places(node);
  const double highest = *std::max_element(places_.begin(), places_.end());
  double total = 0.0;
  for (double& place : places_) total += place = std::exp(place - highest);
  double left = random.uniform() * total;
  std::size_t chosen = old_place;  // if rounding leaves none
  for (std::size_t place = 0; place < places_.size(); ++place) {
    left -= places_[place];
    if (places_[place] > 0.0 && left < 0.0) {
      chosen = place;
      break;
    }
  }
  put_back(node, chosen);
  return chosen != old_place;
}

void Partition::take_out(int node) {
  const int from = layer(node);
  std::vector<int>& members = layers_[static_cast<std::size_t>(from)];
  layer(node) = kNowhere;
  std::erase(members, node);
  if (!members.empty()) return;
  layers_.erase(layers_.begin() + from);
  for (int& theirs : layer_of_) {
    if (theirs > from && theirs != kNowhere) --theirs;
  }
}

void Partition::set_shifted(int node) {
  const std::size_t m = layers_.size();
  without_.assign(m, 0.0);
  alone_.assign(m, 0.0);
  shifted_.clear();
  for (const Holder& holder : model_.holders[static_cast<std::size_t>(node)]) {
    const int theirs = layer(holder.node);
    const bool is_first = theirs == 0;
    Reach reach = this->reach(holder.node, theirs);
    Shifted terms{holder.node,    theirs,         value(holder.node, is_first, reach),
                  kMinusInfinity, kMinusInfinity, kMinusInfinity};
    Reach alone;
    if (holder.bit == kRequiredBit) {
      --reach.missing;
      alone = reach;
      if (!is_first) terms.before = value(holder.node, false, reach);
      reach.touched = alone.touched = true;
    } else {
      const std::uint32_t bit = std::uint32_t{1} << holder.bit;
      reach.before |= bit;
      alone = reach;
      alone.last = bit;
      alone.touched = false;
      if (!is_first) terms.before = value(holder.node, false, reach);
      reach.last |= bit;
    }
    if (!is_first) terms.beside = value(holder.node, false, reach);
    terms.alone = value(holder.node, false, alone);
    shifted_.push_back(terms);
    marked_[static_cast<std::size_t>(holder.node)] = 1;
  }
  // If v alone forms a layer, every node in the next layer must have v as a possible parent.
  for (std::size_t k = 0; k < m; ++k) {
    for (int other : layers_[k]) {
      if (marked_[static_cast<std::size_t>(other)]) continue;
      without_[k] += term(other);
      alone_[k] = kMinusInfinity;
    }
  }
  before_ = without_;
  beside_ = without_;
  for (const Shifted& terms : shifted_) {
    const auto k = static_cast<std::size_t>(terms.layer);
    without_[k] += terms.without;
    before_[k] += terms.before;
    beside_[k] += terms.beside;
    alone_[k] += terms.alone;
    marked_[static_cast<std::size_t>(terms.node)] = 0;
  }
}

void Partition::weigh_places(int node) {
  const std::size_t m = layers_.size();
  // Sums over the layers k, k + 1, ... with v in an earlier layer.
  later_.assign(m + 2, 0.0);
  for (std::size_t k = m; k-- > 0;) later_[k] = later_[k + 1] + before_[k];
  places_.assign(2 * m + 1, kMinusInfinity);
  own_.assign(m + 1, kMinusInfinity);
  double earlier = 0.0;
  for (std::size_t k = 0; k <= m && earlier > kMinusInfinity; ++k) {
    double in_gap = earlier + later_[std::min(k + 1, m)];
    double joined = kMinusInfinity;
    if (k < m) {
      in_gap += alone_[k];
      earlier += without_[k];
      joined = earlier + (k + 1 < m ? beside_[k + 1] + later_[k + 2] : 0.0);
    }
    if (in_gap == kMinusInfinity && joined == kMinusInfinity) continue;
    own_[k] = term_at(node, static_cast<int>(k));
    places_[2 * k] = in_gap + own_[k];
    if (k < m) places_[2 * k + 1] = joined + own_[k];
  }
}

void Partition::put_back(int node, std::size_t place) {
  const std::size_t at = place / 2;
  const int here = static_cast<int>(at);
  const bool joins = place % 2 == 1;
  // A layer that v joins keeps its terms without v; a layer of v alone is right before layer `at`.
  const int next = joins ? here + 1 : here;
  for (const Shifted& terms : shifted_) {
    term(terms.node) = terms.layer < next   ? terms.without
                       : terms.layer > next ? terms.before
                       : joins              ? terms.beside
                                            : terms.alone;
  }
  if (joins) {
    layers_[at].push_back(node);
  } else {
    shift_layers(here, 1);
    layers_.insert(layers_.begin() + here, std::vector<int>{node});
  }
  layer(node) = here;
  term(node) = own_[at];
}

}  // namespace qnml
