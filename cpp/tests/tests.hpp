// One function per core topic, called by main.cpp.
#pragma once

void test_best_order();
void test_conditional();
void test_control();
void test_copied_columns();
void test_count();
void test_dag_moves();
void test_network_nml();
void test_parallel();
void test_partition_chain();
void test_equivalence_search();
void test_exact();
void test_k_best();
void test_family_cache();
void test_hill_climb();
void test_proving();
void test_regret();
void test_reweighted();
void test_sampler();
void test_score();
void test_special();
void test_structure_sums();
