#include "core/proving.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>

#include "core/cluster_bound.hpp"
#include "core/exact_parts.hpp"
#include "core/family_tree.hpp"
#include "core/parallel.hpp"

namespace qnml {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();
constexpr std::uint64_t kFirstWork = 200;  // times the rows, for each child

class Prover {
 public:
  Prover(FamilyCache& families, const ArcRules& rules, const ProvingTask& task,
         const std::vector<std::vector<int>>& parents, double bound, Control& control, int threads)
      : families_(families),
        rules_(rules),
        task_(task),
        control_(control),
        threads_(threads),
        size_(parents.size()),
        superset_bound_(task.kind, task.parameter, families.table()) {
    result_.parents = parents;
    result_.bound = bound;
    clusters_.prices = ClusterPrices(size_);
    for (std::size_t child = 0; child < size_; ++child) {
      result_.score += families.score(static_cast<int>(child), parents[child]);
    }
    // Networks that score only so much more count as equal.
    tolerance_ = 0.5e-9 * std::abs(result_.score);
  }

  Proof run() {
    for (std::size_t child = 0; child < size_; ++child) {
      trees_.emplace_back(families_, rules_, superset_bound_, task_.most_cells, static_cast<int>(child));
    }
    parallel_for(size_, threads_, [&](int, std::size_t child) {
      if (!control_.is_stopped()) trees_[child].start();
    });
    if (control_.is_stopped()) return std::move(result_);
    tighten(0);
    std::uint64_t work = kFirstWork * families_.table().rows;
    while (!control_.is_stopped() && !is_done() && visits() < task_.work) {
      const std::uint64_t left = task_.work - visits();
      std::size_t unfinished = 0;
      for (const FamilyTree& tree : trees_) unfinished += tree.is_complete() ? 0 : 1;
      if (unfinished == 0) break;
      const std::uint64_t share = std::min(work, left / unfinished + 1);
      parallel_for(size_, threads_, [&](int, std::size_t child) { trees_[child].grow(hurdle(child), share, control_); });
      tighten(std::getenv("STEPS") ? std::atoi(std::getenv("STEPS")) : 300);
      work *= 2;
    }
    for (int round = 0; round < 20 && !control_.is_stopped() && !is_done(); ++round) {
      const double gap = result_.bound - result_.score;
      tighten(1000);
      if (result_.bound - result_.score > 0.98 * gap) break;
    }
    if (!is_done()) solve_parts();
    return std::move(result_);
  }

 private:
  std::uint64_t visits() const {
    std::uint64_t sum = 0;
    for (const FamilyTree& tree : trees_) sum += tree.visits();
    return sum;
  }

  bool is_done() {
    result_.optimal = result_.bound <= result_.score + 2.0 * tolerance_;
    if (result_.optimal) result_.n_proven = static_cast<int>(size_);
    return result_.optimal;
  }

  // If child i takes a choice that scores and earns so much less than its best, no network scores more than the bound
  // less that much.
  Hurdle hurdle(std::size_t child) const {
    return {&clusters_.prices, clusters_.most[child] - (clusters_.bound - result_.score - tolerance_)};
  }

  void tighten(std::size_t steps) {
    std::vector<std::vector<Choice>> choices(size_);
    parallel_for(size_, threads_, [&](int, std::size_t child) { choices[child] = trees_[child].choices(); });
    const ClusterEffort effort{20'000, steps};
    clusters_ = cluster_bound(choices, clusters_.prices, result_.score + tolerance_, effort, control_);
    result_.bound = std::min(result_.bound, std::max(clusters_.bound, result_.score));
    if (clusters_.bound != kNever) {
      parallel_for(size_, threads_, [&](int, std::size_t child) { trees_[child].drop(hurdle(child)); });
    }
    if (std::getenv("QNML_TRACE")) {
      std::size_t listed = 0, open = 0, done = 0, kept = 0;
      for (const auto& tree : trees_) listed += tree.families().size(), open += tree.open(), done += tree.is_complete();
      for (const auto& c : choices) kept += c.size();
      std::fprintf(stderr, "bound %.3f gap %.3f clusters %zu choices %zu listed %zu open %zu complete %zu visits %.3g\n",
                   clusters_.bound, clusters_.bound - result_.score, clusters_.prices.all().size(), kept, listed, open, done,
                   double(visits()));
    }
  }

  void solve_parts() {
    if (const char* dump = std::getenv("QNML_DUMP")) {
      std::FILE* f = std::fopen(dump, "w");
      std::fprintf(f, "%zu %.9f\n", size_, result_.score);
      for (std::size_t child = 0; child < size_; ++child)
        for (const Choice& c : trees_[child].families()) {
          std::fprintf(f, "%zu %.9f", child, c.score);
          for (int p : c.parents.members()) std::fprintf(f, " %d", p);
          std::fprintf(f, "\n");
        }
      std::fclose(f);
    }
    std::vector<std::vector<Choice>> choices(size_);
    for (std::size_t child = 0; child < size_; ++child) {
      choices[child] = trees_[child].choices();
      // What is known already may have been dropped as no better than itself.
      const VariableSet known = VariableSet::of(result_.parents[child]);
      const double score = families_.score(static_cast<int>(child), result_.parents[child]);
      choices[child].push_back({known, score});
      result_.families += choices[child].size();
    }
    std::vector<std::vector<Choice>> reachable = choices;
    for (std::size_t child = 0; child < size_; ++child) {
      if (trees_[child].is_complete()) continue;
      reachable[child].push_back({VariableSet::of(rules_.allowed.members(static_cast<int>(child))), 0.0, true});
    }
    const std::vector<std::vector<int>> parts = connected_parts(reachable);
    const double tolerance = tolerance_ / static_cast<double>(parts.size());
    double bound = 0.0;
    for (const std::vector<int>& part : parts) {
      double reached = 0.0;
      for (int member : part) reached += choices[static_cast<std::size_t>(member)].back().score;
      const PartSolution solved = solve_part(choices, part, reached, tolerance, task_.nodes, control_);
      bound += solved.bound;
      if (solved.bound <= solved.score + tolerance) result_.n_proven += static_cast<int>(part.size());
      if (std::getenv("QNML_TRACE")) {
        std::fprintf(stderr, "part of %zu gap %f\n", part.size(), solved.bound - solved.score);
      }
      if (!solved.is_better) continue;
      result_.score += solved.score - reached;
      for (std::size_t k = 0; k < part.size(); ++k) {
        result_.parents[static_cast<std::size_t>(part[k])] = solved.parents[k].members();
      }
    }
    result_.bound = std::min(result_.bound, std::max(bound, result_.score));
    is_done();
  }

  FamilyCache& families_;
  const ArcRules& rules_;
  const ProvingTask& task_;
  Control& control_;
  int threads_;
  std::size_t size_;
  SupersetBound superset_bound_;
  std::vector<FamilyTree> trees_;
  ClusterBound clusters_;
  double tolerance_ = 0.0;
  Proof result_;
};

}  // namespace

Proof prove(FamilyCache& families, const ArcRules& rules, const ProvingTask& task,
            const std::vector<std::vector<int>>& parents, double bound, Control& control, int threads) {
  return Prover(families, rules, task, parents, bound, control, threads).run();
}

}  // namespace qnml
