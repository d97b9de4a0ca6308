"""The limit on families scored per stage: independent of threads, reported, and far above normal use."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import qnml
from qnml import Table
from qnml._api.problem import prepare
from qnml._api.search_choice import choose_search
from qnml.search.local import local_search

METHODS = ["ges", "hill-climbing", "order"]


@pytest.fixture(scope="module")
def table() -> Table:
    """Many levels and few rows: families of many parents look good under BDeu."""
    generator = np.random.default_rng(3)
    hidden = generator.integers(0, 6, (250, 3))
    columns = [
        np.where(generator.random(250) < 0.6, hidden[:, k % 3], generator.integers(0, 6, 250)) for k in range(25)
    ]
    return Table.from_codes(columns)


def run(table: Table, score: str, method: str, n_jobs: int, most_work: float):
    problem = prepare("learn", table, score, None, None, "off", None, n_jobs, {}, seed=1)
    request = choose_search(problem.search, method, "default", 3600.0)
    assert isinstance(request, local_search.LocalRequest)
    return local_search.run(replace(request, most_work=most_work), None, None)


@pytest.mark.parametrize(("score", "method"), [*(("bdeu", m) for m in METHODS), ("k2", "order")])
@pytest.mark.parametrize("most", [1.0, 2000.0, 20000.0])
def test_where_it_stops_does_not_depend_on_threads(score, method, most, table) -> None:
    first, reason = run(table, score, method, 1, most)
    again, _ = run(table, score, method, 2, most)
    whole, _ = run(table, score, method, 2, float("inf"))
    assert (first.parents, first.score) == (again.parents, again.score)
    assert first.is_cut == again.is_cut
    assert first.score <= whole.score
    assert not whole.is_cut
    if most == 1.0:
        assert reason == "work limit"
    alone = qnml.score(table, qnml.Dag.from_arcs(table.names, []), score)
    assert first.score >= alone - 1e-9 * abs(alone)


@pytest.mark.parametrize("score", ["bic", "bdeu", "qnml", "fnml"])
def test_normal_searches_do_not_meet_it(score, table) -> None:
    usual, reason = run(table, score, "order", 2, 0.0)
    free, _ = run(table, score, "order", 2, float("inf"))
    assert reason is None
    assert usual.parents == free.parents


def test_the_certificate_says_so_and_how_to_go_on(table) -> None:
    found, reason = run(table, "bdeu", "order", 2, 500.0)
    sentence = local_search.make_certificate(found, found.score, "order", reason).sentence()
    assert "work limit reached" in sentence
    assert "effort='thorough'" in sentence
