// Candidate parent sets: those that can occur in an optimal network, and those needed for tie-breaking.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/columns.hpp"
#include "core/graph/rules.hpp"
#include "core/scores/family_scores.hpp"
#include "core/scores/integer_score.hpp"

namespace qnml {

constexpr std::int64_t kImpossible = std::numeric_limits<std::int64_t>::min() / 4;

struct Candidate {
  std::uint64_t parents;
  std::int64_t score;
  std::int64_t complexity;  // free parameters (capped) * 1024 + number of parents: adds up over a network
};

struct CandidateLists {
  std::vector<std::vector<Candidate>> of_bit;  // each sorted by score, best first, then by complexity, then by set
  // False if ties were left out because there were too many. A set that only ties with its best subset cannot improve a
  // score, but it matters for tie-breaking.
  bool has_all_ties = true;
  std::uint64_t families_scored = 0;
};

// Sorts every list. Lists may contain sets that score less than a subset.
void sort_candidates(CandidateLists& lists);

// Drops families that cannot be in a network that scores at least `reached`: if child i has family c, a network scores
// at most score(c) plus the scores of the best families of all other children, even if those form cycles.
void drop_hopeless(CandidateLists& lists, std::int64_t reached);

// Replacing a parent set by a higher-scoring admitted subset keeps a network acyclic and improves it, so a set that
// scores less than an admitted subset is in no optimal network. dense_candidates finds all other sets by a transform
// over all 2^(n-1) parent sets of each child. A set that scores at most `tolerance` less than its best subset ties with
// it; up to `most` such sets are kept per child.
struct Ties {
  std::int64_t tolerance = 0;
  std::size_t most = 0;
};
CandidateLists dense_candidates(const FamilyScores& scores, const IntegerScore& score,
                                const std::vector<std::uint32_t>& levels_of_bit, const MaskRules& rules,
                                const Ties& ties, Control& control, int threads);

// The same, but counts only the sets that are needed, by increasing size. A set is alive while a superset could still
// score as much as the best of its subsets (IntegerScore::upper_bound; each class of scores has the proof). A set is
// generated only if all its subsets are alive. Memory is proportional to the number of alive sets. `complete` is false
// if more than `most_sets` would have to be kept at once. When stopped, families are missing, for some children all.
struct PrunedCandidates {
  CandidateLists lists;
  bool complete = true;
};
PrunedCandidates pruned_candidates(const Columns& table, const IntegerScore& score, const MaskRules& rules,
                                   const Ties& ties, double most_sets, Control& control, int threads);

// The required parents of each child only; takes almost no time.
CandidateLists required_candidates(const Columns& table, const IntegerScore& score, const MaskRules& rules);

// Number of parent sets that the prices alone leave alive, summed over the children: an estimate of the work of
// pruned_candidates, known before it starts. It excludes sets that are scored and then dropped. Only for scores whose
// prices grow with the product of the levels; for others, the number of all admitted sets.
double forecast_alive(const Columns& table, const IntegerScore& score, const MaskRules& rules);

}  // namespace qnml
