#include "core/graph/wrong_effects.hpp"

#include <nanobind/stl/vector.h>

#include "bind/register.hpp"

namespace nb = nanobind;
using namespace nb::literals;

void register_wrong_effects(nb::module_& m) {
  m.def("wrong_effects", &qnml::wrong_effects, "network"_a, "nodes"_a, "believed"_a,
        nb::call_guard<nb::gil_scoped_release>());
}
