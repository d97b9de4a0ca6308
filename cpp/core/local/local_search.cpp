#include "core/local/local_search.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "core/counting/copied_columns.hpp"
#include "core/local/best_order.hpp"
#include "core/local/equivalence_search.hpp"
#include "core/local/hill_climb.hpp"
#include "core/local/screening.hpp"
#include "core/proving/proving.hpp"
#include "core/scores/family_cache.hpp"

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

// How many families a stage may score, whatever the score is: without a bound, one that charges next to nothing for
// families whose cells are mostly empty (BDeu, with many levels) has the searches go on for hundreds of times as long.
// Shakes of a network that is found already take less: they gain little, and under such a score they never end.
constexpr double kFamiliesAnyway = 2e6;
constexpr double kFamiliesPerPair = 40.0;
constexpr double kShakenFamiliesPerPair = 10.0;

double most_work(const LocalSearchOptions& search, int n, double per_pair = kFamiliesPerPair) {
  if (search.most_work > 0.0) return search.most_work;
  if (search.effort == Effort::thorough) return std::numeric_limits<double>::infinity();
  return kFamiliesAnyway + per_pair * n * n;
}

ClimbOptions climb_options(const LocalSearchOptions& search, const SearchProblem& problem) {
  const int n = problem.n_variables();
  switch (search.effort) {
    case Effort::quick:
      return {starts(n), 10, 10, std::clamp(n, 40, 200), problem.seed, most_work(search, n)};
    case Effort::usual:
      return {starts(n), 100, 100, 200, problem.seed, most_work(search, n)};
    case Effort::thorough:
      return {starts(n), 1000, 1000, 5000, problem.seed, most_work(search, n)};
  }
  return {};
}

// After the search over orders.
ClimbOptions last_climb_options(const LocalSearchOptions& search, const SearchProblem& problem) {
  const int n = problem.n_variables();
  const double work = most_work(search, n, kShakenFamiliesPerPair);
  switch (search.effort) {
    case Effort::quick:
      return {1, 10, 10, 0, problem.seed, work};
    case Effort::usual:
      return {1, 100, 100, 50, problem.seed, work};
    case Effort::thorough:
      return {1, 1000, 1000, 5000, problem.seed, work};
  }
  return {};
}

constexpr int kTiny = 20;
constexpr int kSmall = 60;
// All pairs of parents are looked at up to this many variables; with more effort, up to the second.
constexpr int kAllPairsUpTo = 40;
constexpr int kAllPairsThoroughUpTo = 100;
// With more rows counting takes longest, and there is less to be stuck in.
constexpr std::size_t kManyRows = 5000;

// Where a search between classes follows, half of the chains and a quarter of the rounds find as much. Chains are cheap
// in small networks, where most of what they need is counted by the first of them, and many short ones end higher than
// a few long ones; there, too, pays what points parts of the network another way. In tiny ones the search between
// classes sees to that.
OrderOptions order_options(const LocalSearchOptions& search, const SearchProblem& problem, bool is_equivalent) {
  const int n = problem.n_variables();
  const std::size_t rows = problem.table.rows;
  OrderOptions options;
  options.seed = problem.seed;
  options.memory_bytes = 0.25 * problem.memory_limit;
  options.most_work = most_work(search, n);
  switch (search.effort) {
    case Effort::quick:
      options.chains = 1;
      options.pair_partners = 8;
      break;
    case Effort::usual:
      options.chains = is_equivalent ? 2 : 4;
      options.rounds = is_equivalent ? 5 : 20;
      options.shakes = std::min(30, n);
      if ((n > kTiny || !is_equivalent) && n <= kSmall && rows <= kManyRows) {
        options.chains = std::max(options.chains, std::min(280 / std::max(n, 1), 10));
        options.shakes = std::min(16, n);
        options.reroots = 12;
      }
      options.patience = 2;
      options.least_gain = 1e-5;
      options.pair_partners = 8;
      options.tries_all_pairs = n <= kAllPairsUpTo;
      break;
    case Effort::thorough:
      options.chains = 8;
      options.rounds = 200;
      options.shakes = std::max(50, n);
      options.reroots = 12;
      options.patience = 10;
      options.tries_all_pairs = n <= kAllPairsThoroughUpTo;
      break;
  }
  return options;
}

// How long a proof may take: about half as long as the search, or much longer.
struct ProvingEffort {
  std::uint64_t visits;
  std::size_t cases;
};

ProvingEffort proving_effort(const LocalSearchOptions& search, const Columns& table) {
  constexpr std::uint64_t kLeastVisits = std::uint64_t{1} << 20;
  constexpr std::uint64_t kMostVisits = std::uint64_t{1} << 30;
  const std::uint64_t tables = table.columns.size() * table.columns.size();
  switch (search.effort) {
    case Effort::quick:
      return {0, 0};
    case Effort::usual:
      return {std::clamp(tables * table.rows, kLeastVisits, kMostVisits), 100};
    case Effort::thorough:
      return {std::uint64_t{1} << 38, 100'000};
  }
  return {};
}

// Shakes in vain before it ends: more of them where there is more to be stuck in, and where all else takes longer;
// fewer after orders, which leave little to be found in a small network. In a tiny one they cost next to nothing.
int usual_patience(int n, std::size_t rows, bool is_after_orders) {
  constexpr int kMostPatience = 600;
  const bool is_long = rows > kManyRows;
  int few = std::min(n, 100) * (n - 10) / 7;
  if (is_after_orders) few = few * std::min(n, kSmall) / kSmall;
  const int least = is_after_orders ? std::min((is_long ? 400 : 800) / std::max(n, 1), 100) : 40;
  return std::clamp(is_long ? 2 * few : few, least, kMostPatience);
}

EquivalenceOptions class_options(const LocalSearchOptions& search, const SearchProblem& problem) {
  switch (search.effort) {
    case Effort::quick:
      return {1024, 20, 20, problem.seed};
    case Effort::usual:
      return {1024, 2000,
              usual_patience(problem.n_variables(), problem.table.rows, search.method == LocalMethod::order),
              problem.seed};
    case Effort::thorough:
      return {65536, 20000, 5000, problem.seed};
  }
  return {};
}

class Search {
 public:
  Search(const SearchProblem& problem, const LocalSearchOptions& options, Control& control)
      : problem_(problem),
        rules_(problem.rules),
        options_(options),
        control_(control),
        threads_(problem.threads),
        families_(problem.table, problem.score, most_cells(options, rules_),
                  std::min(0.5 * problem.memory_limit, kMostStoreBytes)) {
    for (int child = 0; child < families_.n_variables(); ++child) {
      families_.admit(child, rules_.required.members(child));
    }
  }

  LocalSearchResult run() {
    const int n = families_.n_variables();
    begin("screening", 1, n);
    const bool has_all = n <= kAllCandidatesUpTo;
    const Screening screening = screen(families_, rules_, has_all ? 0 : kMostCandidates, control_, threads_);
    const std::vector<std::vector<int>>* candidates = has_all ? nullptr : &screening.candidates;
    const bool has_orders = options_.method == LocalMethod::order;
    const std::vector<std::vector<int>>* of_orders = n <= kOrdersOfAllUpTo ? nullptr : candidates;
    result_.bound = unrelated_bound(problem_.table, *problem_.score, screening.best_single);
    const std::vector<std::vector<int>>* chosen_from = has_orders ? of_orders : candidates;
    for (int child = 0; child < n; ++child) {
      result_.candidates += chosen_from == nullptr ? rules_.allowed.members(child).size()
                                                   : (*chosen_from)[static_cast<std::size_t>(child)].size();
    }
    switch (options_.method) {
      case LocalMethod::hill_climbing:
        begin("hill climbing", 2, 0.0);
        take(hill_climb(families_, rules_, {}, candidates, climb_options(options_, problem_), control_, threads_));
        break;
      case LocalMethod::order:
        search_orders(candidates, of_orders);
        break;
      case LocalMethod::greedy_equivalence:
        begin("equivalence classes", 5, 0.0);
        take_classes(candidates, options_.effort != Effort::quick);
        break;
    }
    prove_best();
    end();
    result_.sets_counted = families_.sets_counted();
    return std::move(result_);
  }

 private:
  void prove_best() {
    const ProvingEffort effort = proving_effort(options_, problem_.table);
    if (effort.visits == 0 || families_.n_variables() > kMostProven || control_.is_stopped()) return;
    begin("proving", 4, static_cast<double>(effort.visits));
    families_.limit_cells(rules_.most_cells);
    const ProvingOptions options{effort.visits, effort.cases, 0.25 * problem_.memory_limit};
    Proof proof = prove(families_, problem_, options, result_.network.parents, result_.bound, control_);
    result_.bound = proof.bound;
    result_.optimal = proof.optimal;
    result_.n_proven = proof.n_proven;
    FoundNetwork found{std::move(proof.parents), proof.score, {{since(stage_began_), proof.score}}};
    take(std::move(found));
  }

  // Between classes, families are scored that are in no network returned.
  static double most_cells(const LocalSearchOptions& options, const Rules& rules) {
    return options.method == LocalMethod::greedy_equivalence ? std::numeric_limits<double>::infinity()
                                                             : rules.most_cells;
  }

  void search_orders(const std::vector<std::vector<int>>* candidates, const std::vector<std::vector<int>>* of_orders) {
    const bool is_equivalent = families_.is_equivalent();
    if (is_equivalent) {
      begin("equivalence classes", 5, 0.0);
      take_classes(candidates, false);
    } else {
      begin("hill climbing", 2, 0.0);
      const int n = families_.n_variables();
      const ClimbOptions first{starts(n), 10, 10, 0, 0, most_work(options_, n)};
      take(hill_climb(families_, rules_, {}, candidates, first, control_, threads_));
    }
    const OrderOptions options = order_options(options_, problem_, is_equivalent);
    begin("orders", 3, options.rounds + 1.0);
    take(best_order(families_, rules_, result_.network.parents, of_orders, options, control_, threads_));
    // Climbing once more is not bound to one order.
    begin("last climb", is_equivalent ? 5 : 2, 0.0);
    if (is_equivalent) {
      take_classes(candidates, true, true);
    } else {
      take(hill_climb(families_, rules_, result_.network.parents, candidates, last_climb_options(options_, problem_),
                      control_, threads_));
    }
  }

  void take_classes(const std::vector<std::vector<int>>* candidates, bool has_shakes, bool is_last = false) {
    EquivalenceOptions options = class_options(options_, problem_);
    if (!has_shakes) options.shakes = 0;
    options.memory_bytes = std::min(options.memory_bytes, 0.1 * problem_.memory_limit);
    options.most_work =
        most_work(options_, families_.n_variables(), is_last ? kShakenFamiliesPerPair : kFamiliesPerPair);
    take(greedy_equivalence(families_, rules_, result_.network.parents, candidates, options, control_, threads_));
  }

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
  LocalSearchResult result = Search(problem, options, control).run();
  result.copies = copied_columns(problem.table);
  return result;
}

}  // namespace qnml
