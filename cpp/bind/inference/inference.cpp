#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/register.hpp"
#include "bind/stoppable.hpp"
#include "core/inference/explanations.hpp"
#include "core/inference/junction_tree.hpp"
#include "core/inference/network_tables.hpp"
#include "core/inference/propagation.hpp"
#include "core/inference/row_marginals.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using MaybeConfigs = std::optional<bind::In<std::int32_t>>;
using Bytes = bind::In<std::uint8_t>;
constexpr double kMinusInfinity = -std::numeric_limits<double>::infinity();
// From this many multiplications on, an answer may take more than a tenth of a second.
constexpr double kLong = 5e7;

qnml::NetworkTables make_tables(const std::vector<bind::In<std::uint32_t>>& parents,
                                const std::vector<std::uint32_t>& levels, const std::vector<MaybeConfigs>& configs,
                                const std::vector<bind::In<double>>& rows,
                                const std::vector<bind::In<double>>& unseen) {
  const std::size_t count = levels.size();
  if (parents.size() != count || configs.size() != count || rows.size() != count || unseen.size() != count)
    throw nb::value_error("parents, levels, configs, rows and unseen differ in length");
  std::vector<qnml::ConditionalTable> tables;
  for (std::size_t i = 0; i < count; ++i) {
    tables.push_back({bind::view(parents[i]), levels[i], !configs[i].has_value(),
                      configs[i] ? bind::view(*configs[i]) : std::span<const std::int32_t>{}, bind::view(rows[i]),
                      bind::view(unseen[i])});
  }
  const nb::gil_scoped_release release;
  return qnml::NetworkTables(tables);
}

qnml::JunctionTree make_tree(const qnml::NetworkTables& tables, const Bytes& cells, const Bytes& weighted,
                             const Bytes& wanted, std::uint8_t kind, double most_entries) {
  const std::size_t count = tables.variables();
  if (cells.size() != count || weighted.size() != count || wanted.size() != count || kind > 2)
    throw nb::value_error("cells, weighted and wanted need one entry per variable");
  qnml::Question question;
  for (std::size_t v = 0; v < count; ++v) {
    if (cells.data()[v] > 2) throw nb::value_error("cells are free, seen or set");
    question.cells.push_back(static_cast<qnml::Cell>(cells.data()[v]));
  }
  question.weighted.assign(weighted.data(), weighted.data() + count);
  question.wanted.assign(wanted.data(), wanted.data() + count);
  question.kind = static_cast<qnml::Question::Kind>(kind);
  const nb::gil_scoped_release release;
  return {tables, question, most_entries};
}

// One question, whose numbers are needed for as long as the answer is computed.
qnml::Evidence make_evidence(const qnml::JunctionTree& tree, const bind::In<std::int32_t>& codes,
                             const bind::In<double>& weights) {
  const qnml::NetworkTables& tables = tree.tables();
  if (!tree.is_made()) throw nb::value_error("the tree was not made: it is too large");
  if (codes.size() != tables.variables()) throw nb::value_error("codes need one entry per variable");
  qnml::Evidence evidence;
  evidence.codes = bind::view(codes);
  std::size_t start = 0;
  for (std::size_t v = 0; v < tables.variables(); ++v) {
    const bool is_weighted = tree.question().weighted[v] != 0;
    const std::size_t levels = is_weighted ? tables.levels(v) : 0;
    if (start + levels > weights.size()) throw nb::value_error("weights need one entry per level");
    evidence.weights.emplace_back(weights.data() + start, levels);
    start += levels;
    if (codes.data()[v] < 0 || codes.data()[v] >= static_cast<std::int32_t>(tables.levels(v)))
      throw nb::value_error("a code is no level");
  }
  return evidence;
}

// Collects and hands the propagation to `use`, in logarithms if digits could be lost otherwise.
template <class Use>
void propagate(const qnml::JunctionTree& tree, const qnml::Evidence& evidence, Use&& use) {
  bind::stoppable(tree.operations() > kLong, [&](qnml::Control& control) {
    {
      qnml::Propagation<qnml::Probabilities> quick(tree);
      if (quick.collect(evidence, control)) {
        use(quick, control);
        return;
      }
    }
    qnml::Propagation<qnml::Logarithms> careful(tree);
    careful.collect(evidence, control);
    use(careful, control);
  });
}

std::tuple<double, bind::Out<double>> marginals(const qnml::JunctionTree& tree, const bind::In<std::int32_t>& codes,
                                                const bind::In<double>& weights) {
  const qnml::Evidence evidence = make_evidence(tree, codes, weights);
  std::vector<double> answer(tree.answer_size());
  double log_evidence = 0.0;
  propagate(tree, evidence, [&](auto& propagation, qnml::Control& control) {
    log_evidence = propagation.log_total();
    if (log_evidence > kMinusInfinity) propagation.distribute(evidence.codes, answer, control);
  });
  return {log_evidence, bind::give(std::move(answer))};
}

std::tuple<double, bind::Out<double>> joint(const qnml::JunctionTree& tree, const bind::In<std::int32_t>& codes,
                                            const bind::In<double>& weights) {
  const qnml::Evidence evidence = make_evidence(tree, codes, weights);
  std::vector<double> answer(tree.answer_size());
  double log_evidence = 0.0;
  propagate(tree, evidence, [&](auto& propagation, qnml::Control&) {
    log_evidence = propagation.log_total();
    if (log_evidence > kMinusInfinity && !answer.empty()) propagation.joint(answer);
  });
  return {log_evidence, bind::give(std::move(answer))};
}

// Log-probabilities, and the codes of all variables, one explanation after another.
std::tuple<bind::Out<double>, bind::Out<std::int32_t>> explanations(const qnml::JunctionTree& tree,
                                                                    const bind::In<std::int32_t>& codes,
                                                                    const bind::In<double>& weights, std::size_t most) {
  const qnml::Evidence evidence = make_evidence(tree, codes, weights);
  if (tree.question().kind != qnml::Question::Kind::kExplanation)
    throw nb::value_error("the tree is not for explanations");
  std::vector<qnml::Explanation> found;
  bind::stoppable(tree.operations() + 100.0 * static_cast<double>(most) > kLong,
                  [&](qnml::Control& control) { found = qnml::explanations(tree, evidence, most, control); });
  std::vector<double> logs;
  std::vector<std::int32_t> all;
  for (const qnml::Explanation& one : found) {
    logs.push_back(one.log_probability);
    all.insert(all.end(), one.codes.begin(), one.codes.end());
  }
  return {bind::give(std::move(logs)), bind::give(std::move(all))};
}

std::tuple<bind::Out<double>, bind::Out<double>, bind::Out<std::uint8_t>> marginals_of_rows(
    const qnml::NetworkTables& tables, const Bytes& wanted, const bind::In<std::int32_t>& codes,
    const bind::In<std::uint64_t>& starts, double most_entries, int threads) {
  const std::size_t count = tables.variables();
  if (wanted.size() != count || codes.size() % count != 0) throw nb::value_error("codes need one column per variable");
  const std::size_t rows = codes.size() / count;
  std::size_t width = 0;
  for (std::size_t v = 0; v < count; ++v) width += wanted.data()[v] != 0 ? tables.levels(v) : 0;
  for (std::size_t k = 0; k < codes.size(); ++k) {
    if (codes.data()[k] >= static_cast<std::int32_t>(tables.levels(k % count)))
      throw nb::value_error("a code is no level");
  }
  for (std::size_t k = 0; k < starts.size(); ++k) {
    if (starts.data()[k] >= rows || (k > 0 && starts.data()[k] <= starts.data()[k - 1]) ||
        (k == 0 && starts.data()[k] != 0))
      throw nb::value_error("starts must ascend from 0");
  }
  std::vector<double> answer(rows * width);
  std::vector<double> log_evidence(rows);
  std::vector<qnml::RowState> states(rows);
  const qnml::RowQuestions questions{bind::view(wanted), bind::view(codes), bind::view(starts), most_entries};
  bind::stoppable(static_cast<double>(rows) * static_cast<double>(count) > 1e3, [&](qnml::Control& control) {
    qnml::marginals_of_rows(tables, questions, threads, control, {answer, log_evidence, states});
  });
  std::vector<std::uint8_t> plain;
  plain.reserve(rows);
  for (const qnml::RowState state : states) plain.push_back(static_cast<std::uint8_t>(state));
  return {bind::give(std::move(answer)), bind::give(std::move(log_evidence)), bind::give(std::move(plain))};
}

}  // namespace

void register_inference(nb::module_& m) {
  nb::class_<qnml::NetworkTables>(m, "NetworkTables")
      .def(
          "__init__",
          [](qnml::NetworkTables* self, const std::vector<bind::In<std::uint32_t>>& parents,
             const std::vector<std::uint32_t>& levels, const std::vector<MaybeConfigs>& configs,
             const std::vector<bind::In<double>>& rows, const std::vector<bind::In<double>>& unseen) {
            new (self) qnml::NetworkTables(make_tables(parents, levels, configs, rows, unseen));
          },
          "parents"_a, "levels"_a, "configs"_a, "rows"_a, "unseen"_a)
      .def("marginals_of_rows", &marginals_of_rows, "wanted"_a, "codes"_a, "starts"_a, "most_entries"_a, "threads"_a);

  nb::class_<qnml::JunctionTree>(m, "JunctionTree")
      .def(
          "__init__",
          [](qnml::JunctionTree* self, const qnml::NetworkTables& tables, const Bytes& cells, const Bytes& weighted,
             const Bytes& wanted, std::uint8_t kind, double most_entries) {
            new (self) qnml::JunctionTree(make_tree(tables, cells, weighted, wanted, kind, most_entries));
          },
          "tables"_a, "cells"_a, "weighted"_a, "wanted"_a, "kind"_a, "most_entries"_a, nb::keep_alive<1, 2>())
      .def_prop_ro("is_made", &qnml::JunctionTree::is_made)
      .def_prop_ro("entries", &qnml::JunctionTree::entries)
      .def_prop_ro("operations", &qnml::JunctionTree::operations)
      .def_prop_ro("width", &qnml::JunctionTree::width)
      .def_prop_ro("largest", [](const qnml::JunctionTree& self) { return self.largest(); })
      .def_prop_ro("cliques",
                   [](const qnml::JunctionTree& self) {
                     std::vector<std::tuple<std::vector<std::uint32_t>, int>> cliques;
                     for (const auto& clique : self.cliques()) {
                       const bool is_root = clique.parent == qnml::JunctionTree::kNone;
                       cliques.emplace_back(clique.variables, is_root ? -1 : static_cast<int>(clique.parent));
                     }
                     return cliques;
                   })
      .def_prop_ro("joint_axes", [](const qnml::JunctionTree& self) { return self.joint_axes(); })
      .def("marginals", &marginals, "codes"_a, "weights"_a)
      .def("joint", &joint, "codes"_a, "weights"_a)
      .def("explanations", &explanations, "codes"_a, "weights"_a, "most"_a);
}
