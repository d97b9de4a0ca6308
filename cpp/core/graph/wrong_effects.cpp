#include "core/graph/wrong_effects.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace qnml {

namespace {

using Lists = std::vector<std::vector<int>>;
using Marks = std::vector<char>;

const std::vector<int>& at(const Lists& lists, int node) { return lists[static_cast<std::size_t>(node)]; }
char& at(Marks& marks, int node) { return marks[static_cast<std::size_t>(node)]; }

// The start nodes and all nodes that arcs lead to from them.
Marks reached(const Lists& arcs, const std::vector<int>& start) {
  Marks found(arcs.size(), 0);
  std::vector<int> waiting;
  const auto visit = [&](int node) {
    if (at(found, node) == 0) {
      at(found, node) = 1;
      waiting.push_back(node);
    }
  };
  for (const int node : start) visit(node);
  while (!waiting.empty()) {
    const int node = waiting.back();
    waiting.pop_back();
    for (const int next : at(arcs, node)) visit(next);
  }
  return found;
}

class Search {
 public:
  Search(const Lists& parents, const Lists& children) : parents_(parents), children_(children) {}

  int wrong(int node, const std::vector<int>& believed) {
    const std::size_t n = parents_.size();
    Marks adjusted(n, 0);
    for (const int parent : believed) at(adjusted, parent) = 1;
    Marks descends = reached(children_, {node});
    Marks above_adjusted = reached(parents_, believed);
    std::vector<int> tainted;
    for (const int child : at(children_, node)) {
      if (at(above_adjusted, child) != 0) tainted.push_back(child);
    }
    Marks is_wrong = reached(children_, tainted);
    mark_other_paths(node, adjusted, is_wrong);
    int count = 0;
    for (int target = 0; target < static_cast<int>(n); ++target) {
      if (target == node) continue;
      count += at(adjusted, target) != 0 ? at(descends, target) : at(is_wrong, target);
    }
    return count;
  }

 private:
  // How a path arrives: from a child; from a parent, after a turn; from a parent, having gone downwards only.
  enum Way { kFromChild, kFromParent, kStraightDown };

  // Marks the targets of open paths that are not causal, none of which returns to the node.
  void mark_other_paths(int node, Marks& adjusted, Marks& is_wrong) {
    std::vector<Marks> seen(3, Marks(parents_.size(), 0));
    std::vector<std::pair<int, Way>> waiting;
    const auto visit = [&](const std::vector<int>& nodes, Way way) {
      for (const int next : nodes) {
        if (next == node || at(seen[way], next) != 0) continue;
        at(seen[way], next) = 1;
        waiting.emplace_back(next, way);
      }
    };
    visit(at(parents_, node), kFromChild);
    visit(at(children_, node), kStraightDown);
    while (!waiting.empty()) {
      const auto [here, way] = waiting.back();
      waiting.pop_back();
      if (at(adjusted, here) != 0) {
        if (way != kFromChild) visit(at(parents_, here), kFromChild);
        continue;
      }
      if (way == kStraightDown) {
        visit(at(children_, here), kStraightDown);
        continue;
      }
      at(is_wrong, here) = 1;
      if (way == kFromChild) visit(at(parents_, here), kFromChild);
      visit(at(children_, here), kFromParent);
    }
  }

  const Lists& parents_;
  const Lists& children_;
};

}  // namespace

std::vector<int> wrong_effects(const Lists& network, const std::vector<int>& nodes, const Lists& believed) {
  Lists children(network.size());
  for (std::size_t child = 0; child < network.size(); ++child) {
    for (const int parent : network[child]) {
      children[static_cast<std::size_t>(parent)].push_back(static_cast<int>(child));
    }
  }
  Search search(network, children);
  std::vector<int> counts(nodes.size());
  std::transform(nodes.begin(), nodes.end(), believed.begin(), counts.begin(),
                 [&](int node, const std::vector<int>& parents) { return search.wrong(node, parents); });
  return counts;
}

}  // namespace qnml
