// Local scores of families, counted when they are asked for, for any number of columns.
//
// Values are kept in a store of bounded size; what was pushed out is counted again, to the same value. Every value is
// a multiple of unit(), so small that a network's score is off by less than 1e-12 of itself and so large that sums and
// differences of the scores of a network are exact: however a network was reached, its score is the same to the last
// bit, and so are the choices a search makes from it. Neither the order of rows and labels nor the number of threads
// has a part in any value.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/counting/columns.hpp"
#include "core/scores/score.hpp"
#include "core/scores/score_range.hpp"

namespace qnml {

// Safe to share between threads.
class FamilyCache {
 public:
  // Families whose levels multiply to more than `most_cells` score minus infinity, unless the child has no parents or
  // the family was admitted; and so do families that score less than the network of the admitted ones alone, and hence
  // are in no best network: walks through prices that large would lose all smaller differences. The store takes at most
  // `memory_bytes`.
  FamilyCache(const Columns& table, std::shared_ptr<const Score> score, double most_cells, double memory_bytes);
  ~FamilyCache();
  FamilyCache(const FamilyCache&) = delete;

  // Has these parents of the child scored whatever their number of cells: the required ones. Before any scoring.
  void admit(int child, const std::vector<int>& sorted_parents);
  // Another `most_cells` from now on. Not while others score.
  void limit_cells(double most_cells) { most_cells_ = most_cells; }

  // Parents in ascending order, without the child.
  double score(int child, const std::vector<int>& sorted_parents);

  // The scores of the child with the parents and one candidate more, for each candidate. Much cheaper than one by
  // one: the rows are told apart by the parents and the child once. Candidates are neither parents nor the child.
  void additions(int child, const std::vector<int>& sorted_parents, std::span<const int> candidates, double* scores);

  int n_variables() const { return static_cast<int>(table_.columns.size()); }
  const Columns& table() const { return table_; }
  // Whether equivalent networks score the same: local(i | P) = f(P + i) - f(P).
  bool is_equivalent() const;
  double unit() const { return unit_; }
  // Differences below this are ties.
  double tolerance() const { return 1e-7 + 64.0 * unit_; }
  // How many sets of variables were counted so far.
  std::uint64_t sets_counted() const;

 private:
  struct Parts;

  double alone(int child);
  bool is_admitted(int child, const std::vector<int>& sorted_parents, int candidate) const;
  double levels(const std::vector<int>& set) const;
  double on_grid(double value) const;
  double price_of(int child, const std::vector<int>& parents) const;
  double cells_value(std::span<const std::uint64_t> counts, const std::vector<int>& sorted_set) const;
  double configs_value(std::span<const std::uint64_t> counts, const std::vector<int>& sorted_set, int child) const;
  double family_value(std::vector<std::uint64_t>& cells, std::vector<std::uint64_t>& configs, int child,
                      const std::vector<int>& sorted_parents) const;

  const Columns& table_;
  double most_cells_;
  double unit_;
  Prices prices_;
  double never_;  // families below minus this are in no best network
  std::unique_ptr<Parts> parts_;
};

}  // namespace qnml
