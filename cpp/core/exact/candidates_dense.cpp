// Candidates from the scores of all parent sets of each child, except those that a bound rules out in blocks.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/exact/candidate_filter.hpp"
#include "core/exact/candidates.hpp"
#include "core/graph/rules.hpp"
#include "core/graph/tie_breaking.hpp"
#include "core/numbers/subset_transform.hpp"
#include "core/scores/family_scores.hpp"
#include "core/scores/integer_score.hpp"

namespace qnml {
namespace {

// Finds the candidates of one child, block by block. A block holds the parent sets that agree on all but the lowest few
// bits. Sets are numbered without the child's bit, so the subsets of a set are in its own block or in earlier ones: one
// pass suffices to score the sets of a block, to find the largest gain inside each, and to compare.
//
// A block is hopeless if no set of it is admitted, or if an upper bound on the scores of all supersets of its smallest
// set is below the best score inside that set. The same then holds for every block with more high bits, so no other
// block needs what is inside a hopeless one, and nothing of it is computed.
class DenseExtraction {
 public:
  // `gains` has room for all parent sets; only what is needed is written to it.
  DenseExtraction(const FamilyScores& scores, const IntegerScore& score, double child_levels, const MaskRules& rules,
                  const Ties& ties, int bit, std::int32_t* gains, Control& control)
      : scores_(scores),
        score_(score),
        child_levels_(child_levels),
        rules_(rules),
        ties_(ties),
        is_free_(rules.is_free()),
        bit_(bit),
        control_(control),
        low_bits_(std::min(kBlockBits, scores.n_variables() - 1)),
        smallest_(remove_bit(rules_.required[static_cast<std::size_t>(bit_)], bit_)),
        prices_(scores.prices(bit)),
        gains_(gains),
        blocks_(std::size_t{1} << (scores.n_variables() - 1 - low_bits_), Block::lacking),
        values_(block_size()) {}

  std::uint64_t scored() const { return scored_; }
  bool has_all_ties() const { return has_all_ties_; }

  // The sets that CandidateFilter keeps: those that no subset beats by more than the tolerance. Unusable when stopped.
  std::vector<Candidate> run() {
    std::int64_t base = 0;
    scores_.fill(bit_, prices_, smallest_, 1, &base);
    gain_ = GainScale(base, ties_.tolerance);
    CandidateFilter<DenseExtraction> standing(*this, gain_, ties_);
    for (std::uint64_t block = 0; block < blocks_.size(); ++block) {
      if (block % kWatchedBlocks == 0 && control_.is_stopped()) return {};
      blocks_[block] = judge(block);
      if (blocks_[block] != Block::scored) continue;
      score_sets(block);
      compare(block, standing);
    }
    std::vector<Candidate> list = standing.finish();
    has_all_ties_ = standing.has_all_ties();
    return list;
  }

  std::int32_t best_gain(std::uint64_t t) const {
    return blocks_[t >> low_bits_] == Block::scored ? gains_[t] : kNoGain;
  }
  std::int64_t value(std::uint64_t t) const {
    std::int64_t value = 0;
    fill(t, 1, &value);
    return value;
  }

 private:
  static constexpr int kBlockBits = 8;
  static constexpr std::uint64_t kWatchedBlocks = 256;
  static constexpr std::int32_t kNoGain = -1;

  // A block that lacks a required parent has no admitted set, but blocks with more bits may have some.
  enum class Block : std::uint8_t { lacking, hopeless, scored };

  std::size_t block_size() const { return std::size_t{1} << low_bits_; }

  Block judge(std::uint64_t block) const {
    if ((smallest_ >> low_bits_ & ~block) != 0) return Block::lacking;
    const std::uint64_t smallest = block << low_bits_ | smallest_;
    std::int64_t best = kNoGain;
    for (std::uint64_t rest = block; rest != 0; rest &= rest - 1) {
      const std::uint64_t bit = rest & (~rest + 1);
      if (blocks_[block ^ bit] == Block::hopeless) return Block::hopeless;
      best = std::max<std::int64_t>(best, best_gain(smallest ^ bit << low_bits_));
    }
    const std::uint64_t parents = insert_zero(smallest, bit_);
    if (!is_free_ && !admits(parents)) return Block::hopeless;
    if (best == kNoGain) return Block::scored;
    const std::int64_t reached = gain_.base() + (best << gain_.shift());  // rounded down
    const int most = rules_.max_parents[static_cast<std::size_t>(bit_)];
    return scores_.upper_bound(bit_, parents, most) < reached - ties_.tolerance ? Block::hopeless : Block::scored;
  }

  bool admits(std::uint64_t parents) const {
    return rules_.admits(bit_, parents, score_.product(scores_.product_index(parents)) * child_levels_);
  }

  void fill(std::uint64_t first, std::size_t size, std::int64_t* values) const {
    scores_.fill(bit_, prices_, first, size, values);
    for (std::size_t k = 0; !is_free_ && k < size; ++k) {
      if (!admits(insert_zero(first + k, bit_))) values[k] = kImpossible;
    }
  }

  // Scores the sets of a block, and finds the largest gain inside each.
  void score_sets(std::uint64_t block) {
    const std::uint64_t first = block << low_bits_;
    fill(first, block_size(), values_.data());
    std::int32_t* gains = gains_ + first;
    for (std::size_t k = 0; k < block_size(); ++k) {
      scored_ += values_[k] != kImpossible;
      gains[k] = gain_(values_[k]);
    }
    largest_over_subsets(gains, low_bits_);
    for (std::uint64_t rest = block; rest != 0; rest &= rest - 1) {
      const std::uint64_t smaller = block ^ (rest & (~rest + 1));
      if (blocks_[smaller] == Block::scored) take_larger(gains, gains_ + (smaller << low_bits_), block_size());
    }
  }

  void compare(std::uint64_t block, CandidateFilter<DenseExtraction>& standing) const {
    const std::uint64_t first = block << low_bits_;
    for (std::size_t k = 0; k < block_size(); ++k) {
      standing.consider(first + k, values_[k], [&] {
        const std::uint64_t parents = insert_zero(first + k, bit_);
        const double configurations = score_.product(scores_.product_index(parents));
        return Candidate{parents, values_[k], complexity(configurations, child_levels_, std::popcount(parents))};
      });
    }
  }

  const FamilyScores& scores_;
  const IntegerScore& score_;
  double child_levels_;
  const MaskRules& rules_;
  const Ties& ties_;
  bool is_free_;
  int bit_;
  Control& control_;
  int low_bits_;            // of the sets in a block
  std::uint64_t smallest_;  // the required parents, without the child's bit
  std::vector<std::int64_t> prices_;
  std::int32_t* gains_;  // the largest gain inside each set, in blocks that are scored
  std::vector<Block> blocks_;
  std::vector<std::int64_t> values_;  // of the current block
  GainScale gain_;
  std::uint64_t scored_ = 0;
  bool has_all_ties_ = true;
};

}  // namespace

CandidateLists dense_candidates(const FamilyScores& scores, const IntegerScore& score,
                                const std::vector<std::uint32_t>& levels_of_bit, const MaskRules& rules,
                                const Ties& ties, Control& control, int threads) {
  const auto n = static_cast<std::size_t>(scores.n_variables());
  CandidateLists lists;
  lists.of_bit.resize(n);
  std::atomic<std::uint64_t> scored{0};
  std::atomic<bool> all_ties{true};
  // Not filled: pages of sets that nothing is computed for are never touched.
  std::vector<std::unique_ptr<std::int32_t[]>> gains(static_cast<std::size_t>(std::max(threads, 1)));
  parallel_for(n, threads, [&](int thread, std::size_t b) {
    if (control.is_stopped()) return;
    auto& mine = gains[static_cast<std::size_t>(thread)];
    if (mine == nullptr) mine = std::make_unique_for_overwrite<std::int32_t[]>(std::size_t{1} << (n - 1));
    DenseExtraction extraction(scores, score, levels_of_bit[b], rules, ties, static_cast<int>(b), mine.get(), control);
    lists.of_bit[b] = extraction.run();
    scored += extraction.scored();
    if (!extraction.has_all_ties()) all_ties = false;
    control.advance(1.0);
  });
  lists.families_scored = scored;
  lists.has_all_ties = all_ties;
  if (!control.is_stopped()) sort_candidates(lists);
  return lists;
}

}  // namespace qnml
