#include "core/graph/rules.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "bind/register.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Words = nb::ndarray<const std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

qnml::BitRows to_rows(const Words& words) {
  qnml::BitRows rows(static_cast<int>(words.shape(0)));
  if (words.shape(1) != rows.words()) throw nb::value_error("rows of another number of words");
  for (int i = 0; i < rows.size(); ++i) {
    std::copy_n(words.data() + static_cast<std::size_t>(i) * rows.words(), rows.words(), rows.row(i));
  }
  return rows;
}

qnml::Rules make_rules(const Words& allowed, const Words& required, const std::vector<int>& max_parents,
                       double most_cells) {
  return {to_rows(allowed), to_rows(required), max_parents, most_cells};
}

}  // namespace

void register_rules(nb::module_& m) {
  m.attr("MOST_MASK_VARIABLES") = qnml::kMostMaskVariables;
  // Row child: the words of its parent set, lowest first.
  nb::class_<qnml::Rules>(m, "Rules")
      .def(nb::new_(&make_rules), "allowed"_a, "required"_a, "max_parents"_a, "most_cells"_a);
}
