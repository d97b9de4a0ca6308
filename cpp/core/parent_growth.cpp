#include "core/parent_growth.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "core/parallel.hpp"

namespace qnml {
namespace {

const ParentSteps kNoSteps;

// A node of the map with its vector and the bookkeeping of the allocator.
constexpr double kBytesPerSet = 160.0;

// Of the parents, so many that lose least when they are dropped may be exchanged. Exchanging one is what finds two good
// parents behind a better single one; on sets of five and more, trying all took most of the time and found nothing.
constexpr std::size_t kExchanged = 2;

// Pairs are looked for next to so many of the best single parents, unless told, and so many are kept.
constexpr int kUsualCompanions = 8;
constexpr std::size_t kMostPairs = 100;

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

// Those that reach more than `least`, the best first; of equals those that only drop, then the lowest.
std::unique_ptr<ParentSteps> sorted_gains(std::vector<Change>& changes, double least) {
  std::erase_if(changes, [&](const Change& change) { return change.score <= least; });
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return std::tie(b.score, a.added, a.dropped) < std::tie(a.score, b.added, b.dropped);
  });
  auto steps = std::make_unique<ParentSteps>();
  steps->count = changes.size();
  steps->steps = std::make_unique<ParentStep[]>(changes.size());
  for (std::size_t k = 0; k < changes.size(); ++k) {
    steps->steps[k].score = changes[k].score;
    steps->steps[k].added = changes[k].added;
    steps->steps[k].dropped = changes[k].dropped;
  }
  return steps;
}

// What the best single parents score together with one other variable each.
class PairScores {
 public:
  // Of so many of the best parents alone, with others of these, ascending.
  PairScores(const ParentSteps& alone, std::size_t best, const std::vector<int>& others)
      : alone_(alone),
        others_(others),
        best_(best),
        rank_(others.size(), alone.count),
        scores_(best * others.size(), kUnknown) {
    for (std::size_t k = 0; k < alone.count; ++k) rank_[place(alone.steps[k].added)] = k;
  }

  void set(std::size_t rank, int other, double score) { at(rank, place(other)) = score; }

  // Pairs, the best first, that adding one by one would pass by, where a single parent that is better than either comes
  // before the child: next to it, neither gains what the pair does.
  ParentPairs hidden(double tolerance) {
    struct Pair {
      double score;
      int first;
      int second;
    };
    std::vector<Pair> found;
    for (std::size_t rank = 1; rank < best_; ++rank) {
      const int one = alone_.steps[rank].added;
      for (std::size_t other = 0; other < others_.size(); ++other) {
        const double pair = at(rank, other);
        if (pair == kUnknown || rank_[other] < rank) continue;
        for (std::size_t better = 0; better < rank; ++better) {
          const double with_better = std::max({alone_.steps[better].score, at(better, place(one)), at(better, other)});
          if (pair <= with_better + tolerance) continue;
          found.push_back({pair, std::min(one, others_[other]), std::max(one, others_[other])});
          break;
        }
      }
    }
    std::sort(found.begin(), found.end(), [](const Pair& a, const Pair& b) {
      return std::tie(b.score, a.first, a.second) < std::tie(a.score, b.first, b.second);
    });
    ParentPairs pairs;
    pairs.count = std::min(found.size(), kMostPairs);
    pairs.pairs = std::make_unique<ParentPair[]>(pairs.count);
    for (std::size_t k = 0; k < pairs.count; ++k) {
      pairs.pairs[k].score = found[k].score;
      pairs.pairs[k].first = found[k].first;
      pairs.pairs[k].second = found[k].second;
    }
    return pairs;
  }

 private:
  static constexpr double kUnknown = -std::numeric_limits<double>::infinity();

  std::size_t place(int variable) const {
    return static_cast<std::size_t>(std::lower_bound(others_.begin(), others_.end(), variable) - others_.begin());
  }
  double& at(std::size_t rank, std::size_t other) { return scores_[rank * others_.size() + other]; }

  const ParentSteps& alone_;
  const std::vector<int>& others_;
  std::size_t best_;
  std::vector<std::size_t> rank_;  // of the others alone
  std::vector<double> scores_;
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

ParentGrowth::ParentGrowth(FamilyCache& families, const ArcRules& rules,
                           const std::vector<std::vector<int>>* candidates, double memory_bytes, Control& control)
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

void ParentGrowth::begin(int companions, int threads) {
  std::vector<std::vector<int>> narrowed(required_.size());
  parallel_for(required_.size(), threads, [&](int, std::size_t index) {
    const int child = static_cast<int>(index);
    std::unique_ptr<ParentSteps> unkept;
    const ParentSteps& alone = look(child, required_[index], required_[index].singles, unkept);
    std::vector<int>& found = narrowed[index];
    for (std::size_t k = 0; k < alone.count; ++k) found.push_back(alone.steps[k].added);
    const std::size_t best =
        std::min(alone.count, static_cast<std::size_t>(companions > 0 ? companions : kUsualCompanions));
    std::vector<const ParentSteps*> next_to(best);
    std::vector<std::unique_ptr<ParentSteps>> unkept_further(best);
    for (std::size_t k = 0; k < best; ++k) {
      const ParentSet* set = follow(child, required_[index], alone.steps[k]);
      next_to[k] = &look(child, *set, set->singles, unkept_further[k]);
      for (std::size_t j = 0; j < next_to[k]->count; ++j) {
        if (next_to[k]->steps[j].added >= 0) found.push_back(next_to[k]->steps[j].added);
      }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    PairScores scores(alone, best, found);
    for (std::size_t k = 0; k < best; ++k) {
      for (std::size_t j = 0; j < next_to[k]->count; ++j) {
        const ParentStep& step = next_to[k]->steps[j];
        if (step.added >= 0) scores.set(k, step.added, step.score);
      }
    }
    pairs_[index] = scores.hidden(families_.tolerance());
  });
  if (companions == 0) return;
  narrowed_ = std::move(narrowed);
  candidates_ = &narrowed_;
}

bool ParentGrowth::widen(const std::vector<std::vector<std::vector<int>>>& networks, int threads) {
  if (candidates_ != &narrowed_) return false;
  std::atomic<bool> is_wider{false};
  parallel_for(narrowed_.size(), threads, [&](int, std::size_t child) {
    std::vector<int> gains;
    for (const auto& network : networks) {
      if (!control_.is_stopped()) add_gains(static_cast<int>(child), network[child], gains);
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

// The parents themselves, and what gains next to them.
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
  const double bytes = static_cast<double>(steps.count * sizeof(ParentStep) + sizeof(ParentSteps));
  sets.bytes += bytes;
  bytes_ += bytes;
  place.store(&steps, std::memory_order_release);
  return steps;
}

std::vector<int> ParentGrowth::possible_parents(int child, const std::vector<int>& but_not, const ArcRules& rules,
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
  std::vector<std::pair<double, int>> weakest;  // what is left without a parent
  for (int parent : parents) {
    if (rules_.required.test(child, parent)) continue;
    weakest.emplace_back(-families_.score(child, without(parents, parent)), parent);
  }
  std::sort(weakest.begin(), weakest.end());
  if (weakest.size() > kExchanged) weakest.resize(kExchanged);
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
