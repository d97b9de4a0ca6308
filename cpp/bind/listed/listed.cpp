#include <nanobind/stl/vector.h>

#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/register.hpp"
#include "core/listed/listed_exact.hpp"
#include "core/listed/listed_k_best.hpp"
#include "core/listed/listed_problem.hpp"
#include "core/listed/listed_search.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <class T>
std::span<const T> span_of(const bind::In<T>& array) {
  return {array.data(), array.size()};
}

void make_problem(qnml::ListedProblem* self, const bind::In<std::int64_t>& first_of_child,
                  const bind::In<std::int64_t>& offsets, const bind::In<std::int32_t>& parents,
                  const bind::In<double>& scores, const qnml::Rules& rules, double memory_limit, int threads,
                  std::uint64_t seed) {
  const qnml::GivenFamilies given{span_of(first_of_child), span_of(offsets), span_of(parents), span_of(scores)};
  nb::gil_scoped_release release;
  new (self) qnml::ListedProblem{qnml::ListedFamilies(given, rules), rules, memory_limit, threads, seed};
}

qnml::LocalSearchResult learn_listed(const qnml::ListedProblem& problem, qnml::Effort effort,
                                     std::vector<std::vector<int>> start, qnml::Control& control) {
  nb::gil_scoped_release release;
  return qnml::learn_listed(problem, {effort, std::move(start)}, control);
}

}  // namespace

void register_listed(nb::module_& m) {
  nb::class_<qnml::ListedProblem>(m, "ListedProblem")
      .def("__init__", &make_problem, "first_of_child"_a, "offsets"_a, "parents"_a, "scores"_a, "rules"_a,
           "memory_limit"_a, "threads"_a, "seed"_a)
      .def_prop_ro("n_admitted", [](const qnml::ListedProblem& problem) { return problem.families.n_admitted(); })
      .def_prop_ro("unit", [](const qnml::ListedProblem& problem) { return problem.families.unit(); })
      .def(
          "n_of_child", [](const qnml::ListedProblem& problem, int child) { return problem.families.of(child).size(); },
          "child"_a);

  m.def("learn_listed_exact", &qnml::learn_listed_exact, "problem"_a, "options"_a, "control"_a,
        nb::call_guard<nb::gil_scoped_release>());
  m.def("learn_listed", &learn_listed, "problem"_a, "effort"_a, "start"_a, "control"_a);
  m.def("k_best_listed", &qnml::k_best_listed, "problem"_a, "options"_a, "control"_a,
        nb::call_guard<nb::gil_scoped_release>());
}
