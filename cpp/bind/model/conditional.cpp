#include "core/model/conditional.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <new>
#include <optional>

#include "bind/arrays.hpp"
#include "bind/register.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using CodeArray = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using MaybeConfigs = std::optional<bind::In<std::int32_t>>;
using MaybeCodes = std::optional<CodeArray>;

qnml::Conditionals make_conditionals(const std::vector<bind::In<std::uint32_t>>& parents,
                                     const std::vector<std::uint32_t>& levels, const std::vector<MaybeConfigs>& configs,
                                     const std::vector<bind::In<double>>& rows,
                                     const std::vector<bind::In<double>>& unseen) {
  const std::size_t count = levels.size();
  if (parents.size() != count || configs.size() != count || rows.size() != count || unseen.size() != count)
    throw nb::value_error("parents, levels, configs, rows and unseen differ in length");
  std::vector<qnml::ConditionalTable> tables;
  for (std::size_t i = 0; i < count; ++i) {
    tables.push_back({bind::view(parents[i]), levels[i], !configs[i].has_value(),
                      configs[i] ? bind::view(*configs[i]) : std::span<const std::int32_t>{}, bind::view(rows[i]),
                      bind::view(unseen[i])});
  }
  const nb::gil_scoped_release release;
  return qnml::Conditionals(tables);
}

std::vector<qnml::SignedColumn> to_columns(const std::vector<MaybeCodes>& codes, std::size_t rows) {
  std::vector<qnml::SignedColumn> columns;
  for (const MaybeCodes& column : codes) {
    if (!column) {
      columns.push_back({});
      continue;
    }
    const auto kind = column->dtype();
    const bool is_signed =
        kind == nb::dtype<std::int8_t>() || kind == nb::dtype<std::int16_t>() || kind == nb::dtype<std::int32_t>();
    if (!is_signed) throw nb::type_error("columns must be int8, int16 or int32");
    if (column->size() != rows) throw nb::value_error("columns must be as long as the rows asked for");
    columns.push_back({column->data(), static_cast<int>(column->itemsize())});
  }
  return columns;
}

// The places of the queried configurations among the listed ones; unlisted ones get the number of listed ones.
bind::Out<std::int64_t> find_configs(const std::vector<std::uint32_t>& levels, const bind::In<std::int32_t>& configs,
                                     std::size_t listed, const bind::In<std::int32_t>& queries, std::size_t count) {
  if (queries.size() != count * levels.size()) throw nb::value_error("queries must be count × parents");
  std::vector<std::int64_t> places;
  {
    const nb::gil_scoped_release release;
    const qnml::ConfigIndex index(levels, bind::view(configs), listed);
    qnml::PackedRows packed;
    index.start(packed, count);
    std::vector<std::int32_t> codes(count);
    for (std::size_t parent = 0; parent < levels.size(); ++parent) {
      for (std::size_t i = 0; i < count; ++i) codes[i] = queries.data()[i * levels.size() + parent];
      index.append(packed, parent, codes.data());
    }
    index.find(packed);
    places.assign(packed.places.begin(), packed.places.end());
  }
  return bind::give(std::move(places));
}

}  // namespace

void register_conditional(nb::module_& m) {
  nb::class_<qnml::Conditionals>(m, "Conditionals")
      .def(
          "__init__",
          [](qnml::Conditionals* self, const std::vector<bind::In<std::uint32_t>>& parents,
             const std::vector<std::uint32_t>& levels, const std::vector<MaybeConfigs>& configs,
             const std::vector<bind::In<double>>& rows, const std::vector<bind::In<double>>& unseen) {
            new (self) qnml::Conditionals(make_conditionals(parents, levels, configs, rows, unseen));
          },
          "parents"_a, "levels"_a, "configs"_a, "rows"_a, "unseen"_a)
      .def(
          "log_prob",
          [](const qnml::Conditionals& self, const std::vector<MaybeCodes>& columns, std::size_t rows, int threads) {
            const auto views = to_columns(columns, rows);
            std::vector<double> values(rows);
            {
              const nb::gil_scoped_release release;
              self.log_prob(views, values, threads);
            }
            return bind::give(std::move(values));
          },
          "columns"_a, "rows"_a, "threads"_a)
      .def(
          "predict",
          [](const qnml::Conditionals& self, std::size_t target, const std::vector<MaybeCodes>& columns,
             std::size_t rows, int threads) {
            const auto views = to_columns(columns, rows);
            if (target >= self.variables()) throw nb::value_error("the target is no variable");
            std::vector<double> shares(rows * self.levels(target));
            {
              const nb::gil_scoped_release release;
              self.predict(target, views, shares, threads);
            }
            return bind::give(std::move(shares));
          },
          "target"_a, "columns"_a, "rows"_a, "threads"_a);

  m.def("find_configs", &find_configs, "levels"_a, "configs"_a, "listed"_a, "queries"_a, "count"_a);
}
