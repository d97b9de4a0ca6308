#include "core/k_best/network_lists.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/random.hpp"
#include "core/graph/network_classes.hpp"
#include "core/k_best/arc_losses.hpp"
#include "core/k_best/families_inside.hpp"
#include "core/k_best/family_ranks.hpp"
#include "core/k_best/ranked_score.hpp"
#include "core/k_best/set_values.hpp"
#include "core/numbers/subset_transform.hpp"

namespace qnml {
namespace {

constexpr std::uint32_t kUntouched = 0xFFFFFFFFu;
constexpr int kMost = 32;

std::uint32_t above(int bit) { return ~((std::uint32_t{2} << bit) - 1); }

}  // namespace

NetworkLists::NetworkLists(const std::vector<FamilyRanks>& families, const SetValues& values, const ArcLosses& losses,
                           bool by_class, double memory_limit, Control& control)
    : families_(families),
      values_(values),
      losses_(losses),
      by_class_(by_class),
      memory_limit_(memory_limit),
      control_(control),
      n_(static_cast<int>(families.size())),
      everything_((std::uint64_t{1} << families.size()) - 1),
      of_set_(std::size_t{1} << families.size(), kUntouched) {
  list_of(0).networks.push_back({{}, 0, 0, 0, 0, 0});
  list_of(everything_);
}

// Among equal keys the sources closest to a network come first; the other criteria make the order deterministic.
bool NetworkLists::comes_later(const Source& a, const Source& b) {
  if (a.key != b.key) return a.key < b.key;
  const bool a_open = a.rank != kNoFamily;
  const bool b_open = b.rank != kNoFamily;
  if (a_open != b_open) return b_open;
  if (a.last != b.last) return a.last < b.last;
  if (a.place != b.place) return a.place > b.place;
  return a.rank > b.rank;
}

RankedScore NetworkLists::next_key(const List& list) {
  return list.sources.empty() ? list.unopened_key : std::max(list.unopened_key, list.sources.front().key);
}

void NetworkLists::push(List& list, Source source) {
  bytes_ += 1.5 * sizeof(Source);
  list.sources.push_back(source);
  std::push_heap(list.sources.begin(), list.sources.end(), comes_later);
}

RankedScore NetworkLists::best_family(std::uint64_t others, int last) const {
  const FamilyRanks& of_last = families_[static_cast<std::size_t>(last)];
  return of_last.value[of_last.best_inside[remove_bit(others, last)]];
}

FamiliesInside& NetworkLists::families_of(std::uint64_t set, List& list, int last) {
  for (const auto& families : list.families) {
    if (families->child() == last) return *families;
  }
  const auto others = static_cast<std::uint32_t>(set ^ std::uint64_t{1} << last);
  list.families.push_back(std::make_unique<FamiliesInside>(families_[static_cast<std::size_t>(last)], others, last));
  bytes_ += list.families.back()->bytes();
  return *list.families.back();
}

NetworkLists::List& NetworkLists::list_of(std::uint64_t set) {
  std::uint32_t& place = of_set_[set];
  if (place == kUntouched) {
    place = static_cast<std::uint32_t>(lists_.size());
    lists_.push_back(std::make_unique<List>());
    bytes_ += sizeof(List) + 64.0;
    List& list = *lists_.back();
    for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) {
      const int last = std::countr_zero(rest);
      const std::uint64_t others = set ^ std::uint64_t{1} << last;
      const FamilyRanks& of_last = families_[static_cast<std::size_t>(last)];
      const bool is_possible =
          values_.best[others] != kLowest && of_last.best_inside[remove_bit(others, last)] != kNoFamily;
      if (is_possible) list.unopened |= 1u << last;
    }
    choose_unopened(set, list);
  }
  return *lists_[place];
}

void NetworkLists::choose_unopened(std::uint64_t set, List& list) {
  list.next_unopened = -1;
  list.unopened_key = kLowest;
  // If `last` is the largest sink of a network on the set, all variables above it have a child there.
  RankedScore lowest{std::numeric_limits<std::int64_t>::max() / 4, kHighestTie};
  std::int64_t lost = 0;
  for (std::uint64_t rest = set; rest != 0;) {
    const int last = 63 - std::countl_zero(rest);
    const std::uint64_t mine = std::uint64_t{1} << last;
    rest ^= mine;
    if (list.unopened & mine) {
      const RankedScore key = std::min(values_.best[set ^ mine] + best_family(set ^ mine, last), lowest);
      if (key.score > kLowest.score && key > list.unopened_key) {
        list.unopened_key = key;
        list.next_unopened = last;
      }
    }
    lost += losses_.least(last, set);
    lowest.score = std::min({lowest.score, values_.best_with_child(set, last), values_.best[set].score - lost});
  }
}

// Works on the source with the highest bound until a network is added or all bounds are below the limit.
bool NetworkLists::advance(std::uint64_t set, RankedScore limit) {
  List& list = list_of(set);
  for (;;) {
    const RankedScore key = next_key(list);
    if (key <= kLowest || key < limit || control_.is_stopped() || is_out_of_memory()) return false;
    if (list.sources.empty() || list.sources.front().key < list.unopened_key) {
      const auto last = static_cast<std::uint8_t>(list.next_unopened);
      list.unopened ^= 1u << last;
      push(list, {list.unopened_key, 0, kNoFamily, last});
      choose_unopened(set, list);
      continue;
    }
    std::pop_heap(list.sources.begin(), list.sources.end(), comes_later);
    const Source source = list.sources.back();
    list.sources.pop_back();
    bytes_ -= 1.5 * sizeof(Source);
    const RankedScore next = std::max(limit, next_key(list));
    if (source.rank == kNoFamily) {
      open(set, list, source, next);
    } else if (take(set, list, source, next)) {
      return true;
    }
  }
}

// Turns "all networks from this rest on" into "those with this rest" and "all from the next rest on".
void NetworkLists::open(std::uint64_t set, List& list, Source source, RankedScore limit) {
  const std::uint64_t others = set ^ std::uint64_t{1} << source.last;
  const RankedScore family = best_family(others, source.last);
  List& rests = list_of(others);
  if (source.place >= rests.networks.size() && !advance(others, limit - family)) {
    const RankedScore bound = next_key(rests);
    if (bound <= kLowest) return;
    source.key = std::min(source.key, bound + family);
    push(list, source);
    return;
  }
  const RankedScore key = rests.networks[source.place].value + family;
  if (key < limit) {
    source.key = key;
    push(list, source);
    return;
  }
  // The larger sinks must be parents, and each of these arcs has its loss.
  RankedScore with_sinks = key;
  for (std::uint32_t rest = rests.networks[source.place].sinks & above(source.last); rest != 0; rest &= rest - 1) {
    with_sinks.score -= losses_.loss(std::countr_zero(rest), source.last);
  }
  if (with_sinks.score < key.score) with_sinks.tie = kHighestTie;
  if (with_sinks.score > kLowest.score) push(list, {std::min(with_sinks, source.key), source.place, 0, source.last});
  ++source.place;
  const RankedScore rest = source.place < rests.networks.size() ? rests.networks[source.place].value : next_key(rests);
  if (rest <= kLowest) return;
  source.key = std::min(source.key, rest + family);
  push(list, source);
}

// Finds the next family inside that has every larger sink of the rest as a parent.
bool NetworkLists::take(std::uint64_t set, List& list, Source source, RankedScore limit) {
  const Network& rest = lists_[of_set_[set ^ std::uint64_t{1} << source.last]]->networks[source.place];
  FamiliesInside& families = families_of(set, list, source.last);
  const std::uint32_t demanded = rest.sinks & above(source.last);
  for (;; ++source.rank) {
    if (!families.is_known(source.rank)) {
      const double before = families.bytes();
      families.extend(limit - rest.value);
      bytes_ += families.bytes() - before;
    }
    if (!families.is_known(source.rank) || rest.value + families.value(source.rank) < limit) {
      put_back(list, source, families, rest.value);
      return false;
    }
    const std::uint32_t parents = families.parents(source.rank);
    if ((demanded & ~parents) != 0) continue;
    const Network network{rest.value + families.value(source.rank),
                          by_class_ ? rest.signature + class_signature(source.last, parents) : 0,
                          source.place,
                          parents,
                          (rest.sinks & ~parents) | 1u << source.last,
                          source.last};
    const bool is_new = append(set, list, network);
    ++source.rank;
    put_back(list, source, families, rest.value);
    return is_new;
  }
}

// Reinserts the source with the bound of the family it has reached; drops it if there are no more families.
void NetworkLists::put_back(List& list, Source source, const FamiliesInside& families, RankedScore rest) {
  const bool is_known = families.is_known(source.rank);
  if (!is_known && families.is_complete()) return;
  source.key = rest + (is_known ? families.value(source.rank) : families.bound());
  push(list, source);
}

bool NetworkLists::append(std::uint64_t set, List& list, Network network) {
  list.networks.push_back(network);
  if (by_class_) {
    const double before = classes_.bytes();
    std::uint32_t mine[kMost], other[kMost];
    bool is_written = false;
    const auto place = static_cast<std::uint32_t>(list.networks.size() - 1);
    const bool is_there =
        classes_.find_or_add(network.signature ^ mix64(set), {of_set_[set], place}, [&](ClassIndex::Place at) {
          if (at.list != of_set_[set]) return false;
          if (!is_written) write_parents(set, place, mine);
          is_written = true;
          write_parents(set, at.place, other);
          return are_equivalent(mine, other, n_);
        });
    bytes_ += classes_.bytes() - before;
    if (is_there) {
      list.networks.pop_back();
      return false;
    }
  }
  bytes_ += 1.5 * sizeof(Network);
  ++held_;
  return true;
}

void NetworkLists::write_parents(std::uint64_t set, std::size_t place, std::uint32_t* parents) const {
  std::fill_n(parents, n_, 0u);
  while (set != 0) {
    const Network& network = lists_[of_set_[set]]->networks[place];
    parents[network.last] = network.family;
    place = network.rest;
    set ^= std::uint64_t{1} << network.last;
  }
}

std::vector<std::uint64_t> NetworkLists::parents(std::size_t place) const {
  std::uint32_t masks[kMost];
  write_parents(everything_, place, masks);
  return {masks, masks + n_};
}

}  // namespace qnml
