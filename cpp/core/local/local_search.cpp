#include "core/local/local_search.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/copied_columns.hpp"
#include "core/graph/found_network.hpp"
#include "core/local/best_order.hpp"
#include "core/local/equivalence_search.hpp"
#include "core/local/hill_climb.hpp"
#include "core/local/screening.hpp"
#include "core/local/stage_options.hpp"
#include "core/local/tuning.hpp"
#include "core/problem/search_problem.hpp"
#include "core/proving/proving.hpp"
#include "core/scores/family_cache.hpp"

namespace qnml {
namespace {

class Search {
 public:
  Search(const SearchProblem& problem, const LocalSearchOptions& options, Control& control)
      : problem_(problem),
        rules_(problem.rules),
        options_(options),
        control_(control),
        threads_(problem.threads),
        families_(problem.table, problem.score, most_cells(options, rules_),
                  std::min(tuning::memory::kFamilyCacheShare * problem.memory_limit, tuning::memory::kMostFamilyCache),
                  problem.part_scores) {
    for (int child = 0; child < families_.n_variables(); ++child) {
      families_.admit(child, rules_.required.members(child));
    }
  }

  LocalSearchResult run() {
    const int n = families_.n_variables();
    begin("screening", n);
    const bool has_all = n <= tuning::screening::kAllCandidatesUpTo;
    const Screening screening =
        screen(families_, rules_, has_all ? 0 : tuning::screening::kCandidates, control_, threads_);
    const std::vector<std::vector<int>>* candidates = has_all ? nullptr : &screening.candidates;
    const bool has_orders = options_.method == LocalMethod::order;
    const std::vector<std::vector<int>>* of_orders = n <= tuning::screening::kAllForOrdersUpTo ? nullptr : candidates;
    result_.bound = unrelated_bound(problem_, screening.best_single);
    const std::vector<std::vector<int>>* chosen_from = has_orders ? of_orders : candidates;
    for (int child = 0; child < n; ++child) {
      result_.candidates += chosen_from == nullptr ? rules_.allowed.members(child).size()
                                                   : (*chosen_from)[static_cast<std::size_t>(child)].size();
    }
    take_start();
    switch (options_.method) {
      case LocalMethod::hill_climbing:
        begin("hill climbing", 0.0);
        take_climb(candidates, ClimbRole::alone);
        break;
      case LocalMethod::order:
        search_orders(candidates, of_orders);
        break;
      case LocalMethod::greedy_equivalence:
        begin("equivalence classes", 0.0);
        take_classes(candidates, ClimbRole::alone);
        break;
    }
    prove_best();
    end();
    result_.sets_counted = families_.sets_counted();
    to_nats(static_cast<double>(problem_.score->scale()));
    return std::move(result_);
  }

 private:
  void to_nats(double scale) {
    result_.bound /= scale;
    result_.network.score /= scale;
    for (TracePoint& point : result_.network.trace) point.score /= scale;
  }

  void prove_best() {
    const ProvingEffort effort = proving_effort(setting(), options_.method == LocalMethod::order);
    if (effort.visits == 0 || families_.n_variables() > kMostProven || control_.is_stopped()) return;
    begin("proving", static_cast<double>(effort.visits));
    families_.limit_cells(rules_.most_cells);
    const ProvingOptions options{effort.visits, effort.cases, tuning::memory::kProofShare * problem_.memory_limit};
    Proof proof = prove(families_, problem_, options, result_.network.parents, result_.bound, control_);
    result_.bound = proof.bound;
    result_.optimal = proof.optimal;
    result_.n_proven = proof.n_proven;
    result_.most_parents = proof.most_parents;
    FoundNetwork found{std::move(proof.parents), proof.score, {{since(stage_began_), proof.score}}};
    take(std::move(found));
  }

  // Steps between equivalence classes score families that occur in no network returned.
  static double most_cells(const LocalSearchOptions& options, const Rules& rules) {
    return options.method == LocalMethod::greedy_equivalence ? std::numeric_limits<double>::infinity()
                                                             : rules.most_cells;
  }

  void search_orders(const std::vector<std::vector<int>>* candidates, const std::vector<std::vector<int>>* of_orders) {
    const bool is_equivalent = families_.is_equivalent();
    if (is_equivalent) {
      begin("equivalence classes", 0.0);
      take_classes(candidates, ClimbRole::before_orders);
    } else {
      begin("hill climbing", 0.0);
      take_climb(candidates, ClimbRole::before_orders);
    }
    const OrderOptions options = order_options(setting());
    begin("orders", options.rounds + 1.0);
    take(best_order(families_, rules_, result_.network.parents, of_orders, options, control_, threads_));
    // The last climb is not confined to one order.
    begin("last climb", 0.0);
    if (is_equivalent) {
      take_classes(candidates, ClimbRole::after_orders);
    } else {
      take_climb(candidates, ClimbRole::after_orders);
    }
  }

  // Every stage continues from the best network so far.
  void take_start() {
    if (options_.start.empty()) return;
    double score = 0.0;
    for (std::size_t child = 0; child < options_.start.size(); ++child) {
      score += families_.score(static_cast<int>(child), options_.start[child]);
    }
    stage_began_ = Control::Clock::now();
    take({.parents = options_.start, .score = score, .trace = {{since(stage_began_), score}}});
  }

  void take_climb(const std::vector<std::vector<int>>* candidates, ClimbRole role) {
    take(hill_climb(families_, rules_, result_.network.parents, candidates, climb_options(setting(), role), control_,
                    threads_));
  }

  void take_classes(const std::vector<std::vector<int>>* candidates, ClimbRole role) {
    take(greedy_equivalence(families_, rules_, result_.network.parents, candidates, class_options(setting(), role),
                            control_, threads_));
  }

  StageSetting setting() const {
    return {.effort = options_.effort,
            .n_variables = problem_.n_variables(),
            .rows = problem_.table.rows,
            .is_equivalent = families_.is_equivalent(),
            .seed = problem_.seed,
            .memory_limit = problem_.memory_limit,
            .most_work = options_.most_work};
  }

  void begin(const char* stage, double work) {
    end();
    stage_ = stage;
    stage_began_ = Control::Clock::now();
    control_.start_stage(stage, work);
  }

  void end() {
    if (stage_ != nullptr) result_.seconds.emplace_back(stage_, since(stage_began_));
    stage_ = nullptr;
  }

  static double since(Control::Clock::time_point then) {
    return std::chrono::duration<double>(Control::Clock::now() - then).count();
  }

  // The trace of a stage continues that of the search.
  void take(FoundNetwork found) {
    std::vector<TracePoint>& trace = result_.network.trace;
    const double before = std::chrono::duration<double>(stage_began_ - began_).count();
    for (const TracePoint& point : found.trace) {
      if (trace.empty() || point.score > trace.back().score) trace.push_back({before + point.seconds, point.score});
    }
    result_.is_cut |= found.is_cut;
    if (!result_.network.parents.empty() && found.score <= result_.network.score) return;
    result_.network.parents = std::move(found.parents);
    result_.network.score = found.score;
  }

  const SearchProblem& problem_;
  const Rules& rules_;
  const LocalSearchOptions& options_;
  Control& control_;
  int threads_;
  FamilyCache families_;
  LocalSearchResult result_;
  const char* stage_ = nullptr;
  Control::Clock::time_point began_ = Control::Clock::now();
  Control::Clock::time_point stage_began_ = began_;
};

}  // namespace

LocalSearchResult learn_local(const SearchProblem& problem, const LocalSearchOptions& options, Control& control) {
  control.start_stage("first answer", 0.0);
  LocalSearchResult result = Search(problem, options, control).run();
  result.copies = copied_columns(problem.table);
  return result;
}

double local_search_bytes(double variables, double rows, double total_levels) {
  // A set of variables in the cache of families, and for each of its two children a gain with an index.
  constexpr double kBytesPerPair = 48.0 + 2.0 * 16.0;
  constexpr double kLeastBytes = 1e6;
  return kLeastBytes + total_levels * rows / 8.0 + kBytesPerPair * variables * (variables - 1.0) / 2.0;
}

}  // namespace qnml
