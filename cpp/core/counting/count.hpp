// Counts the value configurations of a set of variables.
//
// Every score is a function of two profiles, one of a family and one of its parents: how many cells hold each count. A
// profile does not depend on the order of rows, columns or labels, so neither do the scores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/counting/columns.hpp"

namespace qnml {

// Distinct positive counts in ascending order, and how many cells hold each.
struct Profile {
  std::vector<std::uint64_t> counts;
  std::vector<std::uint64_t> cells;

  std::uint64_t seen() const;
};

// The observed parent configurations, in lexicographic order of their codes, each with the counts of the child.
struct FamilyCounts {
  std::vector<std::int32_t> configs;  // one code per parent, in the order requested
  std::vector<std::int64_t> counts;   // one count per level of the child
};

// Keeps scratch memory between calls; use one per thread.
class Counter {
 public:
  explicit Counter(const Columns& table) : table_(table) {}

  // Profiles of parents + child (in `cells`) and of the parents alone (in `configs`). Memory grows with the rows,
  // whatever the product of the levels.
  void family(int child, std::span<const int> parents, Profile& cells, Profile& configs);

  // Counts of the child for each parent configuration that occurs in a row of positive weight. Memory grows with the
  // number of these configurations times the levels of the child.
  FamilyCounts configurations(int child, std::span<const int> parents);

  // One label per row, such that rows agree on the variables exactly if they share a label. Labels are 0..count-1 in
  // order of first appearance. Returns the count.
  std::uint32_t partition(std::span<const int> variables, std::vector<std::uint32_t>& labels);

 private:
  template <class Tally>
  void tally_family(int child, std::span<const int> parents, Profile& cells, Profile& configs);
  template <class Tally>
  void tally_dense(std::span<const int> parents, int child, std::size_t size);
  template <class Tally>
  void tally_labels(std::size_t size);
  template <class Tally>
  void to_profile(const std::vector<Tally>& tally, Profile& profile);
  template <class Tally>
  std::vector<Tally>& tally();
  std::vector<std::uint32_t> sorted_rows(std::span<const int> variables, std::vector<std::uint32_t> rows) const;

  std::uint64_t label_configs(std::span<const int> variables);
  void extend_labels(const Column& column);
  std::uint64_t compact_dense(std::uint64_t size);
  std::uint64_t compact_hashed(const Column& column);
  std::size_t dense_limit() const;

  const Columns& table_;
  std::vector<std::uint32_t> labels_;
  std::vector<std::uint32_t> rename_;
  std::vector<std::uint64_t> slots_;
  std::vector<std::uint32_t> tally32_;
  std::vector<std::uint64_t> tally64_;
  std::vector<std::uint32_t> config_tally32_;
  std::vector<std::uint64_t> config_tally64_;
  std::vector<std::uint64_t> small_;
  std::vector<std::uint64_t> large_;
};

}  // namespace qnml
