#include "core/chains/candidate_parents.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/counting/columns.hpp"
#include "core/counting/count.hpp"
#include "core/graph/rules.hpp"
#include "core/numbers/level_product.hpp"
#include "core/numbers/minus_infinity.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/score.hpp"

namespace qnml {
namespace {

// Number of single parents next to which all others are tried: a parent may help only together with another one that is
// not the best by itself.
constexpr std::size_t kFurtherStarts = 4;

class Chooser {
 public:
  Chooser(const Columns& table, const Score& score, const ListRules& limits, std::size_t child)
      : table_(table), score_(score), limits_(limits), child_(child), counter_(table) {
    gain_.assign(table.columns.size(), kMinusInfinity);
  }

  // Grows and shrinks a parent set, and records the gains of all parents next to the sets visited.
  void look(std::size_t most, Control& control) {
    grown_ = limits_.required[child_];
    grow(grown_, most, control);
    shrink(grown_);
    try_all_beside(grown_, local(grown_));
    for (int single : best(limits_.allowed[child_], kFurtherStarts, {})) {
      if (control.is_stopped()) return;
      const std::vector<int> start = with(limits_.required[child_], single);
      try_all_beside(start, local(start));
    }
  }

  bool has_grown(int parent) const { return std::binary_search(grown_.begin(), grown_.end(), parent); }

  // `likes`: allowed parents whose own grown sets contain the child.
  std::vector<int> choose(const std::vector<int>& likes, std::size_t most) const {
    const std::vector<int>& required = limits_.required[child_];
    std::vector<int> chosen;
    std::set_difference(grown_.begin(), grown_.end(), required.begin(), required.end(), std::back_inserter(chosen));
    for (const std::vector<int>& group : {likes, limits_.allowed[child_]}) {
      for (int other : best(group, most - std::min(most, chosen.size()), chosen)) chosen.push_back(other);
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }

 private:
  static std::vector<int> with(std::vector<int> set, int parent) {
    set.insert(std::upper_bound(set.begin(), set.end(), parent), parent);
    return set;
  }

  double levels(int column) const { return table_.levels(column); }

  bool admits(const std::vector<int>& set) const {
    double cells = levels(static_cast<int>(child_));
    for (int parent : set) cells *= levels(parent);
    return static_cast<int>(set.size()) <= limits_.max_parents[child_] && cells <= limits_.most_cells;
  }

  double local(const std::vector<int>& set) {
    LevelProduct product;
    for (int parent : set) product = product.times(levels(parent));
    counter_.family(static_cast<int>(child_), set, cells_, configs_);
    return score_.local({cells_, configs_, levels(static_cast<int>(child_)), product, static_cast<int>(set.size())});
  }

  // Records the gain of each further parent. Returns the best one, or -1 if none may be added.
  int try_all_beside(const std::vector<int>& set, double value) {
    int found = -1;
    double most = kMinusInfinity;
    for (int parent : limits_.allowed[child_]) {
      if (std::binary_search(set.begin(), set.end(), parent)) continue;
      const std::vector<int> larger = with(set, parent);
      if (!admits(larger)) continue;
      const double gain = local(larger) - value;
      double& known = gain_[static_cast<std::size_t>(parent)];
      known = std::max(known, gain);
      if (gain > most) {
        most = gain;
        found = parent;
      }
    }
    last_gain_ = most;
    return found;
  }

  void grow(std::vector<int>& set, std::size_t most, Control& control) {
    while (set.size() < limits_.required[child_].size() + most && !control.is_stopped()) {
      const int parent = try_all_beside(set, local(set));
      if (parent < 0 || last_gain_ <= 0.0) return;
      set = with(set, parent);
    }
  }

  void shrink(std::vector<int>& set) {
    for (bool removed = true; removed;) {
      removed = false;
      const double value = local(set);
      for (int parent : set) {
        if (!std::binary_search(limits_.allowed[child_].begin(), limits_.allowed[child_].end(), parent)) continue;
        std::vector<int> smaller = set;
        std::erase(smaller, parent);
        if (local(smaller) <= value) continue;
        set = std::move(smaller);
        removed = true;
        break;
      }
    }
  }

  // The `count` parents of the group with the best gains, except those in `without`; ties by column.
  std::vector<int> best(const std::vector<int>& group, std::size_t count, const std::vector<int>& without) const {
    std::vector<int> others;
    for (int parent : group) {
      if (gain_[static_cast<std::size_t>(parent)] > kMinusInfinity &&
          std::ranges::find(without, parent) == without.end()) {
        others.push_back(parent);
      }
    }
    std::stable_sort(others.begin(), others.end(), [&](int a, int b) {
      return gain_[static_cast<std::size_t>(a)] > gain_[static_cast<std::size_t>(b)];
    });
    others.resize(std::min(others.size(), count));
    return others;
  }

  const Columns& table_;
  const Score& score_;
  const ListRules& limits_;
  std::size_t child_;
  Counter counter_;
  Profile cells_, configs_;
  std::vector<double> gain_;
  double last_gain_ = kMinusInfinity;
  std::vector<int> grown_;
};

}  // namespace

std::vector<std::vector<int>> choose_candidates(const SearchProblem& problem, std::size_t most, Control& control) {
  const ListRules limits(problem.rules);
  const std::size_t n = problem.table.columns.size();
  std::vector<std::vector<int>> chosen(n);
  std::vector<std::unique_ptr<Chooser>> choosers(n);
  control.start_stage("candidate parents", static_cast<double>(n));
  if (std::ranges::all_of(limits.allowed, [&](const auto& mine) { return mine.size() <= most; })) return limits.allowed;
  parallel_for(n, problem.threads, [&](int, std::size_t child) {
    if (control.is_stopped()) return;
    const auto column = static_cast<int>(child);
    choosers[child] = std::make_unique<Chooser>(problem.table.of(column), *problem.score_of(column), limits, child);
    choosers[child]->look(most, control);
    control.advance(1.0);
  });
  if (control.is_stopped()) return chosen;
  for (std::size_t child = 0; child < n; ++child) {
    if (limits.allowed[child].size() <= most) {
      chosen[child] = limits.allowed[child];
      continue;
    }
    std::vector<int> likes;
    for (int parent : limits.allowed[child]) {
      if (choosers[static_cast<std::size_t>(parent)]->has_grown(static_cast<int>(child))) likes.push_back(parent);
    }
    chosen[child] = choosers[child]->choose(likes, most);
  }
  return chosen;
}

}  // namespace qnml
