#include "core/local/class_steps.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/graph/class_member.hpp"
#include "core/graph/class_moves.hpp"
#include "core/graph/partial_dag.hpp"
#include "core/local/tuning.hpp"
#include "core/scores/family_cache.hpp"

namespace qnml {
namespace {

// Whether the set contains all neighbours of the child that are adjacent to the other.
bool is_shared_within(const PartialDag& graph, int child, int other, const std::vector<int>& set) {
  return std::all_of(graph.neighbours(child).begin(), graph.neighbours(child).end(), [&](int node) {
    return !graph.is_adjacent(node, other) || std::binary_search(set.begin(), set.end(), node);
  });
}

}  // namespace

std::vector<std::vector<int>> insertion_partners(const AdmittedClasses& rules, int n,
                                                 const std::vector<std::vector<int>>* candidates) {
  std::vector<std::vector<int>> partners(static_cast<std::size_t>(n));
  for (int child = 0; child < n; ++child) {
    const auto mine = static_cast<std::size_t>(child);
    if (candidates == nullptr) {
      for (int other = 0; other < n; ++other) {
        if (other != child && rules.is_pair_allowed(child, other)) partners[mine].push_back(other);
      }
      continue;
    }
    for (int other : (*candidates)[mine]) {
      partners[mine].push_back(other);
      partners[static_cast<std::size_t>(other)].push_back(child);
    }
  }
  for (std::vector<int>& mine : partners) {
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
  }
  return partners;
}

ClassSteps::ClassSteps(FamilyCache& families, const AdmittedClasses& rules, const GainingParents& gaining,
                       std::size_t most_cliques, Control& control, int threads)
    : families_(families),
      rules_(rules),
      most_cliques_(most_cliques),
      control_(control),
      threads_(threads),
      n_(families.n_variables()),
      gaining_(&gaining),
      scored_{GainingParents::Draft(gaining)} {
  for (auto& steps : steps_) steps.resize(at(n_));
}

// The steps of a child depend on its parents and neighbours and on the nodes adjacent to its neighbours; turns also
// depend on the parents and neighbours of the other end.
void ClassSteps::mark(const PartialDag& graph, const std::vector<int>& changed) {
  for (int node : changed) {
    for (MoveKind kind : kKinds) {
      outdate(kind, node);
      for (int other : graph.neighbours(node)) outdate(kind, other);
    }
    for (int other : graph.parents(node)) outdate(MoveKind::turn, other);
  }
}

void ClassSteps::outdate(MoveKind kind, int child) {
  OfChild& mine = of(kind, child);
  if (mine.is_outdated) return;
  if (has_kept_ && !mine.is_new) kept_.push_back({kind, child, std::move(mine)});
  mine = OfChild();
}

void ClassSteps::keep(const PartialDag& graph) {
  for (MoveKind kind : kKinds) refresh(graph, kind);
  for (auto& steps : steps_) {
    for (OfChild& mine : steps) mine.is_new = false;
  }
  kept_.clear();
  has_kept_ = true;
}

void ClassSteps::keep_like(const ClassSteps& other) {
  steps_ = other.steps_;
  kept_.clear();
  has_kept_ = true;
}

void ClassSteps::go_back() {
  for (Kept& one : kept_) of(one.kind, one.child) = std::move(one.steps);
  kept_.clear();
}

void ClassSteps::refresh(const PartialDag& graph, MoveKind kind) {
  std::vector<int> children;
  for (int child = 0; child < n_; ++child) {
    OfChild& mine = of(kind, child);
    if (!mine.is_outdated) continue;
    children.push_back(child);
    mine.cliques = cliques_around(graph, child, most_cliques_);
    mine.best_first.clear();
  }
  if (kind == MoveKind::insert) {
    find_insertions(graph, children);
  } else {
    double work = 0.0;
    for (int child : children)
      work += tuning::classes::kStepsPerClique * static_cast<double>(of(kind, child).cliques.size());
    scored_.other_families += work;
    parallel_for(children.size(), threads_for(work), [&](int, std::size_t k) {
      const int child = children[k];
      OfChild& mine = of(kind, child);
      for (std::uint32_t clique = 0; clique < mine.cliques.size() && !control_.is_stopped(); ++clique) {
        const std::vector<int> parents = joined(graph.parents(child), mine.cliques[clique]);
        if (kind == MoveKind::remove) {
          score_removals(graph, child, clique, parents, mine.best_first);
        } else {
          score_turns(graph, child, clique, parents, mine.best_first);
        }
      }
    });
  }
  if (control_.is_stopped()) return;
  for (int child : children) {
    std::vector<Step>& all = of(kind, child).best_first;
    std::sort(all.begin(), all.end(), [](const Step& a, const Step& b) {
      if (a.gain != b.gain) return a.gain > b.gain;
      return a.other != b.other ? a.other < b.other : a.clique < b.clique;
    });
    of(kind, child).is_outdated = false;
  }
}

void ClassSteps::find_insertions(const PartialDag& graph, const std::vector<int>& children) {
  struct Piece {
    int child;
    std::uint32_t clique;
    std::vector<int> parents;
    GainingParents::Gains found;
  };
  const auto take = [&](int child, std::uint32_t clique, const GainingParents::Gains& gains) {
    OfChild& mine = of(MoveKind::insert, child);
    for (const auto& [gain, other] : gains) {
      if (!graph.is_adjacent(child, other) && is_shared_within(graph, child, other, mine.cliques[clique])) {
        mine.best_first.push_back({gain, other, clique});
      }
    }
  };
  std::vector<Piece> unknown;
  double work = 0.0;
  for (int child : children) {
    const OfChild& mine = of(MoveKind::insert, child);
    for (std::uint32_t clique = 0; clique < mine.cliques.size(); ++clique) {
      std::vector<int> parents = joined(graph.parents(child), mine.cliques[clique]);
      if (const GainingParents::Gains* gains = scored_.lists.known(child, parents)) {
        take(child, clique, *gains);
      } else {
        unknown.push_back({child, clique, std::move(parents), {}});
        work += static_cast<double>(gaining_->partners(child).size());
      }
    }
  }
  parallel_for(unknown.size(), threads_for(work), [&](int, std::size_t p) {
    Piece& piece = unknown[p];
    if (!control_.is_stopped()) piece.found = gaining_->find(piece.child, piece.parents);
  });
  if (control_.is_stopped()) return;
  for (Piece& piece : unknown) {
    take(piece.child, piece.clique, piece.found);
    scored_.lists.keep(piece.child, piece.parents, std::move(piece.found));
  }
}

int ClassSteps::threads_for(double families) const {
  return families * static_cast<double>(families_.table().rows) < tuning::kLeastWorkForThreads ? 1 : threads_;
}

std::optional<ClassSteps::Best> ClassSteps::best(MoveKind kind,
                                                 const std::function<bool(const ClassMove&)>& can_be_made) {
  std::optional<Best> found;
  for (int child = 0; child < n_; ++child) {
    OfChild& mine = of(kind, child);
    for (Step& step : mine.best_first) {
      if (found && step.gain <= found->gain) break;
      if (step.is_aside) continue;
      ClassMove move{kind, child, step.other, mine.cliques[step.clique]};
      step.is_aside = !can_be_made(move);
      if (step.is_aside) continue;
      found = Best{std::move(move), step.gain};
      break;
    }
  }
  return found;
}

bool ClassSteps::take_up(MoveKind kind) {
  bool has_some = false;
  for (int child = 0; child < n_; ++child) {
    for (Step& step : of(kind, child).best_first) {
      has_some = has_some || step.is_aside;
      step.is_aside = false;
    }
  }
  return has_some;
}

// The other is a parent in this family. If it is a neighbour of the child, the set of the step does not contain it.
void ClassSteps::score_removals(const PartialDag& graph, int child, std::uint32_t clique,
                                const std::vector<int>& parents, std::vector<Step>& steps) {
  if (parents.empty()) return;
  const double now = families_.score(child, parents);
  if (std::isinf(now)) return;
  const auto& cliques = of(MoveKind::remove, child).cliques;
  for (int other : parents) {
    if (rules_.is_pair_required(child, other)) continue;
    std::vector<int> fewer = parents;
    std::erase(fewer, other);
    const double gain = families_.score(child, fewer) - now;
    if (gain <= families_.tolerance()) continue;
    std::uint32_t place = clique;
    if (graph.has_line(child, other)) {
      std::vector<int> with = cliques[clique];
      std::erase(with, other);
      // Smaller sets come first, so the list contains it.
      place = static_cast<std::uint32_t>(std::find(cliques.begin(), cliques.end(), with) - cliques.begin());
    }
    steps.push_back({gain, other, place});
  }
}

void ClassSteps::score_turns(const PartialDag& graph, int child, std::uint32_t clique, const std::vector<int>& parents,
                             std::vector<Step>& steps) {
  const std::vector<int>& with = of(MoveKind::turn, child).cliques[clique];
  std::vector<int> others;
  for (int other : graph.neighbours(child)) {
    if (is_valid(graph, {MoveKind::turn, child, other, with})) others.push_back(other);
  }
  // Paths that forbid a turn are checked only when the step is chosen.
  for (int other : graph.children(child)) {
    if (is_shared_within(graph, child, other, with)) others.push_back(other);
  }
  const double cells = rules_.cells(child, parents);
  std::erase_if(others, [&](int other) { return !rules_.may_have(parents.size() + 1, cells * rules_.levels(other)); });
  if (others.empty()) return;
  const double now = families_.score(child, parents);
  if (std::isinf(now)) return;
  std::vector<double> scores(others.size());
  families_.additions(child, parents, others, scores.data());
  for (std::size_t k = 0; k < others.size(); ++k) {
    double gain = scores[k] - now;
    if (!std::isinf(gain)) gain += gain_of_other(graph, {MoveKind::turn, child, others[k], with});
    if (gain > families_.tolerance()) steps.push_back({gain, others[k], clique});
  }
}

double ClassSteps::gain_of_other(const PartialDag& graph, const ClassMove& turn) {
  std::vector<int> parents = parents_left(graph, turn);
  const double after = families_.score(turn.other, parents);
  parents.insert(std::lower_bound(parents.begin(), parents.end(), turn.child), turn.child);
  return after - families_.score(turn.other, parents);
}

}  // namespace qnml
