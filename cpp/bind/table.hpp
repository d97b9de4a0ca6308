// A coded table as the core sees it, together with the Python arrays that hold its data.
#pragma once

#include <nanobind/nanobind.h>

#include "core/counting/columns.hpp"

namespace bind {

struct Table {
  qnml::Columns view;
  nanobind::object owner;  // keeps the arrays alive
};

}  // namespace bind
