// The conditional tables of a network, kept for inference, and their slices at observed levels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/conditional.hpp"

namespace qnml {

class NetworkTables {
 public:
  // Copies the tables and divides every distribution by its sum: files round probabilities, and leaving out factors
  // that do not matter must not change an answer. Throws std::invalid_argument if a table does not fit its variables.
  explicit NetworkTables(std::span<const ConditionalTable> tables);

  std::size_t variables() const { return nodes_.size(); }
  std::uint32_t levels(std::size_t variable) const { return nodes_[variable].levels; }
  std::span<const std::uint32_t> parents(std::size_t variable) const { return nodes_[variable].parents; }

  // One axis of a slice: a member of the family that is not fixed, and where its levels go in the result.
  struct Axis {
    std::uint32_t member;  // place in the family: the parents in order, then the variable itself
    std::size_t stride;    // in the result
  };

  // Writes the table with some members fixed. `codes`: of all variables of the network; those of free members are
  // ignored. The result has one entry for each configuration of the axes, which are all free members.
  void slice(std::size_t variable, std::span<const std::int32_t> codes, std::span<const Axis> axes,
             std::span<double> result) const;

 private:
  struct Node {
    std::vector<std::uint32_t> parents;
    std::uint32_t levels = 1;
    bool lists_all = true;
    std::vector<std::size_t> strides;   // of every member of the family in a table that lists all configurations
    std::vector<std::int32_t> configs;  // of a table that does not: k × parents codes
    std::vector<double> rows;
    std::vector<double> unseen;
  };
  std::uint32_t levels_of_member(const Node& node, std::uint32_t member) const;
  void slice_full(const Node& node, std::size_t start, std::span<const Axis> axes, std::span<double> result) const;
  void slice_listed(std::size_t variable, std::span<const std::int32_t> codes, std::span<const Axis> axes,
                    std::span<double> result) const;

  std::vector<Node> nodes_;
};

}  // namespace qnml
