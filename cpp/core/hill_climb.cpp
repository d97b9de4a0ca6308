#include "core/hill_climb.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <limits>
#include <numeric>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "core/set_store.hpp"

namespace qnml {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

// Rows of the table times candidates below which one thread is done before another has started.
constexpr double kWorthThreads = 2e6;
constexpr std::size_t kChunk = 64;

// Arcs that are deleted or reversed in one go.
constexpr int kShaken = 4;

enum class Change { none, toggle, reverse };

struct Move {
  Change change = Change::none;
  int child = 0;
  int parent = 0;
  double gain = kNever;
};

class Climb {
 public:
  Climb(FamilyCache& families, const ArcRules& rules, std::vector<std::vector<int>> start,
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
    sorted_.resize(size);
    for (int child = 0; child < n_; ++child) {
      set_partners(child, candidates);
      local_.push_back(families_.score(child, parents_[at(child)]));
      score_ += local_.back();
      for (int parent : parents_[at(child)]) seen_ = seen_ ^ arc(parent, child);
    }
    set_ancestors();
    keep();
  }

  FoundNetwork run() {
    std::vector<int> all(static_cast<std::size_t>(n_));
    std::iota(all.begin(), all.end(), 0);
    rescore(all);
    climb(options_.tabu);
    Xoshiro256 random = Xoshiro256::stream(options_.seed, 0);
    for (int k = 0; k < options_.shakes && !control_.is_stopped(); ++k) {
      shake(random);
      climb(0);
      restore();
    }
    return std::move(best_);
  }

 private:
  // To a local optimum, and on from there if losing moves are allowed.
  void climb(int tabu) {
    bool wanders = false;  // past the first local optimum
    int idle = 0;          // moves since the best network
    while (!control_.is_stopped()) {
      Move move = best_move(wanders);
      if (move.gain <= families_.tolerance()) {
        keep();
        if (tabu == 0) break;
        if (!wanders) move = best_move(true);
        wanders = true;
      }
      if (move.gain == kNever || (wanders && ++idle > options_.patience)) break;
      make(move);
      if (score_ > best_.score + families_.tolerance()) idle = 0;
    }
    keep();
    if (tabu != 0) restore();
  }

  void shake(Xoshiro256& random) {
    for (int k = 0; k < kShaken; ++k) {
      std::vector<Move> arcs;
      for (int child = 0; child < n_; ++child) {
        for (int parent : parents_[at(child)]) {
          if (!rules_.required.test(child, parent)) arcs.push_back({Change::toggle, child, parent, 0.0});
        }
      }
      if (arcs.empty()) return;
      Move move = arcs[random.next() % arcs.size()];
      const bool reverses = random.next() % 2 == 0 && gain(move.parent, move.child) != kNever;
      if (reverses && can_reverse(move.child, move.parent)) move.change = Change::reverse;
      make(move);
    }
  }

  // Back to the best network.
  void restore() {
    std::vector<int> changed;
    for (int child = 0; child < n_; ++child) {
      if (parents_[at(child)] == best_.parents[at(child)]) continue;
      parents_[at(child)] = best_.parents[at(child)];
      local_[at(child)] = families_.score(child, parents_[at(child)]);
      changed.push_back(child);
    }
    if (changed.empty()) return;
    score_ = best_.score;
    seen_ = {};
    for (int child = 0; child < n_; ++child) {
      for (int parent : parents_[at(child)]) seen_ = seen_ ^ arc(parent, child);
    }
    set_ancestors();
    rescore(changed);
  }

  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  Fingerprint arc(int parent, int child) const {
    return Fingerprint::of_number(static_cast<std::uint64_t>(parent) * static_cast<std::uint64_t>(n_) +
                                  static_cast<std::uint64_t>(child));
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
    gains_[at(child)].assign(mine.size(), kNever);
    sorted_[at(child)].resize(mine.size());
  }

  bool is_parent(int child, int parent) const {
    return std::binary_search(parents_[at(child)].begin(), parents_[at(child)].end(), parent);
  }

  double gain(int child, int parent) const {
    const std::vector<int>& mine = partners_[at(child)];
    const auto found = std::lower_bound(mine.begin(), mine.end(), parent);
    if (found == mine.end() || *found != parent) return kNever;
    return gains_[at(child)][static_cast<std::size_t>(found - mine.begin())];
  }

  // What each change of these families would gain.
  void rescore(const std::vector<int>& children) {
    struct Piece {
      int child;
      std::size_t first, last;
    };
    std::vector<Piece> pieces;
    double work = 0.0;
    for (int child : children) {
      const std::size_t size = partners_[at(child)].size();
      work += static_cast<double>(size) * static_cast<double>(families_.table().rows);
      for (std::size_t first = 0; first < size; first += kChunk) {
        pieces.push_back({child, first, std::min(size, first + kChunk)});
      }
    }
    const int threads = work < kWorthThreads ? 1 : threads_;
    if (threads == 1) {  // the rows told apart once for each family
      pieces.clear();
      for (int child : children) pieces.push_back({child, 0, partners_[at(child)].size()});
    }
    parallel_for(pieces.size(), threads, [&](int, std::size_t p) {
      if (!control_.is_stopped()) rescore_piece(pieces[p].child, pieces[p].first, pieces[p].last);
    });
    for (int child : children) {
      std::vector<std::uint32_t>& order = sorted_[at(child)];
      const std::vector<double>& gains = gains_[at(child)];
      std::iota(order.begin(), order.end(), 0u);
      std::sort(order.begin(), order.end(),
                [&](std::uint32_t a, std::uint32_t b) { return gains[a] != gains[b] ? gains[a] > gains[b] : a < b; });
    }
  }

  void rescore_piece(int child, std::size_t first, std::size_t last) {
    const std::vector<int>& parents = parents_[at(child)];
    std::vector<int> added;
    std::vector<std::size_t> places;
    std::vector<int> fewer;
    for (std::size_t k = first; k < last; ++k) {
      const int other = partners_[at(child)][k];
      double& gain = gains_[at(child)][k];
      gain = kNever;
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
    for (std::size_t k = 0; k < added.size(); ++k) gains_[at(child)][places[k]] = scores[k] - local_[at(child)];
  }

  Move best_move(bool avoid_known) const {
    Move best;
    for (int child = 0; child < n_; ++child) {
      for (std::uint32_t k : sorted_[at(child)]) {
        const double gain = gains_[at(child)][k];
        if (gain <= best.gain) break;
        const Move move{Change::toggle, child, partners_[at(child)][k], gain};
        // An arc from a descendant would close a cycle.
        if (!is_parent(child, move.parent) && ancestors_.test(move.parent, child)) continue;
        if (avoid_known && is_known(move)) continue;
        best = move;
        break;
      }
    }
    for (int child = 0; child < n_; ++child) {
      for (int parent : parents_[at(child)]) {
        if (rules_.required.test(child, parent)) continue;
        const double there = gain(parent, child);
        if (there == kNever) continue;
        const Move move{Change::reverse, child, parent, gain(child, parent) + there};
        if (move.gain <= best.gain || !can_reverse(child, parent)) continue;
        if (avoid_known && is_known(move)) continue;
        best = move;
      }
    }
    return best;
  }

  // Whether the arc is the only way from the parent to the child.
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
    update_descendants(move.child);
    if (move.change == Change::reverse) update_descendants(move.parent);
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

  void collect_ancestors(int child) {
    std::uint64_t* row = ancestors_.row(child);
    std::fill_n(row, ancestors_.words(), std::uint64_t{0});
    for (int parent : parents_[at(child)]) {
      const std::uint64_t* theirs = ancestors_.row(parent);
      for (std::size_t word = 0; word < ancestors_.words(); ++word) row[word] |= theirs[word];
      ancestors_.set(child, parent);
    }
  }

  void set_ancestors() {
    std::vector<char> done(at(n_), 0);
    for (int child = 0; child < n_; ++child) settle(child, done);
  }

  // The ancestors of a variable whose parents are settled; those first. Depth by a stack of its own: chains are long.
  void settle(int variable, std::vector<char>& done) {
    std::vector<int> stack{variable};
    while (!stack.empty()) {
      const int top = stack.back();
      bool is_ready = true;
      for (int parent : parents_[at(top)]) {
        if (done[at(parent)] == 0) {
          stack.push_back(parent);
          is_ready = false;
        }
      }
      if (!is_ready) continue;
      stack.pop_back();
      if (done[at(top)] != 0) continue;
      collect_ancestors(top);
      done[at(top)] = 1;
    }
  }

  // After the parents of a variable changed: anew for it and for what comes after it.
  void update_descendants(int variable) {
    std::vector<char> done(at(n_), 1);
    done[at(variable)] = 0;
    for (int other = 0; other < n_; ++other) {
      if (ancestors_.test(other, variable)) done[at(other)] = 0;
    }
    for (int other = 0; other < n_; ++other) {
      if (done[at(other)] == 0) settle(other, done);
    }
  }

  void keep() {
    if (!best_.trace.empty() && score_ <= best_.score) return;
    best_.parents = parents_;
    best_.score = score_;
    best_.trace.push_back({std::chrono::duration<double>(Control::Clock::now() - began_).count(), score_});
  }

  FamilyCache& families_;
  const ArcRules& rules_;
  const ClimbOptions& options_;
  Control& control_;
  int threads_;
  int n_;
  std::vector<std::vector<int>> parents_;
  BitRows ancestors_;  // row i: the ancestors of i
  std::vector<double> local_;
  double score_ = 0.0;
  // For each child who may be, or is, its parent; what the score gains when that changes (minus infinity: it must
  // not); and the places of those by gain, best first.
  std::vector<std::vector<int>> partners_;
  std::vector<std::vector<double>> gains_;
  std::vector<std::vector<std::uint32_t>> sorted_;
  Fingerprint seen_;  // of the arcs
  std::deque<Fingerprint> known_;
  FoundNetwork best_;
  Control::Clock::time_point began_ = Control::Clock::now();
};

}  // namespace

FoundNetwork hill_climb(FamilyCache& families, const ArcRules& rules, std::vector<std::vector<int>> start,
                        const std::vector<std::vector<int>>* candidates, const ClimbOptions& options, Control& control,
                        int threads) {
  return Climb(families, rules, std::move(start), candidates, options, control, threads).run();
}

}  // namespace qnml
