// The parents that a child takes from its predecessors in an order.
//
// Greedy search from the required parents: as long as a change gains, the best one is made. A predecessor is added or a
// parent dropped; when neither gains, a weak parent may be exchanged for another variable. Which changes of a parent
// set gain does not depend on the order, so they are stored, sorted, with each set that was reached: under another
// order, the walk over the sets only looks for the first change that is possible. This is in the spirit of the
// grow-shrink trees of B. Andrews et al., "Fast scalable and accurate discovery of DAGs using the best order score
// search and grow shrink trees", NeurIPS 2023. Here sets are stored instead of sequences, parents may be dropped before
// growing ends, and two kinds of changes are new: exchanges, and pairs. The walk may add two variables at once that
// gain together but not one by one next to a better single parent.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/control.hpp"
#include "core/graph/rules.hpp"
#include "core/scores/family_cache.hpp"

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
  std::size_t families = 0;                       // scored to find the steps
  mutable std::atomic<std::uint32_t> seen_by{0};  // see WalkWork
};

// The work of a series of walks: the families scored for the steps it met. Steps count once per series, even if another
// series had them scored, so that the sum does not depend on which came first. (When memory is full and nothing new is
// stored, they count each time.)
class WalkWork {
 public:
  // Each series that shares a ParentGrowth has its own number, below kMost.
  static constexpr int kMost = 32;
  explicit WalkWork(int number, double most) : mark_(std::uint32_t{1} << number), most_(most) {}

  // `is_kept`: whether the steps are stored.
  void meet(const ParentSteps& steps, bool is_kept = true) {
    if ((steps.seen_by.load(std::memory_order_relaxed) & mark_) != 0) return;
    if (log_ != nullptr) {
      log_->add(steps, is_kept);
      return;
    }
    steps.seen_by.fetch_or(mark_, std::memory_order_relaxed);
    done_ += static_cast<double>(steps.families);
  }

  // What walks of the series met that were made ahead of their turn, perhaps in another thread.
  class Log {
   public:
    void add(const ParentSteps& steps, bool is_kept) {
      steps_.push_back(&steps);
      is_whole_ &= is_kept;
    }
    // Whether all steps are still there. If not, the walks must be repeated.
    bool is_whole() const { return is_whole_; }

   private:
    friend class WalkWork;
    std::vector<const ParentSteps*> steps_;
    bool is_whole_ = true;
  };
  // The same series, for walks ahead of their turn: their work is logged, and counts when it is their turn.
  WalkWork logging_to(Log& log) const {
    WalkWork ahead = *this;
    ahead.log_ = &log;
    return ahead;
  }
  void meet(const Log& log) {
    for (const ParentSteps* steps : log.steps_) meet(*steps);
  }
  bool is_over() const { return done_ > most_; }
  double done() const { return done_; }

 private:
  std::uint32_t mark_;
  double most_;
  double done_ = 0.0;
  Log* log_ = nullptr;
};

// Two parents that are added at once.
struct ParentPair {
  double score = 0.0;
  int first = -1;
  int second = -1;
  mutable std::atomic<const ParentSet*> next{nullptr};
};

struct ParentPairs {
  std::unique_ptr<ParentPair[]> pairs;
  std::size_t count = 0;
};

struct ParentSet {
  std::vector<int> parents;  // ascending
  double score = 0.0;
  // Null: not computed yet.
  mutable std::atomic<const ParentSteps*> singles{nullptr};
  mutable std::atomic<const ParentSteps*> exchanges{nullptr};
};

// May be shared between threads, except for forget(). The result of a walk depends on its arguments only, unless the
// search was stopped: then nothing new is counted and walks end early.
class ParentGrowth {
 public:
  // If `candidates` is given, one ascending list per child, only those are added. What is stored takes little more than
  // `memory_bytes`; beyond that, changes are counted again whenever they are needed.
  ParentGrowth(FamilyCache& families, const Rules& rules, const std::vector<std::vector<int>>* candidates,
               double memory_bytes, Control& control);
  ~ParentGrowth();
  ParentGrowth(const ParentGrowth&) = delete;

  // Walks from the required parents, adding only variables x with is_before(x), and once more from the best pair of
  // them that scores more than the result (see begin). Marks in `path` the variables it added on its way, and in
  // `ahead` those it would have preferred had they come before. The walk remains the same as long as no variable of
  // `path` leaves and none of `ahead` joins the predecessors of the child.
  template <class IsBefore>
  const ParentSet* walk(int child, const IsBefore& is_before, std::uint64_t* ahead, std::uint64_t* path,
                        WalkWork& work) {
    for (std::size_t word = 0; word < words_; ++word) ahead[word] = path[word] = 0;
    const ParentSet* grown = walk_on(child, &required_[at(child)], is_before, ahead, path, work);
    const ParentPair* pair = choose(pairs_[at(child)], grown->score + tolerance(), is_before, ahead, path);
    if (pair == nullptr) return grown;
    const ParentSet* next = pair->next.load(std::memory_order_acquire);
    return walk_on(child, next != nullptr ? next : follow(child, *pair), is_before, ahead, path, work);
  }

  // Examines the required parents of every child, where every walk begins. With `pair_partners`, only variables are
  // added from now on that gain next to the required parents, alone or together with one of the `pair_partners` best of
  // them. This counts far fewer families and seldom misses a variable that gains only next to two others. Also finds
  // the pairs that walks add at once (parent_pairs.hpp); with `tries_all_pairs`, also those of which neither variable
  // gains alone.
  void begin(int pair_partners, bool tries_all_pairs, int threads);
  // Allows more variables to be added from now on: those that gain next to the parents of the child in one of the
  // networks. Forgets everything about children with new variables; returns whether there were any.
  bool widen(const std::vector<std::vector<std::vector<int>>>& networks, int threads);

  bool is_full() const { return bytes_.load(std::memory_order_relaxed) > memory_bytes_; }
  // Drops everything but the required parents. Invalidates all sets that walks returned.
  void forget();

  int n_variables() const { return families_.n_variables(); }
  double tolerance() const { return families_.tolerance(); }

 private:
  struct Sets;

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  static void mark(std::uint64_t* marks, int variable) { marks[variable / 64] |= std::uint64_t{1} << (variable % 64); }

  // The first possible step, if any.
  template <class IsBefore>
  static const ParentStep* choose(const ParentSteps& steps, const IsBefore& is_before, std::uint64_t* ahead,
                                  std::uint64_t* path) {
    for (std::size_t k = 0; k < steps.count; ++k) {
      const ParentStep& step = steps.steps[k];
      if (step.added < 0) return &step;
      std::uint64_t* marks = is_before(step.added) ? path : ahead;
      mark(marks, step.added);
      if (marks == path) return &step;
    }
    return nullptr;
  }

  // The best pair of predecessors that scores more than `least`, if any. If both variables of a pair are missing, marks
  // only one: as long as that is missing, the other changes nothing.
  template <class IsBefore>
  static const ParentPair* choose(const ParentPairs& pairs, double least, const IsBefore& is_before,
                                  std::uint64_t* ahead, std::uint64_t* path) {
    for (std::size_t k = 0; k < pairs.count && pairs.pairs[k].score > least; ++k) {
      const ParentPair& pair = pairs.pairs[k];
      const int missing = !is_before(pair.first) ? pair.first : !is_before(pair.second) ? pair.second : -1;
      if (missing >= 0) {
        mark(ahead, missing);
        continue;
      }
      mark(path, pair.first);
      mark(path, pair.second);
      return &pair;
    }
    return nullptr;
  }

  // Walks on from this set until nothing gains.
  template <class IsBefore>
  const ParentSet* walk_on(int child, const ParentSet* set, const IsBefore& is_before, std::uint64_t* ahead,
                           std::uint64_t* path, WalkWork& work) {
    for (;;) {
      std::unique_ptr<ParentSteps> unkept;
      const auto first_of = [&](std::atomic<const ParentSteps*>& place) {
        const ParentSteps* known = place.load(std::memory_order_acquire);
        const ParentSteps& steps = known != nullptr ? *known : look(child, *set, place, unkept);
        work.meet(steps, unkept == nullptr);
        return choose(steps, is_before, ahead, path);
      };
      const ParentStep* taken = first_of(set->singles);
      if (taken == nullptr) taken = first_of(set->exchanges);
      if (taken == nullptr) return set;
      const ParentSet* next = taken->next.load(std::memory_order_acquire);
      set = next != nullptr ? next : follow(child, *set, *taken);
    }
  }

  // Computes the steps and stores them in `place`, one of the two lists of the set, or in `unkept` if memory is full.
  const ParentSteps& look(int child, const ParentSet& set, std::atomic<const ParentSteps*>& place,
                          std::unique_ptr<ParentSteps>& unkept);
  // Stores the pairs, and returns the variables that gain alone or next to one of the pair partners, ascending.
  std::vector<int> find_pairs(int child, const ParentSteps& alone, int pair_partners, bool tries_all_pairs);
  std::unique_ptr<ParentSteps> count_singles(int child, const ParentSet& set);
  std::unique_ptr<ParentSteps> count_exchanges(int child, const ParentSet& set);
  static std::vector<int> possible_parents(int child, const std::vector<int>& but_not, const Rules& rules,
                                           const std::vector<std::vector<int>>* candidates);
  void add_gains(int child, const std::vector<int>& parents, std::vector<int>& gains);
  const ParentSet* follow(int child, const ParentSet& from, const ParentStep& step);
  const ParentSet* follow(int child, const ParentPair& pair);
  const ParentSet* reach(int child, std::vector<int> parents, double score);
  void forget(int child);

  FamilyCache& families_;
  const Rules& rules_;
  const std::vector<std::vector<int>>* all_candidates_;
  const std::vector<std::vector<int>>* candidates_;
  double memory_bytes_;
  Control& control_;
  std::size_t words_;
  std::vector<ParentSet> required_;
  std::vector<ParentPairs> pairs_;  // by child: pairs added to its required parents
  std::vector<std::vector<int>> narrowed_;
  std::vector<std::vector<std::vector<int>>> examined_;  // by child: the parents whose gains `narrowed_` contains
  std::vector<std::unique_ptr<Sets>> sets_;
  std::atomic<double> bytes_{0.0};
};

}  // namespace qnml
