#include "core/layout/order.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "core/base/random.hpp"

namespace qnml {
namespace {

using Rows = std::vector<std::vector<int>>;

constexpr int kMostBends = 4000;
constexpr int kSweeps = 24;
constexpr int kPatience = 8;
constexpr int kMostPasses = 8;
// Orders to start from: depth-first from the top, from the bottom, and depth-first in a random order. Fewer if the
// graph is large.
constexpr std::size_t kMostStarts = 20;
constexpr std::size_t kWorkOfStarts = 40000;

std::size_t at(int k) { return static_cast<std::size_t>(k); }

// The rows of nodes and bends, and the chain of each arc.
struct Bent {
  std::vector<int> row_of;
  std::vector<std::vector<int>> chains;
};

Bent with_bends(const std::vector<int>& rows, const Arcs& arcs) {
  Bent bent{rows, std::vector<std::vector<int>>(arcs.size())};
  std::vector<std::size_t> by_length(arcs.size());
  std::iota(by_length.begin(), by_length.end(), std::size_t{0});
  const auto drop = [&](std::size_t k) { return rows[at(arcs[k].second)] - rows[at(arcs[k].first)]; };
  std::stable_sort(by_length.begin(), by_length.end(), [&](auto a, auto b) { return drop(a) < drop(b); });
  int left = kMostBends;
  for (const std::size_t k : by_length) {
    const auto [upper, lower] = arcs[k];
    left -= drop(k) - 1;
    bent.chains[k].push_back(upper);
    for (int row = rows[at(upper)] + 1; left >= 0 && row < rows[at(lower)]; ++row) {
      bent.chains[k].push_back(static_cast<int>(bent.row_of.size()));
      bent.row_of.push_back(row);
    }
    bent.chains[k].push_back(lower);
  }
  return bent;
}

// The order in which a depth-first search along `next` meets the vertices, which keeps connected ones together; the
// search starts from each of `roots` in turn.
Rows depth_first(const std::vector<int>& row_of, int n_rows, const Sides& next, const std::vector<int>& roots) {
  Rows order(at(n_rows));
  std::vector<char> seen(row_of.size(), 0);
  std::vector<int> stack;
  for (const int root : roots) {
    stack.push_back(root);
    while (!stack.empty()) {
      const int vertex = stack.back();
      stack.pop_back();
      if (seen[at(vertex)]) continue;
      seen[at(vertex)] = 1;
      order[at(row_of[at(vertex)])].push_back(vertex);
      stack.insert(stack.end(), next[at(vertex)].rbegin(), next[at(vertex)].rend());
    }
  }
  return order;
}

// The vertices by their rows, from the top or from the bottom.
std::vector<int> by_row(const std::vector<int>& row_of, bool from_top) {
  std::vector<int> roots(row_of.size());
  std::iota(roots.begin(), roots.end(), 0);
  std::stable_sort(roots.begin(), roots.end(), [&](int a, int b) {
    return from_top ? row_of[at(a)] < row_of[at(b)] : row_of[at(a)] > row_of[at(b)];
  });
  return roots;
}

template <typename T>
void shuffle(std::vector<T>& items, Xoshiro256& random) {
  for (std::size_t k = items.size(); k > 1; --k) std::swap(items[k - 1], items[random.next() % k]);
}

// One search for an order with few crossings, from a first order.
class Sweeping {
 public:
  Sweeping(const Sides& above, const Sides& below, Rows order)
      : above_(above), below_(below), order_(std::move(order)), place_(above.size()) {
    for (const auto& row : order_) number(row);
  }

  // Sweeps down and up in turn; keeps the order with the fewest crossings.
  void run(bool downwards) {
    best_ = order_;
    fewest_ = count_crossings(order_, below_);
    int since = 0;
    for (int sweep = 0; sweep < kSweeps && fewest_ > 0 && since < kPatience; ++sweep, downwards = !downwards) {
      pass(downwards);
      transpose();
      const std::int64_t count = count_crossings(order_, below_);
      ++since;
      if (count < fewest_) {
        best_ = order_;
        fewest_ = count;
        since = 0;
      }
    }
  }

  const Rows& best() const { return best_; }
  std::int64_t fewest() const { return fewest_; }

 private:
  void number(const std::vector<int>& row) {
    for (std::size_t k = 0; k < row.size(); ++k) place_[at(row[k])] = static_cast<int>(k);
  }

  // Sorts each row in turn by the mean places of its neighbours in the row before it.
  void pass(bool downwards) {
    const Sides& towards = downwards ? above_ : below_;
    for (std::size_t k = 1; k < order_.size(); ++k) {
      const std::size_t here = downwards ? k : order_.size() - 1 - k;
      auto& row = order_[here];
      const auto fixed = static_cast<double>(order_[downwards ? here - 1 : here + 1].size());
      wanted_.clear();
      for (std::size_t place = 0; place < row.size(); ++place) {
        const auto& others = towards[at(row[place])];
        double sum = 0;
        for (const int other : others) sum += place_[at(other)];
        // A vertex without neighbours stays about where it is.
        const double own = static_cast<double>(place) * fixed / static_cast<double>(row.size());
        wanted_.emplace_back(others.empty() ? own : sum / static_cast<double>(others.size()), row[place]);
      }
      std::stable_sort(wanted_.begin(), wanted_.end(), [](auto& a, auto& b) { return a.first < b.first; });
      std::transform(wanted_.begin(), wanted_.end(), row.begin(), [](auto& one) { return one.second; });
      number(row);
    }
  }

  // Lets neighbours in a row change places where that removes crossings.
  void transpose() {
    bool has_swapped = true;
    for (int round = 0; round < kMostPasses && has_swapped; ++round) {
      has_swapped = false;
      for (auto& row : order_) {
        for (std::size_t left = 0; left + 1 < row.size(); ++left) {
          int& one = row[left];
          int& other = row[left + 1];
          if (gain(above_, one, other) + gain(below_, one, other) <= 0) continue;
          std::swap(one, other);
          std::swap(place_[at(one)], place_[at(other)]);
          has_swapped = true;
        }
      }
    }
  }

  // How many crossings fewer there are on one side if two neighbours change places.
  int gain(const Sides& side, int left, int right) const {
    int found = 0;
    for (const int a : side[at(left)]) {
      for (const int b : side[at(right)]) found += (place_[at(a)] > place_[at(b)]) - (place_[at(a)] < place_[at(b)]);
    }
    return found;
  }

  const Sides& above_;
  const Sides& below_;
  Rows order_;
  Rows best_;
  std::int64_t fewest_ = 0;
  std::vector<int> place_;
  std::vector<std::pair<double, int>> wanted_;
};

}  // namespace

Arcs segments_of(const LayerOrder& order) {
  Arcs found;
  for (const auto& chain : order.chains) {
    for (std::size_t k = 1; k < chain.size(); ++k) found.emplace_back(chain[k - 1], chain[k]);
  }
  return found;
}

std::int64_t count_crossings(const Rows& rows, const Sides& below) {
  std::int64_t total = 0;
  std::vector<int> place(below.size(), -1);
  std::vector<std::int64_t> counts;  // a Fenwick tree over the places of the lower row
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const auto& lower = rows[k];
    for (std::size_t p = 0; p < lower.size(); ++p) place[at(lower[p])] = static_cast<int>(p);
    counts.assign(lower.size() + 1, 0);
    std::int64_t all = 0;
    for (const int vertex : rows[k - 1]) {
      // All segments of one vertex are counted before any is added: they share an end and do not cross.
      for (const int other : below[at(vertex)]) {
        if (place[at(other)] < 0) continue;
        total += all;
        for (std::size_t p = at(place[at(other)]) + 1; p > 0; p &= p - 1) total -= counts[p];
      }
      for (const int other : below[at(vertex)]) {
        if (place[at(other)] < 0) continue;
        ++all;
        for (std::size_t p = at(place[at(other)]) + 1; p < counts.size(); p += p & (~p + 1)) ++counts[p];
      }
    }
    for (const int vertex : lower) place[at(vertex)] = -1;
  }
  return total;
}

LayerOrder order_layers(const std::vector<int>& row_of, const Arcs& arcs) {
  Bent bent = with_bends(row_of, arcs);
  const int n_vertices = static_cast<int>(bent.row_of.size());
  LayerOrder found{{}, std::move(bent.chains), n_vertices};
  if (n_vertices == 0) return found;
  const int n_rows = *std::max_element(bent.row_of.begin(), bent.row_of.end()) + 1;
  // Segments longer than one row, where bends were left out, count for no row.
  Arcs segments = segments_of(found);
  std::erase_if(segments, [&](auto& one) { return bent.row_of[at(one.second)] != bent.row_of[at(one.first)] + 1; });
  const Sides above = uppers_of(n_vertices, segments);
  const Sides below = lowers_of(n_vertices, segments);
  std::int64_t fewest = -1;
  const std::size_t starts = std::clamp(kWorkOfStarts / at(n_vertices), std::size_t{2}, kMostStarts);
  Xoshiro256 random = Xoshiro256::stream(0, 0);
  for (std::size_t start = 0; start < starts && fewest != 0; ++start) {
    const bool from_top = start % 2 == 0;
    std::vector<int> roots = by_row(bent.row_of, from_top);
    Sides next = from_top ? below : above;
    if (start >= 2) {
      shuffle(roots, random);
      for (auto& others : next) shuffle(others, random);
    }
    Sweeping search(above, below, depth_first(bent.row_of, n_rows, next, roots));
    search.run(from_top);
    if (fewest >= 0 && search.fewest() >= fewest) continue;
    fewest = search.fewest();
    found.rows = search.best();
  }
  return found;
}

}  // namespace qnml
