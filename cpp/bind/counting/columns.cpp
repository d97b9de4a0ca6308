#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/register.hpp"
#include "bind/table.hpp"
#include "core/counting/copied_columns.hpp"
#include "core/counting/count.hpp"
#include "core/counting/lattice.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using CodeArray = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

bind::Table make_table(const std::vector<CodeArray>& codes, const std::vector<std::uint32_t>& levels,
                       const std::optional<bind::In<std::uint64_t>>& weights) {
  bind::Table table;
  nb::list owners;
  if (codes.size() != levels.size()) throw nb::value_error("codes and levels differ in length");
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const bool narrow = codes[i].dtype() == nb::dtype<std::uint8_t>();
    if (!narrow && codes[i].dtype() != nb::dtype<std::uint16_t>())
      throw nb::type_error("codes must be uint8 or uint16");
    if (codes[i].size() != codes[0].size()) throw nb::value_error("columns differ in length");
    table.view.columns.push_back({codes[i].data(), !narrow, levels[i]});
    owners.append(nb::cast(codes[i]));
  }
  table.view.rows = codes.empty() ? 0 : codes[0].size();
  table.view.total = table.view.rows;
  if (weights) {
    if (weights->size() != table.view.rows) throw nb::value_error("weights and rows differ in length");
    table.view.weights = weights->data();
    table.view.total = std::accumulate(weights->data(), weights->data() + weights->size(), std::uint64_t{0});
    owners.append(nb::cast(*weights));
  }
#ifdef QNML_SANITIZE
  if (!qnml::has_valid_codes(table.view)) throw nb::value_error("a code is not below its column's number of levels");
#endif
  table.owner = owners;
  return table;
}

// The same table, with other rows for the families of some children.
bind::Table split(const bind::Table& whole, const std::vector<const bind::Table*>& parts,
                  const std::vector<std::size_t>& of_child) {
  auto rows = std::make_shared<qnml::RowParts>();
  bind::Table table = whole;
  nb::list owners;
  owners.append(whole.owner);
  for (const bind::Table* part : parts) {
    if (part->view.is_split()) throw nb::value_error("a part is split itself");
    if (qnml::levels_of(part->view) != qnml::levels_of(whole.view))
      throw nb::value_error("the levels of a part differ");
    rows->tables.push_back(part->view);
    owners.append(part->owner);
  }
  if (of_child.size() != whole.view.columns.size()) throw nb::value_error("one part for each column");
  for (std::size_t part : of_child) {
    if (part >= parts.size()) throw nb::value_error("there is no such part");
  }
  rows->of_child = of_child;
  table.view.parts = std::move(rows);
  table.owner = owners;
  return table;
}

}  // namespace

void register_columns(nb::module_& m) {
  m.attr("MOST_LATTICE_VARIABLES") = qnml::kMostLatticeVariables;

  nb::class_<bind::Table>(m, "Columns")
      .def(
          "__init__",
          [](bind::Table* self, const std::vector<CodeArray>& codes, const std::vector<std::uint32_t>& levels,
             const std::optional<bind::In<std::uint64_t>>& weights) {
            new (self) bind::Table(make_table(codes, levels, weights));
          },
          "codes"_a, "levels"_a, "weights"_a = nb::none())
      .def("split", &split, "parts"_a, "of_child"_a)
      .def_prop_ro("part_of",
                   [](const bind::Table& table) {
                     return table.view.is_split() ? table.view.parts->of_child
                                                  : std::vector<std::size_t>(table.view.columns.size(), 0);
                   })
      .def(
          "total_of", [](const bind::Table& table, int child) { return table.view.of(child).total; }, "child"_a)
      .def_prop_ro("is_split", [](const bind::Table& table) { return table.view.is_split(); })
      .def_prop_ro("rows", [](const bind::Table& table) { return table.view.rows; })
      .def_prop_ro("total", [](const bind::Table& table) { return table.view.total; })
      .def_prop_ro("levels", [](const bind::Table& table) { return qnml::levels_of(table.view); });

  m.def(
      "family_counts",
      [](const bind::Table& table, int child, const std::vector<int>& parents) {
        qnml::FamilyCounts found;
        {
          nb::gil_scoped_release release;
          found = qnml::Counter(table.view.of(child)).configurations(child, parents);
        }
        return nb::make_tuple(bind::give(std::move(found.configs)), bind::give(std::move(found.counts)));
      },
      "table"_a, "child"_a, "parents"_a);

  m.def(
      "copied_columns", [](const bind::Table& table) { return qnml::copied_columns(table.view); }, "table"_a,
      nb::call_guard<nb::gil_scoped_release>());

  m.def(
      "partition",
      [](const bind::Table& table, const std::vector<int>& variables) {
        std::vector<std::uint32_t> labels;
        std::uint32_t count = 0;
        {
          nb::gil_scoped_release release;
          count = qnml::Counter(table.view).partition(variables, labels);
        }
        return nb::make_tuple(count, bind::give(std::move(labels)));
      },
      "table"_a, "variables"_a);
}
