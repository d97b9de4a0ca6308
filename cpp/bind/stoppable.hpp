// Long work on the thread that Python called from, which Ctrl-C shall stop.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <exception>
#include <future>

#include "core/base/control.hpp"

namespace bind {

// Does work(control) without the interpreter lock. Work that may take long runs in a thread of its own, while this one
// asks Python every now and then for signals; what a handler raises, KeyboardInterrupt as a rule, stops the work and is
// raised here once it has ended. Python asks its main thread alone for signals: from others nothing stops it.
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
