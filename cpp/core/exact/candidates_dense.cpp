// Candidates from the scores of all 2^(n-1) parent sets of each child.
#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
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

// Finds the candidates of one child from the scores of all its parent sets.
class DenseExtraction {
 public:
  DenseExtraction(const FamilyScores& scores, const IntegerScore& score, double child_levels, const MaskRules& rules,
                  const Ties& ties, int bit, Control& control)
      : scores_(scores),
        score_(score),
        child_levels_(child_levels),
        rules_(rules),
        ties_(ties),
        is_free_(rules.is_free()),
        bit_(bit),
        control_(control),
        sets_(std::size_t{1} << (scores.n_variables() - 1)),
        prices_(scores.prices(bit)) {}

  std::uint64_t admitted() const { return admitted_; }
  bool has_all_ties() const { return has_all_ties_; }

  // The result is unusable when stopped.
  std::vector<Candidate> run() {
    const std::uint64_t smallest = remove_bit(rules_.required[static_cast<std::size_t>(bit_)], bit_);
    std::int64_t base = 0;
    scores_.fill(bit_, prices_, smallest, 1, &base);
    gain_ = GainScale(base, ties_.tolerance);
    fill_gains();
    if (control_.is_stopped()) return {};
    largest_over_subsets(gains_.data(), scores_.n_variables() - 1);
    return collect();
  }

  std::int32_t best_gain(std::uint64_t t) const { return gains_[t]; }
  std::int64_t value(std::uint64_t t) const {
    std::int64_t value = 0;
    fill(t, 1, &value);
    return value;
  }

 private:
  static constexpr std::size_t kChunk = 4096;

  void fill(std::size_t first, std::size_t size, std::int64_t* values) const {
    scores_.fill(bit_, prices_, first, size, values);
    for (std::size_t k = 0; !is_free_ && k < size; ++k) {
      const std::uint64_t parents = insert_zero(first + k, bit_);
      const double cells = score_.product(scores_.product_index(parents)) * child_levels_;
      if (!rules_.admits(bit_, parents, cells)) values[k] = kImpossible;
    }
  }

  void fill_gains() {
    gains_.resize(sets_);
    std::vector<std::int64_t> values(std::min(kChunk, sets_));
    for (std::size_t first = 0; first < sets_ && !control_.is_stopped(); first += kChunk) {
      const std::size_t size = std::min(kChunk, sets_ - first);
      fill(first, size, values.data());
      for (std::size_t k = 0; k < size; ++k) {
        admitted_ += values[k] != kImpossible;
        gains_[first + k] = gain_(values[k]);
      }
    }
  }

  // The sets that CandidateFilter keeps: those that no subset beats by more than the tolerance.
  std::vector<Candidate> collect() {
    CandidateFilter<DenseExtraction> standing(*this, gain_, ties_);
    std::vector<std::int64_t> values(std::min(kChunk, sets_));
    for (std::size_t first = 0; first < sets_ && !control_.is_stopped(); first += kChunk) {
      const std::size_t size = std::min(kChunk, sets_ - first);
      fill(first, size, values.data());
      for (std::size_t k = 0; k < size; ++k) {
        standing.consider(first + k, values[k], [&] {
          const std::uint64_t parents = insert_zero(first + k, bit_);
          const double configurations = score_.product(scores_.product_index(parents));
          return Candidate{parents, values[k], complexity(configurations, child_levels_, std::popcount(parents))};
        });
      }
    }
    std::vector<Candidate> list = standing.finish();
    has_all_ties_ = standing.has_all_ties();
    return list;
  }

  const FamilyScores& scores_;
  const IntegerScore& score_;
  double child_levels_;
  const MaskRules& rules_;
  const Ties& ties_;
  bool is_free_;
  int bit_;
  Control& control_;
  std::size_t sets_;
  std::vector<std::int64_t> prices_;
  std::vector<std::int32_t> gains_;
  GainScale gain_;
  std::uint64_t admitted_ = 0;
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
  parallel_for(n, threads, [&](int, std::size_t b) {
    if (control.is_stopped()) return;
    DenseExtraction extraction(scores, score, levels_of_bit[b], rules, ties, static_cast<int>(b), control);
    lists.of_bit[b] = extraction.run();
    scored += extraction.admitted();
    if (!extraction.has_all_ties()) all_ties = false;
    control.advance(1.0);
  });
  lists.families_scored = scored;
  lists.has_all_ties = all_ties;
  if (!control.is_stopped()) sort_candidates(lists);
  return lists;
}

}  // namespace qnml
