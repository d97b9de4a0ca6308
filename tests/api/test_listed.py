"""`learn` and `k_best` on local scores: the best of all networks of the listed families, whatever the scores are."""

from __future__ import annotations

import math
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qnml
from qnml import Dag, Knowledge, LocalScoreResult, LocalScores
from qnml.errors import InputError, TooLargeError, UnknownNameError
from tests.reference.exact import all_networks, subsets

if TYPE_CHECKING:
    from pathlib import Path

NAMES = "abcde"


def drawn_scores(n: int, seed: int, *, has_empty: bool = False) -> LocalScores:
    """Any families with any scores: positive or negative, of any size, with many ties or none, no set functions."""
    generator = np.random.default_rng(seed)
    scale, shift = 10.0 ** generator.integers(-6, 7), generator.choice([-3.0, 0.0, 3.0])
    found: dict[str, dict[frozenset[str], float]] = {}
    for child in NAMES[:n]:
        sets = [one for one in subsets(frozenset(NAMES[:n]) - {child}) if generator.random() < 0.6]
        sets += [frozenset()] if has_empty or not sets else []
        values = generator.integers(0, 4, len(sets)) if seed % 3 == 0 else generator.normal(size=len(sets))
        found[child] = {one: float(value + shift) * scale for one, value in zip(sets, values, strict=True)}
    return LocalScores(found)


def all_totals(scores: LocalScores, knowledge: Knowledge | None = None) -> list[float]:
    """The scores of all admitted networks of listed families, best first."""
    names = scores.names
    totals = []
    for network in all_networks(len(names)):
        chosen = {names[child]: frozenset(names[one] for one in parents) for child, parents in enumerate(network)}
        if not all(parents in scores[child] for child, parents in chosen.items()):
            continue
        arcs = [(parent, child) for child, parents in chosen.items() for parent in parents]
        if knowledge is None or knowledge.admits(Dag.from_arcs(names, arcs)):
            totals.append(math.fsum(scores[child][parents] for child, parents in chosen.items()))
    return sorted(totals, reverse=True)


def room(scores: LocalScores) -> float:
    """Within which scores tie: a share of 1e-9 of the sizes in the sum."""
    return 3e-9 * sum(max(map(abs, sets.values())) for sets in scores.values()) + 1e-12


@settings(max_examples=150, deadline=None)
@given(
    n=st.integers(1, 5),
    seed=st.integers(0, 10_000),
    method=st.sampled_from(["auto", "exact", "order"]),
    has_rules=st.booleans(),
)
def test_it_is_the_best_of_all_networks_of_listed_families(n, seed, method, has_rules) -> None:
    scores = drawn_scores(n, seed)
    knowledge = None
    if has_rules and n > 2:
        knowledge = Knowledge(required=[("a", "b")], forbidden=[("c", "a")], max_parents=2)
    totals = all_totals(scores, knowledge)
    if not totals:
        with pytest.raises(InputError, match="parent set"):
            qnml.learn(scores, method=method, knowledge=knowledge)
        return
    result = qnml.learn(scores, method=method, knowledge=knowledge)
    assert abs(result.score - totals[0]) <= room(scores)
    assert result.score == scores.total({name: result.dag.parents(name) for name in scores.names})
    assert result.certificate.optimal
    assert result.certificate.bound >= totals[0] - room(scores)
    assert knowledge is None or knowledge.admits(result.dag)


@settings(max_examples=80, deadline=None)
@given(n=st.integers(1, 5), seed=st.integers(0, 10_000))
def test_the_k_best_networks_are_those_of_all(n, seed) -> None:
    scores = drawn_scores(n, seed, has_empty=True)
    totals = all_totals(scores)
    best = qnml.k_best(scores, 9, what="dags")
    assert len(best) == min(9, len(totals))
    assert all(abs(one.score - total) <= room(scores) for one, total in zip(best, totals, strict=False))
    assert len({one.dag for one in best}) == len(best)
    assert best.is_exhausted == (len(totals) <= 9) or len(totals) == 9
    assert best[0].score == pytest.approx(qnml.learn(scores).score, abs=room(scores))


@pytest.mark.parametrize("score", ["qnml", "bdeu", "fnml"])
def test_it_is_the_network_of_the_table_that_the_scores_came_from(score: str, tmp_path: Path) -> None:
    table = qnml.datasets.sample("insurance", 200, seed=4).select(
        ["Age", "SocioEcon", "RiskAversion", "MakeModel", "VehicleYear", "DrivQuality", "Accident", "Antilock"]
    )
    counted = qnml.learn(table, score, guard="off")
    qnml.write_local_scores(counted, tmp_path / "scores.jkl")
    for source in (tmp_path / "scores.jkl", str(tmp_path / "scores.jkl")):
        looked_up = qnml.learn(source)
        assert math.isclose(looked_up.score, counted.score, rel_tol=1e-9)
        assert isinstance(looked_up, LocalScoreResult)
    assert looked_up.certificate.ties == counted.certificate.ties


def test_searches_of_more_variables_agree_with_those_that_count(tmp_path: Path) -> None:
    table = qnml.datasets.sample("alarm", 300, seed=2)
    scores = qnml.write_local_scores(table, tmp_path / "scores.jkl", "bic", max_parents=2)
    counted = qnml.learn(table, "bic", max_parents=2)
    assert counted.certificate.optimal
    for method in ("auto", "order", "exact"):
        found = qnml.learn(scores, method=method)
        assert found.score <= counted.score + 1e-6
        assert found.certificate.bound >= counted.score - 1e-6
        if found.certificate.optimal:
            assert math.isclose(found.score, counted.score, rel_tol=1e-9)
    assert found.certificate.optimal


def wide_scores(n: int, sets: int, seed: int) -> LocalScores:
    generator = np.random.default_rng(seed)
    names = [f"v{place}" for place in range(n)]
    found: dict[str, dict[frozenset[str], float]] = {}
    for child in names:
        others = [name for name in names if name != child]
        base = -float(generator.uniform(50, 100))
        found[child] = {frozenset(): base}
        for _ in range(sets):
            size = int(generator.integers(1, 4))
            parents = frozenset(others[int(place)] for place in generator.permutation(len(others))[:size])
            found[child][parents] = base + float(generator.normal(0, 3))
    return LocalScores(found)


def test_of_hundreds_of_variables_bounds_and_threads_hold() -> None:
    scores = wide_scores(300, 30, 1)
    one = qnml.learn(scores, effort="quick", n_jobs=1, seed=3)
    two = qnml.learn(scores, effort="quick", n_jobs=2, seed=3)
    assert one.dag == two.dag
    unrelated = math.fsum(max(sets.values()) for sets in scores.values())
    assert one.score <= one.certificate.bound <= unrelated + 1e-6
    again = qnml.learn(scores, effort="quick", start=one.dag)
    assert again.score >= one.score


def test_proofs_of_independent_parts_hold_beyond_masks() -> None:
    """Three variables, 40 times over: the optimum is known."""
    part = drawn_scores(3, 3_001, has_empty=True)
    copies = {
        f"{child}{place:02d}": {frozenset(f"{one}{place:02d}" for one in given): score for given, score in sets.items()}
        for place in range(40)
        for child, sets in part.items()
    }
    result = qnml.learn(LocalScores(copies))
    assert result.certificate.optimal
    assert math.isclose(result.score, 40 * all_totals(part)[0], rel_tol=1e-9)


@pytest.mark.parametrize("method", ["exact", "order"])
def test_the_sparse_prior_is_added_where_it_is_asked_for(method: str) -> None:
    for seed in range(20):
        scores = drawn_scores(4, 3 * seed + 1, has_empty=True)
        paid = {
            child: {given: score - math.log(math.comb(3, len(given))) for given, score in sets.items()}
            for child, sets in scores.items()
        }
        result = qnml.learn(scores, method=method, prior="sparse")
        assert result.objective == pytest.approx(all_totals(LocalScores(paid))[0], rel=1e-8)
        assert result.certificate.score == result.objective == result.score + result.log_prior
        assert result.score == scores.total({name: result.dag.parents(name) for name in scores.names})
        assert qnml.learn(scores, method=method).prior == "uniform"
        best = qnml.k_best(scores, 3, what="dags", prior="sparse")
        assert best[0].objective == pytest.approx(result.objective, rel=1e-8)


def test_order_of_scores_survives_rounding() -> None:
    """Two families that differ in the last bit of a double."""
    best = math.nextafter(-1.0, 0.0)
    scores = LocalScores({"a": {frozenset(): -1.0, frozenset("b"): best}, "b": {frozenset(): -1.0}})
    assert {one.score for one in qnml.k_best(scores, 2, what="dags")} == {-2.0, best - 1.0}


def test_minus_infinity_is_no_family() -> None:
    scores = LocalScores({"a": {frozenset(): -1.0, frozenset("b"): -math.inf}, "b": {frozenset(): -math.inf}})
    with pytest.raises(InputError, match="no listed parent set for b"):
        qnml.learn(scores)


def test_a_gaussian_score_of_somebody_else_is_maximized() -> None:
    generator = np.random.default_rng(1)
    x = generator.normal(size=400)
    y = 2 * x + generator.normal(size=400)
    data = {"x": x, "y": y, "z": x + y + generator.normal(size=400), "u": generator.normal(size=400)}

    def gaussian_bic(child: str, parents: frozenset[str]) -> float:
        design = np.column_stack([np.ones(400), *(data[name] for name in sorted(parents))])
        rest = data[child] - design @ np.linalg.lstsq(design, data[child], rcond=None)[0]
        return -200 * math.log(rest.var()) - 0.5 * design.shape[1] * math.log(400)

    result = qnml.learn(LocalScores.of(gaussian_bic, names=list(data)))
    assert {frozenset(arc) for arc in result.dag.arcs} == {frozenset("xy"), frozenset("xz"), frozenset("yz")}
    assert result.certificate.optimal


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"score": "bic"}, "score='bic'"),
        ({"guard": "cap", "missing": "em"}, "missing='em', guard='cap'"),
        ({"shape": "tree"}, "shape='tree'"),
        ({"discretize": "joint"}, "discretize='joint'"),
        ({"method": "ges"}, "method='ges'"),
        ({"start": [("b", "a"), ("c", "a")]}, "not listed.* for a"),
        ({"knowledge": Knowledge(required=[("x", "a")])}, "'x'"),
    ],
)
def test_what_takes_data_is_refused_in_one_message(given: dict[str, Any], told: str) -> None:
    scores = LocalScores(
        {"a": {frozenset(): 0.0, frozenset("b"): 1.0}, "b": {frozenset(): 0.0}, "c": {frozenset(): 1.0}}
    )
    with pytest.raises((InputError, UnknownNameError), match=told):
        qnml.learn(scores, **given)


def test_where_no_network_is_listed_it_says_so() -> None:
    scores = LocalScores({"a": {frozenset("b"): 1.0}, "b": {frozenset("a"): 1.0}})
    for method in ("exact", "order"):
        with pytest.raises(InputError, match="admit no network without cycles"):
            qnml.learn(scores, method=method)
    with pytest.raises(InputError, match="admit no network without cycles"):
        qnml.k_best(scores)
    with pytest.raises(InputError, match="no variables"):
        qnml.learn(LocalScores({}))


def test_exact_searches_name_their_limits() -> None:
    scores = wide_scores(65, 1, 1)
    with pytest.raises(TooLargeError, match="at most 64 variables"):
        qnml.learn(scores, method="exact")
    with pytest.raises(TooLargeError, match="at most 24 variables"):
        qnml.k_best(scores)
    with pytest.raises(TooLargeError, match="may be used"):
        qnml.k_best(drawn_scores(5, 1, has_empty=True), memory_limit=10.0)


def test_a_result_without_data_refuses_what_takes_them() -> None:
    result = qnml.learn(drawn_scores(4, 5, has_empty=True))
    for ask in (
        lambda: result.fit(),
        lambda: result.table,
        lambda: result.explanation,
        lambda: result.bound_score,
        lambda: result.overfull,
        lambda: qnml.bootstrap(result.local_scores),
        lambda: qnml.posterior(result.local_scores),
        lambda: qnml.plan("scores.jkl"),
    ):
        with pytest.raises(InputError, match="local scores"):
            ask()
    assert result.copies == ()
    assert "local scores" in repr(result)
    assert "<svg" in result.plot()._repr_html_()


def test_the_cost_of_an_arc_is_what_the_best_smaller_set_loses() -> None:
    listed = {frozenset(): 1.0, frozenset("b"): 4.0, frozenset("bc"): 9.0}
    scores = LocalScores({"a": listed, "b": {frozenset(): 0.0}, "c": {frozenset(): 0.0}})
    result = qnml.learn(scores)
    assert result.removal_costs == {("b", "a"): 8.0, ("c", "a"): 5.0}
    needed = LocalScores({"a": {frozenset("b"): 1.0}, "b": {frozenset(): 0.0}})
    assert qnml.learn(needed).removal_costs == {("b", "a"): math.inf}


def test_the_start_bounds_the_result_and_a_time_limit_keeps_it() -> None:
    scores = wide_scores(30, 40, 2)
    start = qnml.learn(scores, method="order", effort="quick").dag
    least = scores.total({name: start.parents(name) for name in start.names})
    for method in ("order", "exact", "auto"):
        cut = qnml.learn(scores, method=method, start=start, time_limit=0.0)
        assert cut.score >= least - 1e-9 * abs(least)
        assert cut.certificate.bound >= cut.score
        assert cut.certificate.optimal or cut.certificate.stop_reason == "time limit"
        assert cut.sentence()


@pytest.mark.parametrize("ties", ["canonical", "larger", "random"])
def test_ties_follow_the_rule(ties: str) -> None:
    sets = {frozenset(): 0.0, frozenset("b"): 0.0}
    scores = LocalScores({"a": sets, "b": {frozenset(): 0.0}})
    result = qnml.learn(scores, ties=ties, seed=1)
    assert result.certificate.ties is True
    if ties != "random":
        assert len(result.dag.arcs) == (0 if ties == "canonical" else 1)
    assert "others score the same" in result.sentence()


def test_all_families_of_a_function_are_scored() -> None:
    asked: list[tuple[str, frozenset[str]]] = []

    def function(child: str, parents: frozenset[str]) -> float:
        asked.append((child, parents))
        return 0.0

    scores = LocalScores.of(function, names=list("abcd"), max_parents=2)
    expected = {
        (child, frozenset(parents))
        for child in "abcd"
        for size in range(3)
        for parents in combinations(sorted(set("abcd") - {child}), size)
    }
    assert set(asked) == expected
    assert scores.n_families == len(expected) == len(asked)
