#include "core/shapes/spanning_tree.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/numbers/minus_infinity.hpp"

namespace qnml {
namespace {

// What an arc contributes. Fewer roots come first, since a tree has only one; then the gain decides. Adding the same to
// two values keeps their order, and the algorithm needs no more than that.
struct Worth {
  double roots = 0.0;  // minus the number of roots
  double gain = 0.0;

  friend bool operator>(const Worth& a, const Worth& b) {
    return a.roots != b.roots ? a.roots > b.roots : a.gain > b.gain;
  }
  friend Worth operator-(const Worth& a, const Worth& b) { return {a.roots - b.roots, a.gain - b.gain}; }
};

// An arc into a node: a variable, or several that were contracted because their best arcs form a cycle.
struct Arc {
  Worth worth;
  int child = -1;  // the variable it enters; -1: there is no arc
};

// A source beyond the variables stands for "no parent". Nodes are numbered variables first, then contracted cycles.
class Arborescence {
 public:
  Arborescence(const ArcGains& gains, Span span) : n_(gains.size()), node_of_(2 * n_ + 1), chosen_(2 * n_ + 1) {
    for (std::size_t node = 0; node < node_of_.size(); ++node) node_of_[node] = node;
    inside_.assign(2 * n_ + 1, kNone);
    is_done_.assign(2 * n_ + 1, 0);
    place_on_path_.assign(2 * n_ + 1, kNone);
    rows_.resize(2 * n_ + 1);
    is_done_[n_] = 1;
    for (std::size_t child = 0; child < n_; ++child) {
      rows_[child].resize(n_ + 1);
      for (std::size_t parent = 0; parent < n_; ++parent) {
        if (gains(child, parent) > kMinusInfinity) {
          rows_[child][parent] = {{0.0, gains(child, parent)}, static_cast<int>(child)};
        }
      }
      const double roots = span == Span::tree ? -1.0 : 0.0;
      if (!gains.needs_parent(child)) rows_[child][n_] = {{roots, 0.0}, static_cast<int>(child)};
    }
    next_ = n_ + 1;
  }

  TreeParents find(Span span) {
    for (std::size_t variable = 0; variable < n_; ++variable) {
      if (!walk(variable)) return {};
    }
    expand();
    TreeParents parents(n_, -1);
    std::size_t roots = 0;
    for (std::size_t variable = 0; variable < n_; ++variable) {
      const std::size_t parent = chosen_[variable].parent;
      if (parent < n_) parents[variable] = static_cast<int>(parent);
      roots += parent == n_ ? 1 : 0;
    }
    if (span == Span::tree && roots > 1) return {};
    return parents;
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  struct Chosen {
    std::size_t parent = kNone;
    Arc arc;
  };

  std::size_t outermost(std::size_t node) {
    while (node_of_[node] != node) {
      node_of_[node] = node_of_[node_of_[node]];
      node = node_of_[node];
    }
    return node;
  }

  // Follows best arcs backwards until they reach a node that is connected already. False if a node has no arc.
  bool walk(std::size_t variable) {
    std::vector<std::size_t> path;
    for (std::size_t node = outermost(variable); is_done_[node] == 0;) {
      if (place_on_path_[node] != kNone) {
        node = contract(path, place_on_path_[node]);
      }
      place_on_path_[node] = path.size();
      path.push_back(node);
      if (!choose(node)) return false;
      node = outermost(chosen_[node].parent);
    }
    for (std::size_t node : path) is_done_[node] = 1;
    return true;
  }

  // The best arc from outside; "no parent" wins ties, then the first variable.
  bool choose(std::size_t node) {
    Chosen best;
    for (std::size_t k = 0; k <= n_; ++k) {
      const std::size_t parent = k == 0 ? n_ : k - 1;
      const Arc& arc = rows_[node][parent];
      if (arc.child < 0 || outermost(parent) == node) continue;
      if (best.parent == kNone || arc.worth > best.arc.worth) best = {parent, arc};
    }
    chosen_[node] = best;
    return best.parent != kNone;
  }

  // Makes one node of the end of the path. An arc into it replaces the best arc of the member that it enters.
  std::size_t contract(std::vector<std::size_t>& path, std::size_t first) {
    const std::size_t node = next_++;
    std::vector<Arc> merged(n_ + 1);
    for (std::size_t place = first; place < path.size(); ++place) {
      const std::size_t member = path[place];
      node_of_[member] = inside_[member] = node;
      for (std::size_t parent = 0; parent <= n_; ++parent) {
        Arc arc = rows_[member][parent];
        if (arc.child < 0) continue;
        arc.worth = arc.worth - chosen_[member].arc.worth;
        if (merged[parent].child < 0 || arc.worth > merged[parent].worth) merged[parent] = arc;
      }
      rows_[member] = {};
    }
    rows_[node] = std::move(merged);
    path.resize(first);
    return node;
  }

  void expand() {
    for (std::size_t node = next_; node-- > n_ + 1;) {
      auto member = static_cast<std::size_t>(chosen_[node].arc.child);
      while (inside_[member] != node) member = inside_[member];
      chosen_[member] = chosen_[node];
    }
  }

  std::size_t n_;
  std::size_t next_;
  std::vector<std::size_t> node_of_;  // with short cuts to the outermost
  std::vector<std::size_t> inside_;   // the node into which this one was contracted
  std::vector<Chosen> chosen_;
  std::vector<char> is_done_;
  std::vector<std::size_t> place_on_path_;
  std::vector<std::vector<Arc>> rows_;  // by node and parent: the best arc from there
};

}  // namespace

bool ArcGains::is_symmetric() const {
  for (std::size_t child = 0; child < n_; ++child) {
    if (needs_parent(child)) return false;
    for (std::size_t parent = 0; parent < child; ++parent) {
      if ((*this)(child, parent) != (*this)(parent, child)) return false;
    }
  }
  return true;
}

TreeParents best_undirected(const ArcGains& gains, Span span) {
  const std::size_t n = gains.size();
  TreeParents parents(n, -1);
  std::vector<double> best(n, kMinusInfinity);  // of the edges to the variables that are connected
  std::vector<char> is_connected(n, 0);
  const double least = span == Span::tree ? kMinusInfinity : 0.0;
  std::size_t parts = 0;
  for (std::size_t round = 0; round < n; ++round) {
    std::size_t next = n;
    for (std::size_t variable = 0; variable < n; ++variable) {
      if (is_connected[variable] != 0) continue;
      if (next == n || best[variable] > best[next]) next = variable;
    }
    if (!(best[next] > least)) {
      // Nothing more belongs to the parts so far: the first variable left begins another.
      next = static_cast<std::size_t>(std::find(is_connected.begin(), is_connected.end(), 0) - is_connected.begin());
      parents[next] = -1;
      ++parts;
    }
    is_connected[next] = 1;
    for (std::size_t other = 0; other < n; ++other) {
      if (is_connected[other] == 0 && gains(other, next) > best[other]) {
        best[other] = gains(other, next);
        parents[other] = static_cast<int>(next);
      }
    }
  }
  if (span == Span::tree && parts > 1) return {};
  return parents;
}

TreeParents best_directed(const ArcGains& gains, Span span) { return Arborescence(gains, span).find(span); }

TreeParents best_span(const ArcGains& gains, Span span) {
  return gains.is_symmetric() ? best_undirected(gains, span) : best_directed(gains, span);
}

}  // namespace qnml
