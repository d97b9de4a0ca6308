#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/register.hpp"
#include "bind/stoppable.hpp"
#include "bind/table.hpp"
#include "core/base/control.hpp"
#include "core/binning/column_bins.hpp"
#include "core/binning/cut_candidates.hpp"
#include "core/binning/histogram.hpp"
#include "core/scores/make_score.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

// A view and the Python arrays that hold its data.
struct Candidates {
  bind::In<double> below, above;
  bind::In<std::uint64_t> counts;
  qnml::CutCandidates view;

  Candidates(const bind::In<double>& below_edges, const bind::In<double>& above_edges,
             const bind::In<std::uint64_t>& rows, double places, std::uint64_t fixed_rows, std::uint32_t fixed_bins)
      : below(below_edges),
        above(above_edges),
        counts(rows),
        view{bind::view(below), bind::view(above), bind::view(counts), places, fixed_rows, fixed_bins} {
    if (rows.size() == 0 || below.size() != rows.size() + 1 || above.size() != below.size())
      throw nb::value_error("there must be one edge more than counts");
    if (places < static_cast<double>(view.candidates())) throw nb::value_error("candidates are places");
  }
};

// From this many intervals on, a histogram may take more than a tenth of a second.
constexpr double kLongIntervals = 2e6;

}  // namespace

void register_binning(nb::module_& m) {
  nb::class_<Candidates>(m, "CutCandidates")
      .def(nb::init<const bind::In<double>&, const bind::In<double>&, const bind::In<std::uint64_t>&, double,
                    std::uint64_t, std::uint32_t>(),
           "below"_a, "above"_a, "counts"_a, "places"_a, "fixed_rows"_a, "fixed_bins"_a);

  m.def(
      "nml_histograms",
      [](const std::vector<const Candidates*>& columns, int threads, std::optional<std::size_t> most_bins) {
        std::vector<qnml::CutCandidates> views;
        double intervals = 0.0;
        for (const Candidates* column : columns) {
          views.push_back(column->view);
          const auto pieces = static_cast<double>(column->view.pieces());
          intervals += pieces * pieces / 2;
        }
        std::vector<std::vector<std::int32_t>> cuts;
        bind::stoppable(intervals > kLongIntervals, [&](qnml::Control& control) {
          cuts = qnml::nml_histograms(views, threads, control, most_bins.value_or(qnml::kAnyNumberOfBins));
        });
        std::vector<bind::Out<std::int32_t>> given;
        for (auto& found : cuts) given.push_back(bind::give(std::move(found)));
        return given;
      },
      "columns"_a, "threads"_a, "most_bins"_a = nb::none());

  m.def(
      "best_bins",
      [](const bind::Table& table, qnml::ScoreKind kind, double parameter, const std::vector<std::vector<int>>& parents,
         int column, const Candidates& candidates, const bind::In<std::uint16_t>& pieces, std::size_t most_bins,
         int threads, qnml::Control& control) -> std::optional<bind::Out<std::int32_t>> {
        const auto score = qnml::make_score(kind, parameter, table.view);
        const auto* of_sets = dynamic_cast<const qnml::SetScore*>(score.get());
        if (of_sets == nullptr || !score->price_ignores_counts()) throw nb::value_error("the price depends on counts");
        if (pieces.size() != table.view.rows) throw nb::value_error("pieces and rows differ in length");
        if (parents.size() != table.view.columns.size()) throw nb::value_error("one list of parents for each column");
        std::optional<std::vector<std::int32_t>> cuts;
        {
          const nb::gil_scoped_release release;
          cuts = qnml::best_bins(
              {table.view, *of_sets, column, parents, candidates.view, bind::view(pieces), most_bins, threads},
              control);
        }
        if (!cuts) return std::nullopt;
        return bind::give(std::move(*cuts));
      },
      "table"_a, "kind"_a, "parameter"_a, "parents"_a, "column"_a, "candidates"_a, "pieces"_a, "most_bins"_a,
      "threads"_a, "control"_a);
}
