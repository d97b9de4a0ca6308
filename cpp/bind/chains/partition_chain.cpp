#include "core/chains/partition_chain.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <utility>

#include "bind/arrays.hpp"
#include "bind/register.hpp"
#include "core/chains/arc_strengths.hpp"
#include "core/chains/candidate_parents.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using Lists = std::vector<std::vector<int>>;

// The records and states of several chains, as Python needs them.
struct Run {
  std::vector<qnml::ChainState> states;
  std::vector<qnml::ChainRecords> records;
};

std::vector<double> log_totals(const qnml::StructureModel& model) {
  std::vector<double> totals;
  for (std::size_t child = 0; child < model.size(); ++child) {
    const qnml::ParentSums& sums = model.sums(child);
    const auto everyone = static_cast<std::uint32_t>((std::uint64_t{1} << sums.candidates().size()) - 1);
    totals.push_back(sums.log_within(everyone) + sums.log_scale());
  }
  return totals;
}

}  // namespace

void register_partition_chain(nb::module_& m) {
  nb::list moves;
  for (const char* name : qnml::kMoveNames) moves.append(name);
  m.attr("MOVES") = nb::tuple(moves);
  m.attr("MOST_CANDIDATES") = qnml::kMostCandidates;
  m.attr("BYTES_PER_CANDIDATE_SET") = qnml::kBytesPerCandidateSet;

  m.def("choose_candidates", &qnml::choose_candidates, "problem"_a, "most"_a, "control"_a,
        nb::call_guard<nb::gil_scoped_release>());

  nb::class_<qnml::StructureModel>(m, "StructureModel")
      .def_prop_ro("size", &qnml::StructureModel::size)
      .def_prop_ro("log_totals", &log_totals);

  // None when stopped. The cache of families outside the candidates takes at most `memory` bytes.
  m.def(
      "structure_model",
      [](const qnml::SearchProblem& problem, const Lists& candidates, const bind::In<double>& odds,
         const bind::In<double>& crowding, double memory, qnml::Control& control) {
        std::vector<qnml::ParentSums> sums;
        std::shared_ptr<qnml::UncommonFamilies> wide;
        {
          const nb::gil_scoped_release release;
          sums = qnml::parent_sums(problem, candidates, control);
          if (!sums.empty() && candidates != qnml::ListRules(problem.rules).allowed) {
            wide = std::make_shared<qnml::UncommonFamilies>(problem, memory);
          }
        }
        return sums.empty() ? nb::object(nb::none())
                            : nb::cast(qnml::StructureModel(std::move(sums), std::move(wide),
                                                            {{odds.data(), odds.data() + odds.size()},
                                                             {crowding.data(), crowding.data() + crowding.size()}}));
      },
      "problem"_a, "candidates"_a, "odds"_a, "crowding"_a, "memory"_a, "control"_a, nb::keep_alive<0, 1>(),
      nb::sig("def structure_model(problem: SearchProblem, candidates: "
              "collections.abc.Sequence[collections.abc.Sequence[int]], "
              "odds: NDArray[numpy.float64], crowding: "
              "NDArray[numpy.float64], memory: float, control: Control) "
              "-> StructureModel | None"));

  nb::class_<qnml::ChainState>(m, "ChainState")
      .def(nb::init<>())
      .def_rw("random", &qnml::ChainState::random)
      .def_prop_rw(
          "dag", [](const qnml::ChainState& state) { return state.dag.chosen; },
          [](qnml::ChainState& state, qnml::ChosenParents chosen) { state.dag.chosen = std::move(chosen); })
      .def_prop_rw(
          "outside", [](const qnml::ChainState& state) { return state.dag.outside; },
          [](qnml::ChainState& state, Lists outside) { state.dag.outside = std::move(outside); })
      .def_rw("sweeps", &qnml::ChainState::sweeps)
      .def_rw("tried", &qnml::ChainState::tried)
      .def_rw("changed", &qnml::ChainState::changed);

  m.def("start_chain", &qnml::start_chain, "model"_a, "seed"_a, "chain"_a);

  m.def(
      "run_chains",
      [](const qnml::StructureModel& model, std::vector<qnml::ChainState> states, const qnml::Schedule& schedule,
         std::size_t records, std::size_t sweeps_per_record, int threads, qnml::Control& control) {
        Run run{std::move(states), {}};
        {
          const nb::gil_scoped_release release;
          run.records = qnml::run_chains(model, run.states, schedule, records, sweeps_per_record, threads, control);
        }
        std::vector<bind::Out<std::uint64_t>> dags;
        std::vector<bind::Out<double>> log_weights;
        for (qnml::ChainRecords& chain : run.records) {
          dags.push_back(bind::give(std::move(chain.dags)));
          log_weights.push_back(bind::give(std::move(chain.log_weights)));
        }
        return nb::make_tuple(std::move(run.states), dags, log_weights);
      },
      "model"_a, "states"_a, "schedule"_a, "records"_a, "sweeps_per_record"_a, "threads"_a, "control"_a,
      nb::sig("def run_chains(model: StructureModel, states: collections.abc.Sequence[ChainState], "
              "schedule: collections.abc.Sequence[int], records: int, sweeps_per_record: int, threads: int, "
              "control: Control) -> tuple[list[ChainState], list[NDArray[numpy.uint64]], "
              "list[NDArray[numpy.float64]]]"));

  m.def(
      "ancestors",
      [](const bind::In<std::uint64_t>& dags, std::size_t nodes, int threads) {
        const std::size_t size = nodes * qnml::words_for(nodes);
        if (size == 0 || dags.size() % size != 0) throw nb::value_error("dags must hold whole DAGs");
        std::vector<std::uint64_t> found;
        {
          const nb::gil_scoped_release release;
          found = qnml::ancestors(dags.data(), dags.size() / size, nodes, threads);
        }
        return bind::give(std::move(found));
      },
      "dags"_a, "nodes"_a, "threads"_a);

  m.def(
      "arc_strengths",
      [](const qnml::StructureModel& model, const bind::In<std::uint64_t>& dags, int threads, qnml::Control& control) {
        const std::size_t size = model.size() * qnml::words_for(model.size());
        if (size == 0 || dags.size() % size != 0) throw nb::value_error("dags must hold whole DAGs");
        if (model.wide() == nullptr) throw nb::value_error("all parents are candidates");
        qnml::ArcStrengths found;
        {
          const nb::gil_scoped_release release;
          found = qnml::arc_strengths(model, dags.data(), dags.size() / size, threads, control);
        }
        return std::pair(bind::give(std::move(found.present)), bind::give(std::move(found.potential)));
      },
      "model"_a, "dags"_a, "threads"_a, "control"_a);
}
