#include "core/large.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/family_cache.hpp"
#include "core/hill_climb.hpp"
#include "core/screening.hpp"

namespace qnml {
namespace {

// Beyond this many variables a child chooses its parents among those that gain most on their own.
constexpr int kAllCandidatesUpTo = 200;
constexpr int kMostCandidates = 40;
constexpr double kMostStoreBytes = 4e9;

ClimbOptions climb_options(Effort effort) {
  switch (effort) {
    case Effort::quick:
      return {10, 10};
    case Effort::usual:
      return {100, 100};
    case Effort::thorough:
      return {1000, 1000};
  }
  return {};
}

class Search {
 public:
  Search(const Columns& table, const LargeTask& task, double memory_limit, Control& control, int threads)
      : table_(table),
        task_(task),
        control_(control),
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
    result_.bound = unrelated_bound(table_, task_.kind, task_.parameter, screening.best_single);
    for (int child = 0; child < n; ++child) {
      result_.candidates +=
          (has_all ? task_.rules.allowed.members(child) : screening.candidates[static_cast<std::size_t>(child)]).size();
    }
    begin("hill climbing", 2, 0.0);
    take(hill_climb(families_, task_.rules, {}, candidates, climb_options(task_.effort), control_, threads_));
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
