// The lattice of all sets as tables of numbers, for a device that counts it and compares its parent sets: what it needs
// to know, and where it hands over what it found.
//
// The core knows no device. It states every number once, in whole units, so that the values, the comparisons and thus
// the lists are the same as those of dense_candidates. All sets are sets of bits of the lattice; arrays by bit have one
// entry, or one row, for each bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/base/control.hpp"
#include "core/counting/columns.hpp"
#include "core/counting/lattice.hpp"
#include "core/exact/candidate_filter.hpp"
#include "core/exact/candidates.hpp"
#include "core/graph/rules.hpp"
#include "core/scores/family_scores.hpp"
#include "core/scores/integer_score.hpp"

namespace qnml {

// The rules by bit.
MaskRules rules_by_bit(const MaskRules& by_column, const std::vector<int>& column_of_bit);

class DeviceLattice {
 public:
  DeviceLattice(const Columns& table, const IntegerScore& score, const MaskRules& rules_by_column, const Ties& ties,
                Control& control, int threads);

  int n_variables() const { return lattice_.n_variables(); }
  Control& control() const { return control_; }
  const Lattice& lattice() const { return lattice_; }
  const IntegerScore& score() const { return score_; }
  const MaskRules& rules() const { return rules_; }
  const Ties& ties() const { return ties_; }

  std::uint32_t stride(int bit) const { return score_.stride(column(bit)); }
  // The array of configurations that a child uses, or -1 where cells serve.
  int config_class(int bit) const { return score_.has_configs() ? score_.config_class(column(bit)) : -1; }
  std::vector<std::int64_t> prices(int bit) const { return shape_.prices(bit); }
  std::vector<std::int64_t> prices_of_arcs() const;
  // By product index of the parents: whether the limit on cells admits the family.
  std::vector<std::uint8_t> fitting(int bit) const;

  // The sets whose value must be counted, see IntegerScore::needs_counts.
  struct SmallSets {
    std::vector<std::uint64_t> sets;
    std::vector<std::int64_t> values;
  };
  SmallSets small_sets() const;

  // Values by counting the rows, to check those of a device: the cells of each set, or, with a class of configurations
  // that is not negative, its configurations.
  std::vector<std::int64_t> counted_values(std::span<const std::uint64_t> sets, int config_class) const;

  // How often gains are halved so that they fit into 32 bits, for a child whose smallest admitted set has this score.
  int gain_shift(std::int64_t base) const { return GainScale(base, ties_.tolerance).shift(); }

  // Hands over the parent sets of a child that no subset beats, in numerical order, with their scores and their ranks;
  // `scored` is the number of families scored.
  void take(int bit, std::int64_t base, std::span<const std::uint64_t> parents, std::span<const std::int64_t> scores,
            std::span<const std::uint8_t> ranks, std::uint64_t scored);
  CandidateLists lists() &&;

  // Called once by the device, when it has counted the sets.
  std::function<void()> on_counted;
  void set_visits(std::uint64_t visits) { visits_ = visits; }
  std::uint64_t visits() const { return visits_; }

 private:
  int column(int bit) const { return lattice_.column_of_bit()[static_cast<std::size_t>(bit)]; }

  const Columns& table_;
  const IntegerScore& score_;
  Ties ties_;
  Control& control_;
  int threads_;
  Lattice lattice_;
  FamilyScores shape_;  // products and prices; the values are on the device
  MaskRules rules_;
  CandidateLists lists_;
  std::uint64_t visits_ = 0;
};

// Fills a lattice. Returns false when stopped.
using CandidateSource = std::function<bool(DeviceLattice& lattice)>;

}  // namespace qnml
