#include "core/chains/arc_strengths.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/parallel.hpp"
#include "core/chains/partition_chain.hpp"
#include "core/chains/structure_model.hpp"

namespace qnml {
namespace {

// Families larger than this are not tried: each of their parents matters in few rows only.
constexpr std::size_t kMostParents = 12;

// A family after removing every parent whose removal does not lower its weight, with the strengths of the remaining
// parents.
struct Core {
  std::vector<int> parents;  // ascending
  std::vector<double> strengths;
};

class Strengths {
 public:
  Strengths(const StructureModel& model, std::vector<double>& present, std::vector<double>& potential)
      : model_(model), n_(model.size()), present_(present), potential_(potential) {}

  void add(const std::uint64_t* dag) {
    std::vector<Core> cores;
    for (std::size_t child = 0; child < n_; ++child) {
      cores.push_back(core(static_cast<int>(child), parents_of(dag, child)));
      put(present_, child, cores.back());
      put(potential_, child, climb(static_cast<int>(child), cores.back()));
    }
    for (std::size_t child = 0; child < n_; ++child) {
      for (int parent : cores[child].parents) turn(parent, static_cast<int>(child), cores);
    }
  }

 private:
  std::vector<int> parents_of(const std::uint64_t* dag, std::size_t child) const {
    const std::uint64_t* mine = dag + child * words_for(n_);
    std::vector<int> found;
    for (std::size_t parent = 0; parent < n_; ++parent) {
      if ((mine[parent / 64] >> (parent % 64) & 1) != 0) found.push_back(static_cast<int>(parent));
    }
    return found;
  }

  const std::vector<int>& required(int child) const { return model_.sums(static_cast<std::size_t>(child)).required(); }

  Core core(int child, std::vector<int> parents) const {
    double here = model_.wide()->log_weight(child, parents);
    Core found;
    while (true) {
      double best = here;
      std::size_t gone = parents.size();
      found.strengths.assign(parents.size(), 1.0);
      for (std::size_t k = 0; k < parents.size(); ++k) {
        if (std::ranges::binary_search(required(child), parents[k])) continue;
        std::vector<int> rest = parents;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
        const double without = model_.wide()->log_weight(child, rest);
        found.strengths[k] = -std::expm1(without - here);
        if (without < best) continue;
        best = without;
        gone = k;
      }
      if (gone == parents.size()) break;
      parents.erase(parents.begin() + static_cast<std::ptrdiff_t>(gone));
      here = best;
    }
    found.parents = std::move(parents);
    return found;
  }

  // Adds parents greedily while the weight grows, even if they close cycles.
  Core climb(int child, Core found) const {
    while (found.parents.size() < kMostParents) {
      std::vector<int> others;
      std::ranges::set_difference(model_.wide()->limits().allowed[static_cast<std::size_t>(child)], found.parents,
                                  std::back_inserter(others));
      std::vector<double> log_weights(others.size());
      model_.wide()->additions(child, found.parents, others, log_weights.data());
      const auto best = std::ranges::max_element(log_weights);
      if (best == log_weights.end() || *best <= model_.wide()->log_weight(child, found.parents)) break;
      std::vector<int> parents = found.parents;
      const int added = others[static_cast<std::size_t>(best - log_weights.begin())];
      parents.insert(std::ranges::lower_bound(parents, added), added);
      found = core(child, std::move(parents));
    }
    return found;
  }

  void put(std::vector<double>& where, std::size_t child, const Core& family) const {
    for (std::size_t k = 0; k < family.parents.size(); ++k) {
      double& value = where[static_cast<std::size_t>(family.parents[k]) * n_ + child];
      value = std::max(value, family.strengths[k]);
    }
  }

  // Reverses an arc: the parent gets the child and all parents of both, the child gets all parents of both but not the
  // parent.
  void turn(int parent, int child, const std::vector<Core>& cores) {
    const std::vector<int>& above = cores[static_cast<std::size_t>(parent)].parents;
    const std::vector<int>& beside = cores[static_cast<std::size_t>(child)].parents;
    std::vector<int> both;
    std::ranges::set_union(above, beside, std::back_inserter(both));
    if (both.size() > kMostParents || std::ranges::binary_search(required(child), parent)) return;
    std::erase(both, parent);
    put(potential_, static_cast<std::size_t>(child), core(child, admitted(child, both)));
    both.insert(std::ranges::lower_bound(both, child), child);
    put(potential_, static_cast<std::size_t>(parent), core(parent, admitted(parent, both)));
  }

  // The given parents that the limits allow, with the required ones; only the required ones if that family has no
  // weight.
  std::vector<int> admitted(int child, const std::vector<int>& some) const {
    const ListRules& limits = model_.wide()->limits();
    std::vector<int> found = required(child);
    for (int one : some) {
      if (std::ranges::binary_search(limits.allowed[static_cast<std::size_t>(child)], one)) found.push_back(one);
    }
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return std::isinf(model_.wide()->log_weight(child, found)) ? required(child) : found;
  }

  const StructureModel& model_;
  std::size_t n_;
  std::vector<double>&present_, &potential_;
};

}  // namespace

ArcStrengths arc_strengths(const StructureModel& model, const std::uint64_t* dags, std::size_t count, int threads,
                           Control& control) {
  const std::size_t cells = model.size() * model.size();
  std::vector<ArcStrengths> of_dags(count);
  parallel_for(count, threads, [&](int, std::size_t which) {
    if (control.is_stopped()) return;
    ArcStrengths& mine = of_dags[which];
    mine.present.assign(cells, 0.0);
    mine.potential.assign(cells, 0.0);
    Strengths(model, mine.present, mine.potential).add(dags + which * model.size() * words_for(model.size()));
  });
  std::erase_if(of_dags, [](const ArcStrengths& one) { return one.present.empty(); });
  // Sums in the order of the DAGs, whatever the number of threads.
  ArcStrengths found{std::vector<double>(cells), std::vector<double>(cells)};
  for (const ArcStrengths& one : of_dags) {
    for (std::size_t cell = 0; cell < cells; ++cell) {
      found.present[cell] += one.present[cell] / static_cast<double>(of_dags.size());
      found.potential[cell] += one.potential[cell] / static_cast<double>(of_dags.size());
    }
  }
  return found;
}

}  // namespace qnml
