#include "core/pattern_bound.hpp"

#include <algorithm>
#include <bit>

namespace qnml {
namespace {

// A group of m costs 2^m steps: with few variables that is more than a sharper bound saves.
constexpr std::size_t kLargestGroup = 15;
constexpr std::size_t kSmallestGroup = 8;
constexpr std::size_t kOutsideGroup = 5;

std::size_t group_size(std::size_t n) {
  return std::clamp(n, kSmallestGroup + kOutsideGroup, kLargestGroup + kOutsideGroup) - kOutsideGroup;
}

std::int64_t best_without(const std::vector<Candidate>& list, std::uint64_t excluded) {
  for (const Candidate& candidate : list) {
    if ((candidate.parents & excluded) == 0) return candidate.score;
  }
  return kImpossible;
}

// Variables that lose much when they cannot both have their favourite parents belong together.
std::vector<std::vector<int>> make_groups(const CandidateLists& lists) {
  const std::size_t n = lists.of_bit.size();
  const std::size_t most_members = group_size(n);
  std::vector<std::vector<int>> groups;
  std::vector<std::vector<double>> affinity(n, std::vector<double>(n, 0.0));
  auto loss = [&](std::size_t child, std::size_t parent) {
    const std::int64_t without = best_without(lists.of_bit[child], std::uint64_t{1} << parent);
    if (without == kImpossible) return 1e18;
    return static_cast<double>(lists.of_bit[child].front().score - without);
  };
  for (std::size_t i = 0; i < n; ++i) {
    groups.push_back({static_cast<int>(i)});
    for (std::size_t j = 0; j < i; ++j) affinity[i][j] = affinity[j][i] = std::min(loss(i, j), loss(j, i));
  }
  for (;;) {
    double most = -1.0;
    std::size_t first = 0, second = 0;
    for (std::size_t a = 0; a < groups.size(); ++a) {
      for (std::size_t b = a + 1; b < groups.size(); ++b) {
        if (groups[a].size() + groups[b].size() > most_members) continue;
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

}  // namespace

PatternBound::PatternBound(const CandidateLists& lists) {
  const std::size_t n = lists.of_bit.size();
  for (std::vector<int>& members : make_groups(lists)) {
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
    group.bound.assign(std::size_t{1} << members.size(), 0);
    for (std::size_t left = 1; left < group.bound.size(); ++left) {
      std::uint64_t excluded = 0;
      for (std::size_t rest = left; rest != 0; rest &= rest - 1) {
        excluded |= std::uint64_t{1} << members[static_cast<std::size_t>(std::countr_zero(rest))];
      }
      std::int64_t best = kImpossible;
      for (std::size_t rest = left; rest != 0; rest &= rest - 1) {
        const int member = members[static_cast<std::size_t>(std::countr_zero(rest))];
        const std::int64_t first = best_without(lists.of_bit[static_cast<std::size_t>(member)], excluded);
        if (first == kImpossible) continue;
        const std::int64_t after = group.bound[left & ~(rest & (~rest + 1))];
        if (after != kImpossible) best = std::max(best, first + after);
      }
      group.bound[left] = best;
    }
    groups_.push_back(std::move(group));
  }
}

}  // namespace qnml
