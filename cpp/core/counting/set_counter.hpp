// Counts families that differ in a single parent, one after another.
//
// The rows are first partitioned by the shared parents and the child, once. Each candidate then only splits these
// classes: large classes, which are few, by population counts, small ones row by row. If classes are many, or rows have
// weights, all rows are visited.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/counting/columns.hpp"
#include "core/counting/count.hpp"
#include "core/counting/packed_columns.hpp"

namespace qnml {

// Keeps scratch memory between calls; use one per thread.
class SetCounter {
 public:
  SetCounter(const Columns& table, const PackedColumns& packed) : table_(table), packed_(packed), counter_(table) {}

  void split(int child, std::span<const int> parents);

  // The positive counts, in any order: of the parents, the candidate and the child in `cells`; without the child in
  // `configs`. Call after split.
  void count(int candidate, std::vector<std::uint64_t>& cells, std::vector<std::uint64_t>& configs);

  // The same for a single family.
  void count_family(int child, std::span<const int> parents, std::vector<std::uint64_t>& cells,
                    std::vector<std::uint64_t>& configs);

 private:
  // Rows with the same parents and the same value of the child.
  struct Small {
    std::size_t end;  // of its rows in `small_rows_`; they begin where those of the previous class end
    std::uint32_t config;
  };
  struct Large {
    std::uint32_t size;
    std::uint32_t config;
  };

  bool split_classes();
  void refine(int variable);
  void split_labels();
  bool is_worth_classes(std::uint64_t levels) const;
  void count_classes(int candidate, std::vector<std::uint64_t>& cells, std::vector<std::uint64_t>& configs);
  template <class Tally>
  void count_labels(int candidate, std::vector<Tally>& tally, std::vector<std::uint64_t>& cells,
                    std::vector<std::uint64_t>& configs);

  const Columns& table_;
  const PackedColumns& packed_;
  Counter counter_;
  int child_ = 0;
  std::vector<int> parents_;
  bool has_classes_ = false;
  bool has_labels_ = false;
  // Large classes as bitmaps, small ones as lists of rows. A refinement writes into `next_`.
  std::vector<std::uint64_t> bits_, next_bits_;
  std::vector<Large> large_, next_large_;
  std::vector<std::uint32_t> small_rows_, next_small_rows_;
  std::vector<Small> small_, next_small_;
  std::uint32_t n_class_configs_ = 0;
  std::vector<std::uint32_t> common_;
  std::vector<std::uint32_t> level_tally_;
  std::vector<std::uint64_t> config_tally_;
  // Classes as labels of rows: parent configuration times the levels of the child, plus the code of the child.
  std::vector<std::uint32_t> labels_;
  std::uint64_t n_configs_ = 0;
  std::vector<std::uint32_t> tally32_;
  std::vector<std::uint64_t> tally64_;
  Profile cell_profile_, config_profile_;
  std::vector<int> family_;
};

}  // namespace qnml
