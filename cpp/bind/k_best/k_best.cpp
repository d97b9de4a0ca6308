#include "core/k_best/k_best.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/register.hpp"

namespace nb = nanobind;
using namespace nb::literals;

void register_k_best(nb::module_& m) {
  nb::class_<qnml::KBestOptions>(m, "KBestOptions")
      .def(nb::init<>())
      .def_rw("k", &qnml::KBestOptions::k)
      .def_rw("by_class", &qnml::KBestOptions::by_class);

  nb::class_<qnml::KBestResult>(m, "KBestResult")
      .def_ro("parents", &qnml::KBestResult::parents)
      .def_ro("scores", &qnml::KBestResult::scores)
      .def_ro("is_exhausted", &qnml::KBestResult::is_exhausted)
      .def_ro("is_out_of_range", &qnml::KBestResult::is_out_of_range)
      .def_ro("has_bound", &qnml::KBestResult::has_bound)
      .def_ro("bound", &qnml::KBestResult::bound)
      .def_ro("out_of_memory", &qnml::KBestResult::out_of_memory)
      .def_ro("families", &qnml::KBestResult::families)
      .def_ro("sets", &qnml::KBestResult::sets)
      .def_ro("networks", &qnml::KBestResult::networks)
      .def_ro("seconds", &qnml::KBestResult::seconds);

  m.def("k_best", &qnml::k_best, "problem"_a, "options"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>());

  m.def("k_best_bytes", &qnml::k_best_bytes, "n"_a, "config_classes"_a, "threads"_a);
}
