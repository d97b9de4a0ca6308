// How long each stage of a local search may run, given the effort and the size of the problem.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/local/best_order.hpp"
#include "core/local/equivalence_search.hpp"
#include "core/local/hill_climb.hpp"

namespace qnml {

enum class Effort { quick, usual, thorough };

struct StageSetting {
  Effort effort;
  int n_variables;
  std::size_t rows;
  bool is_equivalent;  // whether the score is score-equivalent
  std::uint64_t seed;
  double memory_limit;
  double most_work;  // limit on the families that a stage scores; 0 for the default
};

// Whether a climb is the whole search or surrounds an order search.
enum class ClimbRole { alone, before_orders, after_orders };

ClimbOptions climb_options(const StageSetting& setting, ClimbRole role);
EquivalenceOptions class_options(const StageSetting& setting, ClimbRole role);
OrderOptions order_options(const StageSetting& setting);

struct ProvingEffort {
  std::uint64_t visits;  // of rows; 0 for no proof
  std::size_t cases;     // of branch and bound
};

// `follows_orders`: whether the proof follows an order search, which is given more time.
ProvingEffort proving_effort(const StageSetting& setting, bool follows_orders);

}  // namespace qnml
