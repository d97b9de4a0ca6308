#include "core/exact/device_lattice.hpp"

#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "bind/arrays.hpp"
#include "bind/register.hpp"
#include "core/exact/exact.hpp"
#include "core/scores/bdeu_terms.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

// Arrays are made for each call and belong to Python; by default a property would refer to the lattice.
constexpr auto kGiven = nb::rv_policy::automatic;

template <class Make>
auto by_bit(const qnml::DeviceLattice& lattice, Make&& make) {
  std::vector<decltype(make(0))> values;
  for (int bit = 0; bit < lattice.n_variables(); ++bit) values.push_back(make(bit));
  return values;
}

// [bit * rows + row]
std::vector<std::uint16_t> codes_of(const qnml::Lattice& lattice) {
  std::vector<std::uint16_t> codes;
  codes.reserve(static_cast<std::size_t>(lattice.n_variables()) * lattice.rows());
  for (int bit = 0; bit < lattice.n_variables(); ++bit) {
    for (std::size_t row = 0; row < lattice.rows(); ++row) codes.push_back(lattice.code(bit, row));
  }
  return codes;
}

nb::object packed_of(const qnml::DeviceLattice& lattice) {
  const qnml::BdeuTerms* terms = lattice.score().packed();
  if (terms == nullptr) return nb::none();
  qnml::BdeuTerms::PlainForm form = terms->plain_form();
  nb::dict packed;
  packed["channel"] = bind::give(std::move(form.channel));
  packed["shift"] = bind::give(std::move(form.shift));
  packed["mask"] = bind::give(std::move(form.mask));
  packed["step"] = bind::give(std::move(form.step));
  packed["gamma_factor"] = form.gamma_factor;
  packed["log_weight"] = bind::give(std::move(form.log_weight));
  packed["log_two"] = bind::give(std::move(form.log_two));
  packed["log_three"] = bind::give(std::move(form.log_three));
  packed["e"] = bind::give(std::move(form.e));
  return packed;
}

// The source calls Python with the lattice, which is valid during the call only. It refers to the callable, because the
// core copies it without the interpreter lock.
qnml::CandidateSource source_of(const nb::callable& call) {
  return [&call](qnml::DeviceLattice& lattice) {
    const nb::gil_scoped_acquire acquire;
    return nb::cast<bool>(call(nb::cast(&lattice, nb::rv_policy::reference)));
  };
}

}  // namespace

void register_device_lattice(nb::module_& m) {
  using qnml::DeviceLattice;
  nb::class_<DeviceLattice>(m, "DeviceLattice")
      .def_prop_ro("n_variables", &DeviceLattice::n_variables)
      .def_prop_ro("rows", [](const DeviceLattice& lattice) { return lattice.lattice().rows(); })
      .def_prop_ro("byte_bits", [](const DeviceLattice& lattice) { return lattice.lattice().byte_bits(); })
      .def_prop_ro("column_of_bit", [](const DeviceLattice& lattice) { return lattice.lattice().column_of_bit(); })
      .def_prop_ro(
          "codes", [](const DeviceLattice& lattice) { return bind::give(codes_of(lattice.lattice())); }, kGiven)
      .def_prop_ro("observed",
                   [](const DeviceLattice& lattice) {
                     return by_bit(lattice, [&](int bit) { return lattice.lattice().observed(bit); });
                   })
      .def_prop_ro(
          "weights",
          [](const DeviceLattice& lattice) {
            return bind::give(std::vector<std::uint64_t>(lattice.lattice().weights()));
          },
          kGiven)
      .def_prop_ro(
          "terms",
          [](const DeviceLattice& lattice) {
            return bind::give(std::vector<std::int64_t>(lattice.score().terms().values));
          },
          kGiven)
      .def_prop_ro("term_stride", [](const DeviceLattice& lattice) { return lattice.score().terms().channels; })
      .def_prop_ro("channels", [](const DeviceLattice& lattice) { return lattice.score().used_channels(); })
      .def_prop_ro("config_classes", [](const DeviceLattice& lattice) { return lattice.score().n_config_classes(); })
      .def_prop_ro("config_class",
                   [](const DeviceLattice& lattice) {
                     return by_bit(lattice, [&](int bit) { return lattice.config_class(bit); });
                   })
      .def_prop_ro("packed", &packed_of, kGiven)
      .def_prop_ro(
          "stride",
          [](const DeviceLattice& lattice) { return by_bit(lattice, [&](int bit) { return lattice.stride(bit); }); })
      .def_prop_ro("n_products", [](const DeviceLattice& lattice) { return lattice.score().n_products(); })
      .def_prop_ro(
          "prices_of_arcs", [](const DeviceLattice& lattice) { return bind::give(lattice.prices_of_arcs()); }, kGiven)
      .def_prop_ro("is_free", [](const DeviceLattice& lattice) { return lattice.rules().is_free(); })
      .def_prop_ro("allowed", [](const DeviceLattice& lattice) { return lattice.rules().allowed; })
      .def_prop_ro("required", [](const DeviceLattice& lattice) { return lattice.rules().required; })
      .def_prop_ro("max_parents", [](const DeviceLattice& lattice) { return lattice.rules().max_parents; })
      .def_prop_ro("tolerance", [](const DeviceLattice& lattice) { return lattice.ties().tolerance; })
      .def_prop_ro("most_ties", [](const DeviceLattice& lattice) { return lattice.ties().most; })
      .def_prop_ro("is_stopped", [](const DeviceLattice& lattice) { return lattice.control().is_stopped(); })
      .def(
          "prices", [](const DeviceLattice& lattice, int bit) { return bind::give(lattice.prices(bit)); }, "bit"_a)
      .def(
          "fitting", [](const DeviceLattice& lattice, int bit) { return bind::give(lattice.fitting(bit)); }, "bit"_a)
      .def("small_sets",
           [](const DeviceLattice& lattice) {
             DeviceLattice::SmallSets small;
             {
               const nb::gil_scoped_release release;
               small = lattice.small_sets();
             }
             return nb::make_tuple(bind::give(std::move(small.sets)), bind::give(std::move(small.values)));
           })
      .def(
          "counted_values",
          [](const DeviceLattice& lattice, const bind::In<std::uint64_t>& sets, int config_class) {
            std::vector<std::int64_t> values;
            {
              const nb::gil_scoped_release release;
              values = lattice.counted_values(bind::view(sets), config_class);
            }
            return bind::give(std::move(values));
          },
          "sets"_a, "config_class"_a)
      .def("gain_shift", &DeviceLattice::gain_shift, "base"_a)
      .def(
          "advance", [](const DeviceLattice& lattice, double by) { lattice.control().advance(by); }, "by"_a)
      .def(
          "counted",
          [](DeviceLattice& lattice, std::uint64_t visits) {
            lattice.set_visits(visits);
            if (lattice.on_counted) lattice.on_counted();
          },
          "visits"_a)
      .def(
          "take",
          [](DeviceLattice& lattice, int bit, std::int64_t base, const bind::In<std::uint64_t>& parents,
             const bind::In<std::int64_t>& scores, const bind::In<std::uint8_t>& ranks, std::uint64_t scored) {
            if (scores.size() != parents.size() || ranks.size() != parents.size()) {
              throw nb::value_error("take: one score and one rank for each parent set");
            }
            const nb::gil_scoped_release release;
            lattice.take(bit, base, bind::view(parents), bind::view(scores), bind::view(ranks), scored);
          },
          "bit"_a, "base"_a, "parents"_a, "scores"_a, "ranks"_a, "scored"_a);

  // As learn_exact, with candidates from `source`, which is called once with a DeviceLattice.
  m.def(
      "learn_exact_from",
      [](const qnml::SearchProblem& problem, qnml::ExactOptions options, qnml::Control& control,
         const nb::callable& source) {
        options.source = source_of(source);
        const nb::gil_scoped_release release;
        return qnml::learn_exact(problem, options, control);
      },
      "problem"_a, "options"_a, "control"_a, "source"_a);
}
