"""The maximum number of observations: searches are correct up to it and refuse one more."""

from __future__ import annotations

import functools
import itertools
import math
import re
from typing import TYPE_CHECKING

import mpmath as mp
import numpy as np
import pytest
from reference.scores import local_score as twin

import qnml
from qnml.data import Table
from qnml.errors import DataError, InputError
from qnml.graph import Dag
from qnml.scores import SCORES, bind_score, find_score, most_observations
from qnml.search import Knowledge

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

NAMES = ("a", "b", "c")
LEVELS = (2, 3, 2)
SEARCHED = [name for name, score in SCORES.items() if score.is_decomposable]
EXTREMES: dict[str, dict[str, float]] = {
    "bdeu": {"ess": 1e-100},
    "bds": {"ess": 1e-100},
    "bdq": {"alpha": 1e100},
    "ebic": {"gamma": 1e6},
}


def rows() -> list[tuple[int, ...]]:
    draws = np.random.default_rng(5)
    first = draws.integers(0, 2, 12)
    second = (first + (draws.random(12) < 0.3)) % 3
    return list(zip(first.tolist(), second.tolist(), draws.integers(0, 2, 12).tolist(), strict=True))


def weights(total: int) -> list[int]:
    shares = [int(share) for share in np.random.default_rng(6).integers(1, 50, 12)]
    each = [share * (total // sum(shares)) for share in shares]
    return [each[0] + total - sum(each), *each[1:]]


def table(total: int) -> Table:
    return Table.from_codes(np.array(rows()), names=NAMES, levels=LEVELS, weights=np.array(weights(total), np.uint64))


def most(score: str, **parameters: float) -> int:
    return most_observations(bind_score("test", find_score("test", score), 100, parameters), 2**53, LEVELS)


@functools.cache
def all_dags() -> list[tuple[tuple[int, ...], ...]]:
    sets = [[p for size in range(3) for p in itertools.combinations(set(range(3)) - {i}, size)] for i in range(3)]
    found = []
    for parents in itertools.product(*sets):
        done: set[int] = set()
        for _ in range(3):
            done |= {i for i in range(3) if set(parents[i]) <= done}
        if len(done) == 3:
            found.append(parents)
    return found


def true_scores(total: int, score: str, parameter: float | None) -> dict[tuple[tuple[int, ...], ...], mp.mpf]:
    @functools.cache
    def local(child: int, parents: tuple[int, ...]) -> mp.mpf:
        return twin(rows(), LEVELS, child, parents, score, parameter, weights(total))

    return {parents: mp.fsum(local(i, parents[i]) for i in range(3)) for parents in all_dags()}


def key(dag: Dag) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(sorted(NAMES.index(parent) for parent in dag.parents(name))) for name in NAMES)


def test_there_are_25_networks() -> None:
    assert len(all_dags()) == 25


@pytest.mark.filterwarnings("ignore::qnml.errors.MixingWarning")
@pytest.mark.parametrize(
    ("score", "extreme"),
    [
        *((score, False) for score in SEARCHED),
        *(pytest.param(score, True, marks=pytest.mark.slow) for score in EXTREMES),
    ],
)
def test_searches_are_right_at_the_limit(score: str, extreme: bool) -> None:
    parameters = EXTREMES[score] if extreme else {}
    total = most(score, **parameters)
    assert total > 10**11
    data = table(total)
    truth = true_scores(total, score, next(iter(parameters.values()), None))
    best = max(truth.values())
    room = 1e-9 * abs(best)
    found = qnml.learn(data, score, "exact", guard="off", **parameters)
    assert found.certificate.optimal
    assert found.score == pytest.approx(float(truth[key(found.dag)]), rel=1e-12)
    assert truth[key(found.dag)] >= best - room
    for method in ("order", "hill-climbing"):
        other = qnml.learn(data, score, method, guard="off", **parameters)
        assert other.score == pytest.approx(float(truth[key(other.dag)]), rel=1e-12)
        assert truth[key(other.dag)] >= best - room
    listed = qnml.k_best(data, 26, score, "dags", guard="off", **parameters)
    assert len(listed) == 25
    assert listed.is_exhausted
    ranked = sorted(truth.values(), reverse=True)
    for entry, value in zip(listed, ranked, strict=True):
        assert entry.score == pytest.approx(float(truth[key(entry.dag)]), rel=1e-12)
        assert abs(truth[key(entry.dag)] - value) <= room
    often = qnml.bootstrap(data, 3, score, "exact", seed=1, **parameters)
    # With this many observations nothing depends on chance.
    assert all(truth[key(dag)] >= best - 1e-5 * abs(best) for dag in often.dags)
    joined = qnml.posterior(data, score, "enumerate", guard="off", **parameters)
    drawn = qnml.posterior(data, score, "mcmc", samples=4, guard="off", **parameters)
    for i, j in itertools.combinations(range(3), 2):
        if any((i in parents[j]) or (j in parents[i]) for parents, value in truth.items() if value >= best - 1000):
            continue
        assert joined.edges[i, j] + joined.edges[j, i] == 0
        assert drawn.edges[i, j] + drawn.edges[j, i] == 0


@pytest.mark.parametrize("score", SEARCHED)
def test_one_more_is_refused_everywhere(score: str) -> None:
    total = most(score)
    data = table(total + 1)
    doors: list[Callable[[Table], object]] = [
        lambda data: qnml.learn(data, score),
        lambda data: qnml.learn(data, score, "order"),
        lambda data: qnml.plan(data, score),
        lambda data: qnml.learn_many([data], score),
        lambda data: qnml.k_best(data, 3, score, guard="off"),
        lambda data: qnml.bootstrap(data, 2, score, seed=1),
        lambda data: qnml.posterior(data, score, "enumerate", guard="off"),
        lambda data: qnml.posterior(data, score, "mcmc", samples=4, guard="off"),
    ]
    for door in doors:
        with pytest.raises(DataError, match=re.escape(f"{total + 1:,} observations; 3 variables and {score}")) as told:
            door(data)
        assert f"allow {total:,}" in str(told.value)
    # Given networks are scored in floating point.
    dag = Dag.from_arcs(NAMES, [("a", "b")])
    expected = mp.fsum(
        twin(rows(), LEVELS, i, p, score, None, weights(total + 1)) for i, p in enumerate(((), (0,), ()))
    )
    assert qnml.score(data, dag, score) == pytest.approx(float(expected), rel=1e-12)


def test_a_table_has_at_most_2_to_the_53_observations() -> None:
    assert table(2**53).total == 2**53
    with pytest.raises(DataError, match=re.escape("sum to more than 2^53 = 9,007,199,254,740,992")):
        table(2**53 + 1)
    with pytest.raises(DataError, match=re.escape("2^53")):
        Table.from_codes(np.zeros((4, 1), int), names=["a"], levels=[2], weights=np.full(4, 2**62, np.uint64))


def binary(n: int, n_rows: int = 200, levels: Sequence[int] | None = None) -> Table:
    codes = np.random.default_rng(n).integers(0, 2, (n_rows, n))
    codes[:, 1] = codes[:, 0]
    return Table.from_codes(codes, names=[f"v{i:02}" for i in range(n)], levels=levels or [2] * n)


def into_last(n: int) -> Knowledge:
    return Knowledge(required=[(f"v{i:02}", f"v{n - 1:02}") for i in range(n - 1)])


@pytest.mark.parametrize("score", ["bic", "aic", "hqc", "ebic"])
def test_required_parents_with_a_high_price(score: str) -> None:
    # 2^17 parameters cost more units than the network without arcs would leave room for.
    data, known = binary(18), into_last(18)
    exact = qnml.learn(data, score, "exact", knowledge=known)
    order = qnml.learn(data, score, "order", knowledge=known)
    assert exact.certificate.optimal
    assert exact.score >= order.score - 1e-6
    assert exact.score == pytest.approx(qnml.score(data, exact.dag, score), rel=1e-12)
    assert (("v00", "v01") in exact.dag.arcs) or (("v01", "v00") in exact.dag.arcs)


def test_required_parents_with_a_high_price_weigh_the_same_by_sums_and_by_listing() -> None:
    # Four variables of 3,000 levels: the price of one table is 1e10 nats.
    data = binary(4, 50, [3000, 3000, 3000, 2])
    known = Knowledge(required=[("v00", "v03"), ("v01", "v03")])
    listed = qnml.posterior(data, "bic", "enumerate", knowledge=known)
    summed = qnml.posterior(data, "bic", "exact", knowledge=known)
    np.testing.assert_allclose(summed.edges, listed.edges, atol=1e-9)
    best = qnml.k_best(data, 3, "bic", "dags", knowledge=known)
    assert best[0].score == pytest.approx(qnml.learn(data, "bic", "exact", knowledge=known).score, rel=1e-12)


def test_required_parents_beyond_any_price() -> None:
    levels = [60_000] * 4
    data = binary(4, 50, levels)
    with pytest.raises(InputError, match=r"learn: with its required parents a variable has a table of 10\^19 cells"):
        qnml.learn(data, "bic", knowledge=into_last(4))
    # If parameters have no price, levels do not matter.
    assert math.isfinite(qnml.learn(data, "qnml", knowledge=into_last(4), guard="off").score)
    many = binary(120, 50, [500] * 120)
    with pytest.raises(InputError, match=r"10\^324 cells"):
        qnml.learn(many, "aic", "order", knowledge=into_last(120))


def test_networks_beyond_the_sums_are_not_listed() -> None:
    # Any arc has a price of more than 1e9 nats here, and most of them are not in reach of the sums.
    data = binary(3, 50, [60_000, 60_000, 60_000])
    best = qnml.k_best(data, 25, "bic", "dags")
    assert not best.is_exhausted
    assert best.stop_reason == "score limit"
    assert 1 <= len(best) < 25
    assert best[0].dag.n_arcs == 0
    assert best.bound is not None
    assert best.bound < best[-1].score
    assert "score limit reached" in best.sentence()
    found = qnml.learn(data, "bic", "exact")
    assert found.certificate.optimal
    assert found.dag.n_arcs == 0


def test_a_price_beyond_the_doubles_is_an_error_that_names_the_family() -> None:
    data = binary(120, 50, [500] * 120)
    parents = [f"v{i:02}" for i in range(119)]
    for score in ("bic", "aic", "hqc", "ebic"):
        with pytest.raises(InputError, match=rf"score '{score}': of 'v119' given 119 parents .* 10\^324"):
            qnml.local_score(data, "v119", parents, score)
        with pytest.raises(InputError, match="'v119' given 119 parents"):
            qnml.score(data, Dag.from_arcs(data.names, [(parent, "v119") for parent in parents]), score)
        assert math.isfinite(qnml.learn(data, score, "order", effort="quick").score)
    for score in ("qnml", "fnml", "bdeu", "bds", "bdq", "bdj", "k2", "loglik"):
        assert math.isfinite(qnml.local_score(data, "v119", parents, score))


@pytest.mark.parametrize("total", [255_227_978, 10**10, 10**13])
def test_little_is_left_of_large_sums(total: int) -> None:
    # Constant columns: scores of a few nats are differences of sums of N log N.
    data = Table.from_codes(
        np.array([[0, 1, 0], [0, 1, 0]]), names=NAMES, levels=(2, 2, 1), weights=[12_304, total - 12_304]
    )
    for score in SEARCHED:
        for method in ("exact", "order"):
            assert math.isfinite(qnml.learn(data, score, method, guard="off").score)
