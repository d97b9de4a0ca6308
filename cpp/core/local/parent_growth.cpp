#include "core/local/parent_growth.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/graph/rules.hpp"
#include "core/local/parent_pairs.hpp"
#include "core/local/tuning.hpp"
#include "core/scores/family_cache.hpp"

namespace qnml {
namespace {

const ParentSteps kNoSteps;

// A node of the map with its vector and the overhead of the allocator.
constexpr double kBytesPerSet = 160.0;

struct HashOfSet {
  std::size_t operator()(const std::vector<int>& set) const {
    std::uint64_t hash = set.size();
    for (int member : set) hash = (hash ^ static_cast<std::uint64_t>(member)) * 0x9e3779b97f4a7c15ULL + (hash >> 29);
    return static_cast<std::size_t>(hash ^ hash >> 32);
  }
};

struct Change {
  double score;
  int added;
  int dropped;
};

// The changes that score more than `least`, best first; among ties those that only drop, then the lowest.
std::unique_ptr<ParentSteps> sorted_gains(std::vector<Change>& changes, double least) {
  const std::size_t families = changes.size();
  std::erase_if(changes, [&](const Change& change) { return change.score <= least; });
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return std::tie(b.score, a.added, a.dropped) < std::tie(a.score, b.added, b.dropped);
  });
  auto steps = std::make_unique<ParentSteps>();
  steps->count = changes.size();
  steps->families = families;
  steps->steps = std::make_unique<ParentStep[]>(changes.size());
  for (std::size_t k = 0; k < changes.size(); ++k) {
    steps->steps[k].score = changes[k].score;
    steps->steps[k].added = changes[k].added;
    steps->steps[k].dropped = changes[k].dropped;
  }
  return steps;
}

ParentPairs best_first(std::vector<PairScore> found) {
  std::sort(found.begin(), found.end(), [](const PairScore& a, const PairScore& b) {
    return std::tie(b.score, a.first, a.second) < std::tie(a.score, b.first, b.second);
  });
  ParentPairs pairs;
  pairs.count = std::min(found.size(), tuning::orders::kMostPairs);
  pairs.pairs = std::make_unique<ParentPair[]>(pairs.count);
  for (std::size_t k = 0; k < pairs.count; ++k) {
    pairs.pairs[k].score = found[k].score;
    pairs.pairs[k].first = found[k].first;
    pairs.pairs[k].second = found[k].second;
  }
  return pairs;
}

// Related variables often have neighbouring columns, and count the same sets. In this order threads are at work on
// children far apart, so that seldom two of them count a set at the same time.
class Scattered {
 public:
  explicit Scattered(std::size_t size)
      : size_(size), step_(static_cast<std::size_t>(0.618 * static_cast<double>(size)) | 1) {
    while (std::gcd(step_, size_) != 1) step_ += 2;
  }
  std::size_t operator[](std::size_t turn) const { return turn * step_ % size_; }

 private:
  std::size_t size_;
  std::size_t step_;
};

std::vector<int> without(const std::vector<int>& set, int member) {
  std::vector<int> rest = set;
  rest.erase(std::lower_bound(rest.begin(), rest.end(), member));
  return rest;
}

}  // namespace

struct ParentGrowth::Sets {
  std::mutex lock;
  std::unordered_map<std::vector<int>, std::unique_ptr<ParentSet>, HashOfSet> reached;
  std::vector<std::unique_ptr<ParentSteps>> steps;
  double bytes = 0.0;
};

ParentGrowth::ParentGrowth(FamilyCache& families, const Rules& rules, const std::vector<std::vector<int>>* candidates,
                           double memory_bytes, Control& control)
    : families_(families),
      rules_(rules),
      all_candidates_(candidates),
      candidates_(candidates),
      memory_bytes_(memory_bytes),
      control_(control),
      words_(rules.allowed.words()),
      required_(static_cast<std::size_t>(families.n_variables())),
      pairs_(required_.size()) {
  for (int child = 0; child < n_variables(); ++child) {
    ParentSet& start = required_[static_cast<std::size_t>(child)];
    start.parents = rules.required.members(child);
    start.score = families.score(child, start.parents);
    sets_.push_back(std::make_unique<Sets>());
  }
}

ParentGrowth::~ParentGrowth() = default;

void ParentGrowth::begin(int pair_partners, bool tries_all_pairs, int threads) {
  std::vector<std::vector<int>> narrowed(required_.size());
  const Scattered order(required_.size());
  parallel_for(required_.size(), threads, [&](int, std::size_t turn) {
    const std::size_t index = order[turn];
    const int child = static_cast<int>(index);
    std::unique_ptr<ParentSteps> unkept;
    const ParentSteps& alone = look(child, required_[index], required_[index].singles, unkept);
    narrowed[index] =
        find_pairs(child, alone, pair_partners > 0 ? pair_partners : tuning::orders::kPairPartners, tries_all_pairs);
  });
  if (pair_partners == 0) return;
  narrowed_ = std::move(narrowed);
  examined_.resize(narrowed_.size());
  candidates_ = &narrowed_;
}

std::vector<int> ParentGrowth::find_pairs(int child, const ParentSteps& alone, int pair_partners,
                                          bool tries_all_pairs) {
  const ParentSet& start = required_[at(child)];
  std::vector<int> gaining;
  gaining.reserve(alone.count);
  for (std::size_t k = 0; k < alone.count; ++k) gaining.push_back(alone.steps[k].added);
  std::sort(gaining.begin(), gaining.end());
  std::vector<SingleScore> best;
  std::vector<const ParentSteps*> next_to;
  std::vector<std::unique_ptr<ParentSteps>> unkept(std::min(alone.count, static_cast<std::size_t>(pair_partners)));
  std::vector<int> found = gaining;
  for (std::size_t k = 0; k < unkept.size(); ++k) {
    const ParentSet* set = follow(child, start, alone.steps[k]);
    best.push_back({set->score, alone.steps[k].added});
    next_to.push_back(&look(child, *set, set->singles, unkept[k]));
    for (std::size_t j = 0; j < next_to[k]->count; ++j) {
      if (next_to[k]->steps[j].added >= 0) found.push_back(next_to[k]->steps[j].added);
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());

  CompanionScores scores(std::move(best), found);
  for (std::size_t k = 0; k < next_to.size(); ++k) {
    for (std::size_t j = 0; j < next_to[k]->count; ++j) {
      const ParentStep& step = next_to[k]->steps[j];
      if (step.added >= 0) scores.set(k, step.added, step.score);
    }
  }
  std::vector<PairScore> pairs = scores.hidden(tolerance());
  const bool has_room = static_cast<int>(start.parents.size()) + 2 <= rules_.max_parents[at(child)];
  if (tries_all_pairs && has_room && !control_.is_stopped()) {
    std::vector<int> not_gaining = possible_parents(child, start.parents, rules_, all_candidates_);
    std::erase_if(not_gaining, [&](int other) { return std::binary_search(gaining.begin(), gaining.end(), other); });
    const auto more = jointly_gaining_pairs(families_, child, start.parents, not_gaining, start.score + tolerance());
    pairs.insert(pairs.end(), more.begin(), more.end());
  }
  pairs_[at(child)] = best_first(std::move(pairs));
  return found;
}

bool ParentGrowth::widen(const std::vector<std::vector<std::vector<int>>>& networks, int threads) {
  if (candidates_ != &narrowed_) return false;
  std::atomic<bool> is_wider{false};
  const Scattered order(narrowed_.size());
  parallel_for(narrowed_.size(), threads, [&](int, std::size_t turn) {
    const std::size_t child = order[turn];
    std::vector<std::vector<int>>& examined = examined_[child];
    std::vector<int> gains;
    for (const auto& network : networks) {
      if (control_.is_stopped() || std::find(examined.begin(), examined.end(), network[child]) != examined.end()) {
        continue;
      }
      add_gains(static_cast<int>(child), network[child], gains);
      examined.push_back(network[child]);
    }
    std::vector<int>& known = narrowed_[child];
    const std::size_t before = known.size();
    known.insert(known.end(), gains.begin(), gains.end());
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    if (known.size() == before) return;
    forget(static_cast<int>(child));
    is_wider = true;
  });
  return is_wider;
}

// The parents themselves, and the variables that gain next to them.
void ParentGrowth::add_gains(int child, const std::vector<int>& parents, std::vector<int>& gains) {
  gains.insert(gains.end(), parents.begin(), parents.end());
  if (static_cast<int>(parents.size()) >= rules_.max_parents[static_cast<std::size_t>(child)]) return;
  const std::vector<int> more = possible_parents(child, parents, rules_, all_candidates_);
  std::vector<double> scores(more.size());
  families_.additions(child, parents, more, scores.data());
  const double least = families_.score(child, parents) + families_.tolerance();
  for (std::size_t k = 0; k < more.size(); ++k) {
    if (scores[k] > least) gains.push_back(more[k]);
  }
}

void ParentGrowth::forget() {
  for (int child = 0; child < n_variables(); ++child) forget(child);
}

void ParentGrowth::forget(int child) {
  required_[at(child)].singles.store(nullptr, std::memory_order_relaxed);
  required_[at(child)].exchanges.store(nullptr, std::memory_order_relaxed);
  const ParentPairs& pairs = pairs_[at(child)];
  for (std::size_t k = 0; k < pairs.count; ++k) pairs.pairs[k].next.store(nullptr, std::memory_order_relaxed);
  bytes_ -= sets_[at(child)]->bytes;
  sets_[at(child)] = std::make_unique<Sets>();
}

const ParentSteps& ParentGrowth::look(int child, const ParentSet& set, std::atomic<const ParentSteps*>& place,
                                      std::unique_ptr<ParentSteps>& unkept) {
  if (control_.is_stopped()) return kNoSteps;
  const auto count = [&] { return &place == &set.singles ? count_singles(child, set) : count_exchanges(child, set); };
  if (is_full()) {
    unkept = count();
    return *unkept;
  }
  Sets& sets = *sets_[static_cast<std::size_t>(child)];
  const std::scoped_lock hold(sets.lock);
  if (const ParentSteps* known = place.load(std::memory_order_acquire)) return *known;
  sets.steps.push_back(count());
  const ParentSteps& steps = *sets.steps.back();
  const auto bytes = static_cast<double>(steps.count * sizeof(ParentStep) + sizeof(ParentSteps));
  sets.bytes += bytes;
  bytes_ += bytes;
  place.store(&steps, std::memory_order_release);
  return steps;
}

std::vector<int> ParentGrowth::possible_parents(int child, const std::vector<int>& but_not, const Rules& rules,
                                                const std::vector<std::vector<int>>* candidates) {
  std::vector<int> possible;
  auto consider = [&](int variable) {
    if (rules.allowed.test(child, variable) && !std::binary_search(but_not.begin(), but_not.end(), variable)) {
      possible.push_back(variable);
    }
  };
  if (candidates != nullptr) {
    for (int variable : (*candidates)[static_cast<std::size_t>(child)]) consider(variable);
  } else {
    for (int variable = 0; variable < rules.allowed.size(); ++variable) consider(variable);
  }
  return possible;
}

std::unique_ptr<ParentSteps> ParentGrowth::count_singles(int child, const ParentSet& set) {
  const std::vector<int>& parents = set.parents;
  std::vector<Change> changes;
  if (static_cast<int>(parents.size()) < rules_.max_parents[static_cast<std::size_t>(child)]) {
    const std::vector<int> more = possible_parents(child, parents, rules_, candidates_);
    std::vector<double> scores(more.size());
    families_.additions(child, parents, more, scores.data());
    for (std::size_t k = 0; k < more.size(); ++k) changes.push_back({scores[k], more[k], -1});
  }
  for (int parent : parents) {
    if (rules_.required.test(child, parent)) continue;
    changes.push_back({families_.score(child, without(parents, parent)), -1, parent});
  }
  return sorted_gains(changes, set.score + families_.tolerance());
}

std::unique_ptr<ParentSteps> ParentGrowth::count_exchanges(int child, const ParentSet& set) {
  const std::vector<int>& parents = set.parents;
  std::vector<Change> changes;
  const std::vector<int> others = possible_parents(child, parents, rules_, candidates_);
  std::vector<double> scores(others.size());
  std::vector<std::pair<double, int>> weakest;  // minus the score without a parent, and the parent
  for (int parent : parents) {
    if (rules_.required.test(child, parent)) continue;
    weakest.emplace_back(-families_.score(child, without(parents, parent)), parent);
  }
  std::sort(weakest.begin(), weakest.end());
  if (weakest.size() > tuning::orders::kExchanged) weakest.resize(tuning::orders::kExchanged);
  for (const auto& [unused, parent] : weakest) {
    families_.additions(child, without(parents, parent), others, scores.data());
    for (std::size_t k = 0; k < others.size(); ++k) changes.push_back({scores[k], others[k], parent});
  }
  return sorted_gains(changes, set.score + families_.tolerance());
}

const ParentSet* ParentGrowth::follow(int child, const ParentSet& from, const ParentStep& step) {
  std::vector<int> parents = step.dropped < 0 ? from.parents : without(from.parents, step.dropped);
  if (step.added >= 0) parents.insert(std::lower_bound(parents.begin(), parents.end(), step.added), step.added);
  const ParentSet* set = reach(child, std::move(parents), step.score);
  step.next.store(set, std::memory_order_release);
  return set;
}

const ParentSet* ParentGrowth::follow(int child, const ParentPair& pair) {
  std::vector<int> parents = required_[at(child)].parents;
  for (int added : {pair.first, pair.second}) {
    parents.insert(std::lower_bound(parents.begin(), parents.end(), added), added);
  }
  const ParentSet* set = reach(child, std::move(parents), pair.score);
  pair.next.store(set, std::memory_order_release);
  return set;
}

const ParentSet* ParentGrowth::reach(int child, std::vector<int> parents, double score) {
  Sets& sets = *sets_[at(child)];
  const std::scoped_lock hold(sets.lock);
  std::unique_ptr<ParentSet>& set = sets.reached[parents];
  if (set == nullptr) {
    set = std::make_unique<ParentSet>();
    set->parents = std::move(parents);
    set->score = score;
    sets.bytes += kBytesPerSet;
    bytes_ += kBytesPerSet;
  }
  return set.get();
}

}  // namespace qnml
