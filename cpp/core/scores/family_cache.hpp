// Local scores of families, counted on demand, for any number of columns.
//
// Values are kept in a store of bounded size; a value that was evicted is counted again, with the same result. Every
// value is a multiple of unit(). The unit is small enough that a network's score is off by less than 1e-12 of itself,
// and large enough that sums and differences of the scores of a network are exact: a network has the same score to the
// last bit however it was reached, so a search makes the same choices. No value depends on the order of rows and labels
// or on the number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/counting/columns.hpp"
#include "core/scores/score.hpp"

namespace qnml {

// Safe to share between threads.
class FamilyCache {
 public:
  // Families whose levels multiply to more than `most_cells` score minus infinity, unless the child has no parents or
  // the family was admitted. So do families that score less than the network of the admitted families alone: they are
  // in no best network, and prices that large would absorb all smaller differences. The stores take at most
  // `memory_bytes`. If the table is split, each part has its score in `part_scores`.
  FamilyCache(const Columns& table, const std::shared_ptr<const Score>& score, double most_cells, double memory_bytes,
              const std::vector<std::shared_ptr<const Score>>& part_scores = {});
  ~FamilyCache();
  FamilyCache(const FamilyCache&) = delete;

  // Admits these parents of the child, the required ones, whatever their number of cells. Call it before any scoring.
  void admit(int child, const std::vector<int>& sorted_parents);
  // Changes `most_cells`. Not while other threads score.
  void limit_cells(double most_cells) { most_cells_ = most_cells; }

  // Parents in ascending order, without the child.
  double score(int child, const std::vector<int>& sorted_parents);

  // The scores of the child with the parents and one more candidate, for each candidate. Much cheaper than one by one:
  // the rows are partitioned by the parents and the child once. Candidates are neither parents nor the child.
  void additions(int child, const std::vector<int>& sorted_parents, std::span<const int> candidates, double* scores);

  int n_variables() const { return static_cast<int>(table_.columns.size()); }
  const Columns& table() const { return table_; }
  // Whether equivalent networks score the same: local(i | P) = f(P + i) - f(P). Never in a split table, where f would
  // depend on the child.
  bool is_equivalent() const;
  double unit() const { return unit_; }
  // Differences below this are ties.
  double tolerance() const { return 1e-7 + 64.0 * unit_; }
  // Number of sets of variables counted so far.
  std::uint64_t sets_counted() const;

 private:
  struct Part;

  Part& part_of(int child) const { return *parts_[table_.part_of(child)]; }
  double alone(int child);
  bool is_admitted(int child, const std::vector<int>& sorted_parents, int candidate) const;
  double levels(const std::vector<int>& set) const;
  double on_grid(double value) const;
  double price_of(int child, const std::vector<int>& parents) const;
  double cells_value(const Part& part, std::span<const std::uint64_t> counts, const std::vector<int>& sorted_set) const;
  double configs_value(std::span<const std::uint64_t> counts, const std::vector<int>& sorted_set, int child) const;
  double family_value(std::vector<std::uint64_t>& cells, std::vector<std::uint64_t>& configs, int child,
                      const std::vector<int>& sorted_parents) const;

  const Columns& table_;
  double most_cells_;
  double unit_;
  double never_;                              // families that score below minus this are in no best network
  std::vector<std::unique_ptr<Part>> parts_;  // one for each part of the table
  std::vector<std::vector<int>> admitted_;
};

}  // namespace qnml
