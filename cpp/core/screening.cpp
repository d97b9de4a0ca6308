#include "core/screening.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "core/regret.hpp"

namespace qnml {
namespace {

struct Single {
  double gain;
  int variable;
};

// At most what one parent can have, of no other child.
void keep_best(std::vector<Single>& singles, std::size_t most) {
  auto better = [](const Single& a, const Single& b) {
    return a.gain != b.gain ? a.gain > b.gain : a.variable < b.variable;
  };
  if (singles.size() <= most) return;
  std::nth_element(singles.begin(), singles.begin() + static_cast<std::ptrdiff_t>(most), singles.end(), better);
  singles.resize(most);
}

}  // namespace

Screening screen(FamilyCache& families, const ArcRules& rules, int most, Control& control, int threads) {
  const int n = families.n_variables();
  const auto size = static_cast<std::size_t>(n);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Screening result;
  result.candidates.resize(size);
  result.best_single.assign(size, kInfinity);
  std::vector<std::vector<Single>> singles(size);
  // Pairs first, from the lower variable: for set functions the other direction is then known.
  std::vector<int> everyone(size);
  for (int variable = 0; variable < n; ++variable) everyone[static_cast<std::size_t>(variable)] = variable;
  parallel_for(size, threads, [&](int, std::size_t child) {
    if (control.is_stopped() || child + 1 == size) return;
    std::vector<double> scores(size - child - 1);
    families.additions(static_cast<int>(child), {}, std::span(everyone).subspan(child + 1), scores.data());
    control.advance(0.5);
  });
  parallel_for(size, threads, [&](int, std::size_t child) {
    if (control.is_stopped()) return;
    std::vector<int> others = everyone;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(child));
    std::vector<double> scores(others.size());
    families.additions(static_cast<int>(child), {}, others, scores.data());
    const double alone = families.score(static_cast<int>(child), {});
    double best = alone;
    for (std::size_t k = 0; k < others.size(); ++k) {
      best = std::max(best, scores[k]);
      const double gain = scores[k] - alone;
      if (gain > families.tolerance()) singles[child].push_back({gain, others[k]});
    }
    result.best_single[child] = best;
    keep_best(singles[child], static_cast<std::size_t>(std::max(most, 0)));
    control.advance(0.5);
  });
  BitRows chosen = rules.required;
  for (int child = 0; child < n; ++child) {
    for (const Single& single : singles[static_cast<std::size_t>(child)]) {
      if (rules.allowed.test(child, single.variable)) chosen.set(child, single.variable);
      // An arc that cannot be reversed is hard to get rid of.
      if (rules.allowed.test(single.variable, child)) chosen.set(single.variable, child);
    }
  }
  for (int child = 0; child < n; ++child) result.candidates[static_cast<std::size_t>(child)] = chosen.members(child);
  result.complete = !control.is_stopped();
  return result;
}

double unrelated_bound(const Columns& table, ScoreKind kind, double parameter, const std::vector<double>& best_single) {
  const auto score = make_score(kind, parameter, table.total, static_cast<int>(table.columns.size()));
  const auto* cell_score = dynamic_cast<const CellScore*>(score.get());
  // The two smallest numbers of levels other than the child's are at least the two smallest of all.
  std::vector<double> levels;
  for (const Column& column : table.columns) levels.push_back(column.levels);
  std::sort(levels.begin(), levels.end());
  LevelProduct two;
  for (std::size_t k = 0; k < std::min<std::size_t>(2, levels.size()); ++k) two = two.times(levels[k]);
  double bound = 0.0;
  for (std::size_t child = 0; child < best_single.size(); ++child) {
    const double r = table.columns[child].levels;
    double larger = 0.0;  // of families with two parents or more; for the proofs see FixedScore::upper_bound
    switch (kind) {
      case ScoreKind::loglik:
      case ScoreKind::aic:
      case ScoreKind::bic:
      case ScoreKind::hqc:
      case ScoreKind::ebic:
      case ScoreKind::qnml:
      case ScoreKind::bdq:
        larger = cell_score->price(two, 2) - cell_score->price(two.times(r), 3);
        break;
      case ScoreKind::fnml:
        larger = -regret(static_cast<std::int64_t>(table.total), r);
        break;
      case ScoreKind::bdeu:
      case ScoreKind::bds:
      case ScoreKind::bdj:
      case ScoreKind::k2:
        larger = -std::log(r);
        break;
    }
    const double single = best_single[child];
    bound += std::isinf(single) ? std::max(larger, 0.0) : std::max(single, larger);
  }
  return bound;
}

}  // namespace qnml
