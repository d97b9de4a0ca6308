#include "core/problem/integer_scores.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/counting/columns.hpp"
#include "core/graph/rules.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/integer_score.hpp"
#include "core/scores/score_range.hpp"

namespace qnml {

IntegerScores::IntegerScores(const SearchProblem& problem, const MaskRules& rules) : table_(problem.table) {
  const std::vector<std::uint32_t> levels = levels_of(table_);
  double largest = 0.0;
  for (std::size_t part = 0; part < table_.n_parts(); ++part) {
    largest = std::max(largest, largest_score(*problem.score_of_part(part), levels, lists_of(rules.required)));
  }
  for (std::size_t part = 0; part < table_.n_parts(); ++part) {
    scores_.push_back(std::make_unique<IntegerScore>(problem.score_of_part(part), levels, rules.required, largest));
  }
}

MaskRules rules_of_part(const MaskRules& rules, const Columns& table, std::size_t part) {
  MaskRules own = rules;
  if (!table.is_split()) return own;
  for (std::size_t child = 0; child < own.allowed.size(); ++child) {
    if (table.part_of(static_cast<int>(child)) == part) continue;
    own.allowed[child] = own.required[child];
    own.max_parents[child] = std::popcount(own.required[child]);
  }
  return own;
}

}  // namespace qnml
