#include "core/graph/class_moves.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/register.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Lists = std::vector<std::vector<int>>;
// A family, and whether it is gained.
using Change = std::tuple<int, std::vector<int>, bool>;

struct Neighbour {
  qnml::ClassMove move;
  Lists parents, neighbours;  // of the class that the step leads to
  std::vector<Change> changes;
};

std::pair<Lists, Lists> lists_of(const qnml::PartialDag& graph) {
  Lists parents, neighbours;
  for (int node = 0; node < graph.size(); ++node) {
    parents.push_back(graph.parents(node));
    neighbours.push_back(graph.neighbours(node));
  }
  return {std::move(parents), std::move(neighbours)};
}

std::vector<Neighbour> class_neighbours(const Lists& network, std::size_t most_cliques) {
  qnml::PartialDag graph = qnml::PartialDag::of_network(network);
  const auto [parents, neighbours] = lists_of(graph);
  std::vector<Neighbour> found;
  for (qnml::MoveKind kind : {qnml::MoveKind::insert, qnml::MoveKind::remove, qnml::MoveKind::turn}) {
    for (int child = 0; child < graph.size(); ++child) {
      for (int other = 0; other < graph.size(); ++other) {
        for (const std::vector<int>& with : qnml::cliques_around(graph, child, most_cliques)) {
          qnml::ClassMove move{kind, child, other, with};
          if (child == other || !qnml::is_valid(graph, move)) continue;
          std::vector<Change> changes;
          for (const qnml::FamilyChange& change : qnml::family_changes(graph, move)) {
            changes.emplace_back(change.child, change.parents, change.is_gained);
          }
          graph.begin();
          qnml::make_move(graph, move);
          auto [now, lines] = lists_of(graph);
          graph.undo();
          if (lists_of(graph) != std::pair{parents, neighbours}) throw std::logic_error("a step was not undone");
          found.push_back({std::move(move), std::move(now), std::move(lines), std::move(changes)});
        }
      }
    }
  }
  return found;
}

}  // namespace

void register_class_moves(nb::module_& m) {
  nb::enum_<qnml::MoveKind>(m, "MoveKind")
      .value("insert", qnml::MoveKind::insert)
      .value("remove", qnml::MoveKind::remove)
      .value("turn", qnml::MoveKind::turn);

  nb::class_<Neighbour>(m, "ClassNeighbour")
      .def_prop_ro("kind", [](const Neighbour& one) { return one.move.kind; })
      .def_prop_ro("child", [](const Neighbour& one) { return one.move.child; })
      .def_prop_ro("other", [](const Neighbour& one) { return one.move.other; })
      .def_prop_ro("with_parents", [](const Neighbour& one) { return one.move.with; })
      .def_ro("parents", &Neighbour::parents)
      .def_ro("neighbours", &Neighbour::neighbours)
      .def_ro("changes", &Neighbour::changes);

  m.def("class_neighbours", &class_neighbours, "network"_a, "most_cliques"_a);
  m.def("class_of", [](const Lists& network) { return lists_of(qnml::PartialDag::of_network(network)); }, "network"_a);
}
