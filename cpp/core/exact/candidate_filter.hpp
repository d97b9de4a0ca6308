// Compares parent sets with their subsets, given the best gain inside every set to 32 bits and full scores on request.
// Shared by the methods that list candidates from the whole lattice.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/exact/candidates.hpp"

namespace qnml {

// Gains relative to the smallest admitted set, in steps coarse enough for 32 bits. Scores below that set's map to -1:
// they belong to no candidate.
class GainScale {
 public:
  GainScale() = default;
  GainScale(std::int64_t base, std::int64_t tolerance) : base_(base) {
    // No local score is above zero.
    const auto range = static_cast<std::uint64_t>(std::max<std::int64_t>(tolerance - base, 1));
    shift_ = std::max(0, static_cast<int>(std::bit_width(range)) - 31);
  }
  std::int32_t operator()(std::int64_t value) const {
    return value < base_ ? -1 : static_cast<std::int32_t>((value - base_) >> shift_);
  }
  std::int64_t base() const { return base_; }
  int shift() const { return shift_; }

 private:
  std::int64_t base_ = 0;
  int shift_ = 0;
};

// How a parent set compares with its subsets that have one parent fewer. `doubtful`: a smaller subset may beat it.
enum class Rank : std::uint8_t { best, tied, beaten, doubtful };

// The list of one child, from sets in numerical order with their ranks.
class CandidateCollector {
 public:
  CandidateCollector(const GainScale& gain, const Ties& ties) : gain_(gain), ties_(ties) {}

  // `make` creates the candidate if it is kept.
  template <class Make>
  void add(Rank rank, Make&& make) {
    if (rank == Rank::beaten || (rank == Rank::tied && ++tied_ > ties_.most)) return;
    (rank == Rank::doubtful ? doubtful_ : list_).push_back(make());
  }

  bool has_all_ties() const { return tied_ <= ties_.most; }

  std::vector<Candidate> finish() {
    settle();
    return std::move(list_);
  }

 private:
  // Drops a doubtful set if a subset scores more; if its best subset scores the same, it counts as a tie. Comparing
  // with the list suffices: it contains the best subset of every set.
  void settle() {
    if (doubtful_.empty()) return;
    std::map<std::int32_t, std::vector<Candidate>> by_gain;
    for (const Candidate& candidate : list_) by_gain[gain_(candidate.score)].push_back(candidate);
    for (const Candidate& candidate : doubtful_) {
      bool is_beaten = false;
      bool is_tie = false;
      const auto last = by_gain.upper_bound(gain_(candidate.score + ties_.tolerance));
      for (auto alike = by_gain.lower_bound(gain_(candidate.score)); alike != last && !is_beaten; ++alike) {
        for (const Candidate& other : alike->second) {
          if ((other.parents & ~candidate.parents) != 0) continue;
          is_beaten |= other.score > candidate.score + ties_.tolerance;
          is_tie |= other.score >= candidate.score;
        }
      }
      if (is_beaten || (is_tie && ++tied_ > ties_.most)) continue;
      by_gain[gain_(candidate.score)].push_back(candidate);
      list_.push_back(candidate);
    }
  }

  GainScale gain_;
  Ties ties_;
  std::vector<Candidate> list_;
  std::vector<Candidate> doubtful_;
  std::size_t tied_ = 0;
};

// Finds the candidates of one child. Sets come in numerical order, without the child's bit, so that subsets come first.
// Families provides best_gain(t), the largest gain among the subsets of t (t included), and value(t), the full score of
// t.
template <class Families>
class CandidateFilter {
 public:
  CandidateFilter(const Families& families, const GainScale& gain, const Ties& ties)
      : families_(families), gain_(gain), ties_(ties), found_(gain, ties) {}

  // `make` creates the candidate if it is kept.
  template <class Make>
  void consider(std::uint64_t t, std::int64_t value, Make&& make) {
    if (gain_(value + ties_.tolerance) < std::max(families_.best_gain(t), 0)) return;
    found_.add(stand(t, value), make);
  }

  bool has_all_ties() const { return found_.has_all_ties(); }
  std::vector<Candidate> finish() { return found_.finish(); }

 private:
  // Compares with the subsets that have one parent fewer, by full scores where 32 bits cannot decide. A set that ties
  // with one of them may still be beaten by a smaller subset; keeping it is harmless, since it is never the best inside
  // a set.
  Rank stand(std::uint64_t t, std::int64_t mine) const {
    Rank rank = Rank::best;
    const std::int32_t mine_gain = gain_(mine);
    for (std::uint64_t rest = t; rest != 0; rest &= rest - 1) {
      const std::uint64_t subset = t ^ (rest & (~rest + 1));
      if (families_.best_gain(subset) < mine_gain) continue;
      const std::int64_t other = families_.value(subset);
      if (other > mine + ties_.tolerance) return Rank::beaten;
      if (other >= mine) return Rank::tied;
      rank = Rank::doubtful;  // a smaller subset has such a gain
    }
    return rank;
  }

  const Families& families_;
  GainScale gain_;
  Ties ties_;
  CandidateCollector found_;
};

}  // namespace qnml
