#include "core/order_dp.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "core/subset_transform.hpp"

namespace qnml {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// 48 random bits for each set: sums and differences of thousands stay exact in 64.
std::int64_t random_of_set(std::uint64_t seed, std::uint64_t set) {
  return static_cast<std::int64_t>(mix64(mix64(seed + golden_gamma) ^ set * golden_gamma) >> 16);
}

std::int64_t random_of_family(std::uint64_t seed, int bit, std::uint64_t parents) {
  return random_of_set(seed, parents | std::uint64_t{1} << bit) - random_of_set(seed, parents);
}

// For one child and one tie rule: which candidate is the best inside every set of the other variables.
struct BestInside {
  std::vector<std::uint32_t> which;  // position in the order of this rule, by set without the child's bit
  std::vector<std::int64_t> score, tie;
  std::vector<std::uint64_t> parents;
};

BestInside best_inside(int n, const std::vector<Candidate>& list, std::vector<std::int64_t> tie, int bit) {
  std::vector<std::uint32_t> order(list.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  // The list is sorted by score; a stable sort keeps its canonical order among full equals.
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return list[a].score != list[b].score ? list[a].score > list[b].score : tie[a] > tie[b];
  });
  BestInside best;
  best.which.assign(std::size_t{1} << (n - 1), kNone);
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) {
    const Candidate& candidate = list[order[rank]];
    best.which[remove_bit(candidate.parents, bit)] = rank;
    best.score.push_back(candidate.score);
    best.tie.push_back(tie[order[rank]]);
    best.parents.push_back(candidate.parents);
  }
  smallest_over_subsets(best.which.data(), n - 1);
  return best;
}

bool has_equal_scores(const std::vector<Candidate>& list) {
  for (std::size_t i = 1; i < list.size(); ++i) {
    if (list[i].score == list[i - 1].score) return true;
  }
  return false;
}

// Value of the best network on a set of variables, with the sums that tell equals apart.
struct Best {
  std::int64_t score;
  std::int64_t tie;
};
struct TieRange {
  std::int64_t lowest;
  std::int64_t highest;
};

}  // namespace

std::int64_t tie_value(TieRule rule, std::uint64_t seed, int bit, const Candidate& candidate) {
  switch (rule) {
    case TieRule::simplest:
      return -candidate.complexity;
    case TieRule::largest:
      return candidate.complexity;
    default:
      return random_of_family(seed, bit, candidate.parents);
  }
}

double order_dp_bytes(int n, bool examine_ties) {
  return std::ldexp(4.0 * n, n - 1) * (examine_ties ? 1.5 : 1.0) + std::ldexp(examine_ties ? 32.0 : 16.0, n);
}

OrderSolution order_dp(const CandidateLists& lists, TieRule rule, std::uint64_t seed, bool examine_ties,
                       Control& control, int threads) {
  const int n = static_cast<int>(lists.of_bit.size());
  const auto count = static_cast<std::size_t>(n);
  OrderSolution solution;

  // Random numbers of sets add up to the same for equivalent networks and almost surely not for others: the optimum
  // is shared by several classes exactly when the largest and the smallest such sum among optimal networks differ.
  constexpr std::uint64_t kExamination = 0x51ED270B0A1F39C5ULL;
  std::vector<BestInside> chosen(count), low(count), high(count);
  std::vector<bool> separate(count, false);
  parallel_for(count, threads, [&](int, std::size_t b) {
    const int bit = static_cast<int>(b);
    const auto& list = lists.of_bit[b];
    std::vector<std::int64_t> tie(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) tie[i] = tie_value(rule, seed, bit, list[i]);
    chosen[b] = best_inside(n, list, std::move(tie), bit);
  });
  if (examine_ties) {
    for (std::size_t b = 0; b < count; ++b) separate[b] = has_equal_scores(lists.of_bit[b]);
    parallel_for(count, threads, [&](int, std::size_t b) {
      if (!separate[b]) return;
      const int bit = static_cast<int>(b);
      const auto& list = lists.of_bit[b];
      std::vector<std::int64_t> up(list.size()), down(list.size());
      for (std::size_t i = 0; i < list.size(); ++i) {
        up[i] = random_of_family(kExamination, bit, list[i].parents);
        down[i] = -up[i];
      }
      high[b] = best_inside(n, list, std::move(up), bit);
      low[b] = best_inside(n, list, std::move(down), bit);
      for (std::int64_t& value : low[b].tie) value = -value;
    });
  }
  std::vector<std::vector<std::int64_t>> plain(count);  // examination numbers where a child has no equal scores
  for (std::size_t b = 0; examine_ties && b < count; ++b) {
    for (std::uint64_t parents : chosen[b].parents)
      plain[b].push_back(random_of_family(kExamination, static_cast<int>(b), parents));
  }

  const std::size_t sets = std::size_t{1} << n;
  std::vector<Best> best(sets, Best{kImpossible, 0});
  std::vector<TieRange> range(examine_ties ? sets : 0, TieRange{0, 0});
  best[0] = {0, 0};
  auto solve = [&](std::uint64_t set) {
    Best mine{kImpossible, 0};
    TieRange mine_range{0, 0};
    for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) {
      const int bit = std::countr_zero(rest);
      const auto b = static_cast<std::size_t>(bit);
      const std::uint64_t others = set ^ std::uint64_t{1} << bit;
      const Best& before = best[others];
      const std::uint64_t inside = remove_bit(others, bit);
      const std::uint32_t which = chosen[b].which[inside];
      if (which == kNone || before.score == kImpossible) continue;
      const std::int64_t score = before.score + chosen[b].score[which];
      if (score < mine.score) continue;
      const std::int64_t tie = before.tie + chosen[b].tie[which];
      const bool better = score > mine.score;
      if (better || tie > mine.tie) mine = {score, tie};
      if (!examine_ties) continue;
      TieRange here = range[others];
      if (separate[b]) {
        here.lowest += low[b].tie[low[b].which[inside]];
        here.highest += high[b].tie[high[b].which[inside]];
      } else {
        here.lowest += plain[b][which];
        here.highest += plain[b][which];
      }
      mine_range = better
                       ? here
                       : TieRange{std::min(mine_range.lowest, here.lowest), std::max(mine_range.highest, here.highest)};
    }
    best[set] = mine;
    if (examine_ties) range[set] = mine_range;
  };

  // A set needs its subsets. Sets with the same highest bits form a block; blocks with equally many highest bits set
  // do not need each other.
  const int block_bits = std::max(0, n - 6);
  const int high_bits = n - block_bits;
  for (int ones = 0; ones <= high_bits; ++ones) {
    std::vector<std::uint64_t> blocks;
    for (std::uint64_t block = 0; block < (std::uint64_t{1} << high_bits); ++block) {
      if (std::popcount(block) == ones) blocks.push_back(block);
    }
    parallel_for(blocks.size(), threads, [&](int, std::size_t index) {
      if (control.is_stopped()) return;
      const std::uint64_t first = blocks[index] << block_bits;
      for (std::uint64_t set = std::max<std::uint64_t>(first, 1); set < first + (std::uint64_t{1} << block_bits); ++set)
        solve(set);
      control.advance(1.0);
    });
  }
  if (control.is_stopped()) return solution;

  const std::uint64_t all = sets - 1;
  solution.score = best[all].score;
  if (solution.score <= kImpossible) return solution;
  solution.found = true;
  solution.ties_examined = examine_ties && lists.has_all_ties;
  solution.has_ties = examine_ties && range[all].lowest != range[all].highest;
  solution.parents.assign(count, 0);
  // Read the network off backwards: the first variable, in order of bits, that can be the last one.
  for (std::uint64_t set = all; set != 0;) {
    for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) {
      const int bit = std::countr_zero(rest);
      const auto b = static_cast<std::size_t>(bit);
      const std::uint64_t others = set ^ std::uint64_t{1} << bit;
      const std::uint32_t which = chosen[b].which[remove_bit(others, bit)];
      if (which == kNone || best[others].score == kImpossible) continue;
      if (best[others].score + chosen[b].score[which] != best[set].score) continue;
      if (best[others].tie + chosen[b].tie[which] != best[set].tie) continue;
      solution.parents[b] = chosen[b].parents[which];
      set = others;
      break;
    }
  }
  return solution;
}

}  // namespace qnml
