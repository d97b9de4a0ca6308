"""Which scores are probabilities of the child's column, what qNML is instead, and how qNML approaches BIC."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qnml._api.explanation import explain
from qnml._api.scoring import local_score
from qnml.data import Table
from qnml.graph import Dag
from qnml.scores import SCORES, regret


@st.composite
def parents_and_child(draw) -> tuple[list[list[int]], list[int], int]:
    """Two parent columns, their levels, and the child's; few enough child columns to go through them all."""
    child_levels, n_rows = draw(st.sampled_from([(2, 1), (2, 4), (2, 6), (3, 4), (4, 3), (6, 2)]))
    arities = draw(st.lists(st.sampled_from([1, 2, 3, 40]), min_size=2, max_size=2))
    columns = [draw(st.lists(st.integers(0, min(arity, 3) - 1), min_size=n_rows, max_size=n_rows)) for arity in arities]
    return columns, arities, child_levels


def every_child_column(columns: list[list[int]], arities: list[int], child_levels: int) -> list[Table]:
    return [
        Table.from_codes([*columns, child], names=["p", "q", "x"], levels=[*arities, child_levels])
        for child in itertools.product(range(child_levels), repeat=len(columns[0]))
    ]


@settings(max_examples=25)
@given(parents_and_child())
def test_free_bits_of_qnml(case) -> None:
    """The identity qNML = fNML + log Z, where Z sums exp(qNML) over all possible columns of the child."""
    tables = every_child_column(*case)
    dag = Dag.from_parents({"p": [], "q": [], "x": ["p", "q"]})
    log_z = math.log(math.fsum(math.exp(local_score(table, "x", ["p", "q"], n_jobs=1)) for table in tables))
    for table in tables[:: max(1, len(tables) // 3)]:
        quotient = local_score(table, "x", ["p", "q"], "qnml")
        factorized = local_score(table, "x", ["p", "q"], "fnml")
        assert quotient == pytest.approx(factorized + log_z, rel=1e-11, abs=1e-11)
        family = explain(table, dag).families[2]
        assert family.log_z == pytest.approx(log_z, rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("name", ["fnml", *sorted(name for name, entry in SCORES.items() if entry.is_bayesian)])
@settings(max_examples=15)
@given(case=parents_and_child())
def test_other_codes_are_probabilities(name: str, case) -> None:
    tables = every_child_column(*case)
    total = math.fsum(math.exp(local_score(table, "x", ["p", "q"], name, n_jobs=1)) for table in tables)
    assert total == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize("levels", [2, 3, 5])
def test_a_variable_alone_has_no_free_bits(levels: int) -> None:
    for name in ("qnml", "bdq"):
        total = math.fsum(
            math.exp(local_score(Table.from_codes([child], levels=[levels]), "X1", [], name))
            for child in itertools.product(range(levels), repeat=4)
        )
        assert total == pytest.approx(1, rel=1e-12)


@pytest.mark.parametrize(("r", "q"), [(2, 1), (2, 2), (3, 4), (5, 20), (10, 100)])
def test_penalties_of_qnml_and_bic_stay_together(r: int, q: int) -> None:
    """Lemma 2: reg(N, qr) − reg(N, q) = q(r−1)/2 log N + O(1). The constant is that of Rissanen (1996)."""
    sizes = [10**k for k in range(2, 10)]
    apart = [regret(n, q * r) - regret(n, q) - q * (r - 1) / 2 * math.log(n) for n in sizes]
    limit = -q * (r - 1) / 2 * math.log(2) - math.lgamma(q * r / 2) + math.lgamma(q / 2)
    rest = [abs(value - limit) for value in apart]
    assert all(later < earlier for earlier, later in itertools.pairwise(rest))
    # The remainder decreases like 1 / sqrt(N).
    assert rest[-1] < 1e-4 * (q * r) ** 1.5
    assert rest[-1] == pytest.approx(rest[-3] / 10, rel=0.05)


def test_scores_of_qnml_and_bic_stay_together() -> None:
    rows = np.array([(p, x) for p in range(3) for x in range(4)])
    shares = np.array([5, 2, 1, 2, 1, 7, 1, 1, 3, 3, 3, 1])
    apart = []
    for n in (10**k for k in range(3, 10)):
        table = Table.from_codes(rows, names=["p", "x"], levels=[3, 4], weights=shares * n)
        apart.append(local_score(table, "x", ["p"], "qnml") - local_score(table, "x", ["p"], "bic"))
    # Scores are of order N, up to 3·10^10, with sixteen digits.
    limit = 9 / 2 * math.log(2) + math.lgamma(6) - math.lgamma(3 / 2)
    assert apart[-1] == pytest.approx(limit, abs=2e-3)
    assert all(abs(value - limit) < 0.5 for value in apart)
