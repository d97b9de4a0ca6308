// Weights of families with any parents that are admitted, each counted when it is asked for.
//
// Sums over sets of parents are had for a few candidates only. What lies outside of these is weighed one family at a
// time.
#pragma once

#include <span>
#include <vector>

#include "core/chains/candidate_parents.hpp"
#include "core/counting/columns.hpp"
#include "core/scores/family_cache.hpp"
#include "core/scores/make_score.hpp"

namespace qnml {

// Safe to share between threads. The table must outlive it.
class UncommonFamilies {
 public:
  UncommonFamilies(const Columns& table, ScoreKind kind, double parameter, ListRules limits,
                   std::vector<double> log_prior, double memory_bytes);

  const ListRules& limits() const { return limits_; }

  // Parents in ascending order, the required ones among them; minus infinity where they are not admitted.
  double log_weight(int child, const std::vector<int>& parents);

  // The same for the parents and one more, for each of the others.
  void additions(int child, const std::vector<int>& parents, std::span<const int> others, double* log_weights);

 private:
  bool has_room(int child, std::size_t parents) const {
    return static_cast<int>(parents) <= limits_.max_parents[static_cast<std::size_t>(child)];
  }

  ListRules limits_;
  std::vector<double> log_prior_;  // by number of parents
  FamilyCache cache_;
};

}  // namespace qnml
