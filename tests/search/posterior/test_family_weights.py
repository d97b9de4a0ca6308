"""Log weights of DAGs, against those of enumeration."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from reference.structure_problems import four_column_problem

from qnml.graph.structure_arrays import all_parent_masks
from qnml.search.posterior.enumerated import run
from qnml.search.posterior.family_weights import dag_log_weights
from qnml.search.posterior.method import RunOptions


def test_weights_of_single_dags():
    problem = four_column_problem()
    dags = list(map(tuple, all_parent_masks(4).tolist()))
    for prior in ("uniform", "sparse"):
        asked = replace(problem, prior=prior)
        assert np.allclose(dag_log_weights(asked, dags), run(asked, RunOptions()).log_weights, rtol=1e-13)
