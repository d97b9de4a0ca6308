#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/random.hpp"
#include "core/exact/exact.hpp"
#include "core/graph/found_network.hpp"
#include "core/graph/rules.hpp"
#include "core/local/best_order.hpp"
#include "core/local/order_state.hpp"
#include "core/local/parent_growth.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/family_cache.hpp"
#include "core/scores/make_score.hpp"
#include "tests/doctest.h"
#include "tests/problem_of.hpp"
#include "tests/random_table.hpp"

namespace {

using Network = std::vector<std::vector<int>>;

const std::vector<std::uint32_t> kLevels = {2, 3, 2, 4, 2, 3, 2};
const int kVariables = static_cast<int>(kLevels.size());

// Two rows in three copy an earlier variable, so that there is structure to find.
void make_dependent(RandomTable& table) {
  for (std::size_t child = 1; child < table.codes.size(); ++child) {
    for (std::size_t row = 0; row < table.view.rows; ++row) {
      const std::size_t copied = child > 2 && row % 3 == 1 ? child - 3 : child - 1;
      if (row % 3 != 0) table.codes[child][row] = table.codes[copied][row] % table.view.columns[child].levels;
      table.narrow[child][row] = static_cast<std::uint8_t>(table.codes[child][row]);
    }
  }
}

struct Fixture {
  explicit Fixture(unsigned seed, bool has_rules, qnml::ScoreKind kind = qnml::ScoreKind::aic, double most_cells = 1e9)
      : Fixture(seed, has_rules, kLevels, make_dependent, kind, most_cells) {}

  Fixture(unsigned seed, bool has_rules, const std::vector<std::uint32_t>& levels, void (*relate)(RandomTable&),
          qnml::ScoreKind kind = qnml::ScoreKind::aic, double most_cells = 1e9)
      : table(levels, 90, seed), rules(qnml::Rules::none(kVariables)) {
    relate(table);
    families =
        std::make_unique<qnml::FamilyCache>(table.view, qnml::make_score(kind, 1.0, table.view), most_cells, 1e7);
    if (!has_rules) return;
    rules.required.set(1, 5);
    rules.required.set(5, 6);
    rules.allowed.clear(2, 3);
    rules.allowed.clear(3, 2);
    rules.max_parents[4] = 1;
    rules.max_parents[1] = 2;
  }

  bool admits(const Network& network) const {
    for (int child = 0; child < kVariables; ++child) {
      const std::vector<int>& parents = network[static_cast<std::size_t>(child)];
      if (static_cast<int>(parents.size()) > rules.max_parents[static_cast<std::size_t>(child)]) return false;
      for (int parent : parents) {
        if (!rules.allowed.test(child, parent)) return false;
      }
      for (int parent : rules.required.members(child)) {
        if (!std::binary_search(parents.begin(), parents.end(), parent)) return false;
      }
    }
    // Incomplete if there is a cycle.
    return static_cast<int>(qnml::draw_order(network, nullptr).size()) == kVariables;
  }

  double total(const Network& network) const {
    double sum = 0.0;
    for (int child = 0; child < kVariables; ++child) {
      sum += families->score(child, network[static_cast<std::size_t>(child)]);
    }
    return sum;
  }

  // Whether at most one of the parents could be removed at a smaller loss.
  bool is_weak(int child, const std::vector<int>& parents, int parent) const {
    const auto left = [&](int dropped) {
      std::vector<int> others = parents;
      std::erase(others, dropped);
      return std::pair(-families->score(child, others), dropped);
    };
    int weaker = 0;
    for (int other : parents) weaker += !rules.required.test(child, other) && left(other) < left(parent);
    return weaker < 2;
  }

  // The expected result of ParentGrowth::walk before any pairs are known, by trying every change at every step.
  std::vector<int> plain_walk(int child, const std::vector<char>& is_before) const {
    return plain_walk(child, rules.required.members(child), is_before);
  }

  std::vector<int> plain_walk(int child, std::vector<int> parents, const std::vector<char>& is_before) const {
    for (std::vector<int> before;;) {
      before = parents;
      for (bool exchanges : {false, true}) {
        double best = families->score(child, before) + families->tolerance();
        for (int added = -1; added < kVariables; ++added) {
          for (int dropped = -1; dropped < kVariables; ++dropped) {
            if ((added >= 0 && dropped >= 0) != exchanges) continue;
            std::vector<int> other = before;
            if (dropped >= 0) {
              if (std::erase(other, dropped) == 0 || rules.required.test(child, dropped)) continue;
              if (exchanges && !is_weak(child, before, dropped)) continue;
            }
            if (added >= 0) {
              if (!is_before[static_cast<std::size_t>(added)] || !rules.allowed.test(child, added)) continue;
              if (std::binary_search(before.begin(), before.end(), added)) continue;
              other.insert(std::lower_bound(other.begin(), other.end(), added), added);
            }
            if (static_cast<int>(other.size()) > rules.max_parents[static_cast<std::size_t>(child)]) continue;
            const double score = families->score(child, other);
            if (score > best) {
              best = score;
              parents = other;
            }
          }
        }
        if (parents != before) break;
      }
      if (parents == before) return parents;
    }
  }

  double score_with(int child, std::vector<int> added) const {
    const std::vector<int> required = rules.required.members(child);
    added.insert(added.end(), required.begin(), required.end());
    std::sort(added.begin(), added.end());
    return families->score(child, added);
  }

  std::vector<int> possible_parents(int child) const {
    std::vector<int> possible;
    for (int other = 0; other < kVariables; ++other) {
      if (rules.allowed.test(child, other) && !rules.required.test(child, other)) possible.push_back(other);
    }
    return possible;
  }

  // Whether one of the two gains alone, both gain more together, and a third parent is better than either alone but
  // worse than both together, with or without one of them; or, with all pairs tried, whether only both together gain.
  bool is_hidden(int child, int one, int two, bool tries_all_pairs) const {
    const double tolerance = families->tolerance();
    const double best = std::max(score_with(child, {one}), score_with(child, {two}));
    const double both = score_with(child, {one, two});
    const double none = score_with(child, {});
    if (best <= none + tolerance) return tries_all_pairs && both > none + tolerance;
    if (both <= best + tolerance) return false;
    for (int third : possible_parents(child)) {
      if (third == one || third == two || score_with(child, {third}) <= best) continue;
      double with_third = score_with(child, {third});
      for (int other : {one, two}) {
        const double score = score_with(child, {third, other});
        if (score > score_with(child, {third}) + tolerance) with_third = std::max(with_third, score);
      }
      if (both > with_third + tolerance) return true;
    }
    return false;
  }

  // The expected result of ParentGrowth::walk when all pairs are known.
  std::vector<int> plain_walk_with_pairs(int child, const std::vector<char>& is_before, bool tries_all_pairs,
                                         int& n_taken) const {
    std::vector<int> grown = plain_walk(child, is_before);
    std::vector<int> start = grown;
    double best = families->score(child, grown) + families->tolerance();
    const std::vector<int> possible = possible_parents(child);
    if (static_cast<int>(rules.required.members(child).size()) + 2 >
        rules.max_parents[static_cast<std::size_t>(child)]) {
      return grown;
    }
    for (int one : possible) {
      for (int two : possible) {
        if (one >= two || !is_before[static_cast<std::size_t>(one)] || !is_before[static_cast<std::size_t>(two)])
          continue;
        if (score_with(child, {one, two}) <= best || !is_hidden(child, one, two, tries_all_pairs)) continue;
        best = score_with(child, {one, two});
        start = rules.required.members(child);
        start.insert(start.end(), {one, two});
        std::sort(start.begin(), start.end());
      }
    }
    n_taken += start != grown;
    return start == grown ? grown : plain_walk(child, start, is_before);
  }

  RandomTable table;
  qnml::Rules rules;
  std::unique_ptr<qnml::FamilyCache> families;
  qnml::Control control;
};

// Walks from any set of predecessors of any child are as expected, and variables that are neither ahead nor on the path
// may come and go.
template <class Expected>
void check_walks(const Fixture& fixture, qnml::ParentGrowth& growth, std::mt19937_64& random,
                 const Expected& expected) {
  bool all_equal = true;
  bool all_stable = true;
  for (int trial = 0; trial < 60; ++trial) {
    const int child = static_cast<int>(random() % kVariables);
    std::vector<char> is_before(kVariables);
    for (int other = 0; other < kVariables; ++other) is_before[static_cast<std::size_t>(other)] = random() % 4 != 0;
    is_before[static_cast<std::size_t>(child)] = 0;
    for (int parent : fixture.rules.required.members(child)) is_before[static_cast<std::size_t>(parent)] = 1;
    qnml::WalkWork work(0, std::numeric_limits<double>::infinity());
    auto walk = [&](std::uint64_t& ahead, std::uint64_t& path) {
      return growth.walk(
          child, [&](int x) { return is_before[static_cast<std::size_t>(x)] != 0; }, &ahead, &path, work);
    };
    std::uint64_t ahead = 0;
    std::uint64_t path = 0;
    const std::vector<int> parents = walk(ahead, path)->parents;
    all_equal &= parents == expected(child, is_before);
    for (int other = 0; other < kVariables; ++other) {
      char& here = is_before[static_cast<std::size_t>(other)];
      if (other == child || fixture.rules.required.test(child, other)) continue;
      if ((here ? path : ahead) >> other & 1) continue;
      here = !here;
      std::uint64_t unused_ahead = 0;
      std::uint64_t unused_path = 0;
      all_stable &= walk(unused_ahead, unused_path)->parents == parents;
      here = !here;
    }
  }
  CHECK(all_equal);
  CHECK(all_stable);
}

TEST_CASE("walks repeat the best change") {
  std::mt19937_64 random(3);
  for (unsigned seed = 1; seed <= 4; ++seed) {
    Fixture fixture(seed, seed % 2 == 0);
    // The second one caches nothing.
    for (double memory : {1e9, 0.0}) {
      qnml::ParentGrowth growth(*fixture.families, fixture.rules, nullptr, memory, fixture.control);
      check_walks(fixture, growth, random,
                  [&](int child, const std::vector<char>& is_before) { return fixture.plain_walk(child, is_before); });
    }
  }
}

// The first column is the sum of the next two, except in one row in fifteen; the fourth is a copy of the first, except
// in one row in eight.
void make_sum(RandomTable& table) {
  for (std::size_t row = 0; row < table.view.rows; ++row) {
    const std::uint32_t sum = row % 15 == 0 ? table.codes[3][row] % 3 : table.codes[1][row] + table.codes[2][row];
    table.codes[0][row] = sum;
    if (row % 8 != 0) table.codes[3][row] = sum;
    for (std::size_t column : {0, 3}) table.narrow[column][row] = static_cast<std::uint8_t>(table.codes[column][row]);
  }
}

// The first column tells whether the next two differ, except in one row in fifteen.
void make_difference(RandomTable& table) {
  for (std::size_t row = 0; row < table.view.rows; ++row) {
    if (row % 15 == 0) continue;
    table.codes[0][row] = table.codes[1][row] ^ table.codes[2][row];
    table.narrow[0][row] = static_cast<std::uint8_t>(table.codes[0][row]);
  }
}

void walks_find_pairs(void (*relate)(RandomTable&), bool tries_all_pairs) {
  const std::vector<std::uint32_t> levels = {3, 2, 2, 3, 2, 3, 2};
  std::mt19937_64 random(4);
  int n_taken = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    for (double memory : {1e9, 0.0}) {
      Fixture fixture(seed, seed % 3 == 0, levels, relate, qnml::ScoreKind::bic);
      qnml::ParentGrowth growth(*fixture.families, fixture.rules, nullptr, memory, fixture.control);
      growth.begin(0, tries_all_pairs, 2);
      check_walks(fixture, growth, random, [&](int child, const std::vector<char>& is_before) {
        return fixture.plain_walk_with_pairs(child, is_before, tries_all_pairs, n_taken);
      });
    }
  }
  CHECK(n_taken > 10);  // otherwise this tests nothing
}

// With as many pair partners as variables, every excluded variable gains neither alone nor next to one other.
TEST_CASE("pair partners exclude only parents that never gain") {
  Fixture fixture(3, false);
  qnml::ParentGrowth growth(*fixture.families, fixture.rules, nullptr, 1e9, fixture.control);
  growth.begin(kVariables, false, 2);
  bool all_equal = true;
  for (int child = 0; child < kVariables; ++child) {
    for (int one = 0; one < kVariables; ++one) {
      for (int two = 0; two < kVariables; ++two) {
        std::vector<char> is_before(kVariables, 0);
        is_before[static_cast<std::size_t>(one)] = is_before[static_cast<std::size_t>(two)] = 1;
        is_before[static_cast<std::size_t>(child)] = 0;
        std::uint64_t ahead = 0;
        std::uint64_t path = 0;
        qnml::WalkWork work(0, std::numeric_limits<double>::infinity());
        const qnml::ParentSet* set =
            growth.walk(child, [&](int x) { return is_before[static_cast<std::size_t>(x)] != 0; }, &ahead, &path, work);
        all_equal &= set->parents == fixture.plain_walk(child, is_before);  // no third parent can hide the two
      }
    }
  }
  CHECK(all_equal);
}

TEST_CASE("moves keep scores and networks up to date") {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    Fixture fixture(seed, seed % 2 == 0);
    qnml::ParentGrowth growth(*fixture.families, fixture.rules, nullptr, 1e9, fixture.control);
    Network required;
    for (int child = 0; child < kVariables; ++child) required.push_back(fixture.rules.required.members(child));
    qnml::Xoshiro256 random = qnml::Xoshiro256::stream(seed, 0);
    qnml::WalkWork work(0, std::numeric_limits<double>::infinity());
    qnml::OrderState state(growth, fixture.rules, qnml::draw_order(required, &random), work);
    bool all_equal = true;
    for (int k = 0; k < 100; ++k) {
      state.move(static_cast<int>(random.next() % kVariables), static_cast<int>(random.next() % kVariables));
      const qnml::OrderState fresh(growth, fixture.rules, state.order(), work);
      all_equal &= fresh.score() == state.score() && fresh.network() == state.network();
      all_equal &= fixture.admits(state.network()) && fixture.total(state.network()) == state.score();
    }
    CHECK(all_equal);
    const double before = state.score();
    state.improve(true, fixture.control, random);
    CHECK(state.score() >= before);
    // No variable has a better position.
    bool is_best = true;
    for (int variable = 0; variable < kVariables; ++variable) {
      for (int place = 0; place < kVariables; ++place) {
        qnml::OrderState other = state;
        other.move(variable, place);
        is_best &= other.score() <= state.score() + fixture.families->tolerance();
      }
    }
    CHECK(is_best);
  }
}

qnml::FoundNetwork search(Fixture& fixture, const Network& start, std::uint64_t seed, int threads, double memory) {
  qnml::OrderOptions options;
  options.chains = 3;
  options.rounds = 4;
  options.shakes = 10;
  options.patience = 2;
  options.seed = seed;
  options.memory_bytes = memory;
  options.pair_partners = static_cast<int>(seed % 2) * 2;
  options.reroots = seed % 3 == 2 ? 3 : 0;
  options.tries_all_pairs = seed % 2 == 0;
  return qnml::best_order(*fixture.families, fixture.rules, start, nullptr, options, fixture.control, threads);
}

TEST_CASE("networks obey the rules and depend on neither threads nor memory") {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    Fixture fixture(seed, seed % 2 == 0);
    const qnml::FoundNetwork found = search(fixture, {}, 5, 1, 1e9);
    CHECK(fixture.admits(found.parents));
    CHECK(found.score == fixture.total(found.parents));
    CHECK(found.trace.back().score == found.score);
    CHECK(std::is_sorted(found.trace.begin(), found.trace.end(),
                         [](const auto& a, const auto& b) { return a.score < b.score; }));
    // From six threads on, each of the three chains has several.
    for (int threads : {2, 3, 6, 16}) {
      for (double memory : {1e9, 1e3}) {
        const qnml::FoundNetwork again = search(fixture, {}, 5, threads, memory);
        CHECK(again.parents == found.parents);
        CHECK(again.score == found.score);
        if (memory == 1e9) CHECK(again.work == found.work);
      }
    }
    // Starting from the result itself, and stopped at once, nothing is lost.
    CHECK(search(fixture, found.parents, 6, 1, 1e9).score >= found.score);
    fixture.control.stop();
    CHECK(search(fixture, found.parents, 6, 1, 1e9).parents == found.parents);
    CHECK(fixture.admits(search(fixture, {}, 6, 1, 1e9).parents));
  }
}

TEST_CASE("the order search keeps to the candidate parents") {
  Fixture fixture(2, false);
  Network candidates(kVariables);
  for (int child = 0; child < kVariables; ++child) {
    for (int other : {child - 1, child + 1}) {
      if (other >= 0 && other < kVariables) candidates[static_cast<std::size_t>(child)].push_back(other);
    }
  }
  qnml::OrderOptions options;
  options.rounds = 1;
  options.shakes = 10;
  options.patience = 1;
  const qnml::FoundNetwork found =
      qnml::best_order(*fixture.families, fixture.rules, {}, &candidates, options, fixture.control, 1);
  for (int child = 0; child < kVariables; ++child) {
    for (int parent : found.parents[static_cast<std::size_t>(child)]) CHECK(std::abs(parent - child) == 1);
  }
}

// Among families that the data can fill. Parents that gain only in large groups are out of reach of single changes.
TEST_CASE("most proven optima are found") {
  constexpr double kMostCells = 45.0;
  int hits = 0;
  int trials = 0;
  for (qnml::ScoreKind kind : {qnml::ScoreKind::aic, qnml::ScoreKind::bic, qnml::ScoreKind::qnml, qnml::ScoreKind::bdeu,
                               qnml::ScoreKind::fnml}) {
    for (unsigned seed = 1; seed <= 6; ++seed) {
      Fixture fixture(seed, false, kind, kMostCells);
      qnml::SearchProblem problem = problem_of(fixture.table.view, kind, 1.0);
      problem.rules.most_cells = kMostCells;
      const qnml::ExactOptions options{.dense = kind != qnml::ScoreKind::fnml};
      qnml::Control control;
      const qnml::ExactResult exact = qnml::learn_exact(problem, options, control);
      CHECK(exact.optimal);
      const double score = search(fixture, {}, seed, 1, 1e9).score;
      CHECK(score <= exact.score + 1e-6);
      hits += score > exact.score - 1e-6;
      ++trials;
    }
  }
  CHECK(4 * hits >= 3 * trials);
}

}  // namespace

TEST_CASE("walks find pairs of parents") {
  walks_find_pairs(make_sum, false);
  walks_find_pairs(make_difference, true);
}
