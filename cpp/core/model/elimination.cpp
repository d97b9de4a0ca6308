#include "core/model/elimination.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace qnml {
namespace {

using Lists = std::vector<std::vector<std::uint32_t>>;

// The graph of the missing variables, by their place among the missing ones.
Lists neighbours_of(std::span<const std::uint32_t> missing, std::span<const OpenFamily> families) {
  Lists neighbours(missing.size());
  std::vector<std::uint32_t> places;
  for (const OpenFamily& family : families) {
    places.clear();
    for (const std::uint32_t variable : family.variables) {
      const auto found = std::lower_bound(missing.begin(), missing.end(), variable);
      places.push_back(static_cast<std::uint32_t>(found - missing.begin()));
    }
    for (const std::uint32_t one : places) {
      for (const std::uint32_t other : places) {
        if (one != other) neighbours[one].push_back(other);
      }
    }
  }
  for (std::vector<std::uint32_t>& mine : neighbours) {
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
  }
  return neighbours;
}

// Removes a vertex, whose neighbours become neighbours of each other.
void eliminate(std::uint32_t vertex, Lists& neighbours) {
  const std::vector<std::uint32_t>& clique = neighbours[vertex];
  std::vector<std::uint32_t> merged;
  for (const std::uint32_t one : clique) {
    merged.clear();
    std::set_union(neighbours[one].begin(), neighbours[one].end(), clique.begin(), clique.end(),
                   std::back_inserter(merged));
    std::erase_if(merged, [&](std::uint32_t other) { return other == one || other == vertex; });
    neighbours[one] = merged;
  }
}

// Where the strides of a factor are zero for the axes of variables that it lacks.
std::uint32_t add_strides(EliminationPlan& plan, const EliminationPlan::Bucket& bucket,
                          std::span<const std::uint32_t> variables, std::span<const std::uint32_t> strides) {
  const auto first = static_cast<std::uint32_t>(plan.strides.size());
  for (const std::uint32_t variable : plan.variables_of(bucket)) {
    const auto found = std::find(variables.begin(), variables.end(), variable);
    plan.strides.push_back(found == variables.end() ? 0 : strides[static_cast<std::size_t>(found - variables.begin())]);
  }
  return first;
}

}  // namespace

EliminationOrder elimination_order(std::span<const std::uint32_t> missing, std::span<const OpenFamily> families,
                                   std::span<const std::uint32_t> levels) {
  Lists neighbours = neighbours_of(missing, families);
  auto size_of = [&](std::uint32_t place) {
    double size = levels[missing[place]];
    for (const std::uint32_t other : neighbours[place]) size *= levels[missing[other]];
    return size;
  };
  std::vector<double> sizes(missing.size());
  std::vector<std::uint32_t> left(missing.size());
  for (std::uint32_t place = 0; place < missing.size(); ++place) {
    left[place] = place;
    sizes[place] = size_of(place);
  }
  EliminationOrder order;
  while (!left.empty()) {
    const auto next =
        std::min_element(left.begin(), left.end(), [&](auto one, auto other) { return sizes[one] < sizes[other]; });
    const std::uint32_t place = *next;
    left.erase(next);
    eliminate(place, neighbours);
    order.entries += sizes[place];
    order.variables.push_back(missing[place]);
    order.neighbours.emplace_back();
    for (const std::uint32_t other : neighbours[place]) {
      sizes[other] = size_of(other);
      order.neighbours.back().push_back(missing[other]);
    }
  }
  return order;
}

EliminationPlan plan_elimination(const EliminationOrder& order, std::span<const OpenFamily> families,
                                 std::span<const std::uint32_t> levels) {
  EliminationPlan plan;
  const std::size_t count = order.variables.size();
  std::vector<std::uint32_t> turn(levels.size(), EliminationPlan::kNone);
  for (std::uint32_t bucket = 0; bucket < count; ++bucket) turn[order.variables[bucket]] = bucket;
  auto first_of = [&](std::span<const std::uint32_t> variables) {
    std::uint32_t first = EliminationPlan::kNone;
    for (const std::uint32_t variable : variables) first = std::min(first, turn[variable]);
    return first;
  };
  Lists families_of(count), messages_of(count);
  for (std::uint32_t family = 0; family < families.size(); ++family) {
    families_of[first_of(families[family].variables)].push_back(family);
  }
  std::vector<std::uint32_t> message_strides;
  for (std::uint32_t b = 0; b < count; ++b) {
    EliminationPlan::Bucket bucket{};
    bucket.first_axis = static_cast<std::uint32_t>(plan.variables.size());
    plan.variables.push_back(order.variables[b]);
    plan.variables.insert(plan.variables.end(), order.neighbours[b].begin(), order.neighbours[b].end());
    bucket.axes = static_cast<std::uint32_t>(plan.variables.size()) - bucket.first_axis;
    bucket.size = 1;
    for (const std::uint32_t variable : plan.variables_of(bucket)) {
      plan.levels.push_back(levels[variable]);
      bucket.size *= levels[variable];
    }
    bucket.table = plan.table_entries;
    bucket.message = plan.message_entries;
    plan.table_entries += bucket.size;
    plan.message_entries += bucket.size / levels[order.variables[b]];
    bucket.parent = first_of(order.neighbours[b]);
    bucket.parent_input = EliminationPlan::kNone;
    bucket.first_input = static_cast<std::uint32_t>(plan.inputs.size());
    for (const std::uint32_t family : families_of[b]) {
      const std::uint32_t first = add_strides(plan, bucket, families[family].variables, families[family].strides);
      plan.inputs.push_back({false, family, first});
    }
    for (const std::uint32_t from : messages_of[b]) {
      message_strides.clear();
      std::uint32_t step = 1;
      for (const std::uint32_t variable : order.neighbours[from]) {
        message_strides.push_back(step);
        step *= levels[variable];
      }
      plan.buckets[from].parent_input = static_cast<std::uint32_t>(plan.inputs.size());
      plan.inputs.push_back({true, from, add_strides(plan, bucket, order.neighbours[from], message_strides)});
    }
    bucket.inputs = static_cast<std::uint32_t>(plan.inputs.size()) - bucket.first_input;
    if (bucket.parent != EliminationPlan::kNone) messages_of[bucket.parent].push_back(b);
    plan.buckets.push_back(bucket);
  }
  return plan;
}

}  // namespace qnml
