#include "core/inference/explanations.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "core/base/control.hpp"
#include "core/inference/domain.hpp"
#include "core/inference/junction_tree.hpp"
#include "core/inference/propagation.hpp"

namespace qnml {
namespace {

using Clique = JunctionTree::Clique;
constexpr double kImpossible = -std::numeric_limits<double>::infinity();

// All explanations that agree with a known one before a clique and differ from it and some others there.
struct Cell {
  double value;       // of the best explanation in it
  std::size_t base;   // number of the known explanation
  std::size_t place;  // of the clique, from the root
  std::size_t entry;  // of the clique's own variables, in the best explanation
  std::vector<std::size_t> excluded;
  std::size_t number;  // cells of equal value come in the order in which they were made

  bool operator<(const Cell& other) const { return value != other.value ? value < other.value : number > other.number; }
};

class Ranking {
 public:
  Ranking(const JunctionTree& tree, const Propagation<Logarithms>& propagation, const Evidence& evidence)
      : tree_(tree), propagation_(propagation), evidence_(evidence) {
    for (std::size_t c = tree.cliques().size(); c-- > 0;) {
      if (tree.cliques()[c].takes_max) cliques_.push_back(&tree.cliques()[c]);
    }
  }

  std::vector<Explanation> best(std::size_t most, Control& control) {
    if (propagation_.log_total() == kImpossible || most == 0) return {};
    Explanation first{{evidence_.codes.begin(), evidence_.codes.end()}, propagation_.log_total()};
    std::vector<std::size_t> entries;
    complete(first.codes, entries);
    found_.push_back(std::move(first));
    entries_.push_back(std::move(entries));
    add_cells(0, 0, {});
    while (found_.size() < most && !open_.empty() && !control.is_stopped()) {
      Cell cell = open_.top();
      open_.pop();
      Explanation next{found_[cell.base].codes, cell.value};
      entries.assign(entries_[cell.base].begin(),
                     entries_[cell.base].begin() + static_cast<std::ptrdiff_t>(cell.place));
      entries.push_back(cell.entry);
      assign(*cliques_[cell.place], cell.entry, next.codes);
      complete(next.codes, entries);
      found_.push_back(std::move(next));
      entries_.push_back(entries);
      add_cells(found_.size() - 1, cell.place, std::move(cell.excluded));
    }
    return std::move(found_);
  }

 private:
  // The part of a clique's table over its own variables, at the levels of those that it shares with its parent.
  const double* own_part(const Clique& clique, const std::vector<std::int32_t>& codes) const {
    std::size_t outer = 0;
    for (std::size_t axis = 0; axis < clique.kept; ++axis) {
      const std::uint32_t variable = clique.variables[axis];
      outer = outer * tree_.tables().levels(variable) + static_cast<std::size_t>(codes[variable]);
    }
    return propagation_.table(clique) + outer * clique.residual;
  }

  void assign(const Clique& clique, std::size_t entry, std::vector<std::int32_t>& codes) const {
    for (std::size_t axis = clique.variables.size(); axis-- > clique.kept;) {
      const std::size_t levels = tree_.tables().levels(clique.variables[axis]);
      codes[clique.variables[axis]] = static_cast<std::int32_t>(entry % levels);
      entry /= levels;
    }
  }

  // The best levels in the cliques that `entries` does not reach.
  void complete(std::vector<std::int32_t>& codes, std::vector<std::size_t>& entries) const {
    for (std::size_t place = entries.size(); place < cliques_.size(); ++place) {
      const double* const part = own_part(*cliques_[place], codes);
      const auto entry = static_cast<std::size_t>(std::max_element(part, part + cliques_[place]->residual) - part);
      entries.push_back(entry);
      assign(*cliques_[place], entry, codes);
    }
  }

  // Splits what differs from an explanation, and lies in its cell, by the first clique in which it differs.
  void add_cells(std::size_t base, std::size_t first, std::vector<std::size_t> excluded) {
    for (std::size_t place = first; place < cliques_.size(); ++place) {
      const Clique& clique = *cliques_[place];
      const double* const part = own_part(clique, found_[base].codes);
      const std::size_t known = entries_[base][place];
      excluded.push_back(known);
      std::size_t best = clique.residual;
      for (std::size_t entry = 0; entry < clique.residual; ++entry) {
        if (std::find(excluded.begin(), excluded.end(), entry) != excluded.end()) continue;
        if (best == clique.residual || part[entry] > part[best]) best = entry;
      }
      if (best < clique.residual && part[best] > kImpossible) {
        const double value = found_[base].log_probability + (part[best] - part[known]);
        open_.push({value, base, place, best, excluded, made_++});
      }
      excluded.clear();
    }
  }

  const JunctionTree& tree_;
  const Propagation<Logarithms>& propagation_;
  const Evidence& evidence_;
  std::vector<const Clique*> cliques_;  // from the roots down
  std::vector<Explanation> found_;
  std::vector<std::vector<std::size_t>> entries_;  // of each explanation, by clique
  std::priority_queue<Cell> open_;
  std::size_t made_ = 0;
};

}  // namespace

std::vector<Explanation> explanations(const JunctionTree& tree, const Evidence& evidence, std::size_t most,
                                      Control& control) {
  Propagation<Logarithms> propagation(tree);
  propagation.collect(evidence, control);
  return Ranking(tree, propagation, evidence).best(most, control);
}

}  // namespace qnml
