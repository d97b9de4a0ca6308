#include "core/inference/junction_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/inference/clusters.hpp"
#include "core/inference/elimination_order.hpp"
#include "core/inference/network_tables.hpp"
#include "core/inference/question.hpp"
#include "core/inference/walk.hpp"

namespace qnml {

JunctionTree::JunctionTree(const NetworkTables& tables, Question question, double most_entries)
    : tables_(&tables), question_(std::move(question)) {
  for (std::uint32_t v = 0; v < tables.variables(); ++v) {
    // A variable with a single level is always fixed: observing it tells nothing.
    if (tables.levels(v) == 1) question_.cells[v] = Cell::kSet;
  }
  const QuestionGraph graph = question_graph(tables, question_);
  const bool mixes_phases = question_.kind == Question::Kind::kMarginals;
  const Clusters clusters = clusters_of(elimination_order(graph.graph), graph.graph.phase, mixes_phases);
  forecast(graph, clusters);
  if (entries_ > most_entries) return;
  make_cliques(graph, clusters);
  place_factors(graph, clusters);
  lay_out();
  if (question_.kind == Question::Kind::kMarginals) find_sources();
  if (question_.kind == Question::Kind::kJoint) find_joint();
  is_made_ = true;
}

// In doubles, since tables that are too large may not have a size.
void JunctionTree::forecast(const QuestionGraph& graph, const Clusters& clusters) {
  double largest = 0.0;
  for (const Cluster& cluster : clusters.clusters) {
    double size = 1.0;
    double outer = 1.0;
    for (std::size_t k = 0; k < cluster.members.size(); ++k) {
      size *= graph.graph.levels[cluster.members[k]];
      if (k < cluster.kept) outer *= graph.graph.levels[cluster.members[k]];
    }
    entries_ += size + 2.0 * outer;
    operations_ += 5.0 * size;
    if (size <= largest) continue;
    largest = size;
    largest_.clear();
    for (const std::uint32_t member : cluster.members) largest_.push_back(graph.free[member]);
  }
}

void JunctionTree::make_cliques(const QuestionGraph& graph, const Clusters& clusters) {
  for (const Cluster& cluster : clusters.clusters) {
    Clique clique;
    for (const std::uint32_t member : cluster.members) {
      const bool is_kept = clique.variables.size() < cluster.kept;
      clique.variables.push_back(graph.free[member]);
      clique.size *= graph.graph.levels[member];
      if (!is_kept) clique.residual *= graph.graph.levels[member];
    }
    clique.kept = cluster.kept;
    clique.parent = cluster.parent;
    clique.takes_max = question_.kind == Question::Kind::kExplanation && graph.graph.phase[cluster.members.back()] == 1;
    cliques_.push_back(std::move(clique));
  }
  for (std::uint32_t c = 0; c < cliques_.size(); ++c) {
    if (cliques_[c].parent != kNone) cliques_[cliques_[c].parent].children.push_back(c);
  }
}

void JunctionTree::place_factors(const QuestionGraph& graph, const Clusters& clusters) {
  for (std::size_t k = 0; k < graph.factors.size(); ++k) {
    const std::uint32_t v = graph.factors[k];
    if (graph.scopes[k].empty()) {
      constants_.push_back(v);
      continue;
    }
    const std::uint32_t first =
        *std::min_element(graph.scopes[k].begin(), graph.scopes[k].end(),
                          [&](std::uint32_t a, std::uint32_t b) { return clusters.rank[a] < clusters.rank[b]; });
    std::vector<std::uint32_t> members;
    for (const std::uint32_t place : graph.scopes[k]) members.push_back(graph.free[place]);
    Clique& clique = cliques_[clusters.of[first]];
    clique.factors.push_back(static_cast<std::uint32_t>(factors_.size()));
    factors_.push_back(make_factor(v, clique, members));
  }
}

// The axes of the factor follow the order of the clique's axes.
JunctionTree::Factor JunctionTree::make_factor(std::uint32_t variable, const Clique& clique,
                                               std::span<const std::uint32_t> members) const {
  Factor factor{variable, {}, 1, 0, 0, walk_of(clique.variables, members)};
  const std::span<const std::uint32_t> parents = tables_->parents(variable);
  for (std::size_t axis = clique.variables.size(); axis-- > 0;) {
    const std::uint32_t one = clique.variables[axis];
    const auto found = std::find(parents.begin(), parents.end(), one);
    if (found == parents.end() && one != variable) continue;
    factor.axes.push_back({static_cast<std::uint32_t>(found - parents.begin()), factor.size});
    if (one == variable) factor.own_stride = factor.size;
    factor.size *= tables_->levels(one);
  }
  return factor;
}

void JunctionTree::lay_out() {
  operations_ = 0.0;
  for (Clique& clique : cliques_) {
    clique.table = workspace_;
    clique.message = clique.table + clique.size;
    clique.answer = clique.message + outer_size(clique);
    workspace_ = clique.answer + outer_size(clique);
    const std::size_t passes = 3 + clique.factors.size() + (2 * clique.children.size());
    operations_ += static_cast<double>(clique.size) * static_cast<double>(passes);
    if (clique.parent != kNone) clique.in_parent = walk_of(cliques_[clique.parent].variables, separator(clique));
  }
  for (Factor& factor : factors_) {
    factor.start = workspace_;
    workspace_ += factor.size;
  }
  entries_ = static_cast<double>(workspace_);
}

// Every wanted variable is read from the smallest table that has it, of a clique or between two.
void JunctionTree::find_sources() {
  struct Place {
    std::size_t size = SIZE_MAX;
    std::uint32_t clique = kNone;
    bool is_separator = false;
  };
  std::vector<Place> best(tables_->variables());
  for (std::uint32_t c = 0; c < cliques_.size(); ++c) {
    for (std::size_t axis = 0; axis < cliques_[c].variables.size(); ++axis) {
      const bool is_separator = axis < cliques_[c].kept;
      const std::size_t size = is_separator ? outer_size(cliques_[c]) : cliques_[c].size;
      Place& mine = best[cliques_[c].variables[axis]];
      if (size < mine.size) mine = {size, c, is_separator};
    }
  }
  for (std::uint32_t v = 0; v < tables_->variables(); ++v) {
    if (question_.wanted[v] == 0) continue;
    Source one{v, answer_size_, best[v].clique, best[v].is_separator, {}};
    answer_size_ += tables_->levels(v);
    if (one.clique != kNone) {
      const Clique& clique = cliques_[one.clique];
      const std::uint32_t wanted[] = {v};
      one.walk = walk_of(one.from_separator ? separator(clique) : std::span(clique.variables), wanted);
      for (std::uint32_t c = one.clique; c != kNone && !cliques_[c].is_needed; c = cliques_[c].parent)
        cliques_[c].is_needed = true;
    }
    sources_.push_back(std::move(one));
  }
}

void JunctionTree::find_joint() {
  for (std::uint32_t c = 0; c < cliques_.size(); ++c) {
    if (cliques_[c].parent != kNone) continue;
    for (const std::uint32_t variable : cliques_[c].variables) {
      if (question_.wanted[variable] != 0) joint_clique_ = c;
    }
  }
  if (joint_clique_ == kNone) return;
  answer_size_ = 1;
  for (const std::uint32_t variable : cliques_[joint_clique_].variables) {
    if (question_.wanted[variable] == 0) continue;
    joint_axes_.push_back(variable);
    answer_size_ *= tables_->levels(variable);
  }
  joint_walk_ = walk_of(cliques_[joint_clique_].variables, joint_axes_);
}

std::span<const std::uint32_t> JunctionTree::separator(const Clique& clique) const {
  return std::span(clique.variables).subspan(0, clique.kept);
}

Walk JunctionTree::walk_of(std::span<const std::uint32_t> variables, std::span<const std::uint32_t> some) const {
  std::vector<std::uint32_t> levels;
  std::vector<std::uint8_t> has;
  for (const std::uint32_t variable : variables) {
    levels.push_back(tables_->levels(variable));
    has.push_back(std::find(some.begin(), some.end(), variable) != some.end() ? 1 : 0);
  }
  return Walk::through(levels, has);
}

}  // namespace qnml
