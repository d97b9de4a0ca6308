#include "core/local/local_search.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "bind/arrays.hpp"
#include "bind/register.hpp"
#include "bind/table.hpp"
#include "core/proving/family_tree.hpp"
#include "core/proving/proving.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Words = nb::ndarray<const std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

qnml::BitRows to_rows(const Words& words) {
  qnml::BitRows rows(static_cast<int>(words.shape(0)));
  if (words.shape(1) != rows.words()) throw nb::value_error("rows of another number of words");
  for (int i = 0; i < rows.size(); ++i) {
    std::copy_n(words.data() + static_cast<std::size_t>(i) * rows.words(), rows.words(), rows.row(i));
  }
  return rows;
}

qnml::LocalSearchTask make_task(qnml::ScoreKind kind, double parameter, const Words& allowed, const Words& required,
                                const std::vector<int>& max_parents, double most_cells, qnml::LocalMethod method,
                                qnml::Effort effort, std::uint64_t seed, double most_work) {
  return {kind, parameter, {to_rows(allowed), to_rows(required), max_parents}, most_cells, method, effort,
          seed, most_work};
}

qnml::FamilyCache make_cache(const bind::Table& table, const qnml::LocalSearchTask& task) {
  constexpr double kStoreBytes = 1e8;
  return {table.view, qnml::make_score(task.kind, task.parameter, table.view), task.most_cells, kStoreBytes};
}

using Family = std::tuple<std::vector<int>, double, bool>;

std::vector<Family> list_families(const bind::Table& table, const qnml::LocalSearchTask& task, int child,
                                  std::uint64_t work) {
  qnml::FamilyCache families = make_cache(table, task);
  families.admit(child, task.rules.required.members(child));
  const qnml::SupersetBound bound(qnml::make_score(task.kind, task.parameter, table.view), table.view);
  const qnml::ClusterPrices prices(table.view.columns.size());
  qnml::Control control;
  const qnml::LogCounts log_counts(table.view.total);
  qnml::FamilyTree tree(families, task.rules, bound, log_counts, task.most_cells, child);
  tree.start(work);
  tree.grow({&prices, -std::numeric_limits<double>::infinity()}, work, std::size_t{1} << 30, control);
  std::vector<Family> found;
  for (const qnml::Choice& choice : tree.choices()) {
    found.emplace_back(choice.parents.members(), choice.score, choice.is_open);
  }
  return found;
}

qnml::Proof prove(const bind::Table& table, const qnml::LocalSearchTask& task,
                  const std::vector<std::vector<int>>& parents, std::uint64_t work, std::size_t cases,
                  qnml::Control& control, int threads) {
  constexpr double kTreeBytes = 1e9;
  qnml::FamilyCache families = make_cache(table, task);
  for (int child = 0; child < families.n_variables(); ++child) {
    families.admit(child, task.rules.required.members(child));
  }
  const qnml::ProvingTask proving{task.kind, task.parameter, task.most_cells, work, cases, kTreeBytes};
  return qnml::prove(families, task.rules, proving, parents, std::numeric_limits<double>::infinity(), control, threads);
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
      .def(nb::new_(&make_task), "kind"_a, "parameter"_a, "allowed"_a, "required"_a, "max_parents"_a, "most_cells"_a,
           "method"_a, "effort"_a, "seed"_a, "most_work"_a);

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

  nb::class_<qnml::Proof>(m, "Proof")
      .def_ro("bound", &qnml::Proof::bound)
      .def_ro("optimal", &qnml::Proof::optimal)
      .def_ro("parents", &qnml::Proof::parents)
      .def_ro("score", &qnml::Proof::score)
      .def_ro("n_proven", &qnml::Proof::n_proven);

  // From a network that is known, by its parents, to a better one or a bound: for tests.
  m.def("prove", &prove, "table"_a, "task"_a, "parents"_a, "work"_a, "cases"_a, "control"_a, "threads"_a,
        nb::call_guard<nb::gil_scoped_release>());

  // Parents, score or bound, and whether it stands for larger sets of parents: for tests.
  m.def("list_families", &list_families, "table"_a, "task"_a, "child"_a, "work"_a,
        nb::call_guard<nb::gil_scoped_release>());
}
