// Counting one family after the other that differ in a single parent.
//
// The rows are told apart by the parents they share, and by the child, once. What is left for each candidate is to
// tell each class apart by the candidate: by population counts where classes are few, by one pass over the rows
// otherwise.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/columns.hpp"
#include "core/count.hpp"
#include "core/packed_columns.hpp"

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
  bool split_bits();
  void split_labels();
  void count_bits(int candidate, std::vector<std::uint64_t>& cells, std::vector<std::uint64_t>& configs);
  template <class Tally>
  void count_labels(int candidate, std::vector<Tally>& tally, std::vector<std::uint64_t>& cells,
                    std::vector<std::uint64_t>& configs);

  const Columns& table_;
  const PackedColumns& packed_;
  Counter counter_;
  int child_ = 0;
  std::vector<int> parents_;
  bool has_bits_ = false;
  bool has_labels_ = false;
  // Classes as rows of bits: those of one configuration of the parents follow each other, up to its `group_end_`.
  std::vector<std::uint64_t> rows_, next_rows_;
  std::vector<std::uint32_t> sizes_;
  std::vector<std::size_t> group_end_;
  std::vector<std::uint32_t> common_;
  // Classes as labels of rows: configuration of the parents times the levels of the child, plus the child's code.
  std::vector<std::uint32_t> labels_;
  std::uint64_t n_configs_ = 0;
  std::vector<std::uint32_t> tally32_;
  std::vector<std::uint64_t> tally64_;
  Profile cell_profile_, config_profile_;
  std::vector<int> family_;
};

}  // namespace qnml
