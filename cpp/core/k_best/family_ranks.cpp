#include "core/k_best/family_ranks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/counting/bit_order.hpp"
#include "core/counting/columns.hpp"
#include "core/counting/count.hpp"
#include "core/graph/rules.hpp"
#include "core/graph/tie_breaking.hpp"
#include "core/k_best/ranked_score.hpp"
#include "core/numbers/subset_transform.hpp"
#include "core/problem/integer_scores.hpp"
#include "core/scores/family_scores.hpp"
#include "core/scores/integer_score.hpp"
#include "core/scores/score_range.hpp"

namespace qnml {
namespace {

// The scores of the parent sets of one child, in units, by set of other variables without the child's bit.
class ScoresOfSets {
 public:
  ScoresOfSets(const Columns& table, const IntegerScore& score, const MaskRules& rules)
      : table_(table), score_(score), rules_(rules), n_(static_cast<int>(table.columns.size())) {}

  bool compute(Control& control, int threads) {
    if (score_.is_direct()) return true;
    walked_ = std::make_unique<FamilyScores>(table_, score_);
    control.start_stage("counting", std::ldexp(1.0, std::max(0, n_ - 8)));
    if (!FamilyScores::compute({walked_.get()}, control, threads)) return false;
    bit_of_column_.resize(static_cast<std::size_t>(n_));
    for (int bit = 0; bit < n_; ++bit) {
      bit_of_column_[static_cast<std::size_t>(walked_->column_of_bit()[static_cast<std::size_t>(bit)])] = bit;
    }
    return true;
  }

  std::vector<RankedFamily> admitted(int child) const {
    std::vector<RankedFamily> families;
    if (score_.is_direct()) {
      collect_counted(child, families);
    } else {
      collect_walked(child, families);
    }
    return families;
  }

 private:
  static constexpr std::size_t kChunk = 4096;

  double levels(int column) const { return table_.levels(column); }

  double configurations(std::uint64_t parents) const {
    double product = 1.0;
    for (; parents != 0; parents &= parents - 1) product *= levels(std::countr_zero(parents));
    return product;
  }

  void add(int child, std::uint64_t parents, double configurations, std::int64_t score,
           std::vector<RankedFamily>& families) const {
    const std::int64_t tie = -complexity(configurations, levels(child), std::popcount(parents));
    families.push_back({{score, tie}, static_cast<std::uint32_t>(parents)});
  }

  void collect_walked(int child, std::vector<RankedFamily>& families) const {
    const int bit = bit_of_column_[static_cast<std::size_t>(child)];
    const std::size_t sets = std::size_t{1} << (n_ - 1);
    const std::vector<std::int64_t> prices = walked_->prices(bit);
    std::vector<std::int64_t> scores(std::min(kChunk, sets));
    for (std::size_t first = 0; first < sets; first += kChunk) {
      const std::size_t size = std::min(kChunk, sets - first);
      walked_->fill(bit, prices, first, size, scores.data());
      for (std::size_t k = 0; k < size; ++k) {
        const std::uint64_t bits = insert_zero(first + k, bit);
        const std::uint64_t parents = to_columns(bits, walked_->column_of_bit());
        const double product = score_.product(walked_->product_index(bits));
        if (rules_.admits(child, parents, product * levels(child))) {
          add(child, parents, product, scores[k], families);
        }
      }
    }
  }

  void collect_counted(int child, std::vector<RankedFamily>& families) const {
    Counter counter(table_);
    Profile cells, configs;
    std::vector<int> columns;
    for (std::uint64_t others = 0; others < std::uint64_t{1} << (n_ - 1); ++others) {
      const std::uint64_t parents = insert_zero(others, child);
      const double product = configurations(parents);
      if (!rules_.admits(child, parents, product * levels(child))) continue;
      std::uint32_t index = 0;
      columns.clear();
      for (std::uint64_t rest = parents; rest != 0; rest &= rest - 1) {
        columns.push_back(std::countr_zero(rest));
        index += score_.stride(columns.back());
      }
      counter.family(child, columns, cells, configs);
      add(child, parents, product, score_.family(child, index, std::popcount(parents), cells, configs), families);
    }
  }

  const Columns& table_;
  const IntegerScore& score_;
  const MaskRules& rules_;
  int n_;
  std::unique_ptr<FamilyScores> walked_;
  std::vector<int> bit_of_column_;
};

}  // namespace

FamilyRanks rank_of_child(std::vector<RankedFamily> families, int n, int child) {
  const std::size_t admitted = families.size();
  std::erase_if(families, [](const RankedFamily& family) { return is_never(family.value.score); });
  std::sort(families.begin(), families.end(), [](const RankedFamily& a, const RankedFamily& b) {
    return a.value != b.value ? a.value > b.value : a.parents < b.parents;
  });
  FamilyRanks ranks;
  ranks.leaves_out = families.size() < admitted;
  ranks.rank_of.assign(std::size_t{1} << (n - 1), kNoFamily);
  ranks.parents.reserve(families.size());
  ranks.value.reserve(families.size());
  for (const RankedFamily& family : families) {
    if (ranks.rank_of[remove_bit(family.parents, child)] != kNoFamily) continue;
    ranks.rank_of[remove_bit(family.parents, child)] = static_cast<std::uint32_t>(ranks.parents.size());
    ranks.parents.push_back(family.parents);
    ranks.value.push_back(family.value);
  }
  ranks.best_inside = ranks.rank_of;
  smallest_over_subsets(ranks.best_inside.data(), n - 1);
  return ranks;
}

std::vector<FamilyRanks> rank_families(const IntegerScores& scores, const MaskRules& rules, Control& control,
                                       int threads) {
  const Columns& table = scores.table();
  const int n = static_cast<int>(table.columns.size());
  std::vector<FamilyRanks> ranks(static_cast<std::size_t>(n));
  for (std::size_t part = 0; part < scores.n_parts(); ++part) {
    ScoresOfSets of_sets(table.part(part), scores.of_part(part), rules);
    if (!of_sets.compute(control, threads)) return {};
    control.start_stage("families", n);
    parallel_for(ranks.size(), threads, [&](int, std::size_t i) {
      const int child = static_cast<int>(i);
      if (control.is_stopped() || table.part_of(child) != part) return;
      ranks[i] = rank_of_child(of_sets.admitted(child), n, child);
      control.advance(1.0);
    });
    if (control.is_stopped()) return {};
  }
  return ranks;
}

double family_ranks_bytes(int n, std::size_t config_classes, int threads) {
  const double one_child = std::ldexp(1.0, n - 1);
  return FamilyScores::bytes(n, config_classes) + one_child * (n * 28.0 + threads * 24.0);
}

}  // namespace qnml
