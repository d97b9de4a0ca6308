#include "core/scores/score.hpp"

#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/register.hpp"
#include "bind/stoppable.hpp"
#include "bind/table.hpp"
#include "core/scores/integer_score.hpp"
#include "core/scores/local_scores.hpp"
#include "core/scores/make_score.hpp"
#include "core/scores/network_nml.hpp"
#include "core/scores/score_range.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

// From this many cells on, counting may take more than a tenth of a second.
constexpr double kLongVisits = 1e7;

}  // namespace

void register_score(nb::module_& m) {
  nb::enum_<qnml::ScoreKind> kinds(m, "ScoreKind");
  for (const qnml::ScoreEntry& entry : qnml::score_entries()) kinds.value(entry.name, entry.kind);

  nb::enum_<qnml::PriorKind>(m, "PriorKind")
      .value("uniform", qnml::PriorKind::uniform)
      .value("sparse", qnml::PriorKind::sparse);

  nb::class_<qnml::ScoreTraits>(m, "ScoreTraits")
      .def_ro("is_set_function", &qnml::ScoreTraits::is_set_function)
      .def_ro("has_cell_sums", &qnml::ScoreTraits::has_cell_sums)
      .def_ro("has_own_configurations", &qnml::ScoreTraits::has_own_configurations)
      .def_ro("has_price_of_arcs", &qnml::ScoreTraits::has_price_of_arcs)
      .def_ro("price_ignores_counts", &qnml::ScoreTraits::price_ignores_counts)
      .def_ro("has_price_of_levels", &qnml::ScoreTraits::has_price_of_levels);
  m.def("score_traits", &qnml::score_traits, "kind"_a);

  m.def(
      "local_scores",
      [](const bind::Table& table, const bind::In<std::int32_t>& children, const bind::In<std::int64_t>& offsets,
         const bind::In<std::int32_t>& parents, qnml::ScoreKind kind, double parameter, int n_variables, int threads,
         std::uint64_t scale) {
        std::vector<double> scores;
        const auto of_parts = qnml::make_part_scores(kind, parameter, table.view, n_variables, scale);
        const double visits = static_cast<double>(table.view.rows) *
                              (static_cast<double>(children.size()) + static_cast<double>(parents.size()));
        bind::stoppable(visits > kLongVisits, [&](qnml::Control& control) {
          scores = qnml::local_scores(table.view, {bind::view(children), bind::view(offsets), bind::view(parents)},
                                      of_parts, threads, control);
        });
        return bind::give(std::move(scores));
      },
      "table"_a, "children"_a, "offsets"_a, "parents"_a, "kind"_a, "parameter"_a, "n_variables"_a, "threads"_a,
      "scale"_a);

  m.attr("MOST_LEVEL_PRODUCTS") = qnml::kMostProducts;
  m.attr("LARGEST_SCORE") = qnml::kLargestScore;
  m.def(
      "largest_score",
      [](qnml::ScoreKind kind, double parameter, std::uint64_t total, const std::vector<std::uint32_t>& levels,
         const std::vector<std::vector<int>>& required, std::uint64_t scale, qnml::PriorKind prior) {
        const auto score = qnml::make_score(kind, parameter, total, static_cast<int>(levels.size()), scale, prior);
        return qnml::largest_score(*score, levels, required);
      },
      "kind"_a, "parameter"_a, "total"_a, "levels"_a, "required"_a, "scale"_a, "prior"_a);

  m.def("network_regret", &qnml::network_regret, "levels"_a, "parents"_a, "rows"_a,
        nb::call_guard<nb::gil_scoped_release>());
}
