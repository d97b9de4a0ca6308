#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/random.hpp"
#include "core/numbers/variable_set.hpp"
#include "core/problem/search_problem.hpp"
#include "core/proving/branch_and_bound.hpp"
#include "core/proving/cluster_bound.hpp"
#include "core/proving/components.hpp"
#include "core/proving/proving.hpp"
#include "core/scores/family_cache.hpp"
#include "core/scores/make_score.hpp"
#include "tests/all_scores.hpp"
#include "tests/close_to.hpp"
#include "tests/doctest.h"
#include "tests/problem_of.hpp"
#include "tests/proving/proving_cases.hpp"
#include "tests/random_table.hpp"

namespace {

using qnml::Choice;
using qnml::VariableSet;
using Lists = std::vector<std::vector<Choice>>;

// The best acyclic choice by trying all of them.
double best_of_all(const Lists& lists) {
  std::vector<const Choice*> chosen(lists.size(), nullptr);
  double best = -std::numeric_limits<double>::infinity();
  std::function<void(std::size_t, double)> choose = [&](std::size_t child, double score) {
    if (child < lists.size()) {
      for (const Choice& choice : lists[child]) {
        chosen[child] = &choice;
        choose(child + 1, score + choice.score);
      }
      return;
    }
    VariableSet placed;
    for (std::size_t round = 0; round < lists.size(); ++round) {
      for (std::size_t i = 0; i < lists.size(); ++i) {
        if (chosen[i]->parents.is_inside(placed)) placed.add(static_cast<int>(i));
      }
    }
    if (placed.size() == static_cast<int>(lists.size())) best = std::max(best, score);
  };
  choose(0, 0.0);
  return best;
}

Lists random_lists(std::size_t n, std::size_t length, std::uint64_t seed) {
  qnml::Xoshiro256 random = qnml::Xoshiro256::stream(7, seed);
  Lists lists(n);
  for (std::size_t child = 0; child < n; ++child) {
    lists[child].push_back({VariableSet(), -100.0});
    while (lists[child].size() < length) {
      Choice choice;
      for (std::size_t parent = 0; parent < n; ++parent) {
        if (parent != child && random.next() % 5 < 2) choice.parents.add(static_cast<int>(parent));
      }
      choice.score = -100.0 + 1e-3 * static_cast<double>(random.next() % 60'000);
      lists[child].push_back(choice);
    }
  }
  return lists;
}

TEST_CASE("cluster bounds and branch and bound agree with trying all networks") {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Lists lists = random_lists(6, 5, seed);
    const double best = best_of_all(lists);
    qnml::Control control;
    double empty = -100.0 * 6.0;
    for (std::size_t steps : {std::size_t{0}, std::size_t{50}}) {
      const auto found = qnml::cluster_bound(lists, qnml::ClusterPrices(6), empty, steps, control);
      CHECK(found.bound >= best - 1e-9);
      double again = -found.prices.total();
      for (std::size_t child = 0; child < 6; ++child) {
        double most = -std::numeric_limits<double>::infinity();
        for (const Choice& choice : lists[child]) {
          most = std::max(most, choice.score + found.prices.earned(child, choice.parents));
        }
        again += most;
      }
      CHECK(again == close_to(found.bound, 1e-9));
    }
    for (std::size_t cases : {std::size_t{0}, std::size_t{3}, std::size_t{100'000}}) {
      std::uint64_t work = 1'000'000'000;
      const auto found = qnml::branch_and_bound(lists, qnml::ClusterPrices(6), empty, 1e-9, cases, work, 1e8, control);
      CHECK(found.bound >= best - 1e-9);
      CHECK(found.score <= best + 1e-9);
      if (cases == 100'000) {
        CHECK(found.score == close_to(best, 1e-9));
        CHECK(found.bound == close_to(best, 1e-9));
      }
    }
  }
}

TEST_CASE("components are ordered and solved one by one") {
  // 0 and 1 want each other, 2 wants both, 3 and 4 want each other and 2.
  Lists lists(5);
  auto add = [&](std::size_t child, const std::vector<int>& parents, double score) {
    lists[child].push_back({VariableSet::of(parents), score});
  };
  for (std::size_t child = 0; child < 5; ++child) add(child, {}, -10.0);
  add(0, {1}, -4.0);
  add(1, {0}, -5.0);
  add(2, {0, 1}, -3.0);
  add(3, {2, 4}, -1.0);
  add(4, {3}, -2.0);
  const auto parts = qnml::connected_parts(lists);
  CHECK(parts == std::vector<std::vector<int>>{{0, 1}, {2}, {3, 4}});
  qnml::Control control;
  double total = 0.0;
  std::uint64_t work = 1'000'000;
  for (const auto& part : parts) {
    const double alone = -10.0 * static_cast<double>(part.size());
    const auto solved = qnml::solve_part(lists, qnml::ClusterPrices(5), part, alone, 1e-9, 100, work, 1e8, control);
    CHECK(solved.bound == close_to(solved.score, 1e-9));
    CHECK(solved.is_better);
    total += solved.score;
  }
  CHECK(total == close_to(best_of_all(lists), 1e-9));
}

// A proof that starts from the required arcs alone.
qnml::Proof prove(const ProvingCase& problem, std::uint64_t work, std::size_t cases, int threads,
                  qnml::Control& control) {
  constexpr double kTreeBytes = 1e9;
  const auto families = problem.make_cache();
  std::vector<std::vector<int>> start;
  start.reserve(ProvingCase::kVariables);
  for (int child = 0; child < ProvingCase::kVariables; ++child) start.push_back(problem.rules.required.members(child));
  return qnml::prove(*families, {problem.table.view, problem.make_score(), problem.rules, 1e9, threads, 0},
                     {work, cases, kTreeBytes}, start, std::numeric_limits<double>::infinity(), control);
}

void check_proof(const ProvingCase& problem, const qnml::Proof& proof, double best) {
  const double close = 1e-7 + 1e-9 * std::fabs(best);
  CHECK(proof.bound >= best - close);
  CHECK(proof.score <= best + close);
  double total = 0.0;
  for (std::size_t child = 0; child < proof.parents.size(); ++child) {
    total += problem.score_of(static_cast<int>(child), proof.parents[child]);
  }
  CHECK(proof.score == close_to(total, 1e-8));
  if (!proof.optimal) return;
  CHECK(proof.n_proven == ProvingCase::kVariables);
  CHECK(proof.score >= best - close);
}

}  // namespace

TEST_CASE("a proof from the required arcs alone reaches the optimum or a bound") {
  for (qnml::ScoreKind kind : kAllScores) {
    for (ProvingCase::Rules rules : kAllRules) {
      for (qnml::PriorKind prior : kBothPriors) {
        for (std::size_t rows : {std::size_t{5}, std::size_t{40}, std::size_t{200}}) {
          const ProvingCase problem(kind, rules, rows, static_cast<unsigned>(rows), prior);
          const double best = problem.best_score();
          qnml::Control control;
          check_proof(problem, prove(problem, 0, 0, 1, control), best);
          check_proof(problem, prove(problem, 60 * rows, 2, 1, control), best);
          check_proof(problem, prove(problem, 2000 * rows, 0, 1, control), best);
          const qnml::Proof whole = prove(problem, 100'000'000'000, 100'000, 1, control);
          check_proof(problem, whole, best);
          CHECK(whole.optimal);
        }
      }
    }
  }
}

// About a minute: run it with --no-skip -tc="*ten thousand*".
TEST_CASE("no bound is below the optimum of ten thousand small tables" * doctest::skip()) {
  qnml::Xoshiro256 random = qnml::Xoshiro256::stream(13, 0);
  std::size_t tables = 0, proven = 0, better = 0;
  for (unsigned seed = 0; tables < 10'000; ++seed) {
    for (qnml::ScoreKind kind : kAllScores) {
      for (qnml::PriorKind prior : kBothPriors) {
        const std::size_t rows = 3 + random.next() % 120;
        const ProvingCase problem(kind, kAllRules[seed % std::size(kAllRules)], rows, seed, prior);
        const double best = problem.best_score();
        qnml::Control control;
        // Anything from no time to list families to enough for all.
        const std::uint64_t work = (std::uint64_t{40} << random.next() % 12) * rows;
        const qnml::Proof proof = prove(problem, work, random.next() % 4, 1, control);
        check_proof(problem, proof, best);
        if (proof.most_parents > 0) ++better;
        if (proof.optimal) ++proven;
        ++tables;
      }
    }
  }
  // Otherwise this tested little.
  CHECK(proven > tables / 4);
  CHECK(proven < tables - tables / 20);
  CHECK(better > 0);
}

TEST_CASE("a proof among networks with fewer parents finds the best of these") {
  for (qnml::ScoreKind kind : kAllScores) {
    for (qnml::PriorKind prior : kBothPriors) {
      for (unsigned seed = 0; seed < 6; ++seed) {
        const ProvingCase problem(kind, ProvingCase::Rules::none, 50, seed, prior);
        qnml::Control control;
        const qnml::Proof proof = prove(problem, std::uint64_t{50 * 60} << seed, 500, 1, control);
        if (proof.most_parents == 0) continue;
        ProvingCase limited(kind, ProvingCase::Rules::none, 50, seed, prior);
        limited.limit_parents(proof.most_parents);
        CHECK(proof.score == close_to(limited.best_score(), 1e-8));
      }
    }
  }
}

TEST_CASE("a proof does not depend on threads") {
  RandomTable table(std::vector<std::uint32_t>(14, 3), 120, 5);
  table.make_dependent(6);
  const double everything = std::numeric_limits<double>::infinity();
  for (std::uint64_t work : {1'000'000, 100'000'000}) {
    std::vector<qnml::Proof> proofs;
    for (int threads : {1, 3}) {
      const qnml::SearchProblem problem = problem_of(table.view, qnml::ScoreKind::bdeu, 1.0, threads);
      qnml::FamilyCache families(table.view, problem.score, everything, 1e8);
      qnml::Control control;
      proofs.push_back(
          qnml::prove(families, problem, {work, 50, 1e9}, std::vector<std::vector<int>>(14), everything, control));
    }
    CHECK(proofs[0].optimal == proofs[1].optimal);
    CHECK(proofs[0].parents == proofs[1].parents);
    CHECK(proofs[0].score == proofs[1].score);
    CHECK(proofs[0].bound == proofs[1].bound);
    CHECK(proofs[0].n_proven == proofs[1].n_proven);
    CHECK(proofs[0].most_parents == proofs[1].most_parents);
  }
}

TEST_CASE("without time there is no proof") {
  const ProvingCase problem(qnml::ScoreKind::bic, ProvingCase::Rules::none, 80, 4);
  qnml::Control control;
  control.set_deadline(0.0);
  const qnml::Proof proof = prove(problem, 1'000'000'000, 50, 1, control);
  CHECK_FALSE(proof.optimal);
  CHECK(proof.bound == std::numeric_limits<double>::infinity());
}

TEST_CASE("a proof finds the optimum of a table") {
  for (bool weighted : {false, true}) {
    RandomTable data({2, 3, 2, 4, 2}, 60, 5, weighted);
    for (std::size_t row = 0; row < 60; ++row) {
      data.narrow[2][row] = row % 7 == 0 ? data.narrow[2][row] : data.narrow[0][row];
      data.narrow[3][row] = row % 5 == 0 ? data.narrow[3][row] : data.narrow[1][row];
      data.narrow[4][row] = (data.narrow[0][row] + data.narrow[1][row]) % 2;
    }
    for (qnml::ScoreKind kind : {qnml::ScoreKind::bic, qnml::ScoreKind::qnml, qnml::ScoreKind::bdeu,
                                 qnml::ScoreKind::fnml, qnml::ScoreKind::bds, qnml::ScoreKind::k2}) {
      const double everything = std::numeric_limits<double>::infinity();
      qnml::FamilyCache families(data.view, qnml::make_score(kind, 1.0, data.view), everything, 1e7);
      // Few families per child, at most two parents each, since trying all networks would otherwise take too long.
      qnml::Rules rules = qnml::Rules::none(5);
      rules.max_parents.assign(5, 2);
      Lists lists(5);
      for (int child = 0; child < 5; ++child) {
        for (unsigned mask = 0; mask < 32; ++mask) {
          if (mask >> child & 1 || std::popcount(mask) > 2) continue;
          std::vector<int> parents;
          for (int parent = 0; parent < 5; ++parent) {
            if (mask >> parent & 1) parents.push_back(parent);
          }
          lists[static_cast<std::size_t>(child)].push_back({VariableSet::of(parents), families.score(child, parents)});
        }
      }
      const double best = best_of_all(lists);
      qnml::Control control;
      const auto proof = qnml::prove(families, problem_of(data.view, kind, 1.0, rules, 2), {100'000'000, 10'000, 1e8},
                                     std::vector<std::vector<int>>(5), 0.0, control);
      CHECK(proof.optimal);
      CHECK(proof.score == close_to(best, 1e-9));
    }
  }
}
