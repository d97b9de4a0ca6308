// A search problem on a table of a test.
#pragma once

#include <utility>

#include "core/counting/columns.hpp"
#include "core/graph/rules.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/make_score.hpp"

inline qnml::SearchProblem problem_of(const qnml::Columns& table, qnml::ScoreKind kind, double parameter,
                                      qnml::Rules rules, int threads = 1) {
  return {table,
          qnml::make_score(kind, parameter, table),
          std::move(rules),
          1e9,
          threads,
          0,
          qnml::make_part_scores(kind, parameter, table, static_cast<int>(table.columns.size()))};
}

// Every network is admitted.
inline qnml::SearchProblem problem_of(const qnml::Columns& table, qnml::ScoreKind kind, double parameter,
                                      int threads = 1) {
  return problem_of(table, kind, parameter, qnml::Rules::none(static_cast<int>(table.columns.size())), threads);
}
