// Counting one family after the other that differ in a single parent.
//
// The rows are told apart by the parents they share, and by the child, once. What is left for each candidate is to
// tell each class apart by the candidate: large classes, which are few, by population counts, the rows of small ones
// one by one. Where classes are many, and where rows have weights, all rows are visited.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/counting/columns.hpp"
#include "core/counting/count.hpp"
#include "core/counting/packed_columns.hpp"

namespace qnml {

// Keeps its scratch memory between calls; one per thread.
class SetCounter {
 public:
  SetCounter(const Columns& table, const PackedColumns& packed) : table_(table), packed_(packed), counter_(table) {}

  void split(int child, std::span<const int> parents);

  // The positive counts, in no order: of the parents, the candidate and the child in `cells`; without the child in
  // `configs`. After split.
  void count(int candidate, std::vector<std::uint64_t>& cells, std::vector<std::uint64_t>& configs);

  // The same for a family on its own.
  void count_family(int child, std::span<const int> parents, std::vector<std::uint64_t>& cells,
                    std::vector<std::uint64_t>& configs);

 private:
  // Rows with the same parents and the same value of the child.
  struct Small {
    std::size_t end;  // of its rows in `small_rows_`; they begin where those of the one before end
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
  // Large classes as rows of bits, small ones as lists of rows. `next_` is what a refinement makes of them.
  std::vector<std::uint64_t> bits_, next_bits_;
  std::vector<Large> large_, next_large_;
  std::vector<std::uint32_t> small_rows_, next_small_rows_;
  std::vector<Small> small_, next_small_;
  std::uint32_t n_class_configs_ = 0;
  std::vector<std::uint32_t> common_;
  std::vector<std::uint32_t> level_tally_;
  std::vector<std::uint64_t> config_tally_;
  // Classes as labels of rows: configuration of the parents times the levels of the child, plus the child's code.
  std::vector<std::uint32_t> labels_;
  std::uint64_t n_configs_ = 0;
  std::vector<std::uint32_t> tally32_;
  std::vector<std::uint64_t> tally64_;
  Profile cell_profile_, config_profile_;
  std::vector<int> family_;
};

}  // namespace qnml
