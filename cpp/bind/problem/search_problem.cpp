#include "core/problem/search_problem.hpp"

#include "bind/register.hpp"
#include "bind/table.hpp"
#include "core/scores/make_score.hpp"

namespace nb = nanobind;
using namespace nb::literals;

void register_search_problem(nb::module_& m) {
  // The table owns the codes, so it lives as long as the problem.
  nb::class_<qnml::SearchProblem>(m, "SearchProblem")
      .def(
          "__init__",
          [](qnml::SearchProblem* self, const bind::Table& table, qnml::ScoreKind kind, double parameter,
             const qnml::Rules& rules, double memory_limit, int threads, std::uint64_t seed, std::uint64_t scale,
             qnml::PriorKind prior) {
            new (self)
                qnml::SearchProblem{table.view,
                                    qnml::make_score(kind, parameter, table.view, scale, prior),
                                    rules,
                                    memory_limit,
                                    threads,
                                    seed,
                                    qnml::make_part_scores(kind, parameter, table.view,
                                                           static_cast<int>(table.view.columns.size()), scale, prior)};
          },
          "table"_a, "kind"_a, "parameter"_a, "rules"_a, "memory_limit"_a, "threads"_a, "seed"_a, "scale"_a, "prior"_a,
          nb::keep_alive<1, 2>());
}
