#include "core/listed/listed_families.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/random.hpp"
#include "core/graph/rules.hpp"

namespace qnml {
namespace {

constexpr int kBits = 53;
// Shifted scores are up to three times as large as those given.
constexpr double kShifted = 3.0;
// Subsets of larger sets are looked for among all sets that score more.
constexpr std::size_t kMostEnumerated = 12;

bool is_admitted(const Rules& rules, int child, std::span<const int> sorted_parents) {
  if (static_cast<int>(sorted_parents.size()) > rules.max_parents[static_cast<std::size_t>(child)]) return false;
  for (int parent : sorted_parents) {
    if (!rules.allowed.test(child, parent)) return false;
  }
  for (int parent : rules.required.members(child)) {
    if (!std::binary_search(sorted_parents.begin(), sorted_parents.end(), parent)) return false;
  }
  return true;
}

// The least power of two of which the scores of a network are at most 2^53.
double unit_of(const GivenFamilies& given) {
  double largest = 0.0;
  for (std::size_t child = 0; child + 1 < given.first_of_child.size(); ++child) {
    double of_child = 0.0;
    for (auto f = given.first_of_child[child]; f < given.first_of_child[child + 1]; ++f) {
      of_child = std::max(of_child, std::fabs(given.scores[static_cast<std::size_t>(f)]));
    }
    largest += kShifted * of_child;
  }
  int exponent = 0;
  std::frexp(largest, &exponent);
  return largest > 0.0 ? std::ldexp(1.0, std::max(exponent - kBits, -1000)) : 1.0;
}

std::int64_t rounded(double score, double unit) { return static_cast<std::int64_t>(std::llround(score / unit)); }

std::uint64_t hash_of(std::span<const int> sorted_parents) {
  std::uint64_t hash = golden_gamma;
  for (int parent : sorted_parents) hash = mix64(hash ^ (static_cast<std::uint64_t>(parent) + 1));
  return hash;
}

// Whether a family has a better subset: one that beats it, or one that ties with it.
enum class Standing { best, tied, beaten };

class Subsets {
 public:
  Subsets(const ListedFamilies& lists, int child) : lists_(lists), list_(lists.of(child)) {
    places_.reserve(list_.size());
    for (std::size_t place = 0; place < list_.size(); ++place) {
      // The first of equal sets is the best.
      const std::span<const int> set = lists.parents(list_[place]);
      if (find(set) < 0) places_.emplace(hash_of(set), place);
    }
  }

  Standing standing(std::size_t place, std::int64_t tolerance) const {
    const ListedFamilies::Family& mine = list_[place];
    const std::span<const int> set = lists_.parents(mine);
    Standing found = Standing::best;
    auto look = [&](std::size_t other) {
      const std::int64_t score = list_[other].score;
      if (score > mine.score + tolerance) found = Standing::beaten;
      if (score >= mine.score && found == Standing::best) found = Standing::tied;
      return found != Standing::beaten;
    };
    if (set.size() <= kMostEnumerated) {
      std::vector<int> subset;
      for (std::uint32_t chosen = 0; chosen + 1 < std::uint32_t{1} << set.size(); ++chosen) {
        subset.clear();
        for (std::size_t k = 0; k < set.size(); ++k) {
          if (chosen >> k & 1) subset.push_back(set[k]);
        }
        const int other = find(subset);
        if (other >= 0 && !look(static_cast<std::size_t>(other))) break;
      }
      return found;
    }
    for (std::size_t other = 0; other < list_.size() && list_[other].score >= mine.score; ++other) {
      const std::span<const int> others = lists_.parents(list_[other]);
      if (others.size() >= set.size() || !std::includes(set.begin(), set.end(), others.begin(), others.end())) continue;
      if (!look(other)) break;
    }
    return found;
  }

  int find(std::span<const int> sorted_parents) const {
    const auto [first, last] = places_.equal_range(hash_of(sorted_parents));
    for (auto at = first; at != last; ++at) {
      const std::span<const int> set = lists_.parents(list_[at->second]);
      if (std::equal(set.begin(), set.end(), sorted_parents.begin(), sorted_parents.end())) {
        return static_cast<int>(at->second);
      }
    }
    return -1;
  }

 private:
  const ListedFamilies& lists_;
  const std::vector<ListedFamilies::Family>& list_;
  std::unordered_multimap<std::uint64_t, std::size_t> places_;
};

}  // namespace

ListedFamilies::ListedFamilies(const GivenFamilies& given, const Rules& rules)
    : of_child_(given.first_of_child.size() - 1), unit_(unit_of(given)) {
  std::vector<int> set;
  for (std::size_t child = 0; child < of_child_.size(); ++child) {
    std::vector<Family>& list = of_child_[child];
    for (auto f = static_cast<std::size_t>(given.first_of_child[child]);
         f < static_cast<std::size_t>(given.first_of_child[child + 1]); ++f) {
      const auto first = static_cast<std::size_t>(given.offsets[f]),
                 last = static_cast<std::size_t>(given.offsets[f + 1]);
      set.assign(given.parents.begin() + static_cast<std::ptrdiff_t>(first),
                 given.parents.begin() + static_cast<std::ptrdiff_t>(last));
      std::sort(set.begin(), set.end());
      if (!is_admitted(rules, static_cast<int>(child), set)) continue;
      list.push_back({rounded(given.scores[f], unit_), static_cast<std::uint32_t>(parents_.size()),
                      static_cast<std::uint32_t>(set.size())});
      parents_.insert(parents_.end(), set.begin(), set.end());
    }
    n_admitted_ += list.size();
    std::sort(list.begin(), list.end(), [&](const Family& a, const Family& b) {
      if (a.score != b.score) return a.score > b.score;
      if (a.size != b.size) return a.size < b.size;
      const std::span<const int> mine = parents(a), other = parents(b);
      return std::lexicographical_compare(mine.begin(), mine.end(), other.begin(), other.end());
    });
    if (list.empty() || list.front().score <= 0) continue;
    const std::int64_t shift = 2 * list.front().score;
    shift_ += shift;
    for (Family& family : list) family.score -= shift;
  }
}

std::uint64_t ListedFamilies::n_kept() const {
  std::uint64_t count = 0;
  for (const auto& list : of_child_) count += list.size();
  return count;
}

bool ListedFamilies::drop_beaten(std::int64_t tolerance, std::size_t most_ties) {
  bool has_all = true;
  for (int child = 0; child < n_variables(); ++child) {
    const Subsets subsets(*this, child);
    std::vector<Family> kept;
    std::size_t ties = 0;
    const std::vector<Family>& list = of(child);
    for (std::size_t place = 0; place < list.size(); ++place) {
      if (subsets.find(parents(list[place])) != static_cast<int>(place)) continue;
      const Standing standing = subsets.standing(place, tolerance);
      if (standing == Standing::beaten || (standing == Standing::tied && ++ties > most_ties)) continue;
      kept.push_back(list[place]);
    }
    has_all &= ties <= most_ties;
    of_child_[static_cast<std::size_t>(child)] = std::move(kept);
  }
  return has_all;
}

int ListedFamilies::find(int child, std::span<const int> sorted_parents) const {
  const std::vector<Family>& list = of(child);
  for (std::size_t place = 0; place < list.size(); ++place) {
    const std::span<const int> set = parents(list[place]);
    if (std::equal(set.begin(), set.end(), sorted_parents.begin(), sorted_parents.end()))
      return static_cast<int>(place);
  }
  return -1;
}

}  // namespace qnml
