#include "core/exact/exact.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/counting/bit_order.hpp"
#include "core/counting/columns.hpp"
#include "core/counting/lattice.hpp"
#include "core/exact/candidates.hpp"
#include "core/exact/candidates_many.hpp"
#include "core/exact/device_lattice.hpp"
#include "core/exact/order_climb.hpp"
#include "core/exact/order_search.hpp"
#include "core/exact/order_solution.hpp"
#include "core/exact/part_lists.hpp"
#include "core/exact/pattern_bound.hpp"
#include "core/graph/tie_breaking.hpp"
#include "core/problem/integer_scores.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/family_scores.hpp"
#include "core/scores/integer_score.hpp"
#include "core/scores/score.hpp"

namespace qnml {
namespace {

// At most this many sets per child that only tie with a subset are kept; with more, ties are not examined.
constexpr std::size_t kMostTies = std::size_t{1} << 14;

constexpr int kSolvedAtOnce = 12;

// Counting fewer takes about as long as finding out whether it is worthwhile.
constexpr double kManyFamilies = 5e5;

// Up to this number of variables the bounds of the search over orders are exact, so it needs no incumbent.
constexpr int kNoClimbUpTo = PatternBound::kLargestGroup;

// The rules and the score of a problem in the form that the loops of the search use.
struct PreparedProblem {
  explicit PreparedProblem(const SearchProblem& problem)
      : problem(problem), rules(problem.rules), scores(problem, rules) {}

  const SearchProblem& problem;
  MaskRules rules;
  IntegerScores scores;
};

class ExactSearch {
 public:
  ExactSearch(const PreparedProblem& prepared, const ExactOptions& options, Control& control, int threads)
      : table_(prepared.problem.table),
        scores_(prepared.scores),
        rules_(prepared.rules),
        options_(options),
        seed_(prepared.problem.seed),
        memory_limit_(prepared.problem.memory_limit),
        control_(control),
        threads_(threads),
        levels_(levels_of(prepared.problem.table)),
        n_(prepared.problem.n_variables()) {
    for (int column = 0; column < n_; ++column) column_of_bit_.push_back(column);
  }

  // Whether the walk can be shared with other searches. The parts of a split table have their own.
  bool can_share_walk() const { return options_.dense && !options_.source && !table_.is_split(); }

  // The scores of all families, to be filled by a walk that several searches share.
  FamilyScores* prepare_families() {
    families_ = std::make_unique<FamilyScores>(table_, scores_.any());
    return families_.get();
  }

  void begin() {
    if (options_.known.empty()) {
      first_answer();
    } else {
      start_from_known();
    }
    watch_.lap(result_.seconds, "first answer");
  }

  ExactResult finish(bool is_counted) {
    if (!options_.dense && has_no_hope()) return result_;
    const bool listed = options_.source    ? list_from_source()
                        : can_share_walk() ? list_from_shared_walk(is_counted)
                        : options_.dense   ? list_from_own_walks()
                                           : list_from_counts();
    if (!listed) return result_;
    finish_from_lists(options_.known.empty() ? kRestarts : kFewRestarts);
    return result_;
  }

  // Starts from given candidates, by bit, and an admitted network.
  ExactResult run(const std::vector<int>& column_of_bit, const OrderSolution& first, CandidateLists lists) {
    column_of_bit_ = column_of_bit;
    keep(first);
    lists_ = std::move(lists);
    number_by_column();
    finish_from_lists(kFewRestarts);
    return result_;
  }

 private:
  static constexpr int kRestarts = 64;
  static constexpr int kFewRestarts = 8;
  static constexpr double kGraceSeconds = 0.3;

  void finish_from_lists(int restarts) {
    for (const auto& list : lists_.of_bit) result_.candidates += list.size();
    result_.families_scored = lists_.families_scored;
    bound_by_unrelated_families();
    search_orders(restarts);
    watch_.lap(result_.seconds, "orders");
  }

  void start_from_known() {
    bound_by_prices();
    MaskRules only = rules_;
    only.required = options_.known;
    OrderSolution solution;
    solution.found = true;
    solution.parents = options_.known;
    for (const auto& list : required_lists(only).of_bit) solution.score += list.front().score;
    keep(solution);
  }

  // If there are many families to count: whether the search over orders exceeds its limit even with at most two parents
  // per child, which are counted quickly. With more families it keeps a superset of these sets, apart from the effect
  // of path extension.
  bool has_no_hope() {
    if (!std::isfinite(options_.most_states) || options_.known.empty() || n_ <= kNoClimbUpTo) return false;
    bool is_narrower = false;
    MaskRules narrow = rules_;
    for (std::size_t column = 0; column < levels_.size(); ++column) {
      const int few = std::max(2, std::popcount(rules_.required[column]));
      is_narrower |= few < narrow.max_parents[column];
      narrow.max_parents[column] = std::min(few, narrow.max_parents[column]);
    }
    if (!is_narrower || forecast_sets(scores_, rules_) < kManyFamilies) return false;
    control_.start_stage("counting", 1.0);
    CandidateLists lists = counted_lists(narrow, ties(), 1e9, control_).lists;
    if (control_.is_stopped()) return true;
    drop_hopeless(lists, best_ - tolerance(best_));
    result_.outgrown =
        order_search(lists, best_, options_.ties, seed_, memory_limit_, options_.most_states, control_, threads_)
            .outgrown;
    watch_.lap(result_.seconds, "outlook");
    return result_.outgrown || control_.is_stopped();
  }

  void bound_by_prices() {
    std::int64_t bound = 0;
    for (int column = 0; column < n_; ++column) bound -= scores_.of(column).least_price(column);
    result_.bound = static_cast<double>(bound) * scores_.unit();
  }

  // Before anything expensive: the required arcs alone or, better, an order search over families with at most two
  // parents.
  void first_answer() {
    bound_by_prices();
    // Solving a small problem is faster than finding a better first answer, but with a deadline it may be cut short.
    const bool is_small = n_ <= kSolvedAtOnce && !control_.has_deadline();
    MaskRules narrow = rules_;
    for (std::size_t column = 0; column < levels_.size(); ++column) {
      const int required = std::popcount(rules_.required[column]);
      narrow.max_parents[column] = std::min(rules_.max_parents[column], is_small ? required : std::max(2, required));
    }
    // Allows a grace period even if there is no time left; at worst, good families are missing.
    Control patient(control_, kGraceSeconds);
    CandidateLists lists = counted_lists(narrow, Ties(), 1e9, patient).lists;
    const auto is_empty = [](const auto& list) { return list.empty(); };
    if (std::any_of(lists.of_bit.begin(), lists.of_bit.end(), is_empty)) {
      lists = required_lists(rules_);
    }
    const OrderSolution first = order_climb(lists, is_small ? 1 : 8, 1, patient);
    // Required parents alone are always admitted, and the required arcs are acyclic.
    keep(first.found ? first : required_only(lists));
  }

  OrderSolution required_only(const CandidateLists& lists) const {
    OrderSolution solution;
    solution.found = true;
    for (std::size_t column = 0; column < levels_.size(); ++column) {
      solution.parents.push_back(rules_.required[column]);
      for (const Candidate& candidate : lists.of_bit[column]) {
        if (candidate.parents == rules_.required[column]) solution.score += candidate.score;
      }
    }
    return solution;
  }

  void keep(const OrderSolution& solution) {
    if (solution.found && (!result_.has_network || solution.score >= best_)) take(solution);
  }

  void take(const OrderSolution& solution) {
    best_ = solution.score;
    result_.has_network = true;
    result_.score = static_cast<double>(best_) * scores_.unit();
    result_.parents.assign(levels_.size(), 0);
    for (std::size_t bit = 0; bit < solution.parents.size(); ++bit) {
      result_.parents[static_cast<std::size_t>(column_of_bit_[bit])] =
          to_columns(solution.parents[bit], column_of_bit_);
    }
  }

  Ties ties() const { return {tolerance(best_), kMostTies}; }

  bool list_from_shared_walk(bool is_counted) {
    const std::unique_ptr<FamilyScores> families = std::move(families_);
    result_.visits = families->visits();
    watch_.lap(result_.seconds, "counting");
    if (!is_counted) return false;
    list_from(*families, scores_.any(), rules_);
    return !control_.is_stopped();
  }

  bool list_from_own_walks() {
    PartLists lists(table_);
    for (std::size_t part = 0; part < table_.n_parts(); ++part) {
      FamilyScores families(table_.part(part), scores_.of_part(part));
      control_.start_stage("counting", std::ldexp(1.0, std::max(0, n_ - 8)));
      const bool is_counted = FamilyScores::compute({&families}, control_, threads_);
      result_.visits += families.visits();
      watch_.lap(result_.seconds, "counting");
      if (!is_counted) return false;
      list_from(families, scores_.of_part(part), rules_of_part(rules_, table_, part));
      if (control_.is_stopped()) return false;
      lists.take(part, std::move(lists_));
    }
    lists_ = lists.finish();
    return true;
  }

  // As list_from_own_walks, with the candidates of each part found elsewhere.
  bool list_from_source() {
    PartLists lists(table_);
    for (std::size_t part = 0; part < table_.n_parts(); ++part) {
      control_.start_stage("counting", 1.0);
      DeviceLattice lattice(table_.part(part), scores_.of_part(part), rules_of_part(rules_, table_, part), ties(),
                            control_, threads_);
      lattice.on_counted = [this] {
        watch_.lap(result_.seconds, "counting");
        control_.start_stage("candidates", n_);
      };
      const bool is_complete = options_.source(lattice) && !control_.is_stopped();
      result_.visits += lattice.visits();
      watch_.lap(result_.seconds, "candidates");
      if (!is_complete) return false;
      column_of_bit_ = lattice.lattice().column_of_bit();
      lists_ = std::move(lattice).lists();
      number_by_column();
      lists.take(part, std::move(lists_));
    }
    lists_ = lists.finish();
    return true;
  }

  void list_from(const FamilyScores& families, const IntegerScore& score, const MaskRules& rules) {
    column_of_bit_ = families.column_of_bit();
    std::vector<std::uint32_t> levels;
    levels.reserve(column_of_bit_.size());
    for (int column : column_of_bit_) levels.push_back(levels_[static_cast<std::size_t>(column)]);
    const MaskRules by_bit = rules_by_bit(rules, column_of_bit_);
    control_.start_stage("candidates", n_);
    lists_ = dense_candidates(families, score, levels, by_bit, ties(), control_, threads_);
    if (!control_.is_stopped()) number_by_column();
    watch_.lap(result_.seconds, "candidates");
  }

  // As pruned_candidates, with the children of each part counted on their own rows.
  PrunedCandidates counted_lists(const MaskRules& rules, const Ties& ties, double most_sets, Control& control) const {
    PrunedCandidates result;
    PartLists lists(table_);
    for (std::size_t part = 0; part < table_.n_parts() && result.complete; ++part) {
      PrunedCandidates own = pruned_candidates(table_.part(part), scores_.of_part(part),
                                               rules_of_part(rules, table_, part), ties, most_sets, control, threads_);
      lists.take(part, std::move(own.lists));
      result.complete = own.complete;
    }
    result.lists = lists.finish();
    return result;
  }

  CandidateLists required_lists(const MaskRules& rules) const {
    PartLists lists(table_);
    for (std::size_t part = 0; part < table_.n_parts(); ++part) {
      lists.take(part, required_candidates(table_.part(part), scores_.of_part(part), rules));
    }
    return lists.finish();
  }

  // From here on sets are numbered by column, so that tie-breaking does not depend on how they were counted.
  void number_by_column() {
    std::vector<std::vector<Candidate>> of_column(lists_.of_bit.size());
    for (std::size_t bit = 0; bit < lists_.of_bit.size(); ++bit) {
      for (Candidate& candidate : lists_.of_bit[bit]) candidate.parents = to_columns(candidate.parents, column_of_bit_);
      of_column[static_cast<std::size_t>(column_of_bit_[bit])] = std::move(lists_.of_bit[bit]);
    }
    lists_.of_bit = std::move(of_column);
    sort_candidates(lists_);
    for (int column = 0; column < n_; ++column) column_of_bit_[static_cast<std::size_t>(column)] = column;
  }

  bool list_from_counts() {
    control_.start_stage("counting", 1.0);
    const double in_memory = memory_limit_ / kBytesPerParentSet;
    const double most_sets = std::min(in_memory, options_.most_sets);
    PrunedCandidates pruned = counted_lists(rules_, ties(), most_sets, control_);
    lists_ = std::move(pruned.lists);
    watch_.lap(result_.seconds, "counting");
    result_.out_of_memory = !pruned.complete && in_memory <= options_.most_sets;
    result_.outgrown = !pruned.complete && !result_.out_of_memory;
    return pruned.complete && !control_.is_stopped();
  }

  // Each child takes its best family, even if the families form cycles.
  void bound_by_unrelated_families() {
    std::int64_t bound = 0;
    for (const auto& list : lists_.of_bit) bound += list.empty() ? 0 : list.front().score;
    result_.bound = static_cast<double>(bound) * scores_.unit();
  }

  void search_orders(int restarts) {
    control_.start_stage("orders", 1.0);
    drop_hopeless(lists_, best_ - tolerance(best_));
    if (n_ > kNoClimbUpTo) {
      keep(order_climb(lists_, restarts, 1, control_));
      drop_hopeless(lists_, best_ - tolerance(best_));
    }
    const OrderSearchResult layered =
        order_search(lists_, best_, options_.ties, seed_, memory_limit_, options_.most_states, control_, threads_);
    result_.states = layered.states;
    result_.bound = std::min(result_.bound, static_cast<double>(layered.bound) * scores_.unit());
    result_.out_of_memory = layered.out_of_memory;
    result_.outgrown = layered.outgrown;
    if (!layered.complete) return;
    result_.optimal = true;
    take(layered.solution);
    result_.bound = result_.score;
    result_.ties_examined = layered.solution.ties_examined;
    result_.has_ties = layered.solution.has_ties;
  }

  const Columns& table_;
  const IntegerScores& scores_;
  const MaskRules& rules_;
  const ExactOptions& options_;
  std::uint64_t seed_;
  double memory_limit_;
  Control& control_;
  int threads_;
  std::vector<std::uint32_t> levels_;
  int n_;
  std::unique_ptr<FamilyScores> families_;
  std::vector<int> column_of_bit_;
  CandidateLists lists_;
  ExactResult result_;
  std::int64_t best_ = 0;
  Stopwatch watch_;
};

}  // namespace

double dense_bytes(int n, std::size_t config_classes, int threads) {
  return FamilyScores::bytes(n, config_classes) + threads * std::ldexp(4.0, n - 1);
}

ExactResult learn_exact(const SearchProblem& problem, const ExactOptions& options, Control& control) {
  return learn_exact_together({{problem, options}}, control).front();
}

std::vector<ExactResult> learn_exact_together(const std::vector<ExactTask>& tasks, Control& control) {
  if (tasks.empty()) return {};
  control.start_stage("first answer", 0.0);
  const int threads = tasks.front().problem.threads;
  std::vector<std::unique_ptr<PreparedProblem>> prepared;
  std::vector<std::unique_ptr<ExactSearch>> searches;
  std::vector<FamilyScores*> together;
  for (const ExactTask& task : tasks) {
    prepared.push_back(std::make_unique<PreparedProblem>(task.problem));
    searches.push_back(std::make_unique<ExactSearch>(*prepared.back(), task.options, control, threads));
    searches.back()->begin();
    if (searches.back()->can_share_walk()) together.push_back(searches.back()->prepare_families());
  }
  bool is_counted = true;
  if (!together.empty()) {
    control.start_stage("counting", std::ldexp(1.0, std::max(0, tasks.front().problem.n_variables() - 8)));
    is_counted = FamilyScores::compute(together, control, threads);
  }
  std::vector<ExactResult> results;
  for (auto& search : searches) {
    results.push_back(search->finish(is_counted));
    search.reset();  // its lists are no longer needed
  }
  return results;
}

bool can_reweight(const Score& score) {
  return dynamic_cast<const SetScore*>(&score) != nullptr && score.total() < kLongestTermTable;
}

std::vector<ExactResult> learn_reweighted(const SearchProblem& problem, const Lattice::ManyWeights& weights,
                                          const ExactOptions& options, Control& control) {
  const PreparedProblem prepared(problem);
  std::vector<ExactResult> results(weights.size());
  ManyCandidates many = many_candidates(problem.table, prepared.scores.any(), weights, prepared.rules, kMostTies,
                                        control, problem.threads);
  if (control.is_stopped()) return results;
  parallel_for(weights.size(), problem.threads, [&](int, std::size_t k) {
    if (control.is_stopped()) return;
    const OrderSolution first{true, many.required, many.score[k], false, false};
    ExactSearch search(prepared, options, control, 1);
    results[k] = search.run(many.column_of_bit, first, std::move(many.lists[k]));
  });
  return results;
}

double forecast_families(const SearchProblem& problem) {
  const PreparedProblem prepared(problem);
  return forecast_sets(prepared.scores, prepared.rules);
}

}  // namespace qnml
