#include "core/local/equivalence_search.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/random.hpp"
#include "core/graph/class_member.hpp"
#include "core/graph/class_moves.hpp"
#include "core/graph/found_network.hpp"
#include "core/graph/rules.hpp"
#include "core/local/class_steps.hpp"
#include "core/local/tuning.hpp"
#include "core/scores/family_cache.hpp"

namespace qnml {
namespace {

class Search {
 public:
  Search(FamilyCache& families, const Rules& rules, std::vector<std::vector<int>> start,
         const std::vector<std::vector<int>>* candidates, const EquivalenceOptions& options, Control& control,
         int threads)
      : families_(families),
        rules_(families.table(), rules),
        options_(options),
        control_(control),
        n_(families.n_variables()),
        graph_(n_),
        steps_(families, rules_, candidates, options.most_cliques, options.memory_bytes, control, threads) {
    if (!families.is_equivalent()) throw std::invalid_argument("the score is not score-equivalent");
    if (start.empty()) {
      for (int child = 0; child < n_; ++child) start.push_back(rules.required.members(child));
    }
    for (int child = 0; child < n_; ++child) score_ += families_.score(child, start[at(child)]);
    graph_ = PartialDag::of_network(start);
    note();
  }

  FoundNetwork run() {
    climb(true);
    found_.score = score_;
    Xoshiro256 random = Xoshiro256::stream(options_.seed, 0);
    PartialDag best = graph_;
    if (options_.shakes > 0) steps_.keep(graph_);
    int in_vain = 0;
    for (int k = 0; k < options_.shakes && in_vain < options_.patience && n_ > 0 && !is_over(); ++k) {
      shake(random);
      ++in_vain;
      // If the rules concern single networks, checking them is expensive, so the steps set aside are reconsidered only
      // for classes that are kept.
      climb(rules_.are_of_classes());
      if (score_ > found_.score + families_.tolerance()) {
        climb(true);
        best = graph_;
        steps_.keep(graph_);
        found_.score = score_;
        in_vain = 0;
      } else {
        graph_ = best;
        steps_.go_back();
        score_ = found_.score;
      }
    }
    found_.parents = rules_.member(graph_);
    found_.work = steps_.work();
    found_.is_cut = found_.work > options_.most_work;
    return std::move(found_);
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }

  bool is_over() { return control_.is_stopped() || steps_.work() > options_.most_work; }

  void climb(bool takes_up) {
    bool is_moving = true;
    while (is_moving && !is_over()) {
      is_moving = false;
      for (MoveKind kind : {MoveKind::insert, MoveKind::remove, MoveKind::turn}) {
        if (climb(kind, takes_up)) is_moving = true;
        note();
      }
    }
  }

  // Makes steps of one kind until none gains. Returns whether it made any.
  bool climb(MoveKind kind, bool takes_up) {
    bool has_moved = false;
    bool is_again = !takes_up;  // whether steps set aside were reconsidered since the last step
    while (!is_over()) {
      steps_.refresh(graph_, kind);
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

  // Whether the move leads to a class with an admitted network.
  bool can_be_made(const ClassMove& move) {
    if (!is_valid(graph_, move)) return false;
    if (rules_.are_of_classes()) return true;  // the size of its families is known to be admitted
    graph_.begin();
    make_move(graph_, move);
    const bool is_admitted = rules_.has_member(graph_, graph_.changed());
    graph_.undo();
    return is_admitted;
  }

  void make(const ClassMove& move, double gain) {
    graph_.begin();
    make_move(graph_, move);
    steps_.mark(graph_, graph_.changed());
    score_ += gain;
    control_.advance(1.0);
  }

  void shake(Xoshiro256& random) {
    const std::vector<int> nodes =
        graph_.within(static_cast<int>(random.next() % at(n_)), tuning::classes::kShakenWithin);
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
      const auto cliques = cliques_around(graph_, child, options_.most_cliques);
      const ClassMove move{kind, child, other, cliques[random.next() % cliques.size()]};
      const std::optional<double> gain = gain_at_random(move);
      if (gain) make(move, *gain);
    }
  }

  // The gain of any step; nothing if it is not feasible.
  std::optional<double> gain_at_random(const ClassMove& move) {
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

  void note() {
    if (!found_.trace.empty() && score_ <= found_.trace.back().score + families_.tolerance()) return;
    found_.trace.push_back({std::chrono::duration<double>(Control::Clock::now() - began_).count(), score_});
  }

  FamilyCache& families_;
  const AdmittedClasses rules_;
  const EquivalenceOptions& options_;
  Control& control_;
  int n_;
  PartialDag graph_;
  ClassSteps steps_;
  double score_ = 0.0;
  FoundNetwork found_;
  Control::Clock::time_point began_ = Control::Clock::now();
};

}  // namespace

FoundNetwork greedy_equivalence(FamilyCache& families, const Rules& rules, std::vector<std::vector<int>> start,
                                const std::vector<std::vector<int>>* candidates, const EquivalenceOptions& options,
                                Control& control, int threads) {
  return Search(families, rules, std::move(start), candidates, options, control, threads).run();
}

}  // namespace qnml
