#include "core/local/local_search.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>
#include <vector>

#include "bind/register.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

qnml::LocalSearchOptions make_options(qnml::LocalMethod method, qnml::Effort effort, double most_work,
                                      std::vector<std::vector<int>> start) {
  return {method, effort, most_work, std::move(start)};
}

}  // namespace

void register_local_search(nb::module_& m) {
  nb::enum_<qnml::LocalMethod>(m, "LocalMethod")
      .value("hill_climbing", qnml::LocalMethod::hill_climbing)
      .value("order", qnml::LocalMethod::order)
      .value("greedy_equivalence", qnml::LocalMethod::greedy_equivalence);

  nb::enum_<qnml::Effort>(m, "Effort")
      .value("quick", qnml::Effort::quick)
      .value("usual", qnml::Effort::usual)
      .value("thorough", qnml::Effort::thorough);

  nb::class_<qnml::LocalSearchOptions>(m, "LocalSearchOptions")
      .def(nb::new_(&make_options), "method"_a, "effort"_a, "most_work"_a, "start"_a);

  nb::class_<qnml::LocalSearchResult>(m, "LocalSearchResult")
      .def_prop_ro("parents", [](const qnml::LocalSearchResult& result) { return result.network.parents; })
      .def_prop_ro("score", [](const qnml::LocalSearchResult& result) { return result.network.score; })
      .def_prop_ro("trace",
                   [](const qnml::LocalSearchResult& result) {
                     std::vector<std::pair<double, double>> trace;
                     for (const auto& point : result.network.trace) trace.emplace_back(point.seconds, point.score);
                     return trace;
                   })
      .def_ro("bound", &qnml::LocalSearchResult::bound)
      .def_ro("optimal", &qnml::LocalSearchResult::optimal)
      .def_ro("n_proven", &qnml::LocalSearchResult::n_proven)
      .def_ro("most_parents", &qnml::LocalSearchResult::most_parents)
      .def_ro("is_cut", &qnml::LocalSearchResult::is_cut)
      .def_ro("sets_counted", &qnml::LocalSearchResult::sets_counted)
      .def_ro("candidates", &qnml::LocalSearchResult::candidates)
      .def_ro("seconds", &qnml::LocalSearchResult::seconds)
      .def_ro("copies", &qnml::LocalSearchResult::copies);

  m.def("local_search_bytes", &qnml::local_search_bytes, "variables"_a, "rows"_a, "total_levels"_a);
  m.def("learn_local", &qnml::learn_local, "problem"_a, "options"_a, "control"_a,
        nb::call_guard<nb::gil_scoped_release>());
}
