"""Integers that determine loops or memory: too large ones are refused at once, by an error of qnml."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np
import pytest

import qnml
from qnml.errors import InputError, QnmlError, TooLargeError
from qnml.graph import all_dags, count_dags, count_tournament_networks

if TYPE_CHECKING:
    from collections.abc import Callable

    from qnml.data import Table

HUGE = (10**30, 2**63, 2**64)


@functools.cache
def table() -> Table:
    return qnml.datasets.sample("cancer", 100, seed=1)


@functools.cache
def beliefs() -> qnml.Posterior:
    return qnml.posterior(table(), guard="off")


CALLS: dict[str, Callable[[int], object]] = {
    "count_tournament_networks": count_tournament_networks,
    "count_dags": count_dags,
    "regret": lambda n: qnml.regret(n, 3),
    "regret_table n": lambda n: qnml.regret_table(n, 2),
    "regret_table r": lambda n: qnml.regret_table(10, n),
    "Network.sample": lambda n: qnml.datasets.load_network("cancer").sample(n),
    "datasets.sample": lambda n: qnml.datasets.sample("cancer", n),
    "k_best": lambda n: qnml.k_best(table(), n),
    "bootstrap": lambda n: qnml.bootstrap(table(), n),
    "bootstrap by order": lambda n: qnml.bootstrap(table(), n, method="order"),
    "posterior": lambda n: qnml.posterior(table(), samples=n),
    "posterior by chains": lambda n: qnml.posterior(table(), method="mcmc", samples=n),
    "sample_dags": lambda n: beliefs().sample_dags(n),
    "sample_dags seed": lambda n: beliefs().sample_dags(2, seed=n**2),
    "top_dags": lambda n: beliefs().top_dags(n),
    "top_classes": lambda n: beliefs().top_classes(n),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("huge", HUGE)
def test_huge_numbers_are_refused_before_the_work(call: str, huge: int) -> None:
    with pytest.raises(QnmlError, match=r"must be|memory"):
        CALLS[call](huge)


def test_tables_of_regrets_count_their_work() -> None:
    with pytest.raises(TooLargeError, match=r"takes 1e\+11 steps"):
        qnml.regret_table(10**5, 10**6)
    assert qnml.regret_table(np.int64(3), np.int32(2)).shape == (4,)


def test_all_dags_of_many_nodes_is_refused_at_once() -> None:
    with pytest.raises(TooLargeError, match="2000 nodes have too many DAGs"):
        all_dags([f"v{i}" for i in range(2000)])
    with pytest.raises(TooLargeError, match="3,781,503"):
        all_dags([*"abcdef"])


@pytest.mark.parametrize("seconds", [1e10, 1e19, 1e300])
def test_a_time_limit_beyond_the_clock_is_no_limit(seconds: float) -> None:
    data = qnml.datasets.sample("asia", 200, seed=1)
    free = qnml.learn(data, "bic", "order")
    assert free.dag.n_arcs > 0
    assert qnml.learn(data, "bic", "order", time_limit=seconds).dag == free.dag
    assert qnml.learn(data, "bic", "exact", time_limit=seconds).certificate.optimal
    assert len(qnml.k_best(data, 3, "bic", time_limit=seconds)) == 3


def test_whole_numbers_of_other_libraries_are_taken() -> None:
    assert len(qnml.k_best(table(), np.int64(2), guard="off")) == 2
    assert qnml.bootstrap(table(), np.int32(2), seed=1).replicates == 2
    with pytest.raises(InputError, match="whole number"):
        qnml.bootstrap(table(), True)
