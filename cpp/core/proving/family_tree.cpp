#include "core/proving/family_tree.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/columns.hpp"
#include "core/graph/rules.hpp"
#include "core/numbers/minus_infinity.hpp"
#include "core/numbers/variable_set.hpp"
#include "core/proving/cluster_bound.hpp"
#include "core/proving/remaining_fits.hpp"
#include "core/scores/family_cache.hpp"
#include "core/scores/superset_bound.hpp"

namespace qnml {
namespace {

// Least number of candidates of a node to decide on before other nodes get their turn, so that labelling its rows pays.
constexpr std::size_t kLeastTurn = 4;
constexpr std::size_t kScoredTogether = 8;

// Scores and bounds are sums of many rounded terms. Bounds are rounded up far enough that comparisons with them do not
// depend on the order in which the rows were visited.
double rounded_up(double value) {
  constexpr double kSteps = 1e6;
  return std::ceil((value + 1e-11 * std::abs(value)) * kSteps + 0.25) / kSteps;
}

// Number of distinct labels, all below `end`. May reorder or overwrite them.
std::uint64_t n_distinct(std::vector<std::uint64_t>& labels, std::uint64_t end, std::vector<char>& is_seen) {
  if (is_too_sparse(end, labels.size())) {
    std::sort(labels.begin(), labels.end());
    return static_cast<std::uint64_t>(std::unique(labels.begin(), labels.end()) - labels.begin());
  }
  is_seen.assign(end, 0);
  for (std::uint64_t label : labels) is_seen[label] = 1;
  return static_cast<std::uint64_t>(std::count(is_seen.begin(), is_seen.end(), 1));
}

}  // namespace

FamilyTree::FamilyTree(FamilyCache& families, const Rules& rules, const SupersetBound& bound,
                       const LogCounts& log_counts, int child)
    : cache_(families),
      rules_(rules),
      bound_(bound),
      log_counts_(log_counts),
      child_(child),
      child_levels_(families.table().levels(child)),
      most_parents_(rules.max_parents[static_cast<std::size_t>(child)]) {}

void FamilyTree::start(std::uint64_t work) {
  const std::vector<int> required = rules_.required.members(child_);
  const double alone = cache_.score(child_, required);
  const VariableSet parents = VariableSet::of(required);
  families_.push_back({parents, alone});
  for (int candidate : rules_.allowed.members(child_)) {
    if (!rules_.required.test(child_, candidate)) order_.push_back(candidate);
  }
  const bool has_room = static_cast<int>(required.size()) < rules_.max_parents[static_cast<std::size_t>(child_)];
  if (order_.empty() || !has_room) return;
  std::vector<double> scores(order_.size());
  cache_.additions(child_, required, order_, scores.data());
  std::vector<std::size_t> by_gain(order_.size());
  for (std::size_t k = 0; k < by_gain.size(); ++k) by_gain[k] = k;
  std::stable_sort(by_gain.begin(), by_gain.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  std::vector<int> sorted;
  sorted.reserve(by_gain.size());
  for (std::size_t k : by_gain) sorted.push_back(order_[k]);
  order_ = std::move(sorted);
  const std::uint64_t passes = 5 * order_.size();
  if (passes * cache_.table().rows <= work) {
    order_ = order_by_fit(cache_.table().of(child_), child_, order_);
    visits_ += passes * cache_.table().rows;
  }
  smallest_levels_.assign(order_.size() + 1, std::numeric_limits<double>::infinity());
  for (std::size_t place = order_.size(); place-- > 0;) {
    const double levels = cache_.table().levels(order_[place]);
    smallest_levels_[place] = std::min(smallest_levels_[place + 1], levels);
  }
  SupersetBound::Parents empty;
  for (int parent : required) {
    empty.levels = empty.levels.times(cache_.table().levels(parent));
  }
  empty.size = static_cast<int>(required.size());
  if (empty.levels.value * smallest_levels_[0] * child_levels_ > rules_.most_cells) return;
  open_.push_back({parents, 0, 0.0, bound_of(with_smallest(empty, 0), 0.0), 0.0});
}

double FamilyTree::best_inside(const VariableSet& parents) const {
  double best = kMinusInfinity;
  for (const Choice& family : families_) {
    if (family.score > best && family.parents.is_inside(parents)) best = family.score;
  }
  return best;
}

double FamilyTree::bound_of(const SupersetBound::Parents& parents, double fit) const {
  const double bound = bound_(child_levels_, parents, fit, most_parents_);
  return std::isinf(bound) ? bound : rounded_up(bound);
}

// A proper superset has at least one more candidate.
SupersetBound::Parents FamilyTree::with_smallest(const SupersetBound::Parents& parents, std::size_t place) const {
  SupersetBound::Parents larger = parents;
  larger.levels = parents.levels.times(smallest_levels_[place]);
  ++larger.size;
  return larger;
}

bool FamilyTree::clears(double bound, const VariableSet& parents, const Hurdle& hurdle, double& value) const {
  value = bound + hurdle.prices->earned(static_cast<std::size_t>(child_), parents);
  return value >= hurdle.least && bound > best_inside(parents);
}

void FamilyTree::list(const VariableSet& parents, double score, const Hurdle& hurdle) {
  if (score == kMinusInfinity || best_inside(parents) >= score) return;
  if (score + hurdle.prices->earned(static_cast<std::size_t>(child_), parents) < hurdle.least) return;
  families_.push_back({parents, score});
}

void FamilyTree::push(Node node) {
  open_.push_back(node);
  std::push_heap(open_.begin(), open_.end(), [](const Node& a, const Node& b) { return a.value < b.value; });
}

void FamilyTree::expand(const Node& node, const Hurdle& hurdle, RemainingFits& fits) {
  const Columns& table = cache_.table().of(child_);
  const std::vector<int> members = node.parents.members();
  SupersetBound::Parents mine;
  for (int parent : members) mine.levels = mine.levels.times(table.levels(parent));
  mine.size = static_cast<int>(members.size());
  label_rows(table, members, labels_);
  visits_ += table.rows * (members.size() + 1);
  if (bound_.needs_counts()) {
    config_counts_.assign(labels_.count, 0);
    cell_labels_.clear();
    with_codes(table.at(child_), [&](const auto* codes) {
      for (std::size_t row = 0; row < table.rows; ++row) {
        config_counts_[labels_.of_row[row]] += table.weights == nullptr ? 1 : table.weights[row];
        cell_labels_.push_back(std::uint64_t{labels_.of_row[row]} * child_levels_ + codes[row]);
      }
    });
    mine.cells = n_distinct(cell_labels_, std::uint64_t{labels_.count} * child_levels_, is_seen_);
    std::erase(config_counts_, 0);
    mine.configs = config_counts_.size();
    mine.price = bound_.price(config_counts_, child_levels_);
  }
  const bool children_may_grow = mine.size + 1 < rules_.max_parents[static_cast<std::size_t>(child_)];
  std::vector<double> scores;
  std::size_t scored_to = node.place;
  const std::size_t first = node.place;
  for (std::size_t place = first; place < order_.size(); ++place) {
    const double fit = std::min(node.fit, fits(labels_, place));
    mine.mixed = fits.mixed();
    Node rest{node.parents, static_cast<std::uint32_t>(place), fit, 0.0, 0.0};
    rest.bound = bound_of(with_smallest(mine, place), fit);
    if (!clears(rest.bound, rest.parents, hurdle, rest.value)) return;
    if (place >= first + kLeastTurn && !open_.empty() && rest.value < open_.front().value) return push(rest);
    if (place == scored_to) {
      const std::size_t last = std::min(order_.size(), place + kScoredTogether);
      scores.resize(last - place);
      cache_.additions(child_, members, std::span(order_).subspan(place, last - place), scores.data());
      visits_ += table.rows * (last - place);
      scored_to = last;
    }
    const int candidate = order_[place];
    const double levels = table.levels(candidate);
    Node larger{node.parents, static_cast<std::uint32_t>(place + 1), fit, 0.0, 0.0};
    larger.parents.add(candidate);
    list(larger.parents, scores[scores.size() - (scored_to - place)], hurdle);
    if (!children_may_grow || place + 1 == order_.size()) continue;
    SupersetBound::Parents with_candidate = mine;
    with_candidate.levels = mine.levels.times(levels);
    ++with_candidate.size;
    const SupersetBound::Parents still_larger = with_smallest(with_candidate, place + 1);
    if (still_larger.levels.value * child_levels_ > rules_.most_cells) continue;
    larger.bound = bound_of(still_larger, fit);
    if (clears(larger.bound, larger.parents, hurdle, larger.value)) push(larger);
  }
}

void FamilyTree::grow(const Hurdle& hurdle, std::uint64_t work, std::size_t most_open, Control& control) {
  if (open_.empty() || open_.size() >= most_open) return;
  RemainingFits fits(cache_.table().of(child_), log_counts_, child_, order_);
  const std::uint64_t most = visits_ + work;
  drop(hurdle);
  std::make_heap(open_.begin(), open_.end(), [](const Node& a, const Node& b) { return a.value < b.value; });
  while (!open_.empty() && open_.size() < most_open && visits_ + fits.visits() < most && !control.is_stopped()) {
    std::pop_heap(open_.begin(), open_.end(), [](const Node& a, const Node& b) { return a.value < b.value; });
    const Node node = open_.back();
    open_.pop_back();
    if (node.bound > best_inside(node.parents)) expand(node, hurdle, fits);
  }
  visits_ += fits.visits();
  // Frees the scratch memory: there are many trees, and few grow at a time.
  labels_ = RowLabels();
  config_counts_ = {};
  cell_labels_ = {};
  is_seen_ = {};
}

void FamilyTree::drop(const Hurdle& hurdle) {
  std::erase_if(families_, [&](const Choice& family) {
    return family.score + hurdle.prices->earned(static_cast<std::size_t>(child_), family.parents) < hurdle.least;
  });
  std::erase_if(open_, [&](Node& node) { return !clears(node.bound, node.parents, hurdle, node.value); });
}

double FamilyTree::most(const ClusterPrices& prices) const {
  const auto child = static_cast<std::size_t>(child_);
  double most = kMinusInfinity;
  for (const Choice& family : families_) most = std::max(most, family.score + prices.earned(child, family.parents));
  for (const Node& node : open_) most = std::max(most, node.bound + prices.earned(child, node.parents));
  return most;
}

std::vector<Choice> FamilyTree::choices() const {
  std::vector<Choice> all = families_;
  for (const Node& node : open_) all.push_back({node.parents, node.bound, true});
  std::stable_sort(all.begin(), all.end(), [](const Choice& a, const Choice& b) { return a.score > b.score; });
  std::vector<Choice> kept;
  for (const Choice& choice : all) {
    const bool is_beaten = std::any_of(kept.begin(), kept.end(),
                                       [&](const Choice& better) { return better.parents.is_inside(choice.parents); });
    if (!is_beaten) kept.push_back(choice);
  }
  return kept;
}

}  // namespace qnml
