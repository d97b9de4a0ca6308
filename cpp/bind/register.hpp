// One registration function per core topic, called by module.cpp.
#pragma once

#include <nanobind/nanobind.h>

void register_binning(nanobind::module_& m);
void register_control(nanobind::module_& m);
void register_columns(nanobind::module_& m);
void register_conditional(nanobind::module_& m);
void register_device_lattice(nanobind::module_& m);
void register_exact(nanobind::module_& m);
void register_partition_chain(nanobind::module_& m);
void register_inference(nanobind::module_& m);
void register_incomplete_rows(nanobind::module_& m);
void register_k_best(nanobind::module_& m);
void register_layout(nanobind::module_& m);
void register_listed(nanobind::module_& m);
void register_local_search(nanobind::module_& m);
void register_regret(nanobind::module_& m);
void register_score(nanobind::module_& m);
void register_rules(nanobind::module_& m);
void register_search_problem(nanobind::module_& m);
void register_sampler(nanobind::module_& m);
void register_shapes(nanobind::module_& m);
void register_structure_sums(nanobind::module_& m);
void register_wrong_effects(nanobind::module_& m);
