#include <nanobind/stl/vector.h>

#include <span>

#include "bind/arrays.hpp"
#include "bind/register.hpp"
#include "core/sums/dag_sums.hpp"
#include "core/sums/family_weights.hpp"
#include "core/sums/order_sums.hpp"
#include "core/sums/stages.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

// Computes and draws without the interpreter lock, but passes arrays to Python with it.
template <class Sums>
nb::class_<Sums> register_sums(nb::module_& m, const char* name) {
  return nb::class_<Sums>(m, name)
      .def(
          "__init__", [](Sums* self, const bind::In<double>& scores, int n) { new (self) Sums(bind::view(scores), n); },
          "scores"_a.noconvert(), "n"_a, nb::keep_alive<1, 2>())
      .def("compute", &Sums::compute, "control"_a, "threads"_a, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("log_total", &Sums::log_total)
      .def_prop_ro("error_bound", &Sums::error_bound)
      .def_prop_ro("discrepancy", &Sums::discrepancy)
      .def_prop_ro(
          "edges", [](const Sums& self) { return bind::give(std::vector<double>(self.edges())); },
          nb::rv_policy::automatic)
      .def("take_parent_sets", [](Sums& self) { return bind::give(self.take_parent_sets()); })
      .def(
          "draw",
          [](const Sums& self, std::size_t count, std::uint64_t seed, int threads) {
            std::vector<std::uint64_t> parents;
            {
              const nb::gil_scoped_release release;
              parents = self.draw(count, seed, threads);
            }
            return bind::give(std::move(parents));
          },
          "count"_a, "seed"_a, "threads"_a)
      .def_static("bytes", &Sums::bytes, "n"_a, "threads"_a);
}

}  // namespace

void register_structure_sums(nb::module_& m) {
  m.attr("STAGE_COUNTING") = qnml::sums_stage::kCounting;
  m.attr("STAGE_SUMS") = qnml::sums_stage::kSums;
  m.attr("STAGE_COMPLETIONS") = qnml::sums_stage::kCompletions;

  m.def(
      "family_log_scores",
      [](const qnml::SearchProblem& problem, qnml::Control& control) {
        std::vector<double> scores;
        {
          const nb::gil_scoped_release release;
          scores = qnml::family_log_scores(problem, control);
        }
        return bind::give(std::move(scores));
      },
      "problem"_a, "control"_a);

  register_sums<qnml::DagSums>(m, "DagSums")
      .def_prop_ro(
          "ancestors", [](const qnml::DagSums& self) { return bind::give(std::vector<double>(self.ancestors())); },
          nb::rv_policy::automatic);
  register_sums<qnml::OrderSums>(m, "OrderSums");
}
