// Measures how long each stage of a search takes.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "core/base/control.hpp"

namespace qnml {

// The stages in the order in which they ended, with their seconds.
using StageSeconds = std::vector<std::pair<std::string, double>>;

class Stopwatch {
 public:
  // Ends a stage, which began when the last one ended, or with the stopwatch itself.
  void lap(StageSeconds& seconds, const char* stage) {
    const auto now = Control::Clock::now();
    seconds.emplace_back(stage, std::chrono::duration<double>(now - last_).count());
    last_ = now;
  }

 private:
  Control::Clock::time_point last_ = Control::Clock::now();
};

}  // namespace qnml
