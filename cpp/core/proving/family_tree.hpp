// The parent sets of one child that can be in a better network than one that is known: listed as far as they were
// scored, and bounded where they were not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/graph/rules.hpp"
#include "core/numbers/variable_set.hpp"
#include "core/proving/cluster_bound.hpp"
#include "core/proving/remaining_fits.hpp"
#include "core/scores/family_cache.hpp"
#include "core/scores/superset_bound.hpp"

namespace qnml {

// What a family has to score and earn to be of interest.
struct Hurdle {
  const ClusterPrices* prices;
  double least;
};

// The sets are the leaves of a tree: at each node a candidate joins the parents or is left out for good. A node knows
// the parents that joined and the candidates that remain, and so a bound on all sets below it.
class FamilyTree {
 public:
  static constexpr double kBytesPerNode = 2.0 * (sizeof(VariableSet) + 32);

  FamilyTree(FamilyCache& families, const Rules& rules, const SupersetBound& bound, const LogCounts& log_counts,
             int child);

  // Scores the required parents alone, and with one more.
  // Up to this much work may go into a good order of the candidates.
  void start(std::uint64_t work);

  // Works on the most promising nodes first, until none is left, there are too many, or the work is
  // done: in rows visited, about.
  void grow(const Hurdle& hurdle, std::uint64_t work, std::size_t most_open, Control& control);

  // Drops what does not clear the hurdle.
  void drop(const Hurdle& hurdle);

  bool is_complete() const { return open_.empty(); }
  // Those no subset beats.
  const std::vector<Choice>& families() const { return families_; }
  // The families and the open nodes, less those that a choice with fewer parents beats.
  std::vector<Choice> choices() const;
  // The most that one of them scores and earns.
  double most(const ClusterPrices& prices) const;
  std::size_t n_open() const { return open_.size(); }
  std::uint64_t visits() const { return visits_; }

 private:
  struct Node {
    VariableSet parents;
    std::uint32_t place;  // of the next candidate to be decided on
    double fit;           // given the parents and all candidates from there on
    double bound;         // on all larger sets below
    double value;         // the bound and what the parents earn, for the hurdle of the day
  };

  double best_inside(const VariableSet& parents) const;
  double bound_of(const SupersetBound::Parents& parents, double fit) const;
  SupersetBound::Parents with_smallest(const SupersetBound::Parents& parents, std::size_t place) const;
  bool clears(double bound, const VariableSet& parents, const Hurdle& hurdle, double& value) const;
  void push(Node node);
  void expand(const Node& node, const Hurdle& hurdle, RemainingFits& fits);
  void list(const VariableSet& parents, double score, const Hurdle& hurdle);

  FamilyCache& cache_;
  const Rules& rules_;
  const SupersetBound& bound_;
  const LogCounts& log_counts_;
  int child_;
  std::uint32_t child_levels_;
  std::vector<int> order_;               // candidates, those that gain most first
  std::vector<double> smallest_levels_;  // among the candidates from a place on
  std::vector<Choice> families_;
  std::vector<Node> open_;  // a heap by value while growing
  RowLabels labels_;
  std::vector<std::uint64_t> config_counts_, cell_labels_;
  std::vector<char> is_seen_;
  std::uint64_t visits_ = 0;
};

}  // namespace qnml
