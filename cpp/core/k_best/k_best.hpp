// The k best networks or equivalence classes of networks, in order and proven.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/control.hpp"
#include "core/base/stopwatch.hpp"
#include "core/k_best/family_ranks.hpp"
#include "core/problem/search_problem.hpp"

namespace qnml {

struct KBestOptions {
  std::uint64_t k = 1;
  bool by_class = false;
};

// Networks by column, best first; scores in nats, from the fixed-point sums. All listed networks are proven.
struct KBestResult {
  std::vector<std::vector<std::uint64_t>> parents;
  std::vector<double> scores;
  bool is_exhausted = false;  // there are no others
  // All others have families whose price exceeds kLargestUnits.
  bool is_out_of_range = false;
  bool has_bound = false;  // whether the search got as far as a bound
  double bound = 0.0;      // upper bound on the score of any network not listed
  bool out_of_memory = false;
  std::uint64_t families = 0;
  std::uint64_t sets = 0;      // sets of variables whose networks were listed
  std::uint64_t networks = 0;  // networks on all those sets
  StageSeconds seconds;
};

struct KBestResources {
  int n_variables;
  std::size_t config_classes;
  double memory_limit;  // bytes
  int threads;
};

// The same for families that were ranked elsewhere; scores are sums of their values.
KBestResult k_best_of(const std::vector<FamilyRanks>& families, const KBestResources& resources,
                      const KBestOptions& options, Control& control);

KBestResult k_best(const SearchProblem& problem, const KBestOptions& options, Control& control);

// Bytes needed before the first network is listed, without the table itself.
double k_best_bytes(int n, std::size_t config_classes, int threads);

}  // namespace qnml
