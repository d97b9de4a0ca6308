#include "core/shapes/shapes.hpp"

#include <nanobind/stl/vector.h>

#include "bind/register.hpp"

namespace nb = nanobind;
using namespace nb::literals;

void register_shapes(nb::module_& m) {
  nb::enum_<qnml::Span>(m, "Span").value("tree", qnml::Span::tree).value("forest", qnml::Span::forest);

  nb::class_<qnml::ShapeResult>(m, "ShapeResult")
      .def_ro("exists", &qnml::ShapeResult::exists)
      .def_ro("parents", &qnml::ShapeResult::parents)
      .def_ro("score", &qnml::ShapeResult::score)
      .def_ro("families", &qnml::ShapeResult::families)
      .def_ro("sets_counted", &qnml::ShapeResult::sets_counted);

  m.def(
      "learn_shape",
      [](const qnml::SearchProblem& problem, qnml::Span span, int target, qnml::Control& control) {
        return qnml::learn_shape(problem, {span, target}, control);
      },
      "problem"_a, "span"_a, "target"_a, "control"_a, nb::call_guard<nb::gil_scoped_release>());

  m.def("shape_bytes", &qnml::shape_bytes, "variables"_a);
}
