#include "core/exact/pattern_bound.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/simd.hpp"
#include "core/exact/candidates.hpp"
#include "core/numbers/subset_transform.hpp"

namespace qnml {
namespace {

std::int64_t best_without(const std::vector<Candidate>& list, std::uint64_t excluded) {
  for (const Candidate& candidate : list) {
    if ((candidate.parents & excluded) == 0) return candidate.score;
  }
  return kImpossible;
}

// Variables belong in one group if forbidding both to have their best parents costs much.
std::vector<std::vector<int>> make_groups(const CandidateLists& lists, Control& control) {
  const std::size_t n = lists.of_bit.size();
  std::vector<std::vector<int>> groups;
  if (n <= PatternBound::kLargestGroup) {
    groups.emplace_back(n);
    std::iota(groups.front().begin(), groups.front().end(), 0);
    return groups;
  }
  std::vector<std::vector<double>> affinity(n, std::vector<double>(n, 0.0));
  auto loss = [&](std::size_t child, std::size_t parent) {
    const std::int64_t without = best_without(lists.of_bit[child], std::uint64_t{1} << parent);
    if (without == kImpossible) return 1e18;
    return static_cast<double>(lists.of_bit[child].front().score - without);
  };
  for (std::size_t i = 0; i < n && !control.is_stopped(); ++i) {
    groups.push_back({static_cast<int>(i)});
    for (std::size_t j = 0; j < i; ++j) affinity[i][j] = affinity[j][i] = std::min(loss(i, j), loss(j, i));
  }
  for (;;) {
    double most = -1.0;
    std::size_t first = 0, second = 0;
    for (std::size_t a = 0; a < groups.size(); ++a) {
      for (std::size_t b = a + 1; b < groups.size(); ++b) {
        if (groups[a].size() + groups[b].size() > PatternBound::kLargestGroup) continue;
        double between = 0.0;
        for (int i : groups[a]) {
          for (int j : groups[b]) between += affinity[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
        }
        if (between > most) {
          most = between;
          first = a;
          second = b;
        }
      }
    }
    if (most < 0.0) return groups;
    groups[first].insert(groups[first].end(), groups[second].begin(), groups[second].end());
    groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(second));
  }
}

// Sets of members are processed in blocks of eight that differ only in the lowest three members.
constexpr std::size_t kTogether = 8;

// values[x] becomes the maximum of values[y] over all supersets y of x that differ from x only in bits 3 and higher.
QNML_VECTOR_CLONES void largest_over_supersets(std::int64_t* values, std::size_t size) {
  for (std::size_t half = kTogether; half < size; half <<= 1) {
    for (std::size_t start = 0; start < size; start += 2 * half) {
      std::int64_t* low = values + start;
      const std::int64_t* high = low + half;
      for (std::size_t i = 0; i < half; ++i) low[i] = low[i] > high[i] ? low[i] : high[i];
    }
  }
}

// best[U]: the score of the best family with no parents in U, the other members not yet placed, numbered without this
// one.
void best_without_these(const std::vector<Candidate>& list, const std::vector<int>& members, std::size_t place,
                        std::vector<std::int64_t>& best) {
  const std::size_t all = (std::size_t{1} << (members.size() - 1)) - 1;
  best.assign(std::max(all + 1, kTogether), kImpossible);
  for (const Candidate& candidate : list) {
    std::uint64_t inside = 0;
    for (std::size_t other = 0; other < members.size(); ++other) {
      inside |= (candidate.parents >> members[other] & 1) << other;
    }
    const std::size_t free = all & ~remove_bit(inside, static_cast<int>(place));
    const std::size_t low = free & (kTogether - 1);
    for (std::size_t subset = low;; subset = (subset - 1) & low) {
      std::int64_t& mine = best[(free ^ low) | subset];
      mine = std::max(mine, candidate.score);
      if (subset == 0) break;
    }
  }
  largest_over_supersets(best.data(), all + 1);
}

// The bound of a group from these. The impossible stays impossible: scores are at most zero, and sums never go below
// kImpossible.
QNML_VECTOR_CLONES void bound_sets(const std::vector<std::int64_t>* best, std::size_t members, std::int64_t* bound) {
  const std::size_t sets = std::size_t{1} << members;
  bound[0] = 0;
  for (std::size_t block = 0; block < sets; block += kTogether) {
    std::int64_t most[kTogether];
    for (std::int64_t& value : most) value = kImpossible;
    for (std::size_t rest = block; rest != 0; rest &= rest - 1) {
      const auto place = static_cast<std::size_t>(std::countr_zero(rest));
      const std::int64_t* first = best[place].data() + remove_bit(block, static_cast<int>(place));
      const std::int64_t* after = bound + (block ^ std::size_t{1} << place);
      for (std::size_t i = 0; i < kTogether; ++i) {
        const std::int64_t sum = first[i] + after[i];
        most[i] = most[i] > sum ? most[i] : sum;
      }
    }
    for (std::size_t i = 0; i < std::min(kTogether, sets); ++i) {
      const std::size_t left = block | i;
      for (std::size_t place = 0; place < 3; ++place) {
        if ((i >> place & 1) == 0) continue;
        const std::int64_t sum =
            best[place][remove_bit(left, static_cast<int>(place))] + bound[left ^ std::size_t{1} << place];
        most[i] = most[i] > sum ? most[i] : sum;
      }
      if (left != 0) bound[left] = most[i];
    }
  }
}

}  // namespace

PatternBound::PatternBound(const CandidateLists& lists, Control& control) {
  const std::size_t n = lists.of_bit.size();
  for (std::vector<int>& members : make_groups(lists, control)) {
    if (control.is_stopped()) return;
    std::sort(members.begin(), members.end());
    Group group;
    group.gather.resize((n + 7) / 8);
    for (auto& table : group.gather) table.fill(0);
    for (std::size_t place = 0; place < members.size(); ++place) {
      const auto bit = static_cast<std::size_t>(members[place]);
      for (std::size_t value = 0; value < 256; ++value) {
        if (value >> (bit % 8) & 1) group.gather[bit / 8][value] |= 1u << place;
      }
    }
    std::vector<std::vector<std::int64_t>> best(members.size());
    for (std::size_t place = 0; place < members.size(); ++place) {
      if (control.is_stopped()) return;
      best_without_these(lists.of_bit[static_cast<std::size_t>(members[place])], members, place, best[place]);
    }
    group.bound.assign(std::size_t{1} << members.size(), 0);
    bound_sets(best.data(), members.size(), group.bound.data());
    groups_.push_back(std::move(group));
  }
}

}  // namespace qnml
