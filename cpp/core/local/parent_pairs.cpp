#include "core/local/parent_pairs.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/scores/family_cache.hpp"

namespace qnml {
namespace {

constexpr double kNoGain = -std::numeric_limits<double>::infinity();

}  // namespace

CompanionScores::CompanionScores(std::vector<SingleScore> best, const std::vector<int>& others)
    : best_(std::move(best)),
      others_(others),
      rank_(others.size(), best_.size()),
      scores_(best_.size() * others.size(), kNoGain) {
  for (std::size_t rank = 0; rank < best_.size(); ++rank) rank_[place(best_[rank].variable)] = rank;
}

std::size_t CompanionScores::place(int variable) const {
  return static_cast<std::size_t>(std::lower_bound(others_.begin(), others_.end(), variable) - others_.begin());
}

std::vector<PairScore> CompanionScores::hidden(double tolerance) const {
  std::vector<PairScore> found;
  for (std::size_t rank = 1; rank < best_.size(); ++rank) {
    const int one = best_[rank].variable;
    for (std::size_t other = 0; other < others_.size(); ++other) {
      const double pair = at(rank, other);
      if (pair == kNoGain || rank_[other] < rank) continue;
      for (std::size_t better = 0; better < rank; ++better) {
        const double with_better = std::max({best_[better].score, at(better, place(one)), at(better, other)});
        if (pair <= with_better + tolerance) continue;
        found.push_back({pair, std::min(one, others_[other]), std::max(one, others_[other])});
        break;
      }
    }
  }
  return found;
}

std::vector<PairScore> jointly_gaining_pairs(FamilyCache& families, int child, const std::vector<int>& parents,
                                             const std::vector<int>& not_gaining, double least) {
  std::vector<PairScore> found;
  std::vector<double> scores(not_gaining.size());
  for (std::size_t k = 0; k < not_gaining.size(); ++k) {
    std::vector<int> with_one = parents;
    with_one.insert(std::lower_bound(with_one.begin(), with_one.end(), not_gaining[k]), not_gaining[k]);
    const std::span<const int> others = std::span(not_gaining).subspan(k + 1);
    families.additions(child, with_one, others, scores.data());
    for (std::size_t j = 0; j < others.size(); ++j) {
      if (scores[j] > least) found.push_back({scores[j], not_gaining[k], others[j]});
    }
  }
  return found;
}

}  // namespace qnml
