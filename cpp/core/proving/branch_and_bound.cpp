#include "core/proving/branch_and_bound.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/numbers/minus_infinity.hpp"
#include "core/proving/cluster_bound.hpp"
#include "core/proving/cluster_program.hpp"

namespace qnml {
namespace {

using Lists = std::vector<std::vector<Choice>>;

struct Arc {
  int parent;
  int child;
};

struct Case {
  Lists choices;
  ClusterPrices prices;
  double bound;
  Arc arc;  // to branch on next
};

class Branches {
 public:
  Branches(double reached, double tolerance, std::uint64_t& work, double memory_bytes, Control& control)
      : tolerance_(tolerance), work_(work), memory_bytes_(memory_bytes), control_(control) {
    result_.score = reached;
  }

  BranchResult run(const Lists& choices, const ClusterPrices& prices, std::size_t most_cases) {
    look(choices, prices, std::numeric_limits<double>::infinity());
    while (!open_.empty() && result_.cases < most_cases && work_ > 0 && bytes_ < memory_bytes_ &&
           !control_.is_stopped()) {
      std::pop_heap(open_.begin(), open_.end(), is_less);
      const Case best = std::move(open_.back());
      open_.pop_back();
      bytes_ -= bytes(best);
      if (best.bound <= result_.score + tolerance_) continue;
      look(narrowed(best, true), best.prices, best.bound);
      look(narrowed(best, false), best.prices, best.bound);
    }
    result_.bound = std::max(result_.score, settled_);
    for (const Case& left : open_) {
      if (left.bound > result_.score + tolerance_) result_.bound = std::max(result_.bound, left.bound);
    }
    return std::move(result_);
  }

 private:
  static bool is_less(const Case& a, const Case& b) { return a.bound < b.bound; }

  static double bytes(const Case& one) {
    std::size_t sum = sizeof(Case);
    for (const auto& list : one.choices) sum += sizeof(list) + list.capacity() * sizeof(Choice);
    // Each price is stored once overall and once for each member of its cluster.
    for (const auto& priced : one.prices.all()) {
      sum += (1 + static_cast<std::size_t>(priced.cluster.members.size())) * sizeof(ClusterPrices::Priced);
    }
    return static_cast<double>(sum);
  }

  static Lists narrowed(const Case& from, bool has_arc) {
    Lists choices = from.choices;
    const auto [parent, child] = from.arc;
    std::erase_if(choices[static_cast<std::size_t>(child)],
                  [&](const Choice& choice) { return choice.parents.has(parent) != has_arc; });
    if (has_arc) {
      std::erase_if(choices[static_cast<std::size_t>(parent)],
                    [&](const Choice& choice) { return choice.parents.has(child); });
    }
    return choices;
  }

  // `bound` is that of the parent case, so it holds for this case too.
  void look(Lists choices, const ClusterPrices& known, double bound) {
    ++result_.cases;
    for (const auto& list : choices) {
      if (list.empty()) return;
    }
    ClusterBound found = cluster_bound(choices, known, result_.score + tolerance_, 0, control_);
    if (found.bound <= result_.score + tolerance_) return;
    found = cluster_program(choices, found.prices, result_.score + tolerance_, work_, control_);
    if (found.bound <= result_.score + tolerance_) return;
    take_acyclic(choices, found);
    const double spare = found.bound - result_.score - tolerance_;
    if (spare <= 0.0) return;
    for (std::size_t child = 0; child < choices.size(); ++child) {
      std::size_t kept = 0;
      for (std::size_t c = 0; c < choices[child].size(); ++c) {
        const double value = choices[child][c].score + found.prices.earned(child, choices[child][c].parents);
        if (value < found.most[child] - spare) continue;
        choices[child][kept] = choices[child][c];
        if (!found.usage.empty()) found.usage[child][kept] = found.usage[child][c];
        ++kept;
      }
      choices[child].resize(kept);
      if (!found.usage.empty()) found.usage[child].resize(kept);
    }
    const std::optional<Arc> arc = undecided(choices, found);
    if (!arc) {
      // One choice for each child: a network or, unless a choice is open, a cycle.
      const bool is_open = std::any_of(choices.begin(), choices.end(),
                                       [](const auto& list) { return !list.empty() && list.front().is_open; });
      if (is_open) settled_ = std::max(settled_, std::min(found.bound, bound));
      if (!is_open) take_acyclic(choices, found);
      return;
    }
    open_.push_back({std::move(choices), std::move(found.prices), std::min(found.bound, bound), *arc});
    bytes_ += bytes(open_.back());
    std::push_heap(open_.begin(), open_.end(), is_less);
  }

  // Takes a network, if it is better: in turn the variable whose best choice among the parents placed so far is least
  // behind its best of all.
  void take_acyclic(const Lists& choices, const ClusterBound& found) {
    VariableSet placed;
    std::vector<VariableSet> parents(choices.size());
    std::vector<std::vector<double>> behind(choices.size());
    for (std::size_t child = 0; child < choices.size(); ++child) {
      for (const Choice& choice : choices[child]) {
        behind[child].push_back(found.most[child] - choice.score - found.prices.earned(child, choice.parents));
      }
    }
    double score = 0.0;
    for (std::size_t round = 0; round < choices.size(); ++round) {
      double least = std::numeric_limits<double>::infinity();
      std::size_t next = 0;
      const Choice* taken = nullptr;
      for (std::size_t child = 0; child < choices.size(); ++child) {
        if (placed.has(static_cast<int>(child))) continue;
        for (std::size_t c = 0; c < choices[child].size(); ++c) {
          const Choice& choice = choices[child][c];
          if (choice.is_open || behind[child][c] >= least || !choice.parents.is_inside(placed)) continue;
          least = behind[child][c];
          next = child;
          taken = &choice;
        }
      }
      if (taken == nullptr) return;
      // With its place settled, what counts is the score.
      for (const Choice& choice : choices[next]) {
        if (!choice.is_open && choice.score > taken->score && choice.parents.is_inside(placed)) taken = &choice;
      }
      placed.add(static_cast<int>(next));
      parents[next] = taken->parents;
      score += taken->score;
    }
    if (score <= result_.score + tolerance_) return;
    result_.is_better = true;
    result_.parents = std::move(parents);
    result_.score = score;
  }

  // The arc on which the best choices agree least.
  static std::optional<Arc> undecided(const Lists& choices, const ClusterBound& found) {
    std::optional<Arc> most;
    double least_distance = std::numeric_limits<double>::infinity();
    for (std::size_t child = 0; child < choices.size(); ++child) {
      if (choices[child].size() < 2) continue;
      VariableSet all;
      for (const Choice& choice : choices[child]) {
        for (int parent : choice.parents.members()) all.add(parent);
      }
      for (int parent : all.members()) {
        double with = 0.0, total = 0.0;
        std::size_t count = 0;
        for (std::size_t c = 0; c < choices[child].size(); ++c) {
          const double usage = found.usage.empty() ? 1.0 : found.usage[child][c];
          total += usage;
          if (!choices[child][c].parents.has(parent)) continue;
          with += usage;
          ++count;
        }
        if (count == choices[child].size()) continue;
        const double distance = total > 0.0 ? std::abs(with / total - 0.5) : 0.5;
        if (distance < least_distance) {
          least_distance = distance;
          most = Arc{parent, static_cast<int>(child)};
        }
      }
    }
    return most;
  }

  double tolerance_;
  std::uint64_t& work_;
  double memory_bytes_;
  double bytes_ = 0.0;
  Control& control_;
  double settled_ = kMinusInfinity;
  std::vector<Case> open_;  // a heap by bound
  BranchResult result_;
};

}  // namespace

BranchResult branch_and_bound(const std::vector<std::vector<Choice>>& choices, const ClusterPrices& prices,
                              double reached, double tolerance, std::size_t most_cases, std::uint64_t& work,
                              double memory_bytes, Control& control) {
  return Branches(reached, tolerance, work, memory_bytes, control).run(choices, prices, most_cases);
}

}  // namespace qnml
