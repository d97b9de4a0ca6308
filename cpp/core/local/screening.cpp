#include "core/local/screening.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/graph/bit_rows.hpp"
#include "core/graph/rules.hpp"
#include "core/numbers/level_product.hpp"
#include "core/problem/search_problem.hpp"
#include "core/scores/family_cache.hpp"
#include "core/scores/score.hpp"
#include "core/scores/superset_bound.hpp"

namespace qnml {
namespace {

struct Single {
  double gain;
  int variable;
};

void keep_best(std::vector<Single>& singles, std::size_t most) {
  auto better = [](const Single& a, const Single& b) {
    return a.gain != b.gain ? a.gain > b.gain : a.variable < b.variable;
  };
  if (singles.size() <= most) return;
  std::nth_element(singles.begin(), singles.begin() + static_cast<std::ptrdiff_t>(most), singles.end(), better);
  singles.resize(most);
}

class PairScreen {
 public:
  PairScreen(FamilyCache& families, std::size_t most, Control& control, int threads)
      : families_(families),
        size_(static_cast<std::size_t>(families.n_variables())),
        most_(most),
        control_(control),
        threads_(threads),
        everyone_(size_),
        alone_(size_),
        singles_(size_),
        best_single_(size_, std::numeric_limits<double>::infinity()) {
    std::iota(everyone_.begin(), everyone_.end(), 0);
  }

  // For each child, those that gain as its only parent.
  const std::vector<std::vector<Single>>& singles() const { return singles_; }
  const std::vector<double>& best_single() const { return best_single_; }

  void run() {
    parallel_for(size_, threads_,
                 [&](int, std::size_t child) { alone_[child] = families_.score(static_cast<int>(child), {}); });
    if (families_.is_equivalent()) {
      count_once();
    } else {
      count_both_ways();
    }
  }

 private:
  // The gain of a pair is f(i, j) - f(i) - f(j), whichever is the child.
  void count_once() {
    std::vector<std::vector<double>> later(size_);  // gains with those of higher numbers
    parallel_for(size_, threads_, [&](int, std::size_t child) {
      if (control_.is_stopped()) return;
      later[child].resize(size_ - child - 1);
      families_.additions(static_cast<int>(child), {}, std::span(everyone_).subspan(child + 1), later[child].data());
      for (double& score : later[child]) score -= alone_[child];
      control_.advance(1.0);
    });
    if (control_.is_stopped()) return;
    parallel_for(size_, threads_, [&](int, std::size_t child) {
      for (std::size_t other = 0; other < child; ++other) see(child, other, later[other][child - other - 1]);
      for (std::size_t other = child + 1; other < size_; ++other) see(child, other, later[child][other - child - 1]);
      finish(child);
    });
  }

  void count_both_ways() {
    parallel_for(size_, threads_, [&](int, std::size_t child) {
      if (control_.is_stopped()) return;
      std::vector<int> others = everyone_;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(child));
      std::vector<double> scores(others.size());
      families_.additions(static_cast<int>(child), {}, others, scores.data());
      for (std::size_t k = 0; k < others.size(); ++k) {
        see(child, static_cast<std::size_t>(others[k]), scores[k] - alone_[child]);
      }
      finish(child);
      control_.advance(1.0);
    });
  }

  void see(std::size_t child, std::size_t other, double gain) {
    if (gain > families_.tolerance()) singles_[child].push_back({gain, static_cast<int>(other)});
  }

  void finish(std::size_t child) {
    best_single_[child] = alone_[child];
    for (const Single& single : singles_[child]) {
      best_single_[child] = std::max(best_single_[child], alone_[child] + single.gain);
    }
    keep_best(singles_[child], most_);
  }

  FamilyCache& families_;
  std::size_t size_;
  std::size_t most_;
  Control& control_;
  int threads_;
  std::vector<int> everyone_;
  std::vector<double> alone_;
  std::vector<std::vector<Single>> singles_;
  std::vector<double> best_single_;
};

}  // namespace

Screening screen(FamilyCache& families, const Rules& rules, int most, Control& control, int threads) {
  const int n = families.n_variables();
  PairScreen pairs(families, static_cast<std::size_t>(std::max(most, 0)), control, threads);
  pairs.run();
  Screening result;
  BitRows chosen = rules.required;
  for (int child = 0; child < n; ++child) {
    for (const Single& single : pairs.singles()[static_cast<std::size_t>(child)]) {
      if (rules.allowed.test(child, single.variable)) chosen.set(child, single.variable);
      // A search rarely gets rid of an arc that it cannot reverse.
      if (rules.allowed.test(single.variable, child)) chosen.set(single.variable, child);
    }
  }
  for (int child = 0; child < n; ++child) result.candidates.push_back(chosen.members(child));
  result.best_single = pairs.best_single();
  for (int child = 0; child < n; ++child) {
    // Required parents are exempt from the cell limit, but the reverse families, which may have been counted instead,
    // are not.
    const std::vector<int> required = rules.required.members(child);
    double& best = result.best_single[static_cast<std::size_t>(child)];
    if (!required.empty()) best = std::max(best, families.score(child, required));
  }
  result.complete = !control.is_stopped();
  return result;
}

double unrelated_bound(const SearchProblem& problem, const std::vector<double>& best_single) {
  // The two smallest numbers of levels other than the child's are at least the two smallest of all.
  const std::vector<LevelProduct> fewest = fewest_levels(problem.table);
  KnownParents two;
  two.size = 2;
  two.levels = fewest[std::min<std::size_t>(2, fewest.size() - 1)];
  double bound = 0.0;
  for (std::size_t child = 0; child < best_single.size(); ++child) {
    const auto column = static_cast<int>(child);
    const Score& score = *problem.score_of(column);
    const std::uint32_t r = problem.table.levels(column);
    two.price = score.config_price(problem.table.of(column).total, r);
    const double larger = bound_with_prior(score, r, two, 0.0, fewest);  // of families with two parents or more
    const double single = best_single[child];
    bound += std::isinf(single) ? std::max(larger, 0.0) : std::max(single, larger);
  }
  return bound;
}

}  // namespace qnml
