// Pairs of parents that greedy addition of single variables misses.
#pragma once

#include <cstddef>
#include <vector>

#include "core/scores/family_cache.hpp"

namespace qnml {

struct PairScore {
  double score;
  int first;
  int second;
};

struct SingleScore {
  double score;
  int variable;
};

// Scores of a child with one of its best single parents and one other variable.
class CompanionScores {
 public:
  // `best` has the highest score first; `others` is ascending and includes the best.
  CompanionScores(std::vector<SingleScore> best, const std::vector<int>& others);

  // The score with the `rank`-th best and another variable. Pairs that are not set gain nothing.
  void set(std::size_t rank, int other, double score) { at(rank, place(other)) = score; }

  // Pairs hidden by a better single parent: with that parent, neither variable reaches the score of the pair.
  std::vector<PairScore> hidden(double tolerance) const;

 private:
  std::size_t place(int variable) const;
  double& at(std::size_t rank, std::size_t other) { return scores_[rank * others_.size() + other]; }
  double at(std::size_t rank, std::size_t other) const { return scores_[rank * others_.size() + other]; }

  std::vector<SingleScore> best_;
  const std::vector<int>& others_;
  std::vector<std::size_t> rank_;  // of the others among the best
  std::vector<double> scores_;
};

// Pairs of variables that gain nothing individually but score more than `least` together with these parents. Counts
// all pairs.
std::vector<PairScore> jointly_gaining_pairs(FamilyCache& families, int child, const std::vector<int>& parents,
                                             const std::vector<int>& not_gaining, double least);

}  // namespace qnml
