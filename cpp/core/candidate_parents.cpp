#include "core/candidate_parents.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"

namespace qnml {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

// Single parents next to which all others are tried: a parent may help only together with another one that is not the
// best by itself.
constexpr std::size_t kFurtherStarts = 4;

class Chooser {
 public:
  Chooser(const Columns& table, const Score& score, const ParentLimits& limits, std::size_t child)
      : table_(table), score_(score), limits_(limits), child_(child), counter_(table) {
    gain_.assign(table.columns.size(), kNever);
  }

  std::vector<int> choose(std::size_t most, Control& control) {
    const std::vector<int>& required = limits_.required[child_];
    std::vector<int> set = required;
    grow(set, most, control);
    shrink(set);
    try_all_beside(set, local(set));
    const std::vector<int> singles = best(kFurtherStarts, {});
    for (int single : singles) {
      if (control.is_stopped()) return {};
      std::vector<int> start = with(required, single);
      try_all_beside(start, local(start));
    }
    std::vector<int> chosen;
    std::set_difference(set.begin(), set.end(), required.begin(), required.end(), std::back_inserter(chosen));
    for (int other : best(most - std::min(most, chosen.size()), chosen)) chosen.push_back(other);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }

 private:
  static std::vector<int> with(std::vector<int> set, int parent) {
    set.insert(std::upper_bound(set.begin(), set.end(), parent), parent);
    return set;
  }

  double levels(int column) const { return table_.columns[static_cast<std::size_t>(column)].levels; }

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

  // Notes what each further parent would bring; returns the best one, or -1 where none may be added.
  int try_all_beside(const std::vector<int>& set, double value) {
    int found = -1;
    double most = kNever;
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

  // The parents with the best gains that are not in the list, ties by column.
  std::vector<int> best(std::size_t count, const std::vector<int>& without) const {
    std::vector<int> others;
    for (int parent : limits_.allowed[child_]) {
      if (gain_[static_cast<std::size_t>(parent)] > kNever && std::ranges::find(without, parent) == without.end()) {
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
  const ParentLimits& limits_;
  std::size_t child_;
  Counter counter_;
  Profile cells_, configs_;
  std::vector<double> gain_;
  double last_gain_ = kNever;
};

}  // namespace

std::vector<std::vector<int>> choose_candidates(const Columns& table, const Score& score, const ParentLimits& limits,
                                                std::size_t most, int threads, Control& control) {
  std::vector<std::vector<int>> chosen(table.columns.size());
  control.start_stage(1, static_cast<double>(chosen.size()));
  parallel_for(chosen.size(), threads, [&](int, std::size_t child) {
    if (control.is_stopped()) return;
    chosen[child] = limits.allowed[child].size() <= most ? limits.allowed[child]
                                                         : Chooser(table, score, limits, child).choose(most, control);
    control.advance(1.0);
  });
  return chosen;
}

}  // namespace qnml
