// Summing out the missing cells of a row, one variable after another: what is done in which order, without numbers.
//
// Two missing variables are neighbours if a family contains both. That is the moral graph of the network without the
// observed variables. Equivalent networks have the same moral graph, so they get the same order here.
//
// Each variable has a bucket: a table over the variable and its neighbours at the time it is summed out. It is the
// product of the families and messages that contain the variable; its sum over the variable is the message to the
// bucket of the neighbour that comes next (Dechter, "Bucket elimination", Artificial Intelligence 113, 1999).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace qnml {

// The missing variables of a family, and for each of them how far apart its levels are in the table of the family.
struct OpenFamily {
  std::vector<std::uint32_t> variables;
  std::vector<std::uint32_t> strides;
};

struct EliminationPlan {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // A factor of a bucket. Its strides are `strides[first_stride + axis]` for each axis of the bucket; 0 for variables
  // that the factor does not have.
  struct Input {
    bool is_message;
    std::uint32_t source;  // the bucket of the message, or the number of the open family
    std::uint32_t first_stride;
  };
  struct Bucket {
    std::uint32_t first_axis, axes;  // axis 0 is the variable that is summed out; it varies fastest
    std::uint32_t first_input, inputs;
    std::uint32_t parent;        // the bucket that takes the message, kNone for a root
    std::uint32_t parent_input;  // the input of that bucket which is this message
    std::size_t table, message;  // where they begin in the workspace
    std::size_t size;            // entries of the table
  };

  std::vector<Bucket> buckets;           // in the order of elimination
  std::vector<std::uint32_t> variables;  // by axis
  std::vector<std::uint32_t> levels;     // by axis
  std::vector<Input> inputs;
  std::vector<std::uint32_t> strides;
  std::size_t table_entries = 0, message_entries = 0;  // of all buckets

  std::span<const std::uint32_t> levels_of(const Bucket& bucket) const {
    return {levels.data() + bucket.first_axis, bucket.axes};
  }
  std::span<const std::uint32_t> variables_of(const Bucket& bucket) const {
    return {variables.data() + bucket.first_axis, bucket.axes};
  }
  std::span<const Input> inputs_of(const Bucket& bucket) const {
    return {inputs.data() + bucket.first_input, bucket.inputs};
  }
  const std::uint32_t* strides_of(const Input& input) const { return strides.data() + input.first_stride; }
};

// The order in which the smallest table comes next; ties go to the first variable. `entries`: of all tables together.
struct EliminationOrder {
  std::vector<std::uint32_t> variables;
  std::vector<std::vector<std::uint32_t>> neighbours;  // of each when it is summed out, in ascending order
  double entries = 0.0;
};

// `missing`: the missing variables in ascending order, each with two levels or more. `levels`: of all variables.
EliminationOrder elimination_order(std::span<const std::uint32_t> missing, std::span<const OpenFamily> families,
                                   std::span<const std::uint32_t> levels);

// The tables must fit into memory: see `entries`.
EliminationPlan plan_elimination(const EliminationOrder& order, std::span<const OpenFamily> families,
                                 std::span<const std::uint32_t> levels);

// Calls visit(index, offset) for every entry of a table whose first axis varies fastest, with the offset that the
// strides give.
template <class Visit>
void over_entries(std::span<const std::uint32_t> levels, const std::uint32_t* strides, Visit&& visit) {
  constexpr std::size_t kMostAxes = 64;
  std::uint32_t digits[kMostAxes] = {};
  std::size_t index = 0;
  std::size_t offset = 0;
  const std::uint32_t inner = levels[0];
  const std::uint32_t step = strides[0];
  while (true) {
    for (std::uint32_t level = 0; level < inner; ++level) visit(index++, offset + std::size_t{level} * step);
    std::size_t axis = 1;
    for (; axis < levels.size(); ++axis) {
      offset += strides[axis];
      if (++digits[axis] < levels[axis]) break;
      offset -= std::size_t{levels[axis]} * strides[axis];
      digits[axis] = 0;
    }
    if (axis == levels.size()) return;
  }
}

}  // namespace qnml
