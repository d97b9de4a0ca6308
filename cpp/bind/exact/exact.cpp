#include "core/exact/exact.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "bind/register.hpp"
#include "core/base/parallel.hpp"
#include "core/exact/candidates_many.hpp"
#include "core/scores/make_score.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

// The searches of one table.
using Group = std::vector<std::pair<const qnml::SearchProblem*, qnml::ExactOptions>>;

qnml::ExactOptions make_options(qnml::TieRule ties, bool dense, const std::vector<std::uint64_t>& known,
                                double most_sets, double most_states) {
  return {ties, dense, known, most_sets, most_states};
}

std::vector<qnml::ExactTask> to_tasks(const Group& group) {
  std::vector<qnml::ExactTask> tasks;
  for (const auto& [problem, options] : group) tasks.push_back({*problem, options});
  return tasks;
}

}  // namespace

void register_exact(nb::module_& m) {
  m.attr("BYTES_PER_PARENT_SET") = qnml::kBytesPerParentSet;

  nb::enum_<qnml::TieRule>(m, "TieRule")
      .value("simplest", qnml::TieRule::simplest)
      .value("largest", qnml::TieRule::largest)
      .value("random", qnml::TieRule::random);

  nb::class_<qnml::ExactOptions>(m, "ExactOptions")
      .def(nb::new_(&make_options), "ties"_a, "dense"_a, "known"_a, "most_sets"_a, "most_states"_a);

  nb::class_<qnml::ExactResult>(m, "ExactResult")
      .def_ro("has_network", &qnml::ExactResult::has_network)
      .def_ro("optimal", &qnml::ExactResult::optimal)
      .def_ro("parents", &qnml::ExactResult::parents)
      .def_ro("score", &qnml::ExactResult::score)
      .def_ro("bound", &qnml::ExactResult::bound)
      .def_ro("ties_examined", &qnml::ExactResult::ties_examined)
      .def_ro("has_ties", &qnml::ExactResult::has_ties)
      .def_ro("out_of_memory", &qnml::ExactResult::out_of_memory)
      .def_ro("outgrown", &qnml::ExactResult::outgrown)
      .def_ro("families_scored", &qnml::ExactResult::families_scored)
      .def_ro("candidates", &qnml::ExactResult::candidates)
      .def_ro("visits", &qnml::ExactResult::visits)
      .def_ro("states", &qnml::ExactResult::states)
      .def_ro("seconds", &qnml::ExactResult::seconds);

  m.def("learn_exact", &qnml::learn_exact, "problem"_a, "options"_a, "control"_a,
        nb::call_guard<nb::gil_scoped_release>());

  m.def(
      "learn_exact_many",
      [](const std::vector<Group>& groups, qnml::Control& control, int threads) {
        std::vector<std::vector<qnml::ExactResult>> results(groups.size());
        nb::gil_scoped_release release;
        qnml::parallel_for(groups.size(), threads, [&](int, std::size_t i) {
          // No early answers are reported: there may be thousands of tables.
          results[i].resize(groups[i].size());
          if (!control.is_stopped()) results[i] = qnml::learn_exact_together(to_tasks(groups[i]), control);
        });
        return results;
      },
      "groups"_a, "control"_a, "threads"_a);

  m.def(
      "learn_reweighted",
      [](const qnml::SearchProblem& problem,
         const nb::ndarray<const std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>& weights,
         const qnml::ExactOptions& options, qnml::Control& control) {
        if (weights.shape(1) != problem.table.rows) throw nb::value_error("learn_reweighted: one weight for each row");
        qnml::Lattice::ManyWeights rows;
        for (std::size_t k = 0; k < weights.shape(0); ++k) rows.push_back(weights.data() + k * weights.shape(1));
        nb::gil_scoped_release release;
        return qnml::learn_reweighted(problem, rows, options, control);
      },
      "problem"_a, "weights"_a, "options"_a, "control"_a);

  m.def("forecast_families", &qnml::forecast_families, "problem"_a, nb::call_guard<nb::gil_scoped_release>());

  m.def(
      "can_reweight",
      [](qnml::ScoreKind kind, double parameter, std::uint64_t total) {
        return qnml::can_reweight(*qnml::make_score(kind, parameter, total, 1));
      },
      "kind"_a, "parameter"_a, "total"_a);

  m.def("reweighted_bytes", &qnml::many_candidates_bytes, "n"_a, "rows"_a, "weights"_a, "threads"_a);

  m.def("dense_bytes", &qnml::dense_bytes, "n"_a, "config_classes"_a, "threads"_a);
}
