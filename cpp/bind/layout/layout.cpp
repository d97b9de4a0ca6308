#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "bind/register.hpp"
#include "core/layout/columns.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Lists = std::vector<std::vector<int>>;

std::tuple<Lists, Lists, int> ordered(const std::vector<int>& row_of, const qnml::Arcs& arcs) {
  qnml::LayerOrder found = qnml::order_layers(row_of, arcs);
  return {std::move(found.rows), std::move(found.chains), found.n_vertices};
}

std::vector<double> columns(Lists rows, Lists chains, const std::vector<double>& widths, double gap) {
  return qnml::layer_columns({std::move(rows), std::move(chains), static_cast<int>(widths.size())}, widths, gap);
}

}  // namespace

void register_layout(nb::module_& m) {
  m.def("layer_rows", &qnml::layer_rows, "n_nodes"_a, "arcs"_a, nb::call_guard<nb::gil_scoped_release>());
  // The rows of vertices, the chain of vertices of each arc, and the number of vertices.
  m.def("order_layers", &ordered, "row_of"_a, "arcs"_a, nb::call_guard<nb::gil_scoped_release>());
  m.def("layer_columns", &columns, "rows"_a, "chains"_a, "widths"_a, "gap"_a, nb::call_guard<nb::gil_scoped_release>());
}
