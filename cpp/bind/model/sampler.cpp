#include "core/model/sampler.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bind/arrays.hpp"
#include "bind/register.hpp"
#include "bind/stoppable.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using MaybeConfigs = std::optional<bind::In<std::int32_t>>;
using Codes = nb::ndarray<nb::ndim<1>, nb::c_contig, nb::device::cpu>;

qnml::SampledColumn to_column(const Codes& codes, std::size_t rows) {
  const bool narrow = codes.dtype() == nb::dtype<std::uint8_t>();
  if (!narrow && codes.dtype() != nb::dtype<std::uint16_t>()) throw nb::type_error("columns must be uint8 or uint16");
  if (codes.size() != rows) throw nb::value_error("columns must be as long as the rows asked for");
  return {codes.data(), !narrow};
}

void sample_rows(const std::vector<bind::In<std::uint32_t>>& parents, const bind::In<std::uint32_t>& levels,
                 const std::vector<bind::In<double>>& cumulative, const std::vector<Codes>& columns, std::size_t rows,
                 std::uint64_t seed, int threads, const std::vector<MaybeConfigs>& configs) {
  const std::size_t count = columns.size();
  if (parents.size() != count || levels.size() != count || cumulative.size() != count)
    throw nb::value_error("parents, levels, cumulative and columns differ in length");
  // If `configs` is omitted, every table lists all configurations.
  if (!configs.empty() && configs.size() != count) throw nb::value_error("configs and columns differ in length");
  std::vector<qnml::SampledNode> nodes;
  std::vector<qnml::SampledColumn> targets;
  for (std::size_t i = 0; i < count; ++i) {
    const bool lists_all = configs.empty() || !configs[i].has_value();
    nodes.push_back({bind::view(parents[i]), levels.data()[i], bind::view(cumulative[i]), lists_all,
                     lists_all ? std::span<const std::int32_t>{} : bind::view(*configs[i])});
    targets.push_back(to_column(columns[i], rows));
  }
  // From this many cells on, drawing may take more than a tenth of a second.
  constexpr double kLongDraws = 1e6;
  const double draws = static_cast<double>(rows) * static_cast<double>(count);
  bind::stoppable(draws > kLongDraws,
                  [&](qnml::Control& control) { qnml::sample_rows(nodes, targets, rows, seed, threads, control); });
}

}  // namespace

void register_sampler(nb::module_& m) {
  // No conversion: a converted copy of a column would be filled and discarded.
  m.def("sample_rows", &sample_rows, "parents"_a.noconvert(), "levels"_a.noconvert(), "cumulative"_a.noconvert(),
        "columns"_a.noconvert(), "rows"_a, "seed"_a, "threads"_a,
        "configs"_a.noconvert() = std::vector<MaybeConfigs>());
}
