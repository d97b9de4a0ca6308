#include "core/large.hpp"

#include <algorithm>
#include <chrono>

#include "core/best_order.hpp"
#include "core/family_cache.hpp"
#include "core/hill_climb.hpp"
#include "core/screening.hpp"

namespace qnml {
namespace {

// Beyond this many variables a child chooses its parents among those that gain most on their own.
constexpr int kAllCandidatesUpTo = 200;
constexpr int kMostCandidates = 40;
// The search over orders narrows them down itself, and sees what gains only next to another; up to so many variables
// there is time for that.
constexpr int kOrdersOfAllUpTo = 2000;
constexpr double kMostStoreBytes = 4e9;
// Climbs from nothing: several, unless one takes seconds.
constexpr int kSeveralStarts = 4;
constexpr int kSeveralStartsUpTo = 1000;

int starts(int n) { return n <= kSeveralStartsUpTo ? kSeveralStarts : 1; }

ClimbOptions climb_options(const LargeTask& task, int n) {
  switch (task.effort) {
    case Effort::quick:
      return {starts(n), 10, 10, std::clamp(n, 40, 200), task.seed};
    case Effort::usual:
      return {starts(n), 100, 100, 200, task.seed};
    case Effort::thorough:
      return {starts(n), 1000, 1000, 5000, task.seed};
  }
  return {};
}

// After the search over orders.
ClimbOptions last_climb_options(const LargeTask& task) {
  switch (task.effort) {
    case Effort::quick:
      return {1, 10, 10, 0, task.seed};
    case Effort::usual:
      return {1, 100, 100, 50, task.seed};
    case Effort::thorough:
      return {1, 1000, 1000, 5000, task.seed};
  }
  return {};
}

OrderOptions order_options(const LargeTask& task, int n, double memory_limit) {
  OrderOptions options;
  options.seed = task.seed;
  options.memory_bytes = 0.25 * memory_limit;
  switch (task.effort) {
    case Effort::quick:
      options.chains = 1;
      options.companions = 8;
      break;
    case Effort::usual:
      options.chains = 4;
      options.rounds = 20;
      options.shakes = 30;
      options.patience = 2;
      options.least_gain = 1e-5;
      options.companions = 8;
      break;
    case Effort::thorough:
      options.chains = 8;
      options.rounds = 200;
      options.shakes = std::max(50, n);
      options.patience = 10;
      break;
  }
  return options;
}

class Search {
 public:
  Search(const Columns& table, const LargeTask& task, double memory_limit, Control& control, int threads)
      : table_(table),
        task_(task),
        control_(control),
        memory_limit_(memory_limit),
        threads_(threads),
        families_(table, task.kind, task.parameter, task.most_cells, std::min(0.5 * memory_limit, kMostStoreBytes)) {
    for (int child = 0; child < families_.n_variables(); ++child) {
      families_.admit(child, task.rules.required.members(child));
    }
  }

  LargeResult run() {
    const int n = families_.n_variables();
    begin("screening", 1, n);
    const bool has_all = n <= kAllCandidatesUpTo;
    const Screening screening = screen(families_, task_.rules, has_all ? 0 : kMostCandidates, control_, threads_);
    const std::vector<std::vector<int>>* candidates = has_all ? nullptr : &screening.candidates;
    const bool has_orders = task_.method == LargeMethod::order;
    const std::vector<std::vector<int>>* of_orders = n <= kOrdersOfAllUpTo ? nullptr : candidates;
    result_.bound = unrelated_bound(table_, task_.kind, task_.parameter, screening.best_single);
    const std::vector<std::vector<int>>* chosen_from = has_orders ? of_orders : candidates;
    for (int child = 0; child < n; ++child) {
      result_.candidates += chosen_from == nullptr ? task_.rules.allowed.members(child).size()
                                                   : (*chosen_from)[static_cast<std::size_t>(child)].size();
    }
    const ClimbOptions whole = climb_options(task_, n);
    const ClimbOptions start{starts(n), 10, 10, 0, 0};
    begin("hill climbing", 2, 0.0);
    take(hill_climb(families_, task_.rules, {}, candidates, has_orders ? start : whole, control_, threads_));
    if (has_orders) {
      const OrderOptions options = order_options(task_, n, memory_limit_);
      begin("orders", 3, options.rounds + 1.0);
      take(best_order(families_, task_.rules, result_.network.parents, of_orders, options, control_, threads_));
      // Climbing once more is not bound to one order.
      begin("last climb", 2, 0.0);
      take(hill_climb(families_, task_.rules, result_.network.parents, candidates, last_climb_options(task_), control_,
                      threads_));
    }
    end();
    result_.sets_counted = families_.sets_counted();
    return std::move(result_);
  }

 private:
  void begin(const char* stage, int number, double work) {
    end();
    stage_ = stage;
    stage_began_ = Control::Clock::now();
    control_.start_stage(number, work);
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
    if (!result_.network.parents.empty() && found.score <= result_.network.score) return;
    result_.network.parents = std::move(found.parents);
    result_.network.score = found.score;
  }

  const Columns& table_;
  const LargeTask& task_;
  Control& control_;
  double memory_limit_;
  int threads_;
  FamilyCache families_;
  LargeResult result_;
  const char* stage_ = nullptr;
  Control::Clock::time_point began_ = Control::Clock::now();
  Control::Clock::time_point stage_began_ = began_;
};

}  // namespace

LargeResult learn_large(const Columns& table, const LargeTask& task, double memory_limit, Control& control,
                        int threads) {
  return Search(table, task, memory_limit, control, threads).run();
}

}  // namespace qnml
