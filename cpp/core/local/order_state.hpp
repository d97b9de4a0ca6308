// An order of the variables, the parents that each variable takes from its predecessors, and the moves of the order.
//
// Moving one variable changes the predecessors of the others by that variable only, and the walks of ParentGrowth tell
// which of them are affected. So finding the best position of a variable takes a few walks, not one for every position
// and every other variable.
//
// Variables take turns. With several threads the best positions of the next ones are found ahead, all in the present
// order. They count until one of them moves; those after it are looked at again, which takes little time, since what
// their walks met is stored by then. So the moves are those of one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/random.hpp"
#include "core/graph/bit_rows.hpp"
#include "core/graph/rules.hpp"
#include "core/local/parent_growth.hpp"

namespace qnml {

// A topological order of the network: the lowest available variable next, or a random one if `random` is given.
std::vector<int> draw_order(const std::vector<std::vector<int>>& network, Xoshiro256* random);

class OrderState {
 public:
  // Takes any order with required parents before their children. Copies share `work`.
  OrderState(ParentGrowth& growth, const Rules& rules, std::vector<int> order, WalkWork& work, int threads = 1);

  double score() const { return score_; }
  const std::vector<int>& order() const { return order_; }
  const std::vector<int>& parents(int variable) const { return sets_[static_cast<std::size_t>(variable)]->parents; }
  int position(int variable) const { return position_[static_cast<std::size_t>(variable)]; }
  std::vector<std::vector<int>> network() const;
  // Whether its walks have reached the work limit.
  bool is_over() const { return work_->is_over(); }
  // For what follows. The result does not depend on it.
  void use_threads(int threads) { threads_ = threads; }

  // Moves one variable at a time to its best position until no move gains. Starts with the variables affected by moves
  // since the last call; with `is_thorough` it ends only after all variables were tried without a gain. Ends early when
  // stopped or at the work limit.
  void improve(bool is_thorough, Control& control, Xoshiro256& random);

  // Moves a variable to the given position, or to the nearest one that the required arcs allow.
  void move(int variable, int place);
  // Takes any admitted order and repeats all walks.
  void set_order(std::vector<int> order);
  // Repeats all walks. Needed after ParentGrowth::forget.
  void walk_all();

 private:
  struct Range {
    int first;
    int last;
  };

  struct Place {
    int at = 0;
    double gain = 0.0;  // to be exceeded

    void offer(int other, double its_gain) {
      if (its_gain > gain) *this = {other, its_gain};
    }
  };

  // The memory of one thread.
  struct Scratch {
    Scratch(std::size_t n, std::size_t words) : change(n), ahead(words), path(words) {}
    std::vector<double> change;
    std::vector<std::uint64_t> ahead;
    std::vector<std::uint64_t> path;
  };

  // The best place of a variable, found ahead of its turn, and what that met.
  struct Prospect {
    Place best;
    WalkWork::Log met;
  };

  const ParentSet*& set_of(int variable) { return sets_[static_cast<std::size_t>(variable)]; }
  const ParentSet* set_of(int variable) const { return sets_[static_cast<std::size_t>(variable)]; }
  int& position_of(int variable) { return position_[static_cast<std::size_t>(variable)]; }
  int position_of(int variable) const { return position_[static_cast<std::size_t>(variable)]; }
  int variable_at(int place) const { return order_[static_cast<std::size_t>(place)]; }
  Range range_of(int variable) const;
  bool settle(int variable, const Place& best);
  void shift(int variable, int place);
  void walk(int variable, WalkWork& work);
  bool settle_pending(Control& control, Xoshiro256& random);
  bool settle_in_turn(const std::vector<int>& turns, Control& control, bool& moved);
  std::vector<Prospect> look_ahead(const std::vector<int>& turns, std::size_t first, std::size_t size);
  Place best_place(int variable, Scratch& scratch, WalkWork& work) const;
  void look_before(int variable, int first, Place& best, Scratch& scratch, WalkWork& work) const;
  void look_after(int variable, int last, Place& best, Scratch& scratch, WalkWork& work) const;
  void wake_around(int variable);

  ParentGrowth* growth_;
  const Rules* rules_;
  WalkWork* work_;
  int n_;
  bool has_demands_ = false;  // whether arcs are required
  std::vector<int> order_;
  std::vector<int> position_;
  std::vector<const ParentSet*> sets_;
  BitRows ahead_;  // row child: see ParentGrowth::walk
  BitRows path_;
  double score_ = 0.0;

  std::vector<char> pending_;  // variables whose position may no longer be the best
  int threads_ = 1;
  Scratch scratch_;
};

}  // namespace qnml
