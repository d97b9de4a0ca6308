#include "core/local/class_climb.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
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
#include "core/local/tuning.hpp"
#include "core/scores/family_cache.hpp"

namespace qnml {

ClassClimb::ClassClimb(FamilyCache& families, const AdmittedClasses& rules, const GainingParents& gaining,
                       std::size_t most_cliques, Control& control, int threads)
    : families_(families),
      rules_(rules),
      most_cliques_(most_cliques),
      control_(control),
      graph_(families.n_variables()),
      steps_(families, rules, gaining, most_cliques, control, threads),
      most_work_(std::numeric_limits<double>::infinity()) {}

void ClassClimb::start_at(PartialDag graph, double score) {
  graph_ = std::move(graph);
  score_ = score;
}

// Whether the move leads to a class with an admitted network.
bool ClassClimb::can_be_made(const ClassMove& move) {
  if (!is_valid(graph_, move)) return false;
  if (rules_.are_of_classes()) return true;  // the size of its families is known to be admitted
  graph_.begin();
  make_move(graph_, move);
  const bool is_admitted = rules_.has_member(graph_, graph_.changed());
  graph_.undo();
  return is_admitted;
}

void ClassClimb::make(const ClassMove& move, double gain) {
  graph_.begin();
  make_move(graph_, move);
  steps_.mark(graph_, graph_.changed());
  score_ += gain;
  control_.advance(1.0);
}

void ClassClimb::shake(Xoshiro256& random) {
  const auto n = static_cast<std::size_t>(graph_.size());
  const std::vector<int> nodes = graph_.within(static_cast<int>(random.next() % n), tuning::classes::kShakenWithin);
  for (int k = 0; k < tuning::classes::kShaken; ++k) {
    std::vector<std::pair<int, int>> pairs;
    for (int child : nodes) {
      for (const auto* others : {&graph_.parents(child), &graph_.neighbours(child)}) {
        for (int other : *others) {
          if (std::binary_search(nodes.begin(), nodes.end(), other)) pairs.emplace_back(child, other);
        }
      }
    }
    if (pairs.empty()) return;
    auto [child, other] = pairs[random.next() % pairs.size()];
    const MoveKind kind = random.next() % 2 == 0 ? MoveKind::turn : MoveKind::remove;
    if (kind == MoveKind::turn && graph_.has_arrow(other, child)) std::swap(child, other);
    const auto cliques = cliques_around(graph_, child, most_cliques_);
    const ClassMove move{kind, child, other, cliques[random.next() % cliques.size()]};
    const std::optional<double> gain = gain_at_random(move);
    if (gain) make(move, *gain);
  }
}

// The gain of any step; nothing if it is not feasible.
std::optional<double> ClassClimb::gain_at_random(const ClassMove& move) {
  if (move.kind == MoveKind::remove && rules_.is_pair_required(move.child, move.other)) return std::nullopt;
  if (!is_valid(graph_, move)) return std::nullopt;
  double gain = 0.0;
  for (const FamilyChange& change : family_changes(graph_, move)) {
    const double cells = rules_.cells(change.child, change.parents);
    if (change.is_gained && !rules_.may_have(change.parents.size(), cells)) return std::nullopt;
    const double score = families_.score(change.child, change.parents);
    gain += change.is_gained ? score : -score;
  }
  if (!std::isfinite(gain) || !can_be_made(move)) return std::nullopt;
  return gain;
}

void ClassClimb::keep() { steps_.keep(graph_); }

void ClassClimb::keep_like(const ClassClimb& other) {
  graph_ = other.graph_;
  score_ = other.score_;
  steps_.keep_like(other.steps_);
}

void ClassClimb::go_back(const PartialDag& graph, double score) {
  graph_ = graph;
  score_ = score;
  steps_.go_back();
}

}  // namespace qnml
