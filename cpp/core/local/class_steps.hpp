// The steps from a class of equivalent networks that gain, found once and again only where something has changed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "core/base/control.hpp"
#include "core/graph/class_member.hpp"
#include "core/graph/class_moves.hpp"
#include "core/local/gaining_parents.hpp"
#include "core/scores/family_cache.hpp"

namespace qnml {

class ClassSteps {
 public:
  struct Best {
    ClassMove move;
    double gain;
  };

  // Arcs are inserted between those that are among the other's `candidates`, either way; without them, between all
  // that the rules let be adjacent. Of the sets of neighbours that a child may take as parents `most_cliques` are
  // tried, small ones first. What is remembered takes at most `memory_bytes`.
  ClassSteps(FamilyCache& families, const AdmittedClasses& rules, const std::vector<std::vector<int>>* candidates,
             std::size_t most_cliques, double memory_bytes, Control& control, int threads);

  // The class to go back to is this one, until the next call.
  void keep(const PartialDag& graph);
  // The graph is again as it was then.
  void go_back();
  // These nodes have other arrows and lines than before.
  void mark(const PartialDag& graph, const std::vector<int>& changed);
  // Finds the steps of a kind anew where they may have changed. Not all of them when it is stopped.
  void refresh(const PartialDag& graph, MoveKind kind);
  // The step that gains most of those that can be made. One that cannot is left aside until it is found anew or taken
  // up. Of equal gain: the lowest child, then other, then set.
  std::optional<Best> best(MoveKind kind, const std::function<bool(const ClassMove&)>& can_be_made);
  // Looks at what was left aside again; whether there was any.
  bool take_up(MoveKind kind);
  // Families scored so far, about; not those that shakes ask for. Depends neither on threads nor on time.
  double work() const { return work_; }

 private:
  struct Step {
    double gain;
    int other;
    std::uint32_t clique;  // its place in the list of the child
    bool is_aside = false;
  };
  struct OfChild {
    std::vector<std::vector<int>> cliques;
    std::vector<Step> best_first;
    bool is_outdated = true;
    bool is_new = true;  // found after the class was kept
  };

  static constexpr std::array<MoveKind, 3> kKinds{MoveKind::insert, MoveKind::remove, MoveKind::turn};

  OfChild& of(MoveKind kind, int child) { return steps_[static_cast<std::size_t>(kind)][at(child)]; }
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  void set_partners(const std::vector<std::vector<int>>* candidates);
  void outdate(MoveKind kind, int child);
  int threads_for(double families) const;
  void find_insertions(const PartialDag& graph, const std::vector<int>& children);
  void score_removals(const PartialDag& graph, int child, std::uint32_t clique, const std::vector<int>& parents,
                      std::vector<Step>& steps);
  void score_turns(const PartialDag& graph, int child, std::uint32_t clique, const std::vector<int>& parents,
                   std::vector<Step>& steps);
  double gain_of_other(const PartialDag& graph, const ClassMove& turn);

  FamilyCache& families_;
  const AdmittedClasses& rules_;
  std::size_t most_cliques_;
  Control& control_;
  int threads_;
  int n_;
  double work_ = 0.0;
  std::vector<std::vector<int>> partners_;  // who may become adjacent
  GainingParents gaining_;
  std::array<std::vector<OfChild>, 3> steps_;  // by kind and child
  // What is outdated, as it was when the class was kept.
  struct Kept {
    MoveKind kind;
    int child;
    OfChild steps;
  };
  std::vector<Kept> kept_;
  bool has_kept_ = false;
};

}  // namespace qnml
