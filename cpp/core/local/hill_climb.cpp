#include "core/local/hill_climb.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/base/random.hpp"
#include "core/graph/ancestor_sets.hpp"
#include "core/graph/found_network.hpp"
#include "core/graph/rules.hpp"
#include "core/local/tuning.hpp"
#include "core/numbers/minus_infinity.hpp"
#include "core/scores/family_cache.hpp"
#include "core/scores/set_store.hpp"

namespace qnml {
namespace {

using Network = std::vector<std::vector<int>>;

enum class Change { none, toggle, reverse };

struct HashOfFingerprint {
  std::size_t operator()(const Fingerprint& key) const { return static_cast<std::size_t>(key.low); }
};

struct Move {
  Change change = Change::none;
  int child = 0;
  int parent = 0;
  double gain = kMinusInfinity;
};

// The gain of adding or dropping each parent of a child (minus infinity: not allowed), by place in the child's list of
// partners, and the places sorted by gain, best first.
struct Gains {
  explicit Gains(std::size_t size) : of_place(size, kMinusInfinity), sorted(size) {}

  void sort() {
    std::iota(sorted.begin(), sorted.end(), 0u);
    std::sort(sorted.begin(), sorted.end(), [&](std::uint32_t a, std::uint32_t b) {
      return of_place[a] != of_place[b] ? of_place[a] > of_place[b] : a < b;
    });
  }

  std::vector<double> of_place;
  std::vector<std::uint32_t> sorted;
};

class Climb {
 public:
  Climb(FamilyCache& families, const Rules& rules, std::vector<std::vector<int>> start,
        const std::vector<std::vector<int>>* candidates, const ClimbOptions& options, Control& control, int threads)
      : families_(families),
        rules_(rules),
        options_(options),
        control_(control),
        threads_(threads),
        n_(families.n_variables()),
        parents_(std::move(start)),
        ancestors_(n_) {
    const auto size = static_cast<std::size_t>(n_);
    if (parents_.empty()) {
      for (int child = 0; child < n_; ++child) parents_.push_back(rules.required.members(child));
    }
    partners_.resize(size);
    gains_.resize(size);
    known_gains_.resize(size);
    for (int child = 0; child < n_; ++child) {
      of_variable_.push_back(Fingerprint::of_number(static_cast<std::uint64_t>(child)));
      set_partners(child, candidates);
      local_.push_back(families_.score(child, parents_[at(child)]));
      score_ += local_.back();
      for (int parent : parents_[at(child)]) seen_ = seen_ ^ arc(parent, child);
    }
    ancestors_.set(parents_);
    keep();
  }

  FoundNetwork run() {
    std::vector<int> all(static_cast<std::size_t>(n_));
    std::iota(all.begin(), all.end(), 0);
    rescore(all);
    const std::vector<std::vector<int>> rules = turn_rules(all);
    const Home start{parents_, score_};
    for (std::size_t k = 0; k < rules.size() && (k == 0 || (static_cast<int>(k) < options_.starts && !is_over()));
         ++k) {
      if (k > 0) restore(start);
      turns_ = rules[k];
      climb(options_.tabu);
    }
    restore({best_.parents, best_.score});
    Xoshiro256 random = Xoshiro256::stream(options_.seed, 0);
    Home home{parents_, score_};
    for (int k = 0; k < options_.shakes && !is_over(); ++k) {
      shake(random);
      climb(0);
      if (score_ < home.score) {
        restore(home);
      } else {
        home = {parents_, score_};
      }
    }
    best_.is_cut = best_.work > options_.most_work;
    return std::move(best_);
  }

 private:
  bool is_over() { return control_.is_stopped() || best_.work > options_.most_work; }

  // Climbs to a local optimum and, with a tabu list, beyond.
  void climb(int tabu) {
    bool wanders = false;  // past the first local optimum
    int idle = 0;          // moves since the best network
    while (!is_over()) {
      Move move = best_move(wanders);
      if (move.gain <= families_.tolerance()) {
        keep();
        if (tabu == 0) break;
        if (!wanders) move = best_move(true);
        wanders = true;
      }
      if (move.gain == kMinusInfinity || (wanders && ++idle > options_.patience)) break;
      make(move);
      if (score_ > best_.score + families_.tolerance()) idle = 0;
    }
    keep();
    if (tabu != 0) restore({best_.parents, best_.score});
  }

  // Tie-breaking rules, each an order of all variables: of moves with equal gain, the one whose child comes first is
  // made. Under a score-equivalent score the two directions of an arc tie again and again, and the local optimum
  // depends on the choice. The orders depend on the data alone: most gaining partners first, fewest levels, lowest
  // local score (most uncertain), largest sum of gains. In trials the first rule reached the highest score most often.
  std::vector<std::vector<int>> turn_rules(const std::vector<int>& all) const {
    const auto size = static_cast<std::size_t>(n_);
    std::vector<double> relations(size), levels(size), surprise(size), gain(size);
    for (std::size_t child = 0; child < size; ++child) {
      for (double value : gains_[child]->of_place) {
        if (value > 0.0) ++relations[child], gain[child] += value;
      }
      levels[child] = -static_cast<double>(families_.table().columns[child].levels);
      surprise[child] = -local_[child];
    }
    std::vector<std::vector<int>> rules;
    for (const std::vector<double>* measure : {&relations, &levels, &surprise, &gain}) {
      rules.push_back(all);
      std::stable_sort(rules.back().begin(), rules.back().end(),
                       [&](int a, int b) { return (*measure)[at(a)] > (*measure)[at(b)]; });
    }
    return rules;
  }

  // Deletes or reverses some arcs, drawn at random.
  void shake(Xoshiro256& random) {
    std::vector<Move> arcs;
    for (int child = 0; child < n_; ++child) {
      for (int parent : parents_[at(child)]) {
        if (!rules_.required.test(child, parent)) arcs.push_back({Change::toggle, child, parent, 0.0});
      }
    }
    std::vector<int> changed;
    const std::size_t most = std::clamp(arcs.size() / tuning::climb::kArcsPerShaken, tuning::climb::kLeastShaken,
                                        tuning::climb::kMostShaken);
    for (std::size_t moves = 1 + random.next() % most; moves > 0 && !arcs.empty(); --moves) {
      const std::size_t which = random.next() % arcs.size();
      const auto [unused, child, parent, none] = arcs[which];
      arcs.erase(arcs.begin() + static_cast<std::ptrdiff_t>(which));
      // The gains of a changed family are outdated and do not tell whether it may have another parent.
      const bool reverses = random.next() % 2 == 0 && gain(parent, child) != kMinusInfinity &&
                            std::find(changed.begin(), changed.end(), parent) == changed.end() &&
                            can_reverse(child, parent);
      std::erase(parents_[at(child)], parent);
      changed.push_back(child);
      ancestors_.update(parents_, child);
      if (!reverses) continue;
      std::vector<int>& theirs = parents_[at(parent)];
      theirs.insert(std::lower_bound(theirs.begin(), theirs.end(), child), child);
      changed.push_back(parent);
      ancestors_.update(parents_, parent);
    }
    settle_families(changed);
  }

  struct Home {
    Network parents;
    double score;
  };

  // Returns to an earlier network.
  void restore(const Home& home) {
    std::vector<int> changed;
    for (int child = 0; child < n_; ++child) {
      if (parents_[at(child)] == home.parents[at(child)]) continue;
      parents_[at(child)] = home.parents[at(child)];
      changed.push_back(child);
    }
    ancestors_.set(parents_);
    settle_families(changed);
  }

  // Updates everything that depends on the parents, except the ancestors, after the parents of these children changed.
  void settle_families(std::vector<int>& changed) {
    if (changed.empty()) return;
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    for (int child : changed) {
      score_ -= local_[at(child)];
      local_[at(child)] = families_.score(child, parents_[at(child)]);
      score_ += local_[at(child)];
    }
    seen_ = {};
    for (int child = 0; child < n_; ++child) {
      for (int parent : parents_[at(child)]) seen_ = seen_ ^ arc(parent, child);
    }
    rescore(changed);
  }

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  Fingerprint arc(int parent, int child) const {
    return Fingerprint::of_number(static_cast<std::uint64_t>(parent) * static_cast<std::uint64_t>(n_) +
                                  static_cast<std::uint64_t>(child));
  }

  Fingerprint fingerprint(const std::vector<int>& set) const {
    Fingerprint result;
    for (int member : set) result = result ^ of_variable_[at(member)];
    return result;
  }

  void set_partners(int child, const std::vector<std::vector<int>>* candidates) {
    std::vector<int>& mine = partners_[at(child)];
    mine = rules_.allowed.members(child);
    if (candidates != nullptr) {
      const std::vector<int>& few = (*candidates)[at(child)];
      const std::vector<int>& now = parents_[at(child)];
      std::erase_if(mine, [&](int other) {
        return !std::binary_search(few.begin(), few.end(), other) && !std::binary_search(now.begin(), now.end(), other);
      });
    }
    gains_[at(child)] = std::make_shared<Gains>(mine.size());
  }

  bool is_parent(int child, int parent) const {
    return std::binary_search(parents_[at(child)].begin(), parents_[at(child)].end(), parent);
  }

  double gain(int child, int parent) const {
    const std::vector<int>& mine = partners_[at(child)];
    const auto found = std::lower_bound(mine.begin(), mine.end(), parent);
    if (found == mine.end() || *found != parent) return kMinusInfinity;
    return gains_[at(child)]->of_place[static_cast<std::size_t>(found - mine.begin())];
  }

  // Computes the gain of each change of these families. Perturbations lead back to the same families again and again,
  // so the gains of each are cached.
  void rescore(const std::vector<int>& children) {
    std::vector<int> unknown;
    for (int child : children) {
      const auto known = known_gains_[at(child)].find(fingerprint(parents_[at(child)]));
      if (known == known_gains_[at(child)].end()) {
        unknown.push_back(child);
      } else {
        gains_[at(child)] = known->second;
      }
    }
    if (unknown.empty()) return;
    count_gains(unknown);
    for (int child : unknown) {
      if (known_bytes_ > tuning::memory::kMostClimbGains) {
        for (auto& known : known_gains_) known.clear();
        known_bytes_ = 0.0;
      }
      gains_[at(child)]->sort();
      known_gains_[at(child)].emplace(fingerprint(parents_[at(child)]), gains_[at(child)]);
      known_bytes_ += static_cast<double>(partners_[at(child)].size() * 12 + 160);
    }
  }

  void count_gains(const std::vector<int>& children) {
    struct Piece {
      int child;
      std::size_t first, last;
    };
    std::vector<Piece> pieces;
    double work = 0.0;
    for (int child : children) {
      const std::size_t size = partners_[at(child)].size();
      best_.work += static_cast<double>(size);
      gains_[at(child)] = std::make_shared<Gains>(size);
      work += static_cast<double>(size) * static_cast<double>(families_.table().rows);
      for (std::size_t first = 0; first < size; first += tuning::climb::kPartnersPerTask) {
        pieces.push_back({child, first, std::min(size, first + tuning::climb::kPartnersPerTask)});
      }
    }
    const int threads = work < tuning::kLeastWorkForThreads ? 1 : threads_;
    if (threads == 1) {  // so that the rows are labelled only once per family
      pieces.clear();
      for (int child : children) pieces.push_back({child, 0, partners_[at(child)].size()});
    }
    parallel_for(pieces.size(), threads, [&](int, std::size_t p) {
      if (!control_.is_stopped()) rescore_piece(pieces[p].child, pieces[p].first, pieces[p].last);
    });
  }

  void rescore_piece(int child, std::size_t first, std::size_t last) {
    const std::vector<int>& parents = parents_[at(child)];
    std::vector<int> added;
    std::vector<std::size_t> places;
    std::vector<int> fewer;
    for (std::size_t k = first; k < last; ++k) {
      const int other = partners_[at(child)][k];
      double& gain = gains_[at(child)]->of_place[k];
      if (is_parent(child, other)) {
        if (rules_.required.test(child, other)) continue;
        fewer = parents;
        std::erase(fewer, other);
        gain = families_.score(child, fewer) - local_[at(child)];
      } else if (static_cast<int>(parents.size()) < rules_.max_parents[at(child)]) {
        added.push_back(other);
        places.push_back(k);
      }
    }
    std::vector<double> scores(added.size());
    families_.additions(child, parents, added, scores.data());
    for (std::size_t k = 0; k < added.size(); ++k)
      gains_[at(child)]->of_place[places[k]] = scores[k] - local_[at(child)];
  }

  Move best_move(bool avoid_known) const {
    Move best;
    for (int child : turns_) {
      const Gains& gains = *gains_[at(child)];
      for (std::uint32_t k : gains.sorted) {
        const double gain = gains.of_place[k];
        if (gain <= best.gain) break;
        const Move move{Change::toggle, child, partners_[at(child)][k], gain};
        // An arc from a descendant would close a cycle.
        if (!is_parent(child, move.parent) && ancestors_.test(move.parent, child)) continue;
        if (avoid_known && is_known(move)) continue;
        best = move;
        break;
      }
    }
    for (int child : turns_) {
      for (int parent : parents_[at(child)]) {
        if (rules_.required.test(child, parent)) continue;
        const double there = gain(parent, child);
        if (there == kMinusInfinity) continue;
        const Move move{Change::reverse, child, parent, gain(child, parent) + there};
        if (move.gain <= best.gain || !can_reverse(child, parent)) continue;
        if (avoid_known && is_known(move)) continue;
        best = move;
      }
    }
    return best;
  }

  // Whether the arc is the only path from the parent to the child.
  bool can_reverse(int child, int parent) const {
    for (int other : parents_[at(child)]) {
      if (other != parent && ancestors_.test(other, parent)) return false;
    }
    return true;
  }

  Fingerprint after(const Move& move) const {
    const Fingerprint toggled = seen_ ^ arc(move.parent, move.child);
    return move.change == Change::reverse ? toggled ^ arc(move.child, move.parent) : toggled;
  }

  bool is_known(const Move& move) const { return std::find(known_.begin(), known_.end(), after(move)) != known_.end(); }

  void make(const Move& move) {
    if (options_.tabu > 0) {
      known_.push_back(seen_);
      if (known_.size() > static_cast<std::size_t>(options_.tabu)) known_.pop_front();
    }
    seen_ = after(move);
    toggle(move.child, move.parent);
    if (move.change == Change::reverse) toggle(move.parent, move.child);
    ancestors_.update(parents_, move.child);
    if (move.change == Change::reverse) ancestors_.update(parents_, move.parent);
    if (move.change == Change::reverse) {
      rescore({std::min(move.child, move.parent), std::max(move.child, move.parent)});
    } else {
      rescore({move.child});
    }
  }

  void toggle(int child, int parent) {
    std::vector<int>& mine = parents_[at(child)];
    const double change = gain(child, parent);
    const auto place = std::lower_bound(mine.begin(), mine.end(), parent);
    if (place != mine.end() && *place == parent) {
      mine.erase(place);
    } else {
      mine.insert(place, parent);
    }
    local_[at(child)] += change;
    score_ += change;
  }

  void keep() {
    if (!best_.trace.empty() && score_ <= best_.score) return;
    best_.parents = parents_;
    best_.score = score_;
    best_.trace.push_back({std::chrono::duration<double>(Control::Clock::now() - began_).count(), score_});
  }

  FamilyCache& families_;
  const Rules& rules_;
  const ClimbOptions& options_;
  Control& control_;
  int threads_;
  int n_;
  std::vector<std::vector<int>> parents_;
  AncestorSets ancestors_;
  std::vector<double> local_;
  double score_ = 0.0;
  std::vector<std::vector<int>> partners_;  // by child: the variables that may be or are its parents; ascending
  std::vector<std::shared_ptr<Gains>> gains_;
  // By the fingerprint of the parents.
  std::vector<std::unordered_map<Fingerprint, std::shared_ptr<Gains>, HashOfFingerprint>> known_gains_;
  double known_bytes_ = 0.0;
  std::vector<Fingerprint> of_variable_;
  std::vector<int> turns_;  // see turn_rules
  Fingerprint seen_;        // of the arcs
  std::deque<Fingerprint> known_;
  FoundNetwork best_;
  Control::Clock::time_point began_ = Control::Clock::now();
};

}  // namespace

FoundNetwork hill_climb(FamilyCache& families, const Rules& rules, std::vector<std::vector<int>> start,
                        const std::vector<std::vector<int>>* candidates, const ClimbOptions& options, Control& control,
                        int threads) {
  return Climb(families, rules, std::move(start), candidates, options, control, threads).run();
}

}  // namespace qnml
