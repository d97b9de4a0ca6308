// Draws DAGs with their exact probabilities, layer by layer: first the variables without parents, then those whose
// parents are all in the first layer, and so on. A variable belongs to a layer if its parents are in earlier layers and
// at least one of them is in the layer just before. Every DAG has exactly one such division into layers.
//
// T. Talvitie, A. Vuoksenmaa, M. Koivisto, "Exact sampling of directed acyclic graphs from modular distributions", UAI
// 2019. J. Kuipers, G. Moffa, "Uniform random generation of large acyclic digraphs", Stat. Comput. 25, 2015.
//
// Let U be the placed variables, L the last layer, and U' = U - L. Each remaining variable i must have a parent outside
// U'. By inclusion-exclusion over the variables that have none, the total weight of all completions is
//   g(U, L) = sum over T outside U of C(U + T) prod_{i in T} (-W_i(U')).
// The next layer is drawn one variable at a time. Deciding that i belongs to it replaces -W_i(U') by W_i(U) - W_i(U')
// and drops the terms without i; deciding that it does not replaces it by -W_i(U). Draws that make the same decisions
// share the work.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "core/base/parallel.hpp"
#include "core/base/random.hpp"
#include "core/numbers/double_double.hpp"
#include "core/numbers/double_double_arrays.hpp"
#include "core/numbers/extended_double.hpp"
#include "core/sums/dag_sums.hpp"
#include "core/sums/family_sums.hpp"
#include "core/sums/parent_draw.hpp"

namespace qnml {
namespace {

class DagDraws {
 public:
  DagDraws(const FamilyTable& table, const FamilySums<DoubleDouble>& families, const std::vector<SetSum>& completions,
           std::uint64_t* parents)
      : families_(families),
        completions_(completions),
        draw_parents_(table, families),
        n_(table.n()),
        parents_(parents) {}

  // Draws the DAGs first .. first + count - 1.
  void run(std::uint64_t seed, std::size_t first, std::size_t count) {
    first_ = first;
    for (std::size_t k = 0; k < count; ++k) random_.push_back(Xoshiro256::stream(seed, first + k));
    std::vector<std::size_t> everyone(count);
    std::iota(everyone.begin(), everyone.end(), std::size_t{0});
    go_on({0, 0}, everyone);
  }

 private:
  using Draws = std::vector<std::size_t>;
  struct Placed {
    std::uint64_t set;
    std::uint64_t layer;
  };
  // The remaining variables, with mantissas on the scale of W_i(U).
  struct Layer {
    Placed placed;
    std::vector<int> variables;
    std::vector<DoubleDouble> in;    // W_i(U) - W_i(U')
    std::vector<DoubleDouble> out;   // -W_i(U)
    std::vector<DoubleDouble> open;  // -W_i(U')
  };

  void go_on(Placed placed, const Draws& draws) {
    if (std::popcount(placed.set) == n_) return;
    Layer layer;
    DoubleDoubleArray terms = prepare(placed, layer);
    decide(layer, terms, layer.variables.size(), 0, draws);
  }

  DoubleDoubleArray prepare(Placed placed, Layer& layer) const {
    layer.placed = placed;
    const std::uint64_t everything = (std::uint64_t{1} << n_) - 1;
    std::vector<std::uint64_t> targets{placed.set};
    std::vector<std::int32_t> exponents{-completions_[placed.set].exponent};
    for (std::uint64_t rest = everything & ~placed.set; rest != 0; rest &= rest - 1) {
      const int variable = std::countr_zero(rest);
      const Extended<DoubleDouble> mine = families_(variable, placed.set);
      if (mine.is_zero()) continue;
      const Extended<DoubleDouble> earlier =
          placed.set == 0 ? Extended<DoubleDouble>{} : families_(variable, placed.set & ~placed.layer);
      const DoubleDouble open = earlier.mantissa * factor_of_two(earlier.exponent - mine.exponent);
      layer.variables.push_back(variable);
      layer.in.push_back(mine.mantissa - open);
      layer.out.push_back(-mine.mantissa);
      layer.open.push_back(-open);
      const std::size_t size = targets.size();
      for (std::size_t t = 0; t < size; ++t) targets.push_back(targets[t] | std::uint64_t{1} << variable);
      for (std::size_t t = 0; t < size; ++t) exponents.push_back(exponents[t] + mine.exponent);
    }
    DoubleDoubleArray terms(targets.size());
    for (std::size_t t = 0; t < targets.size(); ++t) {
      terms.set(t, completions_[targets[t]].value());
      exponents[t] += completions_[targets[t]].exponent;
    }
    scale({terms, 0, targets.size()}, exponents.data());
    return terms;
  }

  // The variables from `undecided` on are decided and folded into the terms, which are indexed by the sets of the
  // others.
  void decide(const Layer& layer, DoubleDoubleArray& terms, std::size_t undecided, std::uint64_t chosen,
              const Draws& draws) {
    if (draws.empty()) return;
    if (undecided == 0) {
      place(layer, chosen, draws);
      return;
    }
    const std::size_t k = undecided - 1;
    const std::size_t half = std::size_t{1} << k;
    const std::vector<DoubleDouble> open(layer.open.begin(), layer.open.begin() + static_cast<std::ptrdiff_t>(k));
    DoubleDoubleArray scratch = terms;
    const DoubleDouble lower = fold({scratch, 0, half}, open);
    const DoubleDouble upper = fold({scratch, half, half}, open);
    const auto with = Extended<DoubleDouble>::of(upper * layer.in[k], 0);
    const auto without = Extended<DoubleDouble>::of(lower + upper * layer.out[k], 0);
    // A layer cannot be empty.
    const bool must = chosen == 0 && k == 0;
    Draws in, out;
    for (const std::size_t draw : draws) (must || happens(with, without, random_[draw]) ? in : out).push_back(draw);
    DoubleDoubleArray next(half);
    if (!in.empty()) {
      multiply({next, 0, half}, {terms, half, half}, layer.in[k]);
      decide(layer, next, k, chosen | std::uint64_t{1} << layer.variables[k], in);
    }
    if (!out.empty()) {
      std::copy_n(terms.high.begin(), half, next.high.begin());
      std::copy_n(terms.low.begin(), half, next.low.begin());
      add_product({next, 0, half}, {terms, half, half}, layer.out[k]);
      decide(layer, next, k, chosen, out);
    }
  }

  void place(const Layer& layer, std::uint64_t chosen, const Draws& draws) {
    const Placed& placed = layer.placed;
    for (const std::size_t draw : draws) {
      for (std::uint64_t rest = chosen; rest != 0; rest &= rest - 1) {
        const int child = std::countr_zero(rest);
        parents_[(first_ + draw) * static_cast<std::size_t>(n_) + static_cast<std::size_t>(child)] =
            draw_parents_(child, placed.set, placed.layer, random_[draw]);
      }
    }
    go_on({placed.set | chosen, chosen}, draws);
  }

  const FamilySums<DoubleDouble>& families_;
  const std::vector<SetSum>& completions_;
  ParentDraw<DoubleDouble> draw_parents_;
  int n_;
  std::uint64_t* parents_;
  std::size_t first_ = 0;
  std::vector<Xoshiro256> random_;
};

}  // namespace

std::vector<std::uint64_t> DagSums::draw(std::size_t count, std::uint64_t seed, int threads) const {
  if (completions_.empty()) throw std::logic_error("draw before compute");
  const auto n = static_cast<std::size_t>(table_.n());
  std::vector<std::uint64_t> parents(count * n, 0);
  // Draws made together share work, so there are only as many pieces as keep the threads busy.
  const std::size_t pieces = std::min<std::size_t>(count, 4 * static_cast<std::size_t>(std::max(threads, 1)));
  parallel_for(pieces, threads, [&](int, std::size_t piece) {
    const std::size_t first = count * piece / pieces, last = count * (piece + 1) / pieces;
    DagDraws(table_, families_.front(), completions_, parents.data()).run(seed, first, last - first);
  });
  return parents;
}

}  // namespace qnml
