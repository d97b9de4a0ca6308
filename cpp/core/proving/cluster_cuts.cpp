#include "core/proving/cluster_cuts.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include "core/numbers/variable_set.hpp"
#include "core/proving/cluster_bound.hpp"

namespace qnml {
namespace {

// A smaller violation is not worth a row.
constexpr double kLeastViolation = 1e-4;
// Sets examined for each smallest member.
constexpr int kLongestSearch = 400;

using Shares = std::vector<std::vector<Share>>;

VariableSet without(VariableSet set, const VariableSet& others) {
  for (std::size_t word = 0; word < set.words.size(); ++word) set.words[word] &= ~others.words[word];
  return set;
}

// What a child puts on choices without parents in a set.
double missing(const std::vector<Share>& shares, const VariableSet& set) {
  double sum = 0.0;
  for (const Share& share : shares) {
    if (!share.parents.meets(set)) sum += share.weight;
  }
  return sum;
}

double missing_of_all(const Shares& shares, const VariableSet& members, const VariableSet& set) {
  double sum = 0.0;
  for (int member : members.members()) sum += missing(shares[static_cast<std::size_t>(member)], set);
  return sum;
}

// Depth first: the member that misses most which more members could mend gets its heaviest parent as a member, and
// after that never. What the members miss whatever is added bounds the sets to come.
class Growth {
 public:
  explicit Growth(const Shares& shares) : shares_(shares) {
    for (std::size_t child = 0; child < shares.size(); ++child) everyone_.add(static_cast<int>(child));
  }

  // The most violated set with this smallest member, or an empty one.
  VariableSet from(int start) {
    examined_ = 0;
    least_ = 1.0 - kLeastViolation;
    best_ = VariableSet();
    VariableSet excluded;
    for (int smaller = 0; smaller < start; ++smaller) excluded.add(smaller);
    VariableSet first;
    first.add(start);
    grow(first, excluded);
    return best_;
  }

 private:
  // The recursion is as deep as there are variables.
  void grow(const VariableSet& members, const VariableSet& excluded) {
    if (++examined_ > kLongestSearch) return;
    const VariableSet possible = without(everyone_, excluded);
    double sum = 0.0, at_least = 0.0, worst = 1e-9;
    int neediest = -1;
    for (int member : members.members()) {
      const std::vector<Share>& shares = shares_[static_cast<std::size_t>(member)];
      const double now = missing(shares, members), always = missing(shares, possible);
      sum += now;
      at_least += always;
      if (at_least >= least_ - 1e-9) return;
      if (now - always <= worst) continue;
      worst = now - always;
      neediest = member;
    }
    if (sum < least_ - 1e-9) {
      least_ = sum;
      best_ = members;
    }
    if (neediest < 0) return;
    std::vector<double> gain(shares_.size(), 0.0);
    for (const Share& share : shares_[static_cast<std::size_t>(neediest)]) {
      if (share.parents.meets(members)) continue;
      for (int parent : without(share.parents, excluded).members())
        gain[static_cast<std::size_t>(parent)] += share.weight;
    }
    const auto heaviest = static_cast<int>(std::max_element(gain.begin(), gain.end()) - gain.begin());
    VariableSet with = members, never = excluded;
    with.add(heaviest);
    grow(with, excluded);
    never.add(heaviest);
    grow(members, never);
  }

  const Shares& shares_;
  VariableSet everyone_, best_;
  double least_ = 0.0;
  int examined_ = 0;
};

// Members that do not contribute to the violation are dropped: smaller clusters give stronger inequalities.
VariableSet shrunk(const Shares& shares, VariableSet members) {
  double least = missing_of_all(shares, members, members);
  for (int member : members.members()) {
    VariableSet fewer = members;
    fewer.remove(member);
    const double now = missing_of_all(shares, fewer, fewer);
    if (fewer.size() < 2 || now > least + 1e-9) continue;
    members = fewer;
    least = now;
  }
  return members;
}

// A child with each two and each three parents that a choice of it has.
std::set<VariableSet> small_sets(const Shares& shares) {
  std::set<VariableSet> sets;
  for (std::size_t child = 0; child < shares.size(); ++child) {
    for (const Share& share : shares[child]) {
      const std::vector<int> parents = share.parents.members();
      for (std::size_t a = 0; a < parents.size(); ++a) {
        for (std::size_t b = a + 1; b < parents.size(); ++b) {
          VariableSet set = VariableSet::of({static_cast<int>(child), parents[a], parents[b]});
          sets.insert(set);
          for (std::size_t c = b + 1; c < parents.size(); ++c) {
            VariableSet larger = set;
            larger.add(parents[c]);
            sets.insert(larger);
          }
        }
      }
    }
  }
  return sets;
}

double violation(const Shares& shares, const Cluster& cluster) {
  double left = cluster.rank;
  for (int member : cluster.members.members()) {
    for (const Share& share : shares[static_cast<std::size_t>(member)]) {
      if (cluster.is_earned(share.parents)) left -= share.weight;
    }
  }
  return left;
}

}  // namespace

std::vector<Cluster> violated_clusters(const Shares& shares, std::size_t most) {
  struct Found {
    double violation;
    Cluster cluster;
  };
  std::vector<Found> found;
  std::set<Cluster> known;
  auto take = [&](const Cluster& cluster) {
    const double by = violation(shares, cluster);
    if (by >= kLeastViolation && known.insert(cluster).second) found.push_back({by, cluster});
  };
  Growth growth(shares);
  for (std::size_t start = 0; start < shares.size(); ++start) {
    const VariableSet grown = growth.from(static_cast<int>(start));
    if (!grown.is_empty()) take({shrunk(shares, grown)});
  }
  for (const VariableSet& set : small_sets(shares)) {
    for (int rank = 2; rank < set.size(); ++rank) take({set, rank});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& a, const Found& b) { return a.violation > b.violation; });
  std::vector<Cluster> clusters;
  for (std::size_t k = 0; k < std::min(most, found.size()); ++k) clusters.push_back(found[k].cluster);
  return clusters;
}

}  // namespace qnml
