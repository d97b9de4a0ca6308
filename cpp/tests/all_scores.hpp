// Every decomposable score, and local scores directly from the formulas, as a reference for the fast paths of the core.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/columns.hpp"
#include "core/scores/local_scores.hpp"
#include "core/scores/make_score.hpp"

inline const std::vector<qnml::ScoreKind> kAllScores = [] {
  std::vector<qnml::ScoreKind> kinds;
  for (const qnml::ScoreEntry& entry : qnml::score_entries()) kinds.push_back(entry.kind);
  return kinds;
}();

// One family from its counts, without any cache.
inline double local_score(const qnml::Columns& table, qnml::ScoreKind kind, double parameter, int child,
                          const std::vector<int>& parents) {
  const auto scores = qnml::make_part_scores(kind, parameter, table, static_cast<int>(table.columns.size()));
  const std::vector<std::int32_t> children{child};
  const std::vector<std::int64_t> offsets{0, static_cast<std::int64_t>(parents.size())};
  const std::vector<std::int32_t> list(parents.begin(), parents.end());
  qnml::Control control;
  return qnml::local_scores(table, {children, offsets, list}, scores, 1, control)[0];
}

// The log of the prior of a family, from its definition.
inline double log_prior(qnml::PriorKind prior, int n_variables, int n_parents) {
  if (prior == qnml::PriorKind::uniform) return 0.0;
  return std::lgamma(n_parents + 1.0) + std::lgamma(static_cast<double>(n_variables - n_parents)) -
         std::lgamma(static_cast<double>(n_variables));
}

// The columns whose bits are set.
inline std::vector<int> members_of(std::uint64_t set) {
  std::vector<int> members;
  for (int column = 0; set >> column != 0; ++column) {
    if (set >> column & 1) members.push_back(column);
  }
  return members;
}
