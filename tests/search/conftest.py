"""Settings of hypothesis for this folder, and shared fixtures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
from gpu.on_card import card_of_tests, compare_on_card
from hypothesis import settings
from reference.exact import subsets

import qnml
from qnml.counts import MemoryCounts
from qnml.scores import bind_score, find_score, local_scores

if TYPE_CHECKING:
    from collections.abc import Callable

# No deadline: on a busy machine the first call of a test may wait for a core.
settings.register_profile("search", max_examples=50)
settings.load_profile("search")

Network = tuple[frozenset[int], ...]


@pytest.fixture(scope="session")
def local_of() -> Callable[..., Callable[[int, frozenset[int]], float]]:
    """The local score of any family of a table, counted separately, as a function of child and parents."""

    def make(table: qnml.Table, score: str = "qnml", cap: bool = False, **parameters: Any):
        n = len(table.names)
        everyone = frozenset(range(n))
        families = [(child, parents) for child in everyone for parents in subsets(everyone - {child})]
        bound = bind_score("test", find_score("test", score), table.total, parameters)
        plain = [(child, sorted(parents)) for child, parents in families]
        values = local_scores(MemoryCounts(table), plain, bound, n_variables=n, n_jobs=1)
        scores = dict(zip(families, map(float, values), strict=True))
        if cap:
            for child, parents in families:
                cells = math.prod(table.arities[variable] for variable in {child, *parents})
                if parents and 2 * cells > table.total:
                    scores[child, parents] = -math.inf
        return lambda child, parents: scores[child, parents]

    return make


@pytest.fixture(scope="session")
def network_of() -> Callable[[qnml.Dag, qnml.Table], Network]:
    """A learned graph in the notation of `reference.exact`."""

    def make(dag: qnml.Dag, table: qnml.Table) -> Network:
        return tuple(frozenset(table.index(parent) for parent in dag.parents(name)) for name in table.names)

    return make


@pytest.fixture(scope="session")
def checked_learn() -> Callable[..., Any]:
    """`qnml.learn` without warnings; every answer is checked against the raw data."""

    def learn(table: qnml.Table, score: str = "qnml", guard: str = "off", **options: Any):
        result = qnml.learn(table, score, guard=guard, **options)
        parameters = {name: options[name] for name in ("ess", "alpha", "gamma") if name in options}
        certificate = result.certificate
        again = qnml.score(table, result.dag, score, **parameters)
        assert result.dag.names == table.names
        assert result.score == pytest.approx(again, rel=1e-9, abs=1e-9)
        assert certificate.score == result.score
        assert certificate.bound >= result.score
        assert certificate.gap == pytest.approx(certificate.bound - result.score, abs=1e-9)
        assert result.cpdag == result.dag.to_cpdag()
        if certificate.optimal:
            assert certificate.bound == result.score
        if card_of_tests() is not None:
            compare_on_card(result, table, score, guard=guard, **options)
        return result

    return learn
