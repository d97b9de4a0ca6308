// Candidates from the values of all 2^(n-1) parent sets of each child.
#include <algorithm>
#include <atomic>
#include <bit>
#include <map>

#include "core/candidates.hpp"
#include "core/parallel.hpp"
#include "core/subset_transform.hpp"

namespace qnml {
namespace {

// One child's candidates from all its sets of parents.
class DenseExtraction {
 public:
  DenseExtraction(const FamilyScores& scores, const FixedScore& score, double child_levels,
                  const Constraints& constraints, const Ties& ties, int bit)
      : scores_(scores),
        score_(score),
        child_levels_(child_levels),
        constraints_(constraints),
        ties_(ties),
        is_free_(constraints.is_free()),
        bit_(bit),
        sets_(std::size_t{1} << (scores.n_variables() - 1)),
        prices_(scores.prices(bit)) {}

  std::uint64_t admitted() const { return admitted_; }
  bool has_all_ties() const { return tied_ <= ties_.most; }

  std::vector<Candidate> run() {
    find_base();
    fill_gains();
    largest_over_subsets(gains_.data(), scores_.n_variables() - 1);
    return collect();
  }

 private:
  static constexpr std::size_t kChunk = 4096;

  void fill(std::size_t first, std::size_t size, std::int64_t* values) const {
    scores_.fill(bit_, prices_, first, size, values);
    for (std::size_t k = 0; !is_free_ && k < size; ++k) {
      const std::uint64_t parents = insert_zero(first + k, bit_);
      const double cells = score_.product(scores_.product_index(parents)) * child_levels_;
      if (!constraints_.admits(bit_, parents, cells)) values[k] = kImpossible;
    }
  }

  // The smallest admitted set. What scores less than it is out; what scores more is kept as a gain over it, in steps
  // coarse enough for 32 bits.
  void find_base() {
    const std::uint64_t smallest = remove_bit(constraints_.required[static_cast<std::size_t>(bit_)], bit_);
    scores_.fill(bit_, prices_, smallest, 1, &base_);
    // No local score is above zero.
    const auto range = static_cast<std::uint64_t>(std::max<std::int64_t>(ties_.tolerance - base_, 1));
    shift_ = std::max(0, static_cast<int>(std::bit_width(range)) - 31);
  }
  std::int32_t gain(std::int64_t value) const {
    return value < base_ ? -1 : static_cast<std::int32_t>((value - base_) >> shift_);
  }

  void fill_gains() {
    gains_.resize(sets_);
    std::vector<std::int64_t> values(std::min(kChunk, sets_));
    for (std::size_t first = 0; first < sets_; first += kChunk) {
      const std::size_t size = std::min(kChunk, sets_ - first);
      fill(first, size, values.data());
      for (std::size_t k = 0; k < size; ++k) {
        admitted_ += values[k] != kImpossible;
        gains_[first + k] = gain(values[k]);
      }
    }
  }

  // Sets whose gain is not below that of a subset by more than the tolerance, as far as 32 bits tell.
  std::vector<Candidate> collect() {
    std::vector<Candidate> list;
    std::vector<Candidate> doubtful;
    std::vector<std::int64_t> values(std::min(kChunk, sets_));
    for (std::size_t first = 0; first < sets_; first += kChunk) {
      const std::size_t size = std::min(kChunk, sets_ - first);
      fill(first, size, values.data());
      for (std::size_t k = 0; k < size; ++k) {
        const std::uint64_t t = first + k;
        if (gain(values[k] + ties_.tolerance) < std::max(gains_[t], 0)) continue;
        const Standing standing = stand(t, values[k]);
        if (standing == Standing::beaten || (standing == Standing::tied && ++tied_ > ties_.most)) continue;
        const std::uint64_t parents = insert_zero(t, bit_);
        const double configurations = score_.product(scores_.product_index(parents));
        (standing == Standing::doubtful ? doubtful : list)
            .push_back({parents, values[k], complexity(configurations, child_levels_, std::popcount(parents))});
      }
    }
    settle(list, doubtful);
    return list;
  }

  enum class Standing { best, tied, beaten, doubtful };

  // How a set stands against its subsets with one parent less, by full scores where 32 bits do not tell. A set that
  // ties with one of them may still be beaten by a smaller one: to keep it then does no harm, it is never the best
  // inside.
  Standing stand(std::uint64_t t, std::int64_t mine) const {
    Standing standing = Standing::best;
    const std::int32_t mine_gain = gain(mine);
    for (std::uint64_t rest = t; rest != 0; rest &= rest - 1) {
      const std::uint64_t subset = t ^ (rest & (~rest + 1));
      if (gains_[subset] < mine_gain) continue;
      std::int64_t other = 0;
      fill(subset, 1, &other);
      if (other > mine + ties_.tolerance) return Standing::beaten;
      if (other >= mine) return Standing::tied;
      standing = Standing::doubtful;  // a smaller subset has such a gain
    }
    return standing;
  }

  // A doubtful set is out if a subset scores more; if the best of its subsets scores the same, it can decide ties.
  // Sets come with their subsets before them, and the best subset of a set is itself in the list.
  void settle(std::vector<Candidate>& list, const std::vector<Candidate>& doubtful) {
    if (doubtful.empty()) return;
    std::map<std::int32_t, std::vector<Candidate>> by_gain;
    for (const Candidate& candidate : list) by_gain[gain(candidate.score)].push_back(candidate);
    for (const Candidate& candidate : doubtful) {
      bool is_beaten = false;
      bool is_tie = false;
      const auto last = by_gain.upper_bound(gain(candidate.score + ties_.tolerance));
      for (auto alike = by_gain.lower_bound(gain(candidate.score)); alike != last && !is_beaten; ++alike) {
        for (const Candidate& other : alike->second) {
          if ((other.parents & ~candidate.parents) != 0) continue;
          is_beaten |= other.score > candidate.score + ties_.tolerance;
          is_tie |= other.score >= candidate.score;
        }
      }
      if (is_beaten || (is_tie && ++tied_ > ties_.most)) continue;
      by_gain[gain(candidate.score)].push_back(candidate);
      list.push_back(candidate);
    }
  }

  const FamilyScores& scores_;
  const FixedScore& score_;
  double child_levels_;
  const Constraints& constraints_;
  const Ties& ties_;
  bool is_free_;
  int bit_;
  std::size_t sets_;
  std::vector<std::int64_t> prices_;
  std::vector<std::int32_t> gains_;
  std::int64_t base_ = 0;
  int shift_ = 0;
  std::uint64_t admitted_ = 0;
  std::size_t tied_ = 0;
};

}  // namespace

CandidateLists dense_candidates(const FamilyScores& scores, const FixedScore& score,
                                const std::vector<std::uint32_t>& levels_of_bit, const Constraints& constraints,
                                const Ties& ties, Control& control, int threads) {
  const auto n = static_cast<std::size_t>(scores.n_variables());
  CandidateLists lists;
  lists.of_bit.resize(n);
  std::atomic<std::uint64_t> scored{0};
  std::atomic<bool> all_ties{true};
  parallel_for(n, threads, [&](int, std::size_t b) {
    if (control.is_stopped()) return;
    DenseExtraction extraction(scores, score, levels_of_bit[b], constraints, ties, static_cast<int>(b));
    lists.of_bit[b] = extraction.run();
    scored += extraction.admitted();
    if (!extraction.has_all_ties()) all_ties = false;
    control.advance(1.0);
  });
  lists.families_scored = scored;
  lists.has_all_ties = all_ties;
  sort_candidates(lists);
  return lists;
}

}  // namespace qnml
