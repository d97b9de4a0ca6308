// The steps from an equivalence class that gain, recomputed only where the class has changed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/graph/class_member.hpp"
#include "core/graph/class_moves.hpp"
#include "core/graph/partial_dag.hpp"
#include "core/local/gaining_parents.hpp"
#include "core/scores/family_cache.hpp"

namespace qnml {

// For each variable those that it may become adjacent to: one of the two is a candidate of the other. Without
// `candidates`, all that the rules allow.
std::vector<std::vector<int>> insertion_partners(const AdmittedClasses& rules, int n,
                                                 const std::vector<std::vector<int>>* candidates);

class ClassSteps {
 public:
  struct Best {
    ClassMove move;
    double gain;
  };

  // Arcs are inserted between partners, see insertion_partners. Of the sets of neighbours that a child may take as
  // parents, `most_cliques` are tried, small ones first. Several objects may share `gaining`; it learns of
  // what they find by take_scored().
  ClassSteps(FamilyCache& families, const AdmittedClasses& rules, const GainingParents& gaining,
             std::size_t most_cliques, Control& control, int threads);

  // Makes this the class that go_back() returns to, until the next call.
  void keep(const PartialDag& graph);
  // Takes over the steps of another object, which has just kept its class, as those of the class kept here.
  void keep_like(const ClassSteps& other);
  // Restores the steps of the class kept; the graph is again as it was then.
  void go_back();
  // Call after the arrows or lines of these nodes have changed.
  void mark(const PartialDag& graph, const std::vector<int>& changed);
  // Recomputes the steps of a kind where they may have changed. Incomplete when stopped.
  void refresh(const PartialDag& graph, MoveKind kind);
  // The feasible step with the largest gain. An infeasible one is set aside until it is recomputed or taken up again.
  // Ties: the lowest child, then the lowest other, then the first set.
  std::optional<Best> best(MoveKind kind, const std::function<bool(const ClassMove&)>& can_be_made);
  // Reconsiders the steps that were set aside; returns whether there were any.
  bool take_up(MoveKind kind);
  // What was scored since the last call: the lists that are new, and the approximate number of other families, without
  // those of perturbations.
  struct Scored {
    GainingParents::Draft lists;
    double other_families = 0.0;

    double work() const { return lists.families() + other_families; }
  };
  const Scored& scored() const { return scored_; }
  Scored take_scored() { return std::exchange(scored_, {GainingParents::Draft(*gaining_), 0.0}); }

 private:
  struct Step {
    double gain;
    int other;
    std::uint32_t clique;  // index in the list of the child
    bool is_aside = false;
  };
  struct OfChild {
    std::vector<std::vector<int>> cliques;
    std::vector<Step> best_first;
    bool is_outdated = true;
    bool is_new = true;  // computed after the class was kept
  };

  static constexpr std::array<MoveKind, 3> kKinds{MoveKind::insert, MoveKind::remove, MoveKind::turn};

  OfChild& of(MoveKind kind, int child) { return steps_[static_cast<std::size_t>(kind)][at(child)]; }
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
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
  const GainingParents* gaining_;
  Scored scored_;
  std::array<std::vector<OfChild>, 3> steps_;  // by kind and child
  // Outdated steps, as they were when the class was kept.
  struct Kept {
    MoveKind kind;
    int child;
    OfChild steps;
  };
  std::vector<Kept> kept_;
  bool has_kept_ = false;
};

}  // namespace qnml
