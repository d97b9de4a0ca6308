// Long work on the thread that Python called from, which Ctrl-C must be able to stop.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <exception>
#include <future>

#include "core/base/control.hpp"

namespace bind {

// Runs work(control) without the interpreter lock. Work that may take long runs in a thread of its own, while this one
// regularly lets Python check for signals. An exception from a handler, usually KeyboardInterrupt, stops the work and
// is raised here once the work has ended. Python checks for signals only in its main thread; work called from other
// threads cannot be stopped this way.
template <class Work>
void stoppable(bool may_take_long, Work&& work) {
  qnml::Control control;
  if (!may_take_long) {
    const nanobind::gil_scoped_release release;
    work(control);
    return;
  }
  bool is_interrupted = false;
  {
    const nanobind::gil_scoped_release release;
    std::future<void> done = std::async(std::launch::async, [&] { work(control); });
    while (!is_interrupted && done.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
      const nanobind::gil_scoped_acquire acquire;
      is_interrupted = PyErr_CheckSignals() != 0;
    }
    if (is_interrupted) control.stop();
    done.wait();
    if (!is_interrupted) done.get();
  }
  if (is_interrupted) throw nanobind::python_error();
}

}  // namespace bind
