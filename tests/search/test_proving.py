"""Bounds and proofs for larger networks, compared with the exact search.

cpp/tests/proving compares them with every family and every network of small tables.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import qnml
from qnml import Table


def noisy_copies(n: int, n_rows: int, seed: int, most_levels: int = 4) -> Table:
    """Most columns are noisy functions of one or two earlier ones; one may have a single level."""
    generator = np.random.default_rng(seed)
    levels = [int(r) for r in generator.integers(1 if seed % 3 == 0 else 2, most_levels + 1, n)]
    columns: list[np.ndarray] = []
    for place, r in enumerate(levels):
        column = generator.integers(0, r, n_rows)
        for other in generator.choice(place, min(place, 2), replace=False):
            column = np.where(generator.random(n_rows) < 0.5, columns[other] % r, column)
        columns.append(column)
    return Table.from_codes(columns, names=[f"v{place:02}" for place in range(n)], levels=levels)


@pytest.mark.parametrize("method", ["order", "hill-climbing"])
@pytest.mark.parametrize("score", ["bic", "bdeu", "qnml", "fnml", "k2", "bdq"])
def test_a_proof_agrees_with_the_exact_search(method, score, checked_learn) -> None:
    n_proven = 0
    for seed in range(4):
        table = noisy_copies(8 + 2 * seed, 150, seed)
        best = checked_learn(table, score, method="exact", max_parents=None if score == "bic" else 3)
        found = checked_learn(table, score, method=method, max_parents=None if score == "bic" else 3)
        certificate = found.certificate
        assert certificate.bound >= best.score - 1e-9 * abs(best.score)
        if certificate.optimal:
            assert found.score == pytest.approx(best.score, rel=1e-9)
            assert certificate.n_proven == len(table.names)
            limited = "" if score == "bic" else " among networks with at most 3 parents each"
            assert certificate.sentence().startswith(f"Proven optimal{limited}: found by ")
        n_proven += certificate.optimal
    assert n_proven >= 2


def test_blocks_that_have_nothing_in_common_are_proven_one_by_one(checked_learn) -> None:
    """Every row of one block occurs with every row of the other: no family across blocks gains."""
    one, other = noisy_copies(6, 24, 1, most_levels=2), noisy_copies(6, 24, 2, most_levels=3)
    columns = [np.repeat(column, 24) for column in one.columns] + [np.tile(column, 24) for column in other.columns]
    levels = [*one.arities, *other.arities]
    table = Table.from_codes(columns, names=[f"v{place:02}" for place in range(12)], levels=levels)
    result = checked_learn(table, "bic", method="order", effort="thorough")
    assert result.certificate.optimal
    blocks = ({f"v{place:02}" for place in range(6)}, {f"v{place:02}" for place in range(6, 12)})
    assert all(any({parent, child} <= block for block in blocks) for parent, child in result.dag.arcs)
    apart = [checked_learn(table.select(sorted(block)), "bic", method="exact").score for block in blocks]
    assert result.score == pytest.approx(math.fsum(apart), rel=1e-9)


def test_without_time_there_is_a_bound_but_no_proof() -> None:
    table = noisy_copies(10, 80, 4)
    result = qnml.learn(table, "bic", "order", time_limit=0)
    assert not result.certificate.optimal
    best = qnml.learn(table, "bic", "exact")
    assert math.isfinite(result.certificate.bound)
    assert result.certificate.bound >= best.score


def test_a_gap_is_put_into_words(checked_learn) -> None:
    table = noisy_copies(40, 300, 7)
    quick = checked_learn(table, "bic", method="order", effort="quick").certificate
    usual = checked_learn(table, "bic", method="order").certificate
    assert "proving" not in quick.seconds
    assert "proving" in usual.seconds
    assert usual.bound < quick.bound
    gain = quick.score - sum(qnml.local_score(table, name, [], score="bic") for name in table.names)
    assert quick.gap_share == pytest.approx(quick.gap / gain)
    # A bound that says nothing is not printed.
    assert quick.gap_share > 0.1
    assert "No network scores more" not in quick.sentence()
    assert repr(quick).startswith("Certificate(not proven, score")
    near = replace(quick, bound=quick.score + 0.05 * gain)
    assert f"{near.gap:.2f} nats above this one: 5 % of what it gains" in near.sentence()
    assert f"not proven, gap {near.gap:.4g}" in repr(near)


def test_where_no_proof_is_found_one_among_networks_with_fewer_parents_may_be(checked_learn) -> None:
    table = noisy_copies(16, 100, 4)
    result = checked_learn(table, "bdeu", method="order")
    found = result.certificate
    assert not found.optimal
    assert found.most_parents == 2
    among = checked_learn(table, "bdeu", method="exact", max_parents=found.most_parents)
    assert among.score == pytest.approx(result.score, rel=1e-9)
    assert found.sentence().startswith(
        f"Proven optimal among networks with at most {found.most_parents} parents each, not among all: "
    )
    assert among.certificate.most_parents == found.most_parents


def test_a_proof_after_a_search_between_classes_obeys_the_guard(checked_learn) -> None:
    """Steps between classes examine families beyond the cap; the proof that follows must not return one."""
    columns = [[1, 2, 2, 0, 0, 2], [0, 1, 3, 1, 1, 3], [1, 1, 0, 0, 1, 1]]
    table = Table.from_codes(columns, levels=[3, 4, 2], weights=[3, 2, 3, 1, 1, 3])
    result = checked_learn(table, "aic", method="ges", guard="cap")
    cells = [
        math.prod(table.arities[table.names.index(member)] for member in (*result.dag.parents(name), name))
        for name in table.names
        if result.dag.parents(name)
    ]
    assert max(cells, default=0) <= table.total / 2
    assert result.score == pytest.approx(checked_learn(table, "aic", method="exact", guard="cap").score)
