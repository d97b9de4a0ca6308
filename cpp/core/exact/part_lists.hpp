// Candidates of a split table: those of each part for the children whose families it counts.
#pragma once

#include <cstddef>
#include <utility>

#include "core/counting/columns.hpp"
#include "core/exact/candidates.hpp"
#include "core/graph/rules.hpp"
#include "core/problem/integer_scores.hpp"

namespace qnml {

// Puts the lists together.
class PartLists {
 public:
  explicit PartLists(const Columns& table) : table_(table) { whole_.of_bit.resize(table.columns.size()); }

  // Lists by column.
  void take(std::size_t part, CandidateLists lists) {
    whole_.has_all_ties &= lists.has_all_ties;
    whole_.families_scored += lists.families_scored;
    for (std::size_t child = 0; child < whole_.of_bit.size(); ++child) {
      if (table_.part_of(static_cast<int>(child)) == part) whole_.of_bit[child] = std::move(lists.of_bit[child]);
    }
  }
  CandidateLists finish() { return std::move(whole_); }

 private:
  const Columns& table_;
  CandidateLists whole_;
};

// Number of parent sets that the prices alone leave alive, over all children.
inline double forecast_sets(const IntegerScores& scores, const MaskRules& rules) {
  double sum = 0.0;
  for (std::size_t part = 0; part < scores.n_parts(); ++part) {
    const Columns& table = scores.table();
    sum += forecast_alive(table.part(part), scores.of_part(part), rules_of_part(rules, table, part));
  }
  return sum;
}

}  // namespace qnml
