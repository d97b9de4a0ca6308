#include "core/equivalence_search.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "core/class_member.hpp"
#include "core/class_moves.hpp"
#include "core/parallel.hpp"

namespace qnml {
namespace {

// Rows of the table times families below which one thread is done before another has started.
constexpr double kWorthThreads = 2e6;

constexpr std::array kKinds = {MoveKind::insert, MoveKind::remove, MoveKind::turn};

struct Step {
  double gain;
  int other;
  std::uint32_t clique;  // its place in the list of the child
  bool is_aside = false;
};

// What one child can do.
struct Steps {
  std::vector<std::vector<int>> cliques;
  std::vector<Step> best_first;
};

class Search {
 public:
  Search(FamilyCache& families, const ArcRules& rules, double most_cells,
         const std::vector<std::vector<int>>* candidates, const EquivalenceOptions& options, Control& control,
         int threads)
      : families_(families),
        rules_(families.table(), rules, most_cells),
        options_(options),
        control_(control),
        threads_(threads),
        n_(families.n_variables()),
        graph_(n_),
        partners_(at(n_)) {
    if (!families.is_equivalent()) throw std::invalid_argument("the score is not the same for equivalent networks");
    std::vector<std::vector<int>> start;
    for (int child = 0; child < n_; ++child) {
      start.push_back(rules.required.members(child));
      score_ += families_.score(child, start.back());
    }
    graph_ = PartialDag::of_network(start);
    set_partners(candidates);
    for (auto& steps : steps_) steps.resize(at(n_));
    for (auto& dirty : is_dirty_) dirty.assign(at(n_), 1);
    note();
  }

  FoundNetwork run() {
    bool is_moving = true;
    while (is_moving && !control_.is_stopped()) {
      is_moving = false;
      for (MoveKind kind : kKinds) {
        if (kind == MoveKind::turn && !options_.turns) continue;
        if (climb(kind)) is_moving = options_.turns;
        note();
      }
    }
    found_.parents = rules_.member(graph_);
    found_.score = score_;
    return std::move(found_);
  }

 private:
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  static std::size_t at(MoveKind kind) { return static_cast<std::size_t>(kind); }

  void set_partners(const std::vector<std::vector<int>>* candidates) {
    for (int child = 0; child < n_; ++child) {
      if (candidates == nullptr) {
        for (int other = 0; other < n_; ++other) {
          if (other != child && rules_.is_pair_allowed(child, other)) partners_[at(child)].push_back(other);
        }
        continue;
      }
      for (int other : (*candidates)[at(child)]) {
        partners_[at(child)].push_back(other);
        partners_[at(other)].push_back(child);
      }
    }
    for (std::vector<int>& mine : partners_) {
      std::sort(mine.begin(), mine.end());
      mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    }
  }

  // Steps of one kind until none gains; whether there was one.
  bool climb(MoveKind kind) {
    bool has_moved = false;
    bool is_again = false;  // what was left aside has been looked at since the last step
    while (!control_.is_stopped()) {
      refresh(kind);
      if (control_.is_stopped()) break;
      double gain = 0.0;
      const std::optional<ClassMove> move = best(kind, gain);
      if (!move) {
        if (is_again || !take_up(kind)) break;
        is_again = true;
        continue;
      }
      graph_.begin();
      make_move(graph_, *move);
      mark_dirty(graph_.changed());
      score_ += gain;
      has_moved = true;
      is_again = false;
      control_.advance(1.0);
    }
    return has_moved;
  }

  // The best step that leads to a class with a network that obeys.
  std::optional<ClassMove> best(MoveKind kind, double& gain) {
    std::optional<ClassMove> found;
    for (int child = 0; child < n_; ++child) {
      Steps& steps = steps_[at(kind)][at(child)];
      for (Step& step : steps.best_first) {
        if (step.gain <= gain) break;
        if (step.is_aside) continue;
        ClassMove move{kind, child, step.other, steps.cliques[step.clique]};
        if (!is_valid(graph_, move) || !is_admitted(move)) {
          step.is_aside = true;
          continue;
        }
        gain = step.gain;
        found = std::move(move);
        break;
      }
    }
    return found;
  }

  bool is_admitted(const ClassMove& move) {
    if (rules_.are_of_classes()) return true;  // has been seen to when it was scored
    graph_.begin();
    make_move(graph_, move);
    const bool admitted = rules_.has_member(graph_, graph_.changed());
    graph_.undo();
    return admitted;
  }

  bool take_up(MoveKind kind) {
    bool has_some = false;
    for (Steps& steps : steps_[at(kind)]) {
      for (Step& step : steps.best_first) {
        has_some = has_some || step.is_aside;
        step.is_aside = false;
      }
    }
    return has_some;
  }

  // What a child can do depends on its parents and neighbours, on who is adjacent to its neighbours, and for turning
  // on the parents and neighbours of whom it is turned with.
  void mark_dirty(const std::vector<int>& changed) {
    for (int node : changed) {
      for (auto& dirty : is_dirty_) {
        dirty[at(node)] = 1;
        for (int other : graph_.neighbours(node)) dirty[at(other)] = 1;
      }
      for (int other : graph_.parents(node)) is_dirty_[at(MoveKind::turn)][at(other)] = 1;
    }
  }

  void refresh(MoveKind kind) {
    struct Piece {
      int child;
      std::uint32_t clique;
      std::vector<Step> steps;
    };
    std::vector<Piece> pieces;
    std::vector<int> children;
    double work = 0.0;
    for (int child = 0; child < n_; ++child) {
      if (is_dirty_[at(kind)][at(child)] == 0) continue;
      children.push_back(child);
      Steps& steps = steps_[at(kind)][at(child)];
      steps.cliques = cliques_around(graph_, child, options_.most_cliques);
      steps.best_first.clear();
      for (std::uint32_t clique = 0; clique < steps.cliques.size(); ++clique) pieces.push_back({child, clique, {}});
      const double others = static_cast<double>(kind == MoveKind::insert ? partners_[at(child)].size() : 4);
      work += others * static_cast<double>(steps.cliques.size()) * static_cast<double>(families_.table().rows);
    }
    parallel_for(pieces.size(), work < kWorthThreads ? 1 : threads_, [&](int, std::size_t p) {
      if (control_.is_stopped()) return;
      Piece& piece = pieces[p];
      evaluate(kind, piece.child, piece.clique, piece.steps);
    });
    if (control_.is_stopped()) return;
    for (Piece& piece : pieces) {
      std::vector<Step>& all = steps_[at(kind)][at(piece.child)].best_first;
      all.insert(all.end(), piece.steps.begin(), piece.steps.end());
    }
    for (int child : children) {
      std::vector<Step>& all = steps_[at(kind)][at(child)].best_first;
      std::sort(all.begin(), all.end(), [](const Step& a, const Step& b) {
        if (a.gain != b.gain) return a.gain > b.gain;
        return a.other != b.other ? a.other < b.other : a.clique < b.clique;
      });
      is_dirty_[at(kind)][at(child)] = 0;
    }
  }

  // The steps of a child with one set of its neighbours as parents, and what they gain.
  void evaluate(MoveKind kind, int child, std::uint32_t clique, std::vector<Step>& steps) {
    const std::vector<int>& with = steps_[at(kind)][at(child)].cliques[clique];
    std::vector<int> parents;
    std::set_union(graph_.parents(child).begin(), graph_.parents(child).end(), with.begin(), with.end(),
                   std::back_inserter(parents));
    if (kind == MoveKind::remove) {
      if (!parents.empty()) score_removals(child, clique, parents, steps);
      return;
    }
    double cells = rules_.levels(child);
    for (int parent : parents) cells *= rules_.levels(parent);
    auto may_have = [&](int other) { return rules_.may_have(parents.size() + 1, cells * rules_.levels(other)); };
    std::vector<int> others;
    if (kind == MoveKind::insert) {
      for (int other : partners_[at(child)]) {
        if (!graph_.is_adjacent(child, other) && is_shared_within(child, other, with) && may_have(other)) {
          others.push_back(other);
        }
      }
    } else {
      for (int other : turned_with(child, with)) {
        if (may_have(other)) others.push_back(other);
      }
    }
    if (others.empty()) return;
    const double now = families_.score(child, parents);
    if (std::isinf(now)) return;
    std::vector<double> scores(others.size());
    families_.additions(child, parents, others, scores.data());
    for (std::size_t k = 0; k < others.size(); ++k) {
      double gain = scores[k] - now;
      if (kind == MoveKind::turn && !std::isinf(gain)) gain += gain_of_other({kind, child, others[k], with});
      if (gain > families_.tolerance()) steps.push_back({gain, others[k], clique});
    }
  }

  // The other is one of the parents in this family; as a neighbour it is no member of the set the step names.
  void score_removals(int child, std::uint32_t clique, const std::vector<int>& parents, std::vector<Step>& steps) {
    const double now = families_.score(child, parents);
    if (std::isinf(now)) return;
    const auto& cliques = steps_[at(MoveKind::remove)][at(child)].cliques;
    for (int other : parents) {
      if (rules_.is_pair_required(child, other)) continue;
      std::vector<int> fewer = parents;
      std::erase(fewer, other);
      const double gain = families_.score(child, fewer) - now;
      if (gain <= families_.tolerance()) continue;
      std::vector<int> with = cliques[clique];
      std::erase(with, other);
      // Smaller sets come first, so it is there.
      const auto place = std::find(cliques.begin(), cliques.end(), with) - cliques.begin();
      steps.push_back({gain, other, static_cast<std::uint32_t>(place)});
    }
  }

  // Whether those neighbours of the child that are adjacent to the other are in the set.
  bool is_shared_within(int child, int other, const std::vector<int>& set) const {
    return std::all_of(graph_.neighbours(child).begin(), graph_.neighbours(child).end(), [&](int node) {
      return !graph_.is_adjacent(node, other) || std::binary_search(set.begin(), set.end(), node);
    });
  }

  std::vector<int> turned_with(int child, const std::vector<int>& set) const {
    std::vector<int> others;
    for (int other : graph_.neighbours(child)) {
      if (is_valid(graph_, {MoveKind::turn, child, other, set})) others.push_back(other);
    }
    for (int other : graph_.children(child)) {
      if (is_shared_within(child, other, set)) others.push_back(other);
    }
    std::sort(others.begin(), others.end());
    return others;
  }

  double gain_of_other(const ClassMove& move) {
    double gain = 0.0;
    for (const FamilyChange& change : family_changes(graph_, move)) {
      if (change.child != move.other) continue;
      const double score = families_.score(change.child, change.parents);
      gain += change.is_gained ? score : -score;
    }
    return gain;
  }

  void note() {
    if (!found_.trace.empty() && score_ <= found_.trace.back().score) return;
    found_.trace.push_back({std::chrono::duration<double>(Control::Clock::now() - began_).count(), score_});
  }

  FamilyCache& families_;
  ClassRules rules_;
  const EquivalenceOptions& options_;
  Control& control_;
  int threads_;
  int n_;
  PartialDag graph_;
  double score_ = 0.0;
  std::vector<std::vector<int>> partners_;     // who may become adjacent
  std::array<std::vector<Steps>, 3> steps_;    // by kind and child
  std::array<std::vector<char>, 3> is_dirty_;  // steps to be found anew
  FoundNetwork found_;
  Control::Clock::time_point began_ = Control::Clock::now();
};

}  // namespace

FoundNetwork greedy_equivalence(FamilyCache& families, const ArcRules& rules, double most_cells,
                                const std::vector<std::vector<int>>* candidates, const EquivalenceOptions& options,
                                Control& control, int threads) {
  return Search(families, rules, most_cells, candidates, options, control, threads).run();
}

}  // namespace qnml
