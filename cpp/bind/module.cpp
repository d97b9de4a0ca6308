#include "bind/register.hpp"

NB_MODULE(_core, m) {
  m.doc() = "The C++ core of qnml. Private: the Python classes own names, checks and defaults.";
  register_control(m);
  register_regret(m);
  register_columns(m);
  register_score(m);
  register_rules(m);
  register_wrong_effects(m);
  register_search_problem(m);
  register_binning(m);
  register_sampler(m);
  register_conditional(m);
  register_incomplete_rows(m);
  register_inference(m);
  register_exact(m);
  register_device_lattice(m);
  register_structure_sums(m);
  register_partition_chain(m);
  register_k_best(m);
  register_local_search(m);
  register_shapes(m);
  register_listed(m);
  register_layout(m);
}
