// Search over orders of the variables, each of which takes its best listed family among its predecessors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/listed/listed_families.hpp"

namespace qnml {

// By child: the place of its family in its list.
using ListedChoice = std::vector<std::size_t>;

// A network of listed families, or nothing if there is none: a variable that has a family among those already placed
// can come next, whatever the order, since that never hinders another one. `wanted` is an order to keep to where
// possible.
std::vector<int> admitted_order(const ListedFamilies& families, const std::vector<int>& wanted);

struct ListedOrderOptions {
  std::size_t chains = 4;
  std::size_t patience = 100;  // perturbations in a row that bring nothing better
  double most_steps = 1e9;     // families looked at, for each chain
  std::uint64_t seed = 0;
};

struct ListedOrderResult {
  ListedChoice choice;
  std::int64_t score = 0;  // in units
  bool is_cut = false;     // by most_steps
};

// Moves one variable at a time to its best place in the order until nothing is gained, perturbs, and moves again, in
// several chains; the first starts from the given order, the others from random ones. Never worse than the start. The
// result does not depend on the number of threads.
ListedOrderResult search_listed_orders(const ListedFamilies& families, const std::vector<int>& start,
                                       const ListedOrderOptions& options, Control& control, int threads);

}  // namespace qnml
