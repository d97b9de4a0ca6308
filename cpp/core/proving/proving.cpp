#include "core/proving/proving.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/counting/columns.hpp"
#include "core/numbers/minus_infinity.hpp"
#include "core/numbers/variable_set.hpp"
#include "core/problem/search_problem.hpp"
#include "core/proving/cluster_bound.hpp"
#include "core/proving/cluster_program.hpp"
#include "core/proving/components.hpp"
#include "core/proving/family_tree.hpp"
#include "core/scores/family_cache.hpp"

namespace qnml {
namespace {

// Rows visited per child before the children are first considered together, in multiples of the rows of the table.
constexpr std::uint64_t kFirstWork = 200;
// A step of the prices takes about as long as this many visits per choice.
constexpr std::uint64_t kVisitsPerStep = 20;
constexpr std::size_t kMostSteps = 300;
constexpr int kLastRounds = 20;
constexpr std::size_t kLastSteps = 1000;
// The least limit on parents of the second proof, and its share of the work: one in so many.
constexpr std::size_t kFewParents = 2;
constexpr std::uint64_t kShareAmongFewer = 4;
// With fewer cases, branch and bound is of no use if all variables form one component and some choices are open.
constexpr std::size_t kWorthWhile = 1000;

class Prover {
 public:
  Prover(FamilyCache& families, const SearchProblem& problem, const Rules& rules, const ProvingOptions& options,
         const std::vector<std::vector<int>>& parents, double bound, Control& control)
      : families_(families),
        rules_(rules),
        options_(options),
        control_(control),
        threads_(problem.threads),
        size_(parents.size()),
        program_work_(options.work) {
    const Columns& table = problem.table;
    for (std::size_t part = 0; part < table.n_parts(); ++part) {
      superset_bounds_.push_back(std::make_unique<SupersetBound>(problem.score_of_part(part), table.part(part)));
      log_counts_.push_back(std::make_unique<LogCounts>(table.part(part).total));
    }
    result_.parents = parents;
    result_.bound = bound;
    for (std::size_t child = 0; child < size_; ++child) {
      result_.score += families.score(static_cast<int>(child), parents[child]);
      const std::size_t part = table.part_of(static_cast<int>(child));
      trees_.emplace_back(families_, rules_, *superset_bounds_[part], *log_counts_[part], static_cast<int>(child));
    }
    // Scores that differ by at most 1e-9 of the score count as tied. Half of that is for listing the families, half for
    // combining them.
    tolerance_ = 0.5e-9 * std::max(1.0, std::abs(result_.score));
    clusters_.prices = ClusterPrices(size_);
  }

  Proof run() {
    // Examining every child once with each of the others would exceed the work.
    if (size_ * size_ * families_.table().rows > options_.work) return std::move(result_);
    const std::uint64_t orders = options_.work / (2 * size_);
    parallel_for(size_, threads_, [&](int, std::size_t child) {
      if (!control_.is_stopped()) trees_[child].start(orders);
    });
    if (control_.is_stopped()) return std::move(result_);
    tighten(0, 0);
    list_families();
    if (control_.is_stopped() || is_proven()) return std::move(result_);
    for (int round = 0; round < kLastRounds && !control_.is_stopped() && !is_proven(); ++round) {
      const double before = result_.bound - result_.score;
      tighten(std::min(kLastSteps, affordable_steps()), program_work_ / 4);
      if (result_.bound - result_.score > 0.99 * before) break;
    }
    if (!is_proven() && program_work_ > 0) put_together(options_.cases);
    is_proven();
    return std::move(result_);
  }

 private:
  bool is_listed() const {
    return std::all_of(trees_.begin(), trees_.end(), [](const FamilyTree& tree) { return tree.is_complete(); });
  }

  std::uint64_t visits() const {
    std::uint64_t sum = 0;
    for (const FamilyTree& tree : trees_) sum += tree.visits();
    return sum;
  }

  std::size_t n_choices() const {
    std::size_t sum = 0;
    for (const FamilyTree& tree : trees_) sum += tree.families().size() + tree.n_open();
    return sum;
  }

  // Number of price steps that take as long as the work allowed for the lists.
  std::size_t affordable_steps() const { return options_.work / (kVisitsPerStep * (n_choices() + 1)); }

  bool is_proven() {
    result_.optimal = result_.bound <= result_.score + 2.0 * tolerance_;
    if (result_.optimal) result_.n_proven = static_cast<int>(size_);
    return result_.optimal;
  }

  void list_families() {
    const double most_nodes = options_.memory_bytes / (static_cast<double>(size_) * FamilyTree::kBytesPerNode);
    std::uint64_t round_work = kFirstWork * families_.table().rows;
    for (std::uint64_t done = visits(); !control_.is_stopped() && !is_proven() && done < options_.work;) {
      const auto unfinished = static_cast<std::uint64_t>(
          std::count_if(trees_.begin(), trees_.end(), [](const FamilyTree& tree) { return !tree.is_complete(); }));
      if (unfinished == 0) return;
      const std::uint64_t share = std::min(round_work, (options_.work - done) / unfinished + 1);
      parallel_for(size_, threads_, [&](int, std::size_t child) {
        trees_[child].grow(hurdle(child), share, static_cast<std::size_t>(most_nodes), control_);
      });
      const std::uint64_t now = visits();
      if (now == done) return;  // no memory for more
      control_.advance(static_cast<double>(now - done));
      if (control_.is_stopped()) return take_stock();
      tighten(std::min<std::uint64_t>(kMostSteps, (now - done) / (kVisitsPerStep * (n_choices() + 1))),
              std::min((now - done) / 2, program_work_ / 2));
      done = now;
      round_work *= 2;
    }
  }

  // If child i takes a choice with a reduced score d below its best, the network scores at most the bound minus d.
  Hurdle hurdle(std::size_t child) const {
    return {&clusters_.prices, clusters_.most[child] - (clusters_.bound - result_.score - tolerance_)};
  }

  // The bound under the current prices, for when there is no time for better ones.
  void take_stock() {
    std::vector<double> most(size_);
    parallel_for(size_, threads_, [&](int, std::size_t child) { most[child] = trees_[child].most(clusters_.prices); });
    double bound = -clusters_.prices.total();
    for (double one : most) bound += one;
    result_.bound = std::min(result_.bound, std::max(bound, result_.score));
  }

  // `work`: operations for the linear program.
  void tighten(std::size_t steps, std::uint64_t work) {
    std::vector<std::vector<Choice>> choices(size_);
    parallel_for(size_, threads_, [&](int, std::size_t child) { choices[child] = trees_[child].choices(); });
    clusters_ = cluster_bound(choices, clusters_.prices, result_.score + tolerance_, steps, control_);
    if (work > 0 && clusters_.bound > result_.score + tolerance_) {
      std::uint64_t left = work;
      clusters_ = cluster_program(choices, clusters_.prices, result_.score + tolerance_, left, control_);
      program_work_ -= work - left;
    }
    result_.bound = std::min(result_.bound, std::max(clusters_.bound, result_.score));
    if (clusters_.bound == kMinusInfinity) return;
    parallel_for(size_, threads_, [&](int, std::size_t child) { trees_[child].drop(hurdle(child)); });
  }

  void put_together(std::size_t cases) {
    std::vector<std::vector<Choice>> choices(size_);
    for (std::size_t child = 0; child < size_; ++child) {
      choices[child] = trees_[child].choices();
      // The known families may have been dropped, since they are not better than themselves.
      choices[child].push_back(
          {VariableSet::of(result_.parents[child]), families_.score(static_cast<int>(child), result_.parents[child])});
    }
    std::vector<std::vector<Choice>> reachable = choices;
    for (std::size_t child = 0; child < size_; ++child) {
      if (trees_[child].is_complete()) continue;
      reachable[child].push_back({VariableSet::of(rules_.allowed.members(static_cast<int>(child))), 0.0, true});
    }
    const std::vector<std::vector<int>> parts = connected_parts(reachable);
    if (parts.size() == 1 && !is_listed() && cases < kWorthWhile) return;
    const double tolerance = tolerance_ / static_cast<double>(parts.size());
    double bound = 0.0;
    for (const std::vector<int>& part : parts) {
      double reached = 0.0;
      for (int member : part) reached += choices[static_cast<std::size_t>(member)].back().score;
      const PartSolution solved = solve_part(choices, clusters_.prices, part, reached, tolerance, cases, program_work_,
                                             options_.memory_bytes, control_);
      bound += solved.bound;
      if (solved.bound <= solved.score + tolerance) result_.n_proven += static_cast<int>(part.size());
      if (!solved.is_better) continue;
      result_.score += solved.score - reached;
      for (std::size_t k = 0; k < part.size(); ++k) {
        result_.parents[static_cast<std::size_t>(part[k])] = solved.parents[k].members();
      }
    }
    result_.bound = std::min(result_.bound, std::max(bound, result_.score));
  }

  FamilyCache& families_;
  const Rules& rules_;
  const ProvingOptions& options_;
  Control& control_;
  int threads_;
  std::size_t size_;
  std::vector<std::unique_ptr<SupersetBound>> superset_bounds_;  // of each part of the table
  std::vector<std::unique_ptr<LogCounts>> log_counts_;
  std::vector<FamilyTree> trees_;
  ClusterBound clusters_;
  std::uint64_t program_work_;
  double tolerance_ = 0.0;
  Proof result_;
};

// The proof among networks with fewer parents, added to what is known without that limit.
void prove_among_fewer(FamilyCache& families, const SearchProblem& problem, const ProvingOptions& options,
                       Control& control, Proof& known) {
  std::size_t most = kFewParents;
  for (const std::vector<int>& parents : known.parents) most = std::max(most, parents.size());
  Rules rules = problem.rules;
  bool is_limited = false;
  for (int& limit : rules.max_parents) {
    is_limited |= limit > static_cast<int>(most);
    limit = std::min(limit, static_cast<int>(most));
  }
  if (!is_limited || most + 1 >= known.parents.size()) return;
  const ProvingOptions fewer{options.work / kShareAmongFewer, options.cases, options.memory_bytes};
  Proof proof = Prover(families, problem, rules, fewer, known.parents, known.bound, control).run();
  if (proof.optimal) known.most_parents = static_cast<int>(most);
  if (proof.score <= known.score) return;
  known.parents = std::move(proof.parents);
  known.score = proof.score;
  known.bound = std::max(known.bound, known.score);
  known.n_proven = 0;
}

}  // namespace

Proof prove(FamilyCache& families, const SearchProblem& problem, const ProvingOptions& options,
            const std::vector<std::vector<int>>& parents, double bound, Control& control) {
  Proof proof = Prover(families, problem, problem.rules, options, parents, bound, control).run();
  if (!proof.optimal && !control.is_stopped()) prove_among_fewer(families, problem, options, control, proof);
  return proof;
}

}  // namespace qnml
