// Which parents a child takes from the variables that come before it in an order.
//
// From the required parents on, the one change that gains most is made again and again: a variable that comes before
// the child is added, or a parent is dropped, until neither gains; then a weak parent may be exchanged for another
// variable. The changes that gain are known for a set of parents whatever the order is, so they are kept, sorted, with
// each set that was reached: for another order the walk over the sets only looks for the first change it may make. In
// the spirit of the grow-shrink trees of B. Andrews et al., "Fast scalable and accurate discovery of DAGs using the
// best order score search and grow shrink trees", NeurIPS 2023; sets instead of sequences are kept, dropping may come
// before the growing is over, and exchanging is new: without it, two good parents are never found behind a better
// single one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/arc_rules.hpp"
#include "core/control.hpp"
#include "core/family_cache.hpp"

namespace qnml {

struct ParentSet;

struct ParentStep {
  double score = 0.0;
  int added = -1;  // -1: none
  int dropped = -1;
  mutable std::atomic<const ParentSet*> next{nullptr};
};

struct ParentSteps {
  std::unique_ptr<ParentStep[]> steps;
  std::size_t count = 0;
};

struct ParentSet {
  std::vector<int> parents;  // ascending
  double score = 0.0;
  // Null: not looked at yet.
  mutable std::atomic<const ParentSteps*> singles{nullptr};
  mutable std::atomic<const ParentSteps*> exchanges{nullptr};
};

// Safe to share between threads, but for forget(). What a walk returns depends on its arguments only, unless the search
// was stopped: then nothing new is counted and walks end early.
class ParentGrowth {
 public:
  // With `candidates`, one ascending list for each child, only those are added. What is kept takes little more than
  // `memory_bytes`; beyond, changes are counted again when they are needed.
  ParentGrowth(FamilyCache& families, const ArcRules& rules, const std::vector<std::vector<int>>* candidates,
               double memory_bytes, Control& control);
  ~ParentGrowth();
  ParentGrowth(const ParentGrowth&) = delete;

  // Walks from the required parents with the variables x for which is_before(x) holds. Marks in `path` those it added
  // on its way, and in `ahead` those it would have preferred to what it did, had they come before: the same walk is
  // made as long as none of `path` leaves and none of `ahead` joins the variables before the child.
  template <class IsBefore>
  const ParentSet* walk(int child, const IsBefore& is_before, std::uint64_t* ahead, std::uint64_t* path) {
    for (std::size_t word = 0; word < words_; ++word) ahead[word] = path[word] = 0;
    // The first step that may be made, if any.
    auto choose = [&](const ParentSteps& steps) -> const ParentStep* {
      for (std::size_t k = 0; k < steps.count; ++k) {
        const ParentStep& step = steps.steps[k];
        if (step.added < 0) return &step;
        std::uint64_t* marks = is_before(step.added) ? path : ahead;
        marks[step.added / 64] |= std::uint64_t{1} << (step.added % 64);
        if (marks == path) return &step;
      }
      return nullptr;
    };
    const ParentSet* set = &required_[static_cast<std::size_t>(child)];
    for (;;) {
      std::unique_ptr<ParentSteps> unkept;
      const ParentSteps* steps = set->singles.load(std::memory_order_acquire);
      const ParentStep* taken = choose(steps != nullptr ? *steps : look(child, *set, set->singles, unkept));
      if (taken == nullptr) {
        steps = set->exchanges.load(std::memory_order_acquire);
        taken = choose(steps != nullptr ? *steps : look(child, *set, set->exchanges, unkept));
      }
      if (taken == nullptr) return set;
      const ParentSet* next = taken->next.load(std::memory_order_acquire);
      set = next != nullptr ? next : follow(child, *set, *taken);
    }
  }

  // Looks at the required parents of every child, which is where every walk begins. With `companions`, only those are
  // added from now on that gain next to the required parents, alone or together with one of the so many best of them:
  // much less is counted, and what gains only next to two others is seldom missed.
  void begin(int companions, int threads);
  // Has those added from now on, too, that gain next to the parents of the child in one of the networks. If there are
  // new ones, everything is forgotten.
  bool widen(const std::vector<std::vector<std::vector<int>>>& networks, int threads);

  bool is_full() const { return bytes_.load(std::memory_order_relaxed) > memory_bytes_; }
  // Drops everything but the required parents. No set that a walk returned may be used afterwards.
  void forget();

  int n_variables() const { return families_.n_variables(); }
  double tolerance() const { return families_.tolerance(); }

 private:
  struct Sets;

  // Counts the steps, and keeps them in `place`, of which the set has two, or in `unkept`.
  const ParentSteps& look(int child, const ParentSet& set, std::atomic<const ParentSteps*>& place,
                          std::unique_ptr<ParentSteps>& unkept);
  std::unique_ptr<ParentSteps> count_singles(int child, const ParentSet& set);
  std::unique_ptr<ParentSteps> count_exchanges(int child, const ParentSet& set);
  static std::vector<int> possible_parents(int child, const std::vector<int>& but_not, const ArcRules& rules,
                                           const std::vector<std::vector<int>>* candidates);
  void add_gains(int child, const std::vector<int>& parents, std::vector<int>& gains);
  const ParentSet* follow(int child, const ParentSet& from, const ParentStep& step);

  FamilyCache& families_;
  const ArcRules& rules_;
  const std::vector<std::vector<int>>* all_candidates_;
  const std::vector<std::vector<int>>* candidates_;
  double memory_bytes_;
  Control& control_;
  std::size_t words_;
  std::vector<ParentSet> required_;
  std::vector<std::vector<int>> narrowed_;
  std::vector<std::unique_ptr<Sets>> sets_;
  std::atomic<double> bytes_{0.0};
};

}  // namespace qnml
