// An order of the variables with the parents each takes from those before it, and the moves that change it.
//
// Moving one variable changes the predecessors of the others by that variable only, and the walks of ParentGrowth say
// which of them would notice. So the best of all places for a variable costs a few walks, not one for each place and
// each other variable.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/random.hpp"
#include "core/graph/rules.hpp"
#include "core/local/parent_growth.hpp"

namespace qnml {

// An order in which parents come before their children; the lowest of those that are free, or any if `random` is given.
std::vector<int> draw_order(const std::vector<std::vector<int>>& network, Xoshiro256* random);

class OrderState {
 public:
  // Any order that puts required parents before their children. Copies share `work`.
  OrderState(ParentGrowth& growth, const Rules& rules, std::vector<int> order, WalkWork& work);

  double score() const { return score_; }
  const std::vector<int>& order() const { return order_; }
  const std::vector<int>& parents(int variable) const { return sets_[static_cast<std::size_t>(variable)]->parents; }
  int position(int variable) const { return position_[static_cast<std::size_t>(variable)]; }
  std::vector<std::vector<int>> network() const;
  // Whether its walks have cost as much as they may.
  bool is_over() const { return work_->is_over(); }

  // Moves one variable after the other to its best place until none has a better one. Begins with those that the moves
  // since the last time concern; with `is_thorough` it ends only when all were tried without a gain. Ends early when
  // it is stopped or the work is over.
  void improve(bool is_thorough, Control& control, Xoshiro256& random);

  // Moves a variable to the given place, or to the nearest that the required arcs leave it.
  void move(int variable, int place);
  // Takes the order, which may be any, and makes all walks.
  void set_order(std::vector<int> order);
  // Makes all walks again: after ParentGrowth::forget.
  void walk_all();

 private:
  struct Range {
    int first;
    int last;
  };

  struct Place {
    int at;
    double gain;  // to be exceeded

    void offer(int other, double its_gain) {
      if (its_gain > gain) *this = {other, its_gain};
    }
  };

  const ParentSet*& set_of(int variable) { return sets_[static_cast<std::size_t>(variable)]; }
  int& position_of(int variable) { return position_[static_cast<std::size_t>(variable)]; }
  int variable_at(int place) const { return order_[static_cast<std::size_t>(place)]; }
  Range range_of(int variable) const;
  bool settle(int variable);
  void shift(int variable, int place);
  void walk(int variable);
  bool settle_pending(Control& control, Xoshiro256& random);
  void look_before(int variable, int first, Place& best);
  void look_after(int variable, int last, Place& best);
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

  std::vector<char> pending_;  // whose place may not be the best any more
  // Scratch.
  std::vector<double> change_;
  std::vector<std::uint64_t> ahead_row_;
  std::vector<std::uint64_t> path_row_;
};

}  // namespace qnml
