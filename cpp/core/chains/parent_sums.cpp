#include "core/chains/parent_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/counting/columns.hpp"
#include "core/counting/count.hpp"
#include "core/graph/rules.hpp"
#include "core/numbers/level_product.hpp"
#include "core/numbers/minus_infinity.hpp"
#include "core/numbers/subset_transform.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/family_scores.hpp"
#include "core/scores/score.hpp"
#include "core/scores/score_range.hpp"

namespace qnml {
namespace {

// Up to this many columns, one walk of the lattice over a child and its parents gives all its families.
constexpr std::size_t kLargestLattice = 22;

// If the sum over sets that meet M is less than this share of the sum over all sets, the difference of the two sums has
// lost digits, and the terms are added one by one. A sum of up to 2^20 terms, made by pairwise additions of logarithms
// of size x, has an error of 20 * 2^-52 * x: 5e-12 at 1000 nats below the best set. The difference then has an error of
// 5e-6 in relative terms, a millionth of what any accepted or rejected step depends on
// (cpp/tests/chains/test_parent_sums.cpp).
constexpr double kLeastShare = 1e-6;

// Terms this far below the sum, in nats, do not change it.
constexpr double kNegligible = -42.0;

double log_add(double a, double b) {
  const double high = std::max(a, b);
  if (high == kMinusInfinity) return kMinusInfinity;
  return high + std::log1p(std::exp(std::min(a, b) - high));
}

// Up to this size, all subsets of a set are enumerated. Beyond, all admitted sets are visited, best first, which ends
// sooner if most of the good ones are subsets.
constexpr int kFewMembers = 11;

// Whether one walk of the lattice can give all families.
bool adds_up_over_cells(const Score& score) { return dynamic_cast<const CellScore*>(&score) != nullptr; }

// All families over some columns of a table, from one walk of the lattice.
class WalkedFamilies {
 public:
  // `required`: bit masks over the positions of these columns.
  WalkedFamilies(const Columns& table, const std::vector<int>& columns, std::shared_ptr<const Score> score,
                 const std::vector<std::uint64_t>& required)
      : narrow_(restricted(table, columns)),
        score_(std::move(score), levels_of(narrow_), required),
        families_(narrow_, score_),
        place_(table.columns.size(), -1) {
    for (std::size_t k = 0; k < columns.size(); ++k) place_[static_cast<std::size_t>(columns[k])] = static_cast<int>(k);
  }
  WalkedFamilies(const WalkedFamilies&) = delete;

  // Whether a unit exists in which their scores fit into integers.
  static bool have_units(const Columns& table, const std::vector<int>& columns, const Score& score,
                         const std::vector<std::uint64_t>& required) {
    return largest_score(score, levels_of(restricted(table, columns)), lists_of(required)) <= kLargestScore;
  }

  bool walk(Control& control, int threads) {
    if (!FamilyScores::compute({&families_}, control, threads)) return false;
    bit_of_.resize(narrow_.columns.size());
    for (std::size_t bit = 0; bit < bit_of_.size(); ++bit) {
      bit_of_[static_cast<std::size_t>(families_.column_of_bit()[bit])] = static_cast<int>(bit);
    }
    return true;
  }

  // Scores of a child with the required parents and each set of candidates.
  void fill(int child, const std::vector<int>& required, const std::vector<int>& candidates,
            std::vector<double>& scores) const {
    const int own = bit(child);
    std::vector<std::int64_t> values(std::size_t{1} << (bit_of_.size() - 1));
    families_.fill(own, families_.prices(own), 0, values.size(), values.data());
    std::uint64_t always = 0;
    for (int parent : required) always |= std::uint64_t{1} << bit(parent);
    for (std::uint32_t set = 0; set < scores.size(); ++set) {
      std::uint64_t parents = always;
      for (std::uint32_t rest = set; rest != 0; rest &= rest - 1) {
        parents |= std::uint64_t{1} << bit(candidates[static_cast<std::size_t>(std::countr_zero(rest))]);
      }
      const std::int64_t value = values[remove_bit(parents, own)];
      scores[set] = is_never(value) ? kMinusInfinity : static_cast<double>(value) * score_.unit();
    }
  }

 private:
  static Columns restricted(const Columns& table, const std::vector<int>& columns) {
    Columns narrow = table;
    narrow.columns.clear();
    for (int column : columns) narrow.columns.push_back(table.at(column));
    return narrow;
  }

  int bit(int column) const { return bit_of_[static_cast<std::size_t>(place_[static_cast<std::size_t>(column)])]; }

  Columns narrow_;
  IntegerScore score_;
  FamilyScores families_;
  std::vector<int> place_;   // of the table's columns in this list
  std::vector<int> bit_of_;  // of the columns of this list
};

class ChildFamilies {
 public:
  ChildFamilies(const Columns& table, const ListRules& limits, const std::vector<int>& candidates, std::size_t child)
      : table_(table), limits_(limits), candidates_(candidates), child_(child) {}

  bool admits(std::uint32_t set) const {
    if (set == 0) return true;
    const auto parents = limits_.required[child_].size() + static_cast<std::size_t>(std::popcount(set));
    return static_cast<int>(parents) <= limits_.max_parents[child_] && cells(set) <= limits_.most_cells;
  }

  // Whether one walk of a lattice can give all families.
  bool have_lattice(const Score& score) const {
    return adds_up_over_cells(score) && n_columns() <= kLargestLattice &&
           WalkedFamilies::have_units(table_, columns(), score, required_places());
  }

  // Computes all families by one walk of the lattice over these columns.
  bool by_lattice(const std::shared_ptr<const Score>& score, Control& control, std::vector<double>& scores) const {
    WalkedFamilies families(table_, columns(), score, required_places());
    if (!families.walk(control, 1)) return false;
    take_from(families, scores);
    return true;
  }

  void take_from(const WalkedFamilies& families, std::vector<double>& scores) const {
    families.fill(static_cast<int>(child_), limits_.required[child_], candidates_, scores);
  }

  // Counts each family separately, for scores that are not sums over cells.
  bool by_counting(const Score& score, Control& control, std::vector<double>& scores) const {
    Counter counter(table_);
    Profile cells, configs;
    for (std::uint32_t set = 0; set < scores.size(); ++set) {
      if (control.is_stopped()) return false;
      if (!admits(set)) continue;
      std::vector<int> parents = limits_.required[child_];
      for (std::size_t k = 0; k < candidates_.size(); ++k) {
        if (set >> k & 1) parents.push_back(candidates_[k]);
      }
      std::sort(parents.begin(), parents.end());
      LevelProduct product;
      for (int parent : parents) product = product.times(at(parent).levels);
      counter.family(static_cast<int>(child_), parents, cells, configs);
      scores[set] = score.local({cells, configs, static_cast<double>(table_.columns[child_].levels), product,
                                 static_cast<int>(parents.size())});
    }
    return true;
  }

 private:
  std::size_t n_columns() const { return 1 + limits_.required[child_].size() + candidates_.size(); }

  // The child, its required parents and its candidates.
  std::vector<int> columns() const {
    std::vector<int> columns{static_cast<int>(child_)};
    columns.insert(columns.end(), limits_.required[child_].begin(), limits_.required[child_].end());
    columns.insert(columns.end(), candidates_.begin(), candidates_.end());
    return columns;
  }
  std::vector<std::uint64_t> required_places() const {
    std::vector<std::uint64_t> masks(n_columns(), 0);
    masks.front() = ((std::uint64_t{1} << limits_.required[child_].size()) - 1) << 1;
    return masks;
  }

  const Column& at(int column) const { return table_.at(column); }

  double cells(std::uint32_t set) const {
    double cells = table_.columns[child_].levels;
    for (int column : limits_.required[child_]) cells *= at(column).levels;
    for (std::size_t k = 0; k < candidates_.size(); ++k) {
      if (set >> k & 1) cells *= at(candidates_[k]).levels;
    }
    return cells;
  }

  const Columns& table_;
  const ListRules& limits_;
  const std::vector<int>& candidates_;
  std::size_t child_;
};

}  // namespace

ParentSums::ParentSums(std::vector<int> required, std::vector<int> candidates, std::vector<double> log_weights)
    : required_(std::move(required)), candidates_(std::move(candidates)), weights_(std::move(log_weights)) {
  if (candidates_.size() > kMostCandidates) throw std::invalid_argument("a child has at most 20 candidates");
  log_scale_ = *std::max_element(weights_.begin(), weights_.end());
  for (double& weight : weights_) weight -= log_scale_;
  sums_ = weights_;
  for (std::size_t half = 1; half < sums_.size(); half <<= 1) {
    for (std::size_t set = half; set < sums_.size(); set = (set + 1) | half) {
      sums_[set] = log_add(sums_[set], sums_[set ^ half]);
    }
  }
  for (std::uint32_t set = 0; set < weights_.size(); ++set) {
    if (weights_[set] > kMinusInfinity) best_first_.push_back(set);
  }
  std::stable_sort(best_first_.begin(), best_first_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return weights_[a] > weights_[b]; });
}

// Calls visit(subset) until it returns false.
template <class Visit>
void ParentSums::for_subsets(std::uint32_t set, Visit&& visit) const {
  if (std::popcount(set) <= kFewMembers) {
    std::uint32_t subset = 0;
    do {
      if (!visit(subset)) return;
      subset = (subset - set) & set;
    } while (subset != 0);
    return;
  }
  for (std::uint32_t subset : best_first_) {
    if ((subset & ~set) == 0 && !visit(subset)) return;
  }
}

double ParentSums::log_meeting(std::uint32_t set, std::uint32_t meeting) const {
  meeting &= set;
  if (meeting == 0) return kMinusInfinity;
  const double all = sums_[set];
  const double share = -std::expm1(sums_[set & ~meeting] - all);
  if (share >= kLeastShare) return all + std::log(share);
  double largest = kMinusInfinity;
  for_subsets(set, [&](std::uint32_t subset) {
    if ((subset & meeting) != 0) largest = std::max(largest, weights_[subset]);
    return largest == kMinusInfinity ||
           std::popcount(set) <= kFewMembers;  // the first set of a sorted list is the largest
  });
  if (largest == kMinusInfinity) return kMinusInfinity;
  double sum = 0.0;
  for_subsets(set, [&](std::uint32_t subset) {
    const double below = weights_[subset] - largest;
    if ((subset & meeting) != 0 && below > kNegligible) sum += std::exp(below);
    return below > kNegligible || std::popcount(set) <= kFewMembers;
  });
  return largest + std::log(sum);
}

std::uint32_t ParentSums::draw(std::uint32_t set, std::uint32_t meeting, double log_total, double uniform) const {
  std::uint32_t chosen = 0;
  double best = kMinusInfinity;
  double sum = 0.0;
  for_subsets(set, [&](std::uint32_t subset) {
    const double below = weights_[subset] - log_total;
    if (below <= kNegligible) return std::popcount(set) <= kFewMembers;
    if (meeting != 0 && (subset & meeting) == 0) return true;
    sum += std::exp(below);
    if (sum > uniform) {
      chosen = subset;
      return false;
    }
    if (below > best) {  // the answer if rounding leaves the sum of the shares below `uniform`
      best = below;
      chosen = subset;
    }
    return true;
  });
  return chosen;
}

std::uint32_t ParentSums::draw_within(std::uint32_t set, double uniform) const {
  return draw(set, 0, sums_[set], uniform);
}

std::uint32_t ParentSums::draw_meeting(std::uint32_t set, std::uint32_t meeting, double uniform) const {
  return draw(set, meeting & set, log_meeting(set, meeting), uniform);
}

std::vector<ParentSums> parent_sums(const SearchProblem& problem, const std::vector<std::vector<int>>& candidates,
                                    Control& control) {
  const Columns& table = problem.table;
  const std::size_t n = table.columns.size();
  const ListRules limits(problem.rules);
  std::vector<ParentSums> sums(n);
  control.start_stage("parent sums", static_cast<double>(n));
  // If most children have most other variables as candidates, one walk over all columns is cheaper than one per child.
  double own_walks = 0.0;
  for (std::size_t child = 0; child < n; ++child) {
    own_walks += std::ldexp(1.0, static_cast<int>(1 + limits.required[child].size() + candidates[child].size()));
  }
  std::optional<WalkedFamilies> shared;
  if (!table.is_split() && adds_up_over_cells(*problem.score) && n <= kLargestLattice &&
      own_walks >= std::ldexp(1.0, static_cast<int>(n))) {
    std::vector<int> all(n);
    std::iota(all.begin(), all.end(), 0);
    std::vector<std::uint64_t> required(n, 0);
    for (std::size_t child = 0; child < n; ++child) {
      for (int parent : limits.required[child]) required[child] |= std::uint64_t{1} << parent;
    }
    if (WalkedFamilies::have_units(table, all, *problem.score, required)) {
      shared.emplace(table, all, problem.score, required);
      if (!shared->walk(control, problem.threads)) return {};
    }
  }
  parallel_for(n, problem.threads, [&](int, std::size_t child) {
    if (control.is_stopped()) return;
    const std::shared_ptr<const Score>& score = problem.score_of(static_cast<int>(child));
    const ChildFamilies family(table.of(static_cast<int>(child)), limits, candidates[child], child);
    std::vector<double> weights(std::size_t{1} << candidates[child].size(), kMinusInfinity);
    if (shared) {
      family.take_from(*shared, weights);
    } else if (!(family.have_lattice(*score) ? family.by_lattice(score, control, weights)
                                             : family.by_counting(*score, control, weights))) {
      return;
    }
    for (std::uint32_t set = 0; set < weights.size(); ++set) {
      if (!family.admits(set)) weights[set] = kMinusInfinity;
    }
    sums[child] = ParentSums(limits.required[child], candidates[child], std::move(weights));
    control.advance(1.0);
  });
  return control.is_stopped() ? std::vector<ParentSums>() : sums;
}

}  // namespace qnml
