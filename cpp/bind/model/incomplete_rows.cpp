#include "core/model/incomplete_rows.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <optional>

#include "bind/arrays.hpp"
#include "bind/register.hpp"
#include "bind/stoppable.hpp"
#include "core/model/completions.hpp"
#include "core/model/em.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using CodeColumns = std::vector<bind::In<std::int32_t>>;
using Weights = bind::In<std::uint64_t>;

// The rows and the Python arrays that hold their cells.
struct Rows {
  CodeColumns columns;
  std::optional<Weights> weights;
  std::unique_ptr<qnml::IncompleteRows> core;
};

std::vector<const std::int32_t*> pointers(const CodeColumns& columns, std::size_t rows) {
  std::vector<const std::int32_t*> result;
  for (const auto& column : columns) {
    if (column.size() != rows) throw nb::value_error("columns differ in length");
    result.push_back(column.data());
  }
  return result;
}

void make_rows(Rows* self, CodeColumns columns, const std::vector<std::uint32_t>& levels,
               std::optional<Weights> weights, std::vector<std::vector<std::uint32_t>> parents) {
  const std::size_t rows = columns.empty() ? 0 : columns.front().size();
  if (weights && weights->size() != rows) throw nb::value_error("one weight per row is needed");
  qnml::IncompleteTable table{pointers(columns, rows), levels, rows, weights ? weights->data() : nullptr};
  new (self) Rows{std::move(columns), std::move(weights), nullptr};
  const nb::gil_scoped_release release;
  self->core = std::make_unique<qnml::IncompleteRows>(std::move(table), std::move(parents));
}

bind::Out<double> count(const Rows& self, const CodeColumns& columns, const Weights& weights) {
  const auto codes = pointers(columns, weights.size());
  if (codes.size() != self.core->families()) throw nb::value_error("one column per variable is needed");
  std::vector<double> counts(self.core->slots(), 0.0);
  {
    const nb::gil_scoped_release release;
    self.core->count(codes, weights.size(), weights.data(), counts);
  }
  return bind::give(std::move(counts));
}

void check_slots(const Rows& self, const bind::In<double>& values) {
  if (values.size() != self.core->slots()) throw nb::value_error("one number per slot is needed");
}

bind::Out<double> log_prob(const Rows& self, const CodeColumns& columns, const bind::In<double>& probabilities) {
  const std::size_t rows = columns.empty() ? 0 : columns.front().size();
  const auto codes = pointers(columns, rows);
  if (codes.size() != self.core->families()) throw nb::value_error("one column per variable is needed");
  check_slots(self, probabilities);
  std::vector<double> values;
  {
    const nb::gil_scoped_release release;
    values = self.core->log_prob(codes, rows, bind::view(probabilities));
  }
  return bind::give(std::move(values));
}

// Runs work(control) under the given control, which somebody else can stop, or so that Ctrl-C raises an exception.
template <class Work>
void run(qnml::Control* control, Work&& work) {
  if (control == nullptr) {
    bind::stoppable(true, work);
    return;
  }
  const nb::gil_scoped_release release;
  work(*control);
}

}  // namespace

void register_incomplete_rows(nb::module_& m) {
  nb::class_<qnml::EmResult>(m, "EmResult")
      .def_prop_ro(
          "counts", [](qnml::EmResult& self) { return bind::give(std::vector<double>(self.counts)); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "probabilities", [](qnml::EmResult& self) { return bind::give(std::vector<double>(self.probabilities)); },
          nb::rv_policy::automatic)
      .def_ro("trace", &qnml::EmResult::trace)
      .def_ro("is_converged", &qnml::EmResult::is_converged);

  nb::class_<qnml::Completions>(m, "Completions")
      .def_prop_ro(
          "columns",
          [](qnml::Completions& self) {
            std::vector<bind::Out<std::uint16_t>> columns;
            for (const auto& column : self.columns) {
              columns.push_back(bind::give(std::vector<std::uint16_t>(column)));
            }
            return columns;
          },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "weights", [](qnml::Completions& self) { return bind::give(std::vector<std::uint64_t>(self.weights)); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "sources", [](qnml::Completions& self) { return bind::give(std::vector<std::uint32_t>(self.sources)); },
          nb::rv_policy::automatic)
      .def_prop_ro(
          "draws", [](qnml::Completions& self) { return bind::give(std::vector<std::uint32_t>(self.draws)); },
          nb::rv_policy::automatic)
      .def_ro("rounding", &qnml::Completions::rounding)
      .def_ro("impossible", &qnml::Completions::impossible);

  nb::class_<Rows>(m, "IncompleteRows")
      .def("__init__", &make_rows, "columns"_a, "levels"_a, "weights"_a.none(), "parents"_a)
      .def_prop_ro("most_entries", [](const Rows& self) { return self.core->most_entries(); })
      .def_prop_ro("most_missing", [](const Rows& self) { return self.core->most_missing(); })
      .def_prop_ro("slots_needed", [](const Rows& self) { return self.core->slots_needed(); })
      .def(
          "prepare",
          [](Rows& self, qnml::Control* control) {
            run(control, [&](qnml::Control& watched) { self.core->prepare(watched); });
          },
          "control"_a.none())
      .def_prop_ro("first_slots",
                   [](const Rows& self) {
                     std::vector<std::uint64_t> slots;
                     for (std::size_t f = 0; f <= self.core->families(); ++f) slots.push_back(self.core->first_slot(f));
                     return slots;
                   })
      .def(
          "configs", [](const Rows& self, std::size_t family) { return bind::give(self.core->configs(family)); },
          "family"_a)
      .def("count", &count, "columns"_a, "weights"_a)
      .def("log_prob", &log_prob, "columns"_a, "probabilities"_a)
      .def(
          "maximise",
          [](const Rows& self, const bind::In<double>& counts) {
            check_slots(self, counts);
            std::vector<double> probabilities(self.core->slots());
            qnml::maximise(*self.core, bind::view(counts), probabilities);
            return bind::give(std::move(probabilities));
          },
          "counts"_a)
      .def(
          "spread",
          [](const Rows& self, const bind::In<double>& marginals) {
            std::vector<double> counts;
            {
              const nb::gil_scoped_release release;
              counts = self.core->spread(bind::view(marginals));
            }
            return bind::give(std::move(counts));
          },
          "marginals"_a)
      .def(
          "expect",
          [](const Rows& self, const bind::In<double>& probabilities, int threads, qnml::Control& control) {
            check_slots(self, probabilities);
            std::vector<double> counts(self.core->slots(), 0.0);
            double log_likelihood = 0.0;
            {
              const nb::gil_scoped_release release;
              log_likelihood = self.core->expect(bind::view(probabilities), counts, threads, control);
            }
            return std::pair(log_likelihood, bind::give(std::move(counts)));
          },
          "probabilities"_a, "threads"_a, "control"_a)
      .def(
          "run_em",
          [](const Rows& self, const bind::In<double>& counts, double tolerance, int most_steps, int threads,
             qnml::Control* control) {
            check_slots(self, counts);
            const auto given = bind::view(counts);
            qnml::EmResult result;
            run(control, [&](qnml::Control& watched) {
              result = qnml::run_em(*self.core, {given.begin(), given.end()}, tolerance, most_steps, threads, watched);
            });
            return result;
          },
          "counts"_a, "tolerance"_a, "most_steps"_a, "threads"_a, "control"_a.none())
      .def(
          "complete",
          [](const Rows& self, const bind::In<double>& probabilities, std::uint64_t scale, std::uint32_t few,
             std::uint32_t draws, std::uint64_t seed, int threads, qnml::Control& control) {
            check_slots(self, probabilities);
            const nb::gil_scoped_release release;
            return qnml::complete_rows(*self.core, bind::view(probabilities), {scale, few, draws, seed}, threads,
                                       control);
          },
          "probabilities"_a, "scale"_a, "few"_a, "draws"_a, "seed"_a, "threads"_a, "control"_a);
}
