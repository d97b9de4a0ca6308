// Families with given scores: what searches look up where there is no table to count.
//
// Scores become integers, as everywhere in searches. The unit is the power of two 2^e with M <= 2^53 units, where M
// bounds the sum over the children of the largest size of a score: the precision that a double has for the score of a
// network. Rounding to the nearest unit keeps the order of the scores of a child, and changes the score of a network of
// n variables by at most n / 2 units. Searches need scores that are at most zero, so a child whose best score b is
// positive has 2 b subtracted from all its scores; this changes all networks alike, and the sizes stay what they were.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/graph/rules.hpp"

namespace qnml {

// As a caller gives them: the families of child c are those from first_of_child[c] on, and the parents of family f are
// parents[offsets[f] .. offsets[f + 1]). All scores are finite.
struct GivenFamilies {
  std::span<const std::int64_t> first_of_child;  // one more than there are children
  std::span<const std::int64_t> offsets;         // one more than there are families
  std::span<const std::int32_t> parents;
  std::span<const double> scores;
};

// The families that the rules admit, by child: best first, then the smaller sets, then by parents. A set that is given
// several times has its best score. Sets that do not score more than one of their subsets are left out, except those
// that tie with it within `tolerance` units (`most_ties` of them at most for each child).
class ListedFamilies {
 public:
  struct Family {
    std::int64_t score;
    std::uint32_t first;  // of the parents, in ascending order
    std::uint32_t size;
  };

  ListedFamilies(const GivenFamilies& given, const Rules& rules);

  int n_variables() const { return static_cast<int>(of_child_.size()); }
  const std::vector<Family>& of(int child) const { return of_child_[static_cast<std::size_t>(child)]; }
  std::span<const int> parents(const Family& family) const { return {parents_.data() + family.first, family.size}; }
  std::uint64_t n_admitted() const { return n_admitted_; }
  std::uint64_t n_kept() const;

  double unit() const { return unit_; }
  // The score in nats, or whatever the given scores are in, of a network whose scores in units sum to this.
  double given(std::int64_t units) const { return static_cast<double>(units + shift_) * unit_; }

  // Leaves out what no best network needs: sets that score less than one of their subsets by more than `tolerance`, or
  // that tie with one, beyond the first `most_ties` of each child. Returns whether all ties were kept.
  bool drop_beaten(std::int64_t tolerance, std::size_t most_ties);

  // The place in the list of the child of a set of parents in ascending order, or -1.
  int find(int child, std::span<const int> sorted_parents) const;

 private:
  std::vector<std::vector<Family>> of_child_;
  std::vector<int> parents_;
  double unit_ = 1.0;
  std::int64_t shift_ = 0;  // what was subtracted from all networks
  std::uint64_t n_admitted_ = 0;
};

}  // namespace qnml
