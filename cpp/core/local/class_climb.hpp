// One climb over equivalence classes: the class it has reached, and the steps from there.
//
// It makes insertions until none gains, then deletions, then turns, and so on until no step gains. It can be perturbed,
// and can go back to the class it kept.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/random.hpp"
#include "core/graph/class_member.hpp"
#include "core/graph/class_moves.hpp"
#include "core/graph/partial_dag.hpp"
#include "core/local/class_steps.hpp"
#include "core/local/gaining_parents.hpp"
#include "core/scores/family_cache.hpp"

namespace qnml {

class ClassClimb {
 public:
  // It ends early when stopped, or when it has scored more than `most_work` families (see allow()).
  ClassClimb(FamilyCache& families, const AdmittedClasses& rules, const GainingParents& gaining,
             std::size_t most_cliques, Control& control, int threads);

  void start_at(PartialDag graph, double score);
  const PartialDag& graph() const { return graph_; }
  double score() const { return score_; }

  // The families it may score until what it scored is taken again.
  void allow(double most_work) { most_work_ = most_work; }
  bool is_over() { return control_.is_stopped() || steps_.scored().work() > most_work_; }
  ClassSteps::Scored take_scored() { return steps_.take_scored(); }

  // Makes steps of one kind until none gains. `after_each` is called whenever steps were computed. Returns whether it
  // made any. With `takes_up` it reconsiders steps that were set aside because no network of their class was admitted.
  template <class AfterEach>
  bool climb(MoveKind kind, bool takes_up, const AfterEach& after_each) {
    bool has_moved = false;
    bool is_again = !takes_up;  // whether steps set aside were reconsidered since the last step
    while (!is_over()) {
      steps_.refresh(graph_, kind);
      after_each();
      if (control_.is_stopped()) break;
      const auto step = steps_.best(kind, [&](const ClassMove& move) { return can_be_made(move); });
      if (step) {
        make(step->move, step->gain);
        has_moved = true;
        is_again = !takes_up;
      } else if (!is_again && steps_.take_up(kind)) {
        is_again = true;
      } else {
        break;
      }
    }
    return has_moved;
  }

  // Steps of all kinds until none gains. `after_kind` is called after each series of steps of one kind.
  template <class AfterEach, class AfterKind>
  void climb(bool takes_up, const AfterEach& after_each, const AfterKind& after_kind) {
    bool is_moving = true;
    while (is_moving && !is_over()) {
      is_moving = false;
      for (MoveKind kind : {MoveKind::insert, MoveKind::remove, MoveKind::turn}) {
        if (climb(kind, takes_up, after_each)) is_moving = true;
        after_kind();
      }
    }
  }

  // Deletes or turns a few random arcs that lie close together. Needs at least one variable.
  void shake(Xoshiro256& random);

  // Makes this the class that go_back() returns to.
  void keep();
  // Makes the class that the other has just kept the one of this climb, too, and goes there.
  void keep_like(const ClassClimb& other);
  // Returns to the class kept, whose graph and score are given.
  void go_back(const PartialDag& graph, double score);

 private:
  bool can_be_made(const ClassMove& move);
  void make(const ClassMove& move, double gain);
  std::optional<double> gain_at_random(const ClassMove& move);

  FamilyCache& families_;
  const AdmittedClasses& rules_;
  std::size_t most_cliques_;
  Control& control_;
  PartialDag graph_;
  ClassSteps steps_;
  double score_ = 0.0;
  double most_work_;
};

}  // namespace qnml
