// Pairs of parents that adding one variable at a time passes by.
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

// What the best single parents of a child score together with one other variable each.
class CompanionScores {
 public:
  // The best ones, highest first, with any of the others, ascending, which include them.
  CompanionScores(std::vector<SingleScore> best, const std::vector<int>& others);

  // Of the `rank`-th best and another. What is not set gains nothing.
  void set(std::size_t rank, int other, double score) { at(rank, place(other)) = score; }

  // Pairs behind a single parent that is better than either: next to it, neither gains what the pair does.
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

// Pairs that score more than the least next to these parents, of variables that gain nothing on their own. All are
// counted.
std::vector<PairScore> pairs_of_strangers(FamilyCache& families, int child, const std::vector<int>& parents,
                                          const std::vector<int>& strangers, double least);

}  // namespace qnml
