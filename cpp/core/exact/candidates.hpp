// Which parent sets can be part of an optimal network, and how the equals among them are told apart.
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
  // Sets that only equal their best subset cannot improve a score, but they decide ties. There may be too many to
  // keep: false when some were left out.
  bool has_all_ties = true;
  std::uint64_t families_scored = 0;
};

// Puts every list in its order, and drops what a subset beats. Lists may hold sets that score less than a subset.
void sort_candidates(CandidateLists& lists);

// Drops what cannot be in a network of at least the given score: if child i takes the family c, no network scores more
// than score(c) plus the best families of all other children, cycles or not.
void drop_hopeless(CandidateLists& lists, std::int64_t reached);

// Replacing a parent set by an admitted subset that scores more keeps a network acyclic and improves it, so a set that
// scores less than an admitted subset is in no optimal network. All others, by a transform over all 2^(n-1) sets of
// parents of each child. Sets that score at most `tolerance` less than their best subset, or as much, tie with it; they
// are kept up to `most_ties` for each child.
struct Ties {
  std::int64_t tolerance = 0;
  std::size_t most = 0;
};
CandidateLists dense_candidates(const FamilyScores& scores, const IntegerScore& score,
                                const std::vector<std::uint32_t>& levels_of_bit, const MaskRules& rules,
                                const Ties& ties, Control& control, int threads);

// The same by counting only what is needed, one size of parent sets after the other. A set is grown only while all its
// subsets are alive, and it is alive while a superset could still score as much as the best of its subsets
// (IntegerScore::upper_bound; each class of scores has the proof). Memory follows the sets that are alive.
// Returns false in `complete` when more than `most_sets` would have to be kept at once. When it is stopped there are
// fewer families, and of some children none.
struct PrunedCandidates {
  CandidateLists lists;
  bool complete = true;
};
PrunedCandidates pruned_candidates(const Columns& table, const IntegerScore& score, const MaskRules& rules,
                                   const Ties& ties, double most_sets, Control& control, int threads);

// Of each child the required parents alone: next to no work.
CandidateLists required_candidates(const Columns& table, const IntegerScore& score, const MaskRules& rules);

// How many sets of parents the prices alone leave alive, summed over the children: an estimate of the work of
// pruned_candidates, known before it starts. Sets that are scored and then dropped come on top of it. Only for scores
// whose prices grow with the product of the levels; for others, and when limits do not matter, the number of all
// admitted sets.
double forecast_alive(const Columns& table, const IntegerScore& score, const MaskRules& rules);

}  // namespace qnml
