"""Averages over networks, compared with the same averages computed one network at a time."""

from __future__ import annotations

import numpy as np
import pytest

from qnml import Table, fit
from qnml.errors import DataError
from qnml.graph.enumerate import all_dags
from qnml.model import averaging
from qnml.model.averaging import NetworkMixture
from qnml.model.parameters import Parameters

RULES = [("snml", {}), ("bpp", {"ess": 2.0}), ("ml", {}), ("laplace", {}), ("jeffreys", {})]


@pytest.fixture(scope="module")
def table() -> Table:
    generator = np.random.default_rng(2)
    a = generator.integers(0, 2, 40)
    b = (a + (generator.random(40) < 0.3)) % 3
    c = np.where(generator.random(40) < 0.6, b, generator.integers(0, 3, 40))
    return Table.from_codes([a, b, c], names=["a", "b", "c"], levels=[2, 3, 4])


@pytest.fixture(scope="module")
def dags(table):
    return list(all_dags(table.names))


@pytest.fixture(scope="module")
def shares(dags):
    shares = np.random.default_rng(4).random(len(dags))
    return shares / shares.sum()


def mixture(table, dags, shares, rule="snml", options=None) -> NetworkMixture:
    return NetworkMixture(table, [dag.parent_masks for dag in dags], shares, Parameters(rule, options or {}))


@pytest.mark.parametrize(("rule", "options"), RULES)
def test_rows(rule, options, table, dags, shares):
    # Rows that the networks were not estimated from, some with unknown labels.
    fresh = {"a": [0, 1, 1, 7], "b": [2, 0, 9, 0], "c": [3, 1, 2, 0]}
    for data in (table, fresh):
        logs = np.stack([fit(table, dag, rule, **options).log_prob(data) for dag in dags])
        first, second = mixture(table, dags, shares, rule, options).log_prob(data, call="test")
        with np.errstate(divide="ignore"):
            assert np.allclose(first, np.log(shares @ np.exp(logs)), rtol=1e-12)
            assert np.allclose(second, np.log(shares @ np.exp(2 * logs)), rtol=1e-12)


def test_pieces_add_up(table, dags, shares, monkeypatch):
    whole = mixture(table, dags, shares).log_prob(table, call="test")
    monkeypatch.setattr(averaging, "_MOST_LOOKED_UP", 100)
    monkeypatch.setattr(averaging, "_MOST_ADDED", 30)
    assert np.allclose(mixture(table, dags, shares).log_prob(table, call="test"), whole, rtol=1e-13)


def test_rows_too_improbable_for_a_double():
    """1200 coins, each observed once: the square of the probability is below the smallest double."""
    coins = Table.from_codes(list(np.zeros((1200, 1), dtype=int)), levels=[2] * 1200)
    none = NetworkMixture(coins, [(0,) * 1200], np.ones(1), Parameters("laplace", {}))
    first, second = none.log_prob(coins, call="test")
    assert first == pytest.approx(1200 * np.log(2 / 3), rel=1e-12)
    assert second == pytest.approx(2400 * np.log(2 / 3), rel=1e-12)


@pytest.mark.parametrize("by_query", [False, True], ids=["summed", "queried"])
@pytest.mark.parametrize(("cause", "outcome"), [(0, 2), (2, 0), (1, 2), (0, 1)])
def test_effects(cause, outcome, by_query, table, dags, shares, monkeypatch):
    if by_query:
        monkeypatch.setattr(averaging, "_MOST_CELLS", 0)
    mean, variance = mixture(table, dags, shares).effect(cause, outcome)
    names, levels = table.names, table.levels.as_dict()
    single = np.stack(
        [
            [fit(table, dag).query(names[outcome], do={names[cause]: label}).values for label in levels[names[cause]]]
            for dag in dags
        ]
    )
    expected = np.tensordot(shares, single, axes=1)
    assert mean.shape == (table.arities[cause], table.arities[outcome])
    assert np.allclose(mean, expected, rtol=1e-12)
    assert np.allclose(variance, np.tensordot(shares, (single - expected) ** 2, axes=1), atol=1e-14)


def test_missing_cells_are_refused(table, dags, shares):
    with pytest.raises(DataError, match=r"somewhere\(data\): cells are missing, in 'b'"):
        mixture(table, dags, shares).log_prob({"a": [0], "b": [None], "c": [1]}, call="somewhere")
    with pytest.raises(DataError, match="'c'"):
        mixture(table, dags, shares).log_prob({"a": [0], "b": [1]}, call="somewhere")
