// For every set of variables, the networks on it in order of their values, enumerated lazily.
//
// A network on a set S is a network N on S without some variable j, and a family of j with parents in that set: j is
// then a sink. To list every network once, j must be its largest sink: each sink of N above j must be a parent of j.
// The lists of smaller sets are extended lazily, with upper bounds in place of networks not yet known. docs/k-best.md
// proves that the order is correct and that no network is missed or listed twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/control.hpp"
#include "core/graph/network_classes.hpp"
#include "core/k_best/arc_losses.hpp"
#include "core/k_best/families_inside.hpp"
#include "core/k_best/family_ranks.hpp"
#include "core/k_best/ranked_score.hpp"
#include "core/k_best/set_values.hpp"

namespace qnml {

class NetworkLists {
 public:
  // With `by_class` only the best network of each equivalence class is listed.
  NetworkLists(const std::vector<FamilyRanks>& families, const SetValues& values, const ArcLosses& losses,
               bool by_class, double memory_limit, Control& control);

  // Adds the next network on all variables to their list. False when there is none, or when stopped or out of memory.
  bool advance() { return advance(everything_, kLowest); }
  bool is_out_of_memory() const { return bytes_ > memory_limit_; }

  std::size_t size() const { return lists_[of_set_[everything_]]->networks.size(); }
  RankedScore value(std::size_t place) const { return lists_[of_set_[everything_]]->networks[place].value; }
  std::vector<std::uint64_t> parents(std::size_t place) const;
  // Upper bound on the value of any network not yet listed; kLowest if there is none.
  RankedScore bound() { return next_key(list_of(everything_)); }

  std::uint64_t sets_touched() const { return lists_.size(); }
  std::uint64_t networks_held() const { return held_; }

 private:
  struct Network {
    RankedScore value;
    std::uint64_t signature;  // of its class; unused without classes
    std::uint32_t rest;       // place of the network on the set without the last variable
    std::uint32_t family;     // parents of the last variable
    std::uint32_t sinks;
    std::uint8_t last;
  };
  // A source of further networks, with an upper bound on their values. With rank kNoFamily: all networks whose rest is
  // at `place` or later. Otherwise: those whose rest is at `place` and whose family has at least this rank among the
  // families inside.
  struct Source {
    RankedScore key;
    std::uint32_t place;
    std::uint32_t rank;
    std::uint8_t last;
  };
  struct List {
    std::vector<Network> networks;
    std::vector<Source> sources;                            // a heap
    std::vector<std::unique_ptr<FamiliesInside>> families;  // of the last variables that have a source
    std::uint32_t unopened = 0;                             // last variables that have no source yet
    int next_unopened = -1;                                 // the one of them with the highest bound
    RankedScore unopened_key = kLowest;
  };

  static bool comes_later(const Source& a, const Source& b);
  static RankedScore next_key(const List& list);
  List& list_of(std::uint64_t set);
  FamiliesInside& families_of(std::uint64_t set, List& list, int last);
  void choose_unopened(std::uint64_t set, List& list);
  bool advance(std::uint64_t set, RankedScore limit);
  void open(std::uint64_t set, List& list, Source source, RankedScore limit);
  bool take(std::uint64_t set, List& list, Source source, RankedScore limit);
  void put_back(List& list, Source source, const FamiliesInside& families, RankedScore rest);
  bool append(std::uint64_t set, List& list, Network network);
  void push(List& list, Source source);
  RankedScore best_family(std::uint64_t others, int last) const;
  void write_parents(std::uint64_t set, std::size_t place, std::uint32_t* parents) const;

  const std::vector<FamilyRanks>& families_;
  const SetValues& values_;
  const ArcLosses& losses_;
  bool by_class_;
  double memory_limit_;
  Control& control_;
  int n_;
  std::uint64_t everything_;
  std::vector<std::uint32_t> of_set_;  // place in lists_, by set
  std::vector<std::unique_ptr<List>> lists_;
  ClassIndex classes_;
  std::uint64_t held_ = 0;
  double bytes_ = 0.0;
};

}  // namespace qnml
