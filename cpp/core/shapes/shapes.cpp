#include "core/shapes/shapes.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/graph/rules.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/family_cache.hpp"
#include "core/shapes/spanning_tree.hpp"

namespace qnml {
namespace {

constexpr double kMostCacheBytes = 1e9;
constexpr double kCacheShare = 0.25;

class ShapeSearch {
 public:
  ShapeSearch(const SearchProblem& problem, const ShapeOptions& options, Control& control)
      : problem_(problem),
        options_(options),
        control_(control),
        families_(problem.table, problem.score, problem.rules.most_cells,
                  std::min(kCacheShare * problem.memory_limit, kMostCacheBytes), problem.part_scores) {
    for (int variable = 0; variable < problem.n_variables(); ++variable) {
      families_.admit(variable, problem.rules.required.members(variable));
      if (variable != options.target) spanned_.push_back(variable);
    }
    if (options.target >= 0) base_.push_back(options.target);
  }

  ShapeResult run() {
    control_.start_stage("pairs", static_cast<double>(spanned_.size()));
    ArcGains gains(spanned_.size());
    parallel_for(spanned_.size(), problem_.threads, [&](int, std::size_t child) {
      if (!control_.is_stopped()) fill(child, gains);
      control_.advance(1.0);
    });
    if (control_.is_stopped()) return {};
    ShapeResult result;
    result.sets_counted = families_.sets_counted();
    result.families = spanned_.size() * spanned_.size() + base_.size();
    const TreeParents tree = best_span(gains, options_.span);
    result.exists = !tree.empty() || spanned_.empty();
    if (result.exists) put_together(tree, result);
    return result;
  }

 private:
  void fill(std::size_t child, ArcGains& gains) {
    const int variable = spanned_[child];
    const double alone = families_.score(variable, base_);
    std::vector<int> candidates;
    std::vector<std::size_t> places;
    for (std::size_t parent = 0; parent < spanned_.size(); ++parent) {
      if (!may_be_parent(variable, spanned_[parent])) continue;
      candidates.push_back(spanned_[parent]);
      places.push_back(parent);
    }
    std::vector<double> scores(candidates.size());
    families_.additions(variable, base_, candidates, scores.data());
    for (std::size_t k = 0; k < candidates.size(); ++k) gains(child, places[k]) = scores[k] - alone;
    if (required_parents(variable) > base_.size()) gains.demand_parent(child);
  }

  std::size_t required_parents(int variable) const {
    std::size_t count = base_.size();
    for (int parent : problem_.rules.required.members(variable)) count += parent != options_.target ? 1 : 0;
    return count;
  }

  // A required parent leaves no room for another one.
  bool may_be_parent(int child, int parent) const {
    const Rules& rules = problem_.rules;
    if (child == parent || !rules.allowed.test(child, parent)) return false;
    if (required_parents(child) > base_.size()) return rules.required.test(child, parent);
    return static_cast<int>(base_.size()) < rules.max_parents[static_cast<std::size_t>(child)];
  }

  void put_together(const TreeParents& tree, ShapeResult& result) {
    result.parents.assign(static_cast<std::size_t>(problem_.n_variables()), {});
    for (std::size_t child = 0; child < spanned_.size(); ++child) {
      std::vector<int>& parents = result.parents[static_cast<std::size_t>(spanned_[child])];
      parents = base_;
      if (tree[child] >= 0) parents.push_back(spanned_[static_cast<std::size_t>(tree[child])]);
      std::sort(parents.begin(), parents.end());
    }
    for (int variable = 0; variable < problem_.n_variables(); ++variable) {
      result.score += families_.score(variable, result.parents[static_cast<std::size_t>(variable)]);
    }
    result.score /= static_cast<double>(problem_.score->scale());
  }

  const SearchProblem& problem_;
  ShapeOptions options_;
  Control& control_;
  FamilyCache families_;
  std::vector<int> spanned_;  // the variables of the tree
  std::vector<int> base_;     // the parents that all of them have
};

}  // namespace

ShapeResult learn_shape(const SearchProblem& problem, const ShapeOptions& options, Control& control) {
  return ShapeSearch(problem, options, control).run();
}

double shape_bytes(double variables) {
  constexpr double kBytesPerArc = sizeof(double) + 2.0 * 32.0 + 32.0;  // its gain, its place in two rows, the cache
  constexpr double kLeastBytes = 1e6;
  return kLeastBytes + kBytesPerArc * variables * variables;
}

}  // namespace qnml
