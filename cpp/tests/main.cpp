#include <cstdio>

#include "tests/check.hpp"
#include "tests/tests.hpp"

int main() {
  test_special();
  test_regret();
  test_count();
  test_copied_columns();
  test_dag_moves();
  test_conditional();
  test_score();
  test_network_nml();
  test_sampler();
  test_parallel();
  test_control();
  test_exact();
  test_reweighted();
  test_structure_sums();
  test_partition_chain();
  test_k_best();
  test_best_order();
  test_family_cache();
  test_hill_climb();
  test_equivalence_search();
  test_proving();
  std::printf("%d checks, %d failed\n", check::checks, check::failures);
  // No check at all would mean the tests were not compiled in.
  return check::failures == 0 && check::checks > 0 ? 0 : 1;
}
