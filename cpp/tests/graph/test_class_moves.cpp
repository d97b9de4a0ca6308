// Moves between equivalence classes, compared with all networks on up to five nodes.
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "core/graph/class_moves.hpp"
#include "core/graph/partial_dag.hpp"
#include "tests/all_scores.hpp"
#include "tests/doctest.h"

namespace {

constexpr std::size_t kAllCliques = 10'000;

using Network = std::vector<std::uint32_t>;  // by child: its parents as bits
using Lists = std::vector<std::vector<int>>;

// Equivalent networks have the same skeleton and the same v-structures (Verma and Pearl 1990).
using Pattern = std::pair<std::uint32_t, std::uint64_t>;

bool is_acyclic(const Network& network) {
  std::uint32_t placed = 0;
  for (std::size_t round = 0; round < network.size(); ++round) {
    for (std::size_t child = 0; child < network.size(); ++child) {
      if ((network[child] & ~placed) == 0) placed |= 1U << child;
    }
  }
  return placed + 1 == 1U << network.size();
}

Pattern pattern_of(const Network& network) {
  const std::size_t n = network.size();
  Pattern pattern{0, 0};
  auto are_adjacent = [&](std::size_t a, std::size_t b) { return ((network[a] >> b | network[b] >> a) & 1) != 0; };
  int bit = 0;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = a + 1; b < n; ++b) {
      if (are_adjacent(a, b)) pattern.first |= 1U << (a * n + b);
      for (std::size_t child = 0; child < n; ++child, ++bit) {
        const bool is_collider = (network[child] >> a & network[child] >> b & 1) != 0;
        if (is_collider && !are_adjacent(a, b)) pattern.second |= std::uint64_t{1} << bit;
      }
    }
  }
  return pattern;
}

Lists lists_of(const Network& network) {
  Lists lists;
  for (std::uint32_t parents : network) lists.push_back(members_of(parents));
  return lists;
}

std::map<Pattern, std::vector<Network>> all_classes(std::size_t n) {
  std::map<Pattern, std::vector<Network>> classes;
  Network network(n, 0);
  // Enumerates all choices of parent sets; those with a node as its own parent are skipped with the cyclic ones.
  const std::uint64_t end = std::uint64_t{1} << (n * n);
  for (std::uint64_t code = 0; code < end; ++code) {
    bool has_loop = false;
    for (std::size_t child = 0; child < n; ++child) {
      network[child] = static_cast<std::uint32_t>(code >> (n * child) & ((1U << n) - 1));
      has_loop |= (network[child] >> child & 1) != 0;
    }
    if (!has_loop && is_acyclic(network)) classes[pattern_of(network)].push_back(network);
  }
  return classes;
}

// By node: its parents in all members, and the nodes that are its parents in some members only.
using Drawing = std::pair<Lists, Lists>;

Drawing drawing_of(const std::vector<Network>& members) {
  Network always = members.front(), ever = members.front();
  for (const Network& network : members) {
    for (std::size_t child = 0; child < network.size(); ++child) {
      always[child] &= network[child];
      ever[child] |= network[child];
    }
  }
  for (std::size_t child = 0; child < ever.size(); ++child) ever[child] &= ~always[child];
  return {lists_of(always), lists_of(ever)};
}

Drawing drawing_of(const qnml::PartialDag& graph) {
  Drawing drawing;
  for (int node = 0; node < graph.size(); ++node) {
    drawing.first.push_back(graph.parents(node));
    drawing.second.push_back(graph.neighbours(node));
  }
  return drawing;
}

using Neighbours = std::array<std::set<Pattern>, 3>;  // by kind of move

// The other classes reached by adding, removing or reversing one arc of some member.
Neighbours neighbours_of(const std::vector<Network>& members) {
  Neighbours found;
  const Pattern own = pattern_of(members.front());
  auto add = [&](qnml::MoveKind kind, const Network& network) {
    if (is_acyclic(network) && pattern_of(network) != own) {
      found[static_cast<std::size_t>(kind)].insert(pattern_of(network));
    }
  };
  for (const Network& network : members) {
    for (std::size_t child = 0; child < network.size(); ++child) {
      for (std::size_t other = 0; other < network.size(); ++other) {
        if (child == other || (network[other] >> child & 1) != 0) continue;
        const bool is_arc = (network[child] >> other & 1) != 0;
        Network changed = network;
        changed[child] ^= 1U << other;
        add(is_arc ? qnml::MoveKind::remove : qnml::MoveKind::insert, changed);
        if (!is_arc) continue;
        changed[other] |= 1U << child;
        add(qnml::MoveKind::turn, changed);
      }
    }
  }
  return found;
}

// All classes on `n` nodes, with a random set function as score, in integers so that sums are exact.
class Classes {
 public:
  explicit Classes(std::size_t n) : classes_(all_classes(n)), values_(std::size_t{1} << n) {
    std::mt19937_64 random(n);
    for (std::int64_t& value : values_) value = static_cast<std::int64_t>(random() % 2'000'000) - 1'000'000;
    for (const auto& [pattern, members] : classes_) by_drawing_[drawing_of(members)] = pattern;
    CHECK(by_drawing_.size() == classes_.size());
  }

  std::size_t size() const { return classes_.size(); }

  void check_moves() const {
    for (const auto& [pattern, members] : classes_) {
      for (const Network* network : {&members.front(), &members.back()}) {
        const Drawing drawn = drawing_of(qnml::PartialDag::of_network(lists_of(*network)));
        CHECK(by_drawing_.at(drawn) == pattern);
      }
      CHECK(reached_from(pattern, members.back()) == neighbours_of(members));
    }
  }

 private:
  std::int64_t local(int child, std::uint32_t parents) const {
    return values_[parents | 1U << child] - values_[parents];
  }

  std::int64_t total(const Network& network) const {
    std::int64_t sum = 0;
    for (std::size_t child = 0; child < network.size(); ++child) sum += local(static_cast<int>(child), network[child]);
    return sum;
  }

  std::int64_t gain(const std::vector<qnml::FamilyChange>& changes) const {
    std::int64_t sum = 0;
    for (const qnml::FamilyChange& change : changes) {
      std::uint32_t parents = 0;
      for (int parent : change.parents) parents |= 1U << parent;
      sum += change.is_gained ? local(change.child, parents) : -local(change.child, parents);
    }
    return sum;
  }

  // The classes that valid moves lead to. Each move changes the score as predicted, and can be undone.
  Neighbours reached_from(const Pattern& pattern, const Network& network) const {
    Neighbours reached;
    qnml::PartialDag graph = qnml::PartialDag::of_network(lists_of(network));
    const Drawing before = drawing_of(graph);
    for (qnml::MoveKind kind : {qnml::MoveKind::insert, qnml::MoveKind::remove, qnml::MoveKind::turn}) {
      for (int child = 0; child < graph.size(); ++child) {
        for (int other = 0; other < graph.size(); ++other) {
          for (const std::vector<int>& with : qnml::cliques_around(graph, child, kAllCliques)) {
            const qnml::ClassMove move{kind, child, other, with};
            if (child == other || !qnml::is_valid(graph, move)) continue;
            const std::int64_t gained = gain(qnml::family_changes(graph, move));
            graph.begin();
            qnml::make_move(graph, move);
            const Pattern next = by_drawing_.at(drawing_of(graph));
            graph.undo();
            CHECK(drawing_of(graph) == before);
            CHECK(gained == total(classes_.at(next).front()) - total(classes_.at(pattern).front()));
            reached[static_cast<std::size_t>(kind)].insert(next);
          }
        }
      }
    }
    return reached;
  }

  std::map<Pattern, std::vector<Network>> classes_;
  std::map<Drawing, Pattern> by_drawing_;
  std::vector<std::int64_t> values_;
};

}  // namespace

TEST_CASE("moves lead to every adjacent class and to no other") {
  // Numbers of classes: Gillispie and Perlman 2002.
  const std::size_t n_classes[] = {1, 2, 11, 185, 8782};
  for (std::size_t n = 1; n <= 5; ++n) {
    const Classes classes(n);
    CHECK(classes.size() == n_classes[n - 1]);
    classes.check_moves();
  }
}

TEST_CASE("a limit on the sets of neighbours keeps the small ones") {
  Lists complete;
  for (int child = 0; child < 6; ++child) complete.push_back(members_of((1U << child) - 1));
  const qnml::PartialDag graph = qnml::PartialDag::of_network(complete);
  CHECK(qnml::cliques_around(graph, 0, 6) == Lists{{}, {1}, {2}, {3}, {4}, {5}});
  CHECK(qnml::cliques_around(graph, 0, kAllCliques).size() == 32);
}
