// The parent sets of one child that can be in a network better than the known one: listed if scored, bounded otherwise.
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

// The least reduced score (see cluster_bound.hpp) of a family that matters.
struct Hurdle {
  const ClusterPrices* prices;
  double least;
};

// The sets are the leaves of a tree: at each node a candidate joins the parents or is left out for good. The parents
// that joined and the candidates that remain give a bound on all sets below the node.
class FamilyTree {
 public:
  static constexpr double kBytesPerNode = 2.0 * (sizeof(VariableSet) + 32);

  FamilyTree(FamilyCache& families, const Rules& rules, const SupersetBound& bound, const LogCounts& log_counts,
             int child);

  // Scores the required parents alone and with one more. Spends at most `work` on a good order of the candidates.
  void start(std::uint64_t work);

  // Expands the most promising nodes first, until none is left, `most_open` are open, or about `work` rows were
  // visited.
  void grow(const Hurdle& hurdle, std::uint64_t work, std::size_t most_open, Control& control);

  // Drops families and nodes below the hurdle.
  void drop(const Hurdle& hurdle);

  bool is_complete() const { return open_.empty(); }
  // The families that no subset beats.
  const std::vector<Choice>& families() const { return families_; }
  // The families and the open nodes, except those that a choice with fewer parents beats.
  std::vector<Choice> choices() const;
  // The largest reduced score of a family, or bound on it of an open node.
  double most(const ClusterPrices& prices) const;
  std::size_t n_open() const { return open_.size(); }
  std::uint64_t visits() const { return visits_; }

 private:
  struct Node {
    VariableSet parents;
    std::uint32_t place;  // of the next candidate to decide on
    double fit;           // given the parents and all candidates from there on
    double bound;         // on all larger sets below
    double value;         // bound on the reduced score, under the current prices
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
  int most_parents_;
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
