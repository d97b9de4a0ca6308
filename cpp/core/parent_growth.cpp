#include "core/parent_growth.hpp"

#include <algorithm>

#include "core/parallel.hpp"

namespace qnml {
namespace {

const ParentSteps kNoSteps;

// A node of the map with its vector and the bookkeeping of the allocator.
constexpr double kBytesPerSet = 160.0;

struct HashOfSet {
  std::size_t operator()(const std::vector<int>& set) const {
    std::uint64_t hash = set.size();
    for (int member : set) hash = (hash ^ static_cast<std::uint64_t>(member)) * 0x9e3779b97f4a7c15ULL + (hash >> 29);
    return static_cast<std::size_t>(hash ^ hash >> 32);
  }
};

}  // namespace

struct ParentGrowth::Sets {
  std::mutex lock;
  std::unordered_map<std::vector<int>, std::unique_ptr<ParentSet>, HashOfSet> reached;
  std::vector<std::unique_ptr<ParentSteps>> steps;
};

ParentGrowth::ParentGrowth(FamilyCache& families, const ArcRules& rules,
                           const std::vector<std::vector<int>>* candidates, double memory_bytes, Control& control)
    : families_(families),
      rules_(rules),
      candidates_(candidates),
      memory_bytes_(memory_bytes),
      control_(control),
      words_(rules.allowed.words()),
      required_(static_cast<std::size_t>(families.n_variables())) {
  for (int child = 0; child < n_variables(); ++child) {
    ParentSet& start = required_[static_cast<std::size_t>(child)];
    start.parents = rules.required.members(child);
    start.score = families.score(child, start.parents);
    sets_.push_back(std::make_unique<Sets>());
  }
}

ParentGrowth::~ParentGrowth() = default;

void ParentGrowth::begin(int threads) {
  parallel_for(required_.size(), threads, [&](int, std::size_t child) {
    std::unique_ptr<ParentSteps> unkept;
    if (required_[child].steps.load(std::memory_order_relaxed) == nullptr) {
      look(static_cast<int>(child), required_[child], unkept);
    }
  });
}

void ParentGrowth::forget() {
  for (std::size_t child = 0; child < sets_.size(); ++child) {
    required_[child].steps.store(nullptr, std::memory_order_relaxed);
    sets_[child] = std::make_unique<Sets>();
  }
  bytes_ = 0.0;
}

const ParentSteps* ParentGrowth::look(int child, const ParentSet& set, std::unique_ptr<ParentSteps>& unkept) {
  if (control_.is_stopped()) return &kNoSteps;
  if (is_full()) {
    unkept = count_steps(child, set);
    return unkept.get();
  }
  Sets& sets = *sets_[static_cast<std::size_t>(child)];
  const std::scoped_lock hold(sets.lock);
  if (const ParentSteps* known = set.steps.load(std::memory_order_acquire)) return known;
  sets.steps.push_back(count_steps(child, set));
  const ParentSteps* steps = sets.steps.back().get();
  bytes_ += static_cast<double>(steps->count * sizeof(ParentStep) + sizeof(ParentSteps));
  set.steps.store(steps, std::memory_order_release);
  return steps;
}

std::unique_ptr<ParentSteps> ParentGrowth::count_steps(int child, const ParentSet& set) {
  struct Gain {
    double score;
    int variable;
    bool adds;
  };
  std::vector<Gain> gains;
  const double least = set.score + families_.tolerance();
  const std::vector<int>& parents = set.parents;
  if (static_cast<int>(parents.size()) < rules_.max_parents[static_cast<std::size_t>(child)]) {
    std::vector<int> more;
    auto consider = [&](int variable) {
      if (rules_.allowed.test(child, variable) && !std::binary_search(parents.begin(), parents.end(), variable)) {
        more.push_back(variable);
      }
    };
    if (candidates_ != nullptr) {
      for (int variable : (*candidates_)[static_cast<std::size_t>(child)]) consider(variable);
    } else {
      for (int variable = 0; variable < n_variables(); ++variable) consider(variable);
    }
    std::vector<double> scores(more.size());
    families_.additions(child, parents, more, scores.data());
    for (std::size_t k = 0; k < more.size(); ++k) {
      if (scores[k] > least) gains.push_back({scores[k], more[k], true});
    }
  }
  std::vector<int> fewer;
  for (std::size_t k = 0; k < parents.size(); ++k) {
    if (rules_.required.test(child, parents[k])) continue;
    fewer = parents;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
    const double score = families_.score(child, fewer);
    if (score > least) gains.push_back({score, parents[k], false});
  }
  std::sort(gains.begin(), gains.end(), [](const Gain& a, const Gain& b) {
    if (a.score != b.score) return a.score > b.score;
    return a.adds != b.adds ? b.adds : a.variable < b.variable;
  });
  auto steps = std::make_unique<ParentSteps>();
  steps->count = gains.size();
  steps->steps = std::make_unique<ParentStep[]>(gains.size());
  for (std::size_t k = 0; k < gains.size(); ++k) {
    steps->steps[k].score = gains[k].score;
    steps->steps[k].variable = gains[k].variable;
    steps->steps[k].adds = gains[k].adds;
  }
  return steps;
}

const ParentSet* ParentGrowth::follow(int child, const ParentSet& from, const ParentStep& step) {
  std::vector<int> parents = from.parents;
  const auto place = std::lower_bound(parents.begin(), parents.end(), step.variable);
  if (step.adds) {
    parents.insert(place, step.variable);
  } else {
    parents.erase(place);
  }
  Sets& sets = *sets_[static_cast<std::size_t>(child)];
  const std::scoped_lock hold(sets.lock);
  std::unique_ptr<ParentSet>& set = sets.reached[parents];
  if (set == nullptr) {
    set = std::make_unique<ParentSet>();
    set->parents = std::move(parents);
    set->score = step.score;
    bytes_ += kBytesPerSet;
  }
  step.next.store(set.get(), std::memory_order_release);
  return set.get();
}

}  // namespace qnml
