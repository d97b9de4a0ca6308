#include "core/local/local_search.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/register.hpp"
#include "bind/table.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

qnml::LocalSearchTask make_task(qnml::ScoreKind kind, double parameter, const qnml::Rules& rules,
                                qnml::LocalMethod method, qnml::Effort effort, std::uint64_t seed, double most_work) {
  return {kind, parameter, rules, method, effort, seed, most_work};
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

  nb::class_<qnml::LocalSearchTask>(m, "LocalSearchTask")
      .def(nb::new_(&make_task), "kind"_a, "parameter"_a, "rules"_a, "method"_a, "effort"_a, "seed"_a, "most_work"_a);

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
      .def_ro("is_cut", &qnml::LocalSearchResult::is_cut)
      .def_ro("sets_counted", &qnml::LocalSearchResult::sets_counted)
      .def_ro("candidates", &qnml::LocalSearchResult::candidates)
      .def_ro("seconds", &qnml::LocalSearchResult::seconds)
      .def_ro("copies", &qnml::LocalSearchResult::copies);

  m.def(
      "learn_local",
      [](const bind::Table& table, const qnml::LocalSearchTask& task, double memory_limit, qnml::Control& control,
         int threads) { return qnml::learn_local(table.view, task, memory_limit, control, threads); },
      "table"_a, "task"_a, "memory_limit"_a, "control"_a, "threads"_a, nb::call_guard<nb::gil_scoped_release>());
}
