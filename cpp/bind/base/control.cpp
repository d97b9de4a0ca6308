#include "core/base/control.hpp"

#include "bind/register.hpp"

namespace nb = nanobind;
using namespace nb::literals;

void register_control(nb::module_& m) {
  m.attr("NO_STAGE") = qnml::Control::kNoStage;

  nb::class_<qnml::Control>(m, "Control")
      .def(nb::init<>())
      .def("stop", &qnml::Control::stop)
      .def("set_deadline", &qnml::Control::set_deadline, "seconds"_a)
      .def("lift_deadline", &qnml::Control::lift_deadline)
      .def_prop_ro("is_interrupted", &qnml::Control::is_interrupted)
      .def_prop_ro("is_stopped", &qnml::Control::is_stopped)
      .def_prop_ro("is_timed_out", &qnml::Control::is_timed_out)
      .def_prop_ro("stage", &qnml::Control::stage)
      .def_prop_ro("share_done", &qnml::Control::share_done);
}
