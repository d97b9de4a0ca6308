#include "core/proving/cluster_program.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/numbers/dual_simplex.hpp"
#include "core/numbers/minus_infinity.hpp"
#include "core/proving/cluster_bound.hpp"
#include "core/proving/cluster_cuts.hpp"

namespace qnml {
namespace {

constexpr std::size_t kMostColumns = 4000;
constexpr std::size_t kMostRows = 1500;
constexpr std::size_t kCutsAtOnce = 100;
// Rounds without a better bound, by this share of the gap, before the program is left.
constexpr int kPatience = 10;
constexpr double kLeastProgress = 1e-3;
constexpr double kBetter = 1e-5;
constexpr double kLeastWeight = 1e-7;
constexpr double kRounded = 1e-3;
// Looking for violated clusters takes about as long as this many operations per choice.
constexpr std::uint64_t kCutWork = 20;

class Program {
 public:
  Program(const std::vector<std::vector<Choice>>& choices, const ClusterPrices& known, double enough,
          std::uint64_t& work, Control& control)
      : choices_(choices), enough_(enough), work_(work), control_(control), best_(bound_of_prices(choices, known)) {
    for (const auto& list : choices) n_choices_ += list.size();
    for (const ClusterPrices::Priced& priced : known.all()) clusters_.push_back(priced.cluster);
    select();
  }

  ClusterBound run() {
    while (is_worthwhile()) {
      if (!solve_selected()) break;
      if (!admit_better()) break;
    }
    return std::move(best_);
  }

 private:
  bool is_worthwhile() const {
    return best_.bound > enough_ && work_ > 0 && !control_.is_stopped() && choices_.size() < kMostRows;
  }

  void spend(std::uint64_t amount) { work_ -= std::min(work_, amount); }

  // The choices near the best of their child, at least one of each.
  void select() {
    std::vector<double> behind;
    std::vector<std::vector<double>> of_choice(choices_.size());
    for (std::size_t child = 0; child < choices_.size(); ++child) {
      for (const Choice& choice : choices_[child]) {
        const double value = choice.score + best_.prices.earned(child, choice.parents);
        of_choice[child].push_back(best_.most[child] - value);
        behind.push_back(best_.most[child] - value);
      }
    }
    spend(n_choices_ * (best_.prices.all().size() + 1));
    double most = std::numeric_limits<double>::infinity();
    if (behind.size() > kMostColumns) {
      std::nth_element(behind.begin(), behind.begin() + kMostColumns, behind.end());
      most = behind[kMostColumns];
    }
    selected_.assign(choices_.size(), {});
    is_selected_.assign(choices_.size(), {});
    for (std::size_t child = 0; child < choices_.size(); ++child) {
      is_selected_[child].assign(choices_[child].size(), 0);
      for (std::size_t c = 0; c < choices_[child].size(); ++c) {
        if (of_choice[child][c] > most || (of_choice[child][c] == most && most > 0.0)) continue;
        selected_[child].push_back(c);
        is_selected_[child][c] = 1;
      }
    }
  }

  std::vector<std::uint32_t> columns_of(const Cluster& cluster) const {
    std::vector<std::uint32_t> columns;
    for (int member : cluster.members.members()) {
      const auto child = static_cast<std::size_t>(member);
      for (std::size_t k = 0; k < selected_[child].size(); ++k) {
        if (cluster.is_earned(choices_[child][selected_[child][k]].parents)) {
          columns.push_back(static_cast<std::uint32_t>(first_[child] + k));
        }
      }
    }
    return columns;
  }

  // Solves the program of the selected choices, adding clusters until none is violated. False if there is no more to
  // gain.
  bool solve_selected() {
    std::vector<std::vector<double>> costs(choices_.size());
    first_.clear();
    std::size_t n_columns = 0;
    for (std::size_t child = 0; child < choices_.size(); ++child) {
      first_.push_back(n_columns);
      for (std::size_t c : selected_[child]) costs[child].push_back(choices_[child][c].score);
      n_columns += costs[child].size();
    }
    DualSimplex simplex(costs);
    for (const Cluster& cluster : clusters_) simplex.add(columns_of(cluster), cluster.rank);
    std::set<Cluster> known(clusters_.begin(), clusters_.end());
    int waited = 0;
    double last_gap = best_.bound - enough_;
    while (true) {
      const std::uint64_t before = simplex.work();
      const DualSimplex::Status status = simplex.solve(work_);
      spend(simplex.work() - before);
      weigh(simplex.prices(), status == DualSimplex::Status::infeasible);
      if (status == DualSimplex::Status::limit || !is_worthwhile()) return false;
      if (status == DualSimplex::Status::infeasible) break;
      use(simplex);
      const double gap = best_.bound - enough_;
      // Without a score to reach, every round is worth it.
      waited = std::isinf(gap) || gap < (1.0 - kLeastProgress) * last_gap ? 0 : waited + 1;
      last_gap = gap;
      if (waited > kPatience || simplex.n_rows() > kMostRows) break;
      bool is_cut = false;
      for (const Cluster& cluster : violated_clusters(shares_, kCutsAtOnce)) {
        if (!known.insert(cluster).second) continue;
        simplex.add(columns_of(cluster), cluster.rank);
        clusters_.push_back(cluster);
        is_cut = true;
      }
      spend(kCutWork * n_choices_);
      if (!is_cut) break;
    }
    last_ = simplex.prices();
    return true;
  }

  // Keeps the prices if they are better than those before. Those far along a ray are so large that sums of them are
  // rounded; they must prove more than that can amount to.
  void weigh(const std::vector<double>& prices, bool is_far) {
    ClusterPrices now(choices_.size());
    for (std::size_t k = 0; k < clusters_.size(); ++k) {
      if (prices[k] > 0.0) now.add(clusters_[k], prices[k]);
    }
    spend(n_choices_ * (now.all().size() / 4 + 1));
    ClusterBound found = bound_of_prices(choices_, std::move(now));
    if (!(found.bound < best_.bound)) return;
    if (is_far && !(found.bound < enough_ - kRounded * (1.0 + std::abs(enough_)))) return;
    found.usage = std::move(best_.usage);
    best_ = std::move(found);
  }

  void use(const DualSimplex& simplex) {
    shares_.assign(choices_.size(), {});
    best_.usage.assign(choices_.size(), {});
    for (std::size_t child = 0; child < choices_.size(); ++child) {
      best_.usage[child].assign(choices_[child].size(), 0.0);
      for (std::size_t k = 0; k < selected_[child].size(); ++k) {
        const double value = simplex.value(first_[child] + k);
        if (value < kLeastWeight) continue;
        best_.usage[child][selected_[child][k]] = value;
        shares_[child].push_back({choices_[child][selected_[child][k]].parents, value});
      }
    }
  }

  // Admits choices better than those selected, under the last prices. False if there are none.
  bool admit_better() {
    ClusterPrices now(choices_.size());
    std::vector<Cluster> priced;
    for (std::size_t k = 0; k < clusters_.size(); ++k) {
      if (last_[k] <= 0.0) continue;
      now.add(clusters_[k], last_[k]);
      priced.push_back(clusters_[k]);
    }
    clusters_ = std::move(priced);
    bool is_any = false;
    for (std::size_t child = 0; child < choices_.size(); ++child) {
      double most = kMinusInfinity;
      std::vector<std::pair<double, std::size_t>> others;
      for (std::size_t c = 0; c < choices_[child].size(); ++c) {
        const double value = choices_[child][c].score + now.earned(child, choices_[child][c].parents);
        if (is_selected_[child][c] != 0) {
          most = std::max(most, value);
        } else {
          others.emplace_back(-value, c);
        }
      }
      std::erase_if(others, [&](const auto& other) { return -other.first <= most + kBetter; });
      std::sort(others.begin(), others.end());
      const std::size_t share = std::max<std::size_t>(10, kMostColumns / choices_.size());
      if (others.size() > share) others.resize(share);
      for (const auto& [value, c] : others) {
        selected_[child].push_back(c);
        is_selected_[child][c] = 1;
        is_any = true;
      }
    }
    spend(n_choices_ * (clusters_.size() / 4 + 1));
    return is_any;
  }

  const std::vector<std::vector<Choice>>& choices_;
  double enough_;
  std::uint64_t& work_;
  Control& control_;
  ClusterBound best_;
  std::size_t n_choices_ = 0;
  std::vector<Cluster> clusters_;
  std::vector<std::vector<std::size_t>> selected_;
  std::vector<std::vector<char>> is_selected_;
  std::vector<std::size_t> first_;  // column of each child
  std::vector<std::vector<Share>> shares_;
  std::vector<double> last_;  // prices
};

}  // namespace

ClusterBound cluster_program(const std::vector<std::vector<Choice>>& choices, const ClusterPrices& known, double enough,
                             std::uint64_t& work, Control& control) {
  return Program(choices, known, enough, work, control).run();
}

}  // namespace qnml
