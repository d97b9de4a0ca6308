#include "core/listed/listed_proof.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/graph/tie_breaking.hpp"
#include "core/listed/listed_families.hpp"
#include "core/listed/listed_orders.hpp"
#include "core/listed/listed_problem.hpp"
#include "core/numbers/minus_infinity.hpp"
#include "core/numbers/variable_set.hpp"
#include "core/proving/cluster_bound.hpp"
#include "core/proving/cluster_program.hpp"
#include "core/proving/components.hpp"
#include "core/proving/proving.hpp"

namespace qnml {
namespace {

// Families of each child that are considered one by one: at first, and the factor for the rounds that follow.
constexpr std::size_t kFirstListed = 64;
constexpr std::size_t kListedFactor = 4;
constexpr int kMostRounds = 40;
constexpr std::size_t kSteps = 300;
// Operations spent on linear programs, for each case of branch and bound that is allowed.
constexpr std::uint64_t kWorkPerCase = 4'000'000;
// Rounds end when the gap shrinks by less than this share and all families are listed.
constexpr double kWorthwhile = 0.01;
// The bounds count in doubles, for scores of about a million: 2^20 for sums of at most 2^53 units.
constexpr double kScale = 0x1p-33;

class ListedProver {
 public:
  ListedProver(const ListedProblem& problem, const ListedFamilies& families, const ListedChoice& choice,
               std::size_t cases, Control& control)
      : problem_(problem),
        families_(families),
        cases_(cases),
        control_(control),
        work_(kWorkPerCase * cases),
        left_(choice.size()) {
    result_.choice = choice;
    for (std::size_t child = 0; child < choice.size(); ++child) {
      const auto& list = families.of(static_cast<int>(child));
      result_.score += list[choice[child]].score;
      result_.bound += list.front().score;
    }
    tolerance_ = kScale * static_cast<double>(tolerance(result_.score)) / 2.0;
    clusters_.prices = ClusterPrices(choice.size());
  }

  ListedProof run() {
    if (is_proven() || left_.size() > kMostProven) return result_;
    for (std::size_t child = 0; child < left_.size(); ++child) {
      for (const ListedFamilies::Family& family : families_.of(static_cast<int>(child))) {
        left_[child].push_back({VariableSet::of(to_vector(families_.parents(family))), kScale * score(family)});
      }
    }
    drop_unrelated();
    std::size_t listed = kFirstListed;
    for (int round = 0; round < kMostRounds && !control_.is_stopped() && !is_proven(); ++round) {
      const auto before = static_cast<double>(result_.bound - result_.score);
      const bool has_all = tighten(listed);
      if (is_infeasible_ || control_.is_stopped()) return result_;
      listed *= kListedFactor;
      const auto after = static_cast<double>(result_.bound - result_.score);
      if (has_all && after > (1.0 - kWorthwhile) * before) break;
    }
    if (!is_proven() && !control_.is_stopped() && cases_ > 0) put_together();
    is_proven();
    return result_;
  }

 private:
  static double score(const ListedFamilies::Family& family) { return static_cast<double>(family.score); }
  static std::vector<int> to_vector(std::span<const int> set) { return {set.begin(), set.end()}; }

  double reached() const { return kScale * static_cast<double>(result_.score); }

  bool is_proven() {
    result_.optimal = result_.bound - result_.score <= tolerance(result_.score);
    if (result_.optimal) result_.n_proven = static_cast<int>(left_.size());
    return result_.optimal;
  }

  // Never below the score that was reached; rounded up.
  void take_bound(double bound) {
    const double units = std::ceil(std::max(bound, reached()) / kScale);
    if (units < static_cast<double>(result_.bound)) {
      result_.bound = std::max(static_cast<std::int64_t>(units), result_.score);
    }
  }

  // A child that takes a family below its best loses the difference from the bound of unrelated families.
  void drop_unrelated() {
    const double spare = kScale * static_cast<double>(result_.bound) - reached() + 2.0 * tolerance_;
    for (auto& list : left_) {
      const double least = list.front().score - spare;
      std::erase_if(list, [&](const Choice& family) { return family.score < least; });
    }
  }

  // The best families one by one, and an open choice for the others, sets of any parents.
  std::vector<std::vector<Choice>> best_of_each(std::size_t most, bool& has_all) const {
    std::vector<std::vector<Choice>> choices(left_.size());
    has_all = true;
    for (std::size_t child = 0; child < left_.size(); ++child) {
      const std::vector<Choice>& list = left_[child];
      const std::size_t last = std::min(most, list.size());
      choices[child].assign(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(last));
      if (last == list.size()) continue;
      has_all = false;
      choices[child].push_back({VariableSet(), list[last].score, true});
    }
    return choices;
  }

  bool tighten(std::size_t most) {
    bool has_all = true;
    const std::vector<std::vector<Choice>> choices = best_of_each(most, has_all);
    clusters_ = cluster_bound(choices, clusters_.prices, reached() + tolerance_, kSteps, control_);
    if (clusters_.bound > reached() + tolerance_) {
      const std::uint64_t share = work_ / 4;
      std::uint64_t left = share;
      clusters_ = cluster_program(choices, clusters_.prices, reached() + tolerance_, left, control_);
      work_ -= share - left;
    }
    is_infeasible_ = clusters_.bound == kMinusInfinity;  // nothing better is left than the network that is known
    if (is_infeasible_) {
      take_bound(reached());
      is_proven();
      return has_all;
    }
    take_bound(clusters_.bound);
    for (std::size_t child = 0; child < left_.size() && !control_.is_stopped(); ++child) {
      const double least = clusters_.most[child] - (clusters_.bound - reached() - tolerance_);
      std::erase_if(left_[child], [&](const Choice& family) {
        return family.score + clusters_.prices.earned(child, family.parents) < least;
      });
    }
    return has_all;
  }

  void put_together() {
    std::vector<std::vector<Choice>> choices = left_;
    for (std::size_t child = 0; child < left_.size(); ++child) {
      // The known family may have been dropped, since it is not better than itself.
      const ListedFamilies::Family& known = families_.of(static_cast<int>(child))[result_.choice[child]];
      choices[child].push_back({VariableSet::of(to_vector(families_.parents(known))), kScale * score(known)});
    }
    const std::vector<std::vector<int>> parts = connected_parts(choices);
    const double tolerance = tolerance_ / static_cast<double>(parts.size());
    double bound = 0.0;
    for (const std::vector<int>& part : parts) {
      double known = 0.0;
      for (int member : part) known += choices[static_cast<std::size_t>(member)].back().score;
      const PartSolution solved =
          solve_part(choices, clusters_.prices, part, known, tolerance, cases_, work_, problem_.memory_limit, control_);
      bound += solved.bound;
      if (solved.bound <= solved.score + tolerance) result_.n_proven += static_cast<int>(part.size());
      if (solved.is_better) take(part, solved.parents);
    }
    take_bound(bound);
  }

  void take(const std::vector<int>& part, const std::vector<VariableSet>& parents) {
    for (std::size_t k = 0; k < part.size(); ++k) {
      const auto child = static_cast<std::size_t>(part[k]);
      const auto& list = families_.of(part[k]);
      result_.score -= list[result_.choice[child]].score;
      result_.choice[child] = static_cast<std::size_t>(families_.find(part[k], parents[k].members()));
      result_.score += list[result_.choice[child]].score;
    }
  }

  const ListedProblem& problem_;
  const ListedFamilies& families_;
  std::size_t cases_;
  Control& control_;
  std::uint64_t work_;
  std::vector<std::vector<Choice>> left_;  // families that may be in a better network
  ClusterBound clusters_;
  double tolerance_ = 0.0;
  bool is_infeasible_ = false;
  ListedProof result_;
};

}  // namespace

ListedProof prove_listed(const ListedProblem& problem, const ListedFamilies& families, const ListedChoice& choice,
                         std::size_t cases, Control& control) {
  return ListedProver(problem, families, choice, cases, control).run();
}

}  // namespace qnml
