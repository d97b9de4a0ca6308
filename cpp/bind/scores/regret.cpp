#include "core/scores/regret.hpp"

#include "bind/arrays.hpp"
#include "bind/register.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

template <class Formula>
bind::Out<double> map_pairs(const bind::In<std::int64_t>& n, const bind::In<double>& r, Formula formula) {
  std::vector<double> values(n.size());
  {
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = formula(n.data()[i], r.data()[i]);
  }
  return bind::give(std::move(values));
}

}  // namespace

void register_regret(nb::module_& m) {
  m.def(
      "regret_exact",
      [](const bind::In<std::int64_t>& n, const bind::In<double>& r) {
        return map_pairs(n, r, [](std::int64_t rows, double levels) { return qnml::regret(rows, levels); });
      },
      "n"_a, "r"_a);
  m.def(
      "regret_szpankowski",
      [](const bind::In<std::int64_t>& n, const bind::In<double>& r) {
        return map_pairs(n, r, [](std::int64_t rows, double levels) {
          return qnml::regret_szpankowski(static_cast<double>(rows), levels);
        });
      },
      "n"_a, "r"_a);
  m.def(
      "regret_szpankowski_weinberger",
      [](const bind::In<std::int64_t>& n, const bind::In<double>& r) {
        return map_pairs(n, r, [](std::int64_t rows, double levels) {
          return qnml::regret_szpankowski_weinberger(static_cast<double>(rows), levels);
        });
      },
      "n"_a, "r"_a);
  m.def(
      "regret_table",
      [](std::int64_t n, std::int64_t r) {
        std::vector<double> table;
        {
          nb::gil_scoped_release release;
          table = qnml::regret_table(n, r);
        }
        return bind::give(std::move(table));
      },
      "n"_a, "r"_a);
}
