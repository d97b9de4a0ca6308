#include "core/proving/cluster_bound.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/numbers/minus_infinity.hpp"
#include "core/numbers/variable_set.hpp"

namespace qnml {
namespace {

constexpr double kEverything = std::numeric_limits<double>::infinity();
// Choices this close to the best count as the best.
constexpr double kClose = 1e-7;
// Steps without a better bound before they get shorter.
constexpr int kPatience = 30;
constexpr double kShorter = 0.7;
constexpr double kShortest = 1e-3;
constexpr std::size_t kMostRaised = 20'000;
constexpr double kForgetting = 0.02;

class Dual {
 public:
  Dual(const std::vector<std::vector<Choice>>& choices, double enough)
      : choices_(choices),
        enough_(enough),
        reduced_(choices.size()),
        earns_(choices.size()),
        most_(choices.size()),
        best_(choices.size()) {
    for (std::size_t child = 0; child < choices.size(); ++child) {
      reduced_[child].resize(choices[child].size());
      earns_[child].resize(choices[child].size());
    }
  }

  bool is_enough() const { return !(bound_ > enough_); }
  double bound() const { return bound_; }
  const std::vector<double>& prices() const { return prices_; }

  void set(const std::vector<double>& prices) {
    prices_ = prices;
    prices_.resize(clusters_.size(), 0.0);
    evaluate();
  }

  std::size_t place(const Cluster& cluster) {
    const auto [known, is_new] = place_.try_emplace(cluster, clusters_.size());
    if (!is_new) return known->second;
    clusters_.push_back(cluster);
    prices_.push_back(0.0);
    for (int member : cluster.members.members()) {
      const auto child = static_cast<std::size_t>(member);
      for (std::size_t c = 0; c < choices_[child].size(); ++c) {
        if (cluster.is_earned(choices_[child][c].parents)) {
          earns_[child][c].push_back(static_cast<std::uint32_t>(known->second));
        }
      }
    }
    return known->second;
  }

  void raise_one_by_one(Control& control) {
    find_all_best(kClose);
    for (std::size_t step = 0; step < kMostRaised && !is_enough() && !control.is_stopped(); ++step) {
      VariableSet cluster = largest_within(everyone());
      if (cluster.is_empty() || !raise(smallest_within(cluster))) return;
    }
  }

  // Ends at the best prices found.
  void move_together(std::size_t steps, Control& control) {
    std::vector<double> best_prices = prices_;
    double best_bound = bound_;
    double length = 1.0;
    int waited = 0;
    std::vector<int> earners;
    start_usage();
    for (std::size_t step = 0; step < steps && length > kShortest && !control.is_stopped(); ++step) {
      find_all_best(0.0);
      add_cycles();
      earners.assign(clusters_.size(), 0);
      for (std::size_t child = 0; child < choices_.size(); ++child) {
        for (std::uint32_t cluster : earns_[child][first_[child]]) ++earners[cluster];
      }
      use_best();
      double norm = 0.0;
      for (std::size_t k = 0; k < clusters_.size(); ++k) {
        const double surplus = earners[k] - clusters_[k].rank;
        if (surplus < 0.0 || prices_[k] > 0.0) norm += surplus * surplus;
      }
      if (norm == 0.0) break;
      const double by = length * (bound_ - enough_) / norm;
      for (std::size_t k = 0; k < clusters_.size(); ++k)
        prices_[k] = std::max(0.0, prices_[k] - by * (earners[k] - clusters_[k].rank));
      evaluate();
      if (bound_ < best_bound) {
        best_bound = bound_;
        best_prices = prices_;
        waited = 0;
        if (is_enough()) return;
      } else if (++waited == kPatience) {
        length *= kShorter;
        waited = 0;
      }
    }
    set(best_prices);
  }

  ClusterBound result() const {
    ClusterBound result{ClusterPrices(choices_.size()), most_, bound_, usage_};
    for (std::size_t k = 0; k < clusters_.size(); ++k) {
      if (prices_[k] > 0.0) result.prices.add(clusters_[k], prices_[k]);
    }
    return result;
  }

 private:
  void start_usage() {
    usage_.resize(choices_.size());
    for (std::size_t child = 0; child < choices_.size(); ++child) {
      usage_[child].assign(choices_[child].size(), 1.0 / static_cast<double>(choices_[child].size()));
    }
  }

  void use_best() {
    for (std::size_t child = 0; child < choices_.size(); ++child) {
      for (double& usage : usage_[child]) usage *= 1.0 - kForgetting;
      usage_[child][first_[child]] += kForgetting;
    }
  }

  void evaluate() {
    bound_ = 0.0;
    for (std::size_t k = 0; k < clusters_.size(); ++k) bound_ -= clusters_[k].rank * prices_[k];
    for (std::size_t child = 0; child < choices_.size(); ++child) {
      most_[child] = kMinusInfinity;
      for (std::size_t c = 0; c < reduced_[child].size(); ++c) {
        double value = choices_[child][c].score;
        for (std::uint32_t cluster : earns_[child][c]) value += prices_[cluster];
        reduced_[child][c] = value;
        most_[child] = std::max(most_[child], value);
      }
      bound_ += most_[child];
    }
  }

  void find_all_best(double close) {
    first_.assign(choices_.size(), 0);
    for (std::size_t child = 0; child < choices_.size(); ++child) find_best(child, close);
  }

  void find_best(std::size_t child, double close) {
    best_[child].clear();
    for (std::size_t c = reduced_[child].size(); c-- > 0;) {
      if (reduced_[child][c] < most_[child] - close) continue;
      if (close == 0.0) best_[child].clear();
      best_[child].push_back(&choices_[child][c].parents);
      first_[child] = c;
    }
  }

  bool avoids(int child, const VariableSet& cluster) const {
    for (const VariableSet* parents : best_[static_cast<std::size_t>(child)]) {
      if (!parents->meets(cluster)) return true;
    }
    return false;
  }

  VariableSet everyone() const {
    VariableSet all;
    for (std::size_t child = 0; child < choices_.size(); ++child) all.add(static_cast<int>(child));
    return all;
  }

  // The largest cluster inside a set that no best choice of its members avoids.
  VariableSet largest_within(VariableSet set) const {
    for (bool changed = true; changed;) {
      changed = false;
      for (int child : set.members()) {
        if (!avoids(child, set)) continue;
        set.remove(child);
        changed = true;
      }
    }
    return set;
  }

  // Small clusters give stronger constraints. Members are removed in turn as long as a cluster remains.
  VariableSet smallest_within(VariableSet cluster) const {
    for (int member : cluster.members()) {
      if (!cluster.has(member)) continue;
      VariableSet without = cluster;
      without.remove(member);
      without = largest_within(without);
      if (!without.is_empty()) cluster = without;
    }
    return cluster;
  }

  // Adds cycles of best choices that have no variable in common.
  void add_cycles() {
    VariableSet left = largest_within(everyone());
    while (!left.is_empty()) {
      const VariableSet cycle = smallest_within(left);
      place({cycle});
      for (int member : cycle.members()) left.remove(member);
      left = largest_within(left);
    }
  }

  bool raise(const VariableSet& cluster) {
    const std::vector<int> members = cluster.members();
    double step = kEverything;
    for (int member : members) {
      const auto child = static_cast<std::size_t>(member);
      double other = kMinusInfinity;
      for (std::size_t c = 0; c < reduced_[child].size(); ++c) {
        if (reduced_[child][c] > other && !choices_[child][c].parents.meets(cluster)) other = reduced_[child][c];
      }
      step = std::min(step, most_[child] - other);
    }
    if (step == kEverything) {
      bound_ = kMinusInfinity;
      return false;
    }
    prices_[place({cluster})] += step;
    bound_ -= step;
    for (int member : members) {
      const auto child = static_cast<std::size_t>(member);
      bound_ -= most_[child];
      most_[child] = kMinusInfinity;
      for (std::size_t c = 0; c < reduced_[child].size(); ++c) {
        if (!choices_[child][c].parents.meets(cluster)) reduced_[child][c] += step;
        most_[child] = std::max(most_[child], reduced_[child][c]);
      }
      bound_ += most_[child];
      find_best(child, kClose);
    }
    return true;
  }

  const std::vector<std::vector<Choice>>& choices_;
  double enough_;
  std::vector<Cluster> clusters_;
  std::map<Cluster, std::size_t> place_;
  std::vector<double> prices_;
  std::vector<std::vector<double>> reduced_;                    // by child and choice: its reduced score
  std::vector<std::vector<std::vector<std::uint32_t>>> earns_;  // the clusters it avoids
  std::vector<double> most_;
  std::vector<std::vector<const VariableSet*>> best_;
  std::vector<std::size_t> first_;
  std::vector<std::vector<double>> usage_;
  double bound_ = 0.0;
};

}  // namespace

void ClusterPrices::add(const Cluster& cluster, double price) {
  total_ += cluster.rank * price;
  all_.push_back({cluster, price});
  for (int member : cluster.members.members()) {
    of_child_[static_cast<std::size_t>(member)].push_back({cluster, price});
  }
}

ClusterBound bound_of_prices(const std::vector<std::vector<Choice>>& choices, ClusterPrices prices) {
  ClusterBound result{std::move(prices), std::vector<double>(choices.size(), kMinusInfinity), 0.0, {}};
  result.bound = -result.prices.total();
  for (std::size_t child = 0; child < choices.size(); ++child) {
    for (const Choice& choice : choices[child]) {
      result.most[child] = std::max(result.most[child], choice.score + result.prices.earned(child, choice.parents));
    }
    result.bound += result.most[child];
  }
  return result;
}

ClusterBound cluster_bound(const std::vector<std::vector<Choice>>& choices, const ClusterPrices& known, double enough,
                           std::size_t steps, Control& control) {
  Dual dual(choices, enough);
  dual.set({});
  dual.raise_one_by_one(control);
  if (dual.bound() == kMinusInfinity || dual.is_enough()) return dual.result();
  const double fresh_bound = dual.bound();
  const std::vector<double> fresh = dual.prices();
  std::vector<double> before(fresh.size(), 0.0);
  for (const ClusterPrices::Priced& priced : known.all()) {
    const std::size_t place = dual.place(priced.cluster);
    before.resize(std::max(before.size(), place + 1), 0.0);
    before[place] = priced.price;
  }
  dual.set(before);
  dual.raise_one_by_one(control);
  if (dual.bound() == kMinusInfinity) return dual.result();
  if (dual.bound() > fresh_bound) dual.set(fresh);
  if (steps == 0 || dual.is_enough()) return dual.result();
  dual.move_together(steps, control);
  dual.raise_one_by_one(control);
  return dual.result();
}

}  // namespace qnml
