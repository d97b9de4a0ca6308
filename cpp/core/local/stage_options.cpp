#include "core/local/stage_options.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/local/best_order.hpp"
#include "core/local/equivalence_search.hpp"
#include "core/local/hill_climb.hpp"
#include "core/local/tuning.hpp"

namespace qnml {
namespace {

template <class T>
T for_effort(const tuning::PerEffort<T>& values, Effort effort) {
  switch (effort) {
    case Effort::quick:
      return values.quick;
    case Effort::usual:
      return values.usual;
    case Effort::thorough:
      return values.thorough;
  }
  return values.usual;
}

// The limit counts families, not time, so that results do not depend on the machine.
double most_work(const StageSetting& setting, ClimbRole role = ClimbRole::alone) {
  if (setting.most_work > 0.0) return setting.most_work;
  if (setting.effort == Effort::thorough) return std::numeric_limits<double>::infinity();
  const double per_pair =
      role == ClimbRole::after_orders ? tuning::work::kFamiliesPerPairLast : tuning::work::kFamiliesPerPair;
  return tuning::work::kFamilies + per_pair * setting.n_variables * setting.n_variables;
}

int climb_shakes(const StageSetting& setting) {
  switch (setting.effort) {
    case Effort::quick:
      return std::clamp(setting.n_variables, tuning::climb::kLeastQuickShakes, tuning::climb::kMostQuickShakes);
    case Effort::usual:
      return tuning::climb::kUsualShakes;
    case Effort::thorough:
      return tuning::climb::kThoroughShakes;
  }
  return 0;
}

int usual_class_patience(const StageSetting& setting, bool is_after_orders) {
  using namespace tuning::classes;
  const int n = setting.n_variables;
  const bool has_many_rows = setting.rows > tuning::kManyRows;
  int patience = std::min(n, kPatienceLinearFrom) * (n - kPatienceOffset) / kPatienceDivisor;
  int least = kLeastPatience;
  if (is_after_orders) {
    patience = patience * std::min(n, tuning::orders::kSmallUpTo) / tuning::orders::kSmallUpTo;
    least = std::min((has_many_rows ? kLeastTimesNManyRows : kLeastTimesN) / std::max(n, 1), kMostLeastAfterOrders);
  }
  if (has_many_rows) patience *= kPatienceFactorManyRows;
  return std::clamp(patience, least, kMostPatience);
}

int class_patience(const StageSetting& setting, bool is_after_orders) {
  switch (setting.effort) {
    case Effort::quick:
      return tuning::classes::kQuickPatience;
    case Effort::usual:
      return usual_class_patience(setting, is_after_orders);
    case Effort::thorough:
      return tuning::classes::kThoroughPatience;
  }
  return 0;
}

void set_usual_orders(const StageSetting& setting, OrderOptions& options) {
  using namespace tuning::orders;
  const int n = setting.n_variables;
  options.chains = setting.is_equivalent ? kUsualChainsBeforeClasses : kUsualChains;
  options.rounds = setting.is_equivalent ? kUsualRoundsBeforeClasses : kUsualRounds;
  options.shakes = std::min(kUsualShakes, n);
  const bool is_small = n <= kSmallUpTo && (n > kTinyUpTo || !setting.is_equivalent);
  if (is_small && setting.rows <= tuning::kManyRows) {
    options.chains = std::max(options.chains, std::min(kSmallChainsTimesN / std::max(n, 1), kMostSmallChains));
    options.shakes = std::min(kSmallShakes, n);
    options.reroots = kReroots;
  }
  options.patience = kUsualPatience;
  options.least_gain = kUsualLeastGain;
  options.pair_partners = kPairPartners;
  options.tries_all_pairs = n <= kAllPairsUpTo;
}

void set_thorough_orders(const StageSetting& setting, OrderOptions& options) {
  using namespace tuning::orders;
  options.chains = kThoroughChains;
  options.rounds = kThoroughRounds;
  options.shakes = std::max(kThoroughShakes, setting.n_variables);
  options.reroots = kReroots;
  options.patience = kThoroughPatience;
  options.tries_all_pairs = setting.n_variables <= kAllPairsThoroughUpTo;
}

}  // namespace

ClimbOptions climb_options(const StageSetting& setting, ClimbRole role) {
  using namespace tuning::climb;
  ClimbOptions options;
  options.most_work = most_work(setting, role);
  if (role != ClimbRole::after_orders) options.starts = setting.n_variables <= kSeveralStartsUpTo ? kStarts : 1;
  // A climb before an order search only has to provide a start.
  const Effort effort = role == ClimbRole::before_orders ? Effort::quick : setting.effort;
  options.tabu = options.patience = for_effort(kTabu, effort);
  if (role == ClimbRole::before_orders) return options;
  options.seed = setting.seed;
  options.shakes =
      role == ClimbRole::after_orders ? for_effort(kShakesAfterOrders, setting.effort) : climb_shakes(setting);
  return options;
}

EquivalenceOptions class_options(const StageSetting& setting, ClimbRole role) {
  EquivalenceOptions options;
  options.most_cliques = for_effort(tuning::classes::kMostCliques, setting.effort);
  options.seed = setting.seed;
  options.memory_bytes = std::min(options.memory_bytes, tuning::memory::kGainingParentsShare * setting.memory_limit);
  options.most_work = most_work(setting, role);
  const bool is_after_orders = role == ClimbRole::after_orders;
  const bool is_single_climb =
      role == ClimbRole::before_orders || (role == ClimbRole::alone && setting.effort == Effort::quick);
  if (is_single_climb) return options;
  options.shakes = for_effort(tuning::classes::kShakes, setting.effort);
  options.patience = class_patience(setting, is_after_orders);
  return options;
}

OrderOptions order_options(const StageSetting& setting) {
  OrderOptions options;
  options.seed = setting.seed;
  options.memory_bytes = tuning::memory::kParentSetsShare * setting.memory_limit;
  options.most_work = most_work(setting);
  switch (setting.effort) {
    case Effort::quick:
      options.chains = tuning::orders::kQuickChains;
      options.pair_partners = tuning::orders::kPairPartners;
      break;
    case Effort::usual:
      set_usual_orders(setting, options);
      break;
    case Effort::thorough:
      set_thorough_orders(setting, options);
      break;
  }
  return options;
}

ProvingEffort proving_effort(const StageSetting& setting, bool follows_orders) {
  using namespace tuning::proving;
  const auto n = static_cast<std::uint64_t>(setting.n_variables);
  switch (setting.effort) {
    case Effort::quick:
      return {0, 0};
    case Effort::usual:
      if (follows_orders && setting.n_variables <= kProvenUpTo) {
        return {std::clamp(kMoreVisits * n * n * setting.rows, kLeastVisits, kMostVisitsOfOrders), kUsualCases};
      }
      return {std::clamp(n * n * setting.rows, kLeastVisits, kMostVisits), kUsualCases};
    case Effort::thorough:
      return {kThoroughVisits, kThoroughCases};
  }
  return {};
}

}  // namespace qnml
