"""Bootstrap: each replicate equals `learn` on the reweighted table, and the shares are counted correctly."""

from __future__ import annotations

import sys
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.dependent_tables import dependent_tables

import qnml
from qnml import Knowledge, Table, _core
from qnml.errors import InputError, OutOfTimeError, TooLargeError
from qnml.search.running import run_batches as batches

# Scores whose replicates share one traversal (set functions), and scores without that property.
SHARING = ("aic", "bdeu", "bdq", "bic", "ebic", "hqc", "loglik", "qnml")
SEPARATE = ("bdj", "bds", "fnml", "k2")


def drawn_again(table: Table, replicates: int, seed: int) -> list[Table]:
    """The replicates' tables, by the documented rule: the distinct rows in order, drawn by their shares."""
    merged = table.select(sorted(table.names)).merged()
    shares = np.asarray(merged.weights, dtype=float) / merged.total
    generator = np.random.default_rng(seed)
    return [
        Table.from_codes(
            [*merged.columns],
            names=merged.names,
            levels=[list(labels) for labels in merged.levels],
            weights=generator.multinomial(merged.total, shares),
        )
        for _ in range(replicates)
    ]


def chained(n: int, n_rows: int, seed: int) -> Table:
    generator = np.random.default_rng(seed)
    columns = [generator.integers(0, 3, n_rows)]
    for _ in range(n - 1):
        source = columns[int(generator.integers(len(columns)))]
        columns.append(np.where(generator.random(n_rows) < 0.4, generator.integers(0, 3, n_rows), source))
    return Table.from_codes(columns)


@pytest.mark.parametrize("score", SHARING)
def test_every_replicate_is_what_learn_finds(score) -> None:
    table = chained(10, 120, seed=4)
    found = qnml.bootstrap(table, 20, score, seed=3)
    for dag, other in zip(found.dags, drawn_again(table, 20, 3), strict=True):
        result = qnml.learn(other, score, guard="off")
        assert dag == result.dag
        assert qnml.score(other, dag, score) == pytest.approx(result.score, rel=1e-12)


@pytest.mark.parametrize("score", SEPARATE)
def test_scores_that_do_not_share_a_walk(score) -> None:
    table = chained(5, 60, seed=4)
    found = qnml.bootstrap(table, 6, score, seed=3)
    for dag, other in zip(found.dags, drawn_again(table, 6, 3), strict=True):
        assert dag == qnml.learn(other, score, guard="off").dag


@settings(max_examples=25, deadline=None)
@given(
    plain=dependent_tables(min_columns=1, max_columns=9, max_rows=40),
    score=st.sampled_from(SHARING),
    replicates=st.sampled_from([1, 17, 70]),
)
def test_small_tables_of_every_shape(plain, score, replicates) -> None:
    """Weights, unseen levels, constant columns, ties; more replicates than share one traversal."""
    table = Table.from_codes([*plain.columns], levels=[*plain.arities], weights=plain.weights)
    found = qnml.bootstrap(table, replicates, score, seed=1)
    others = drawn_again(table, replicates, 1)
    results = qnml.learn_many(others, score)
    assert list(found.dags) == [result.dag for result in results]


@settings(max_examples=25, deadline=None)
@given(
    plain=dependent_tables(min_columns=3, max_columns=9, max_rows=60),
    ess=st.sampled_from([1e-3, 0.2, 1, 7, 80, 1e5]),
    threads=st.sampled_from([1, 2]),
)
def test_bdeu_with_any_equivalent_sample_size(plain, ess, threads) -> None:
    """Sets with few cells are counted separately; which ones depends on the equivalent sample size."""
    table = Table.from_codes([*plain.columns], levels=[*plain.arities], weights=plain.weights)
    found = qnml.bootstrap(table, 35, "bdeu", seed=2, n_jobs=threads, ess=ess)
    results = qnml.learn_many(drawn_again(table, 35, 2), "bdeu", ess=ess)
    assert list(found.dags) == [result.dag for result in results]


def test_only_set_functions_share_a_walk() -> None:
    sharing = {name for name, score in qnml.SCORES.items() if score.is_set_function}
    assert sharing == set(SHARING)
    for name in (*SHARING, *SEPARATE):
        assert _core.can_reweight(qnml.SCORES[name].kind, 1.0, 1000) == (name in sharing)


@pytest.mark.parametrize(
    "options",
    [
        {"guard": "cap"},
        {"max_parents": 1},
        {"knowledge": Knowledge(required=[("X1", "X3")], forbidden=[("X2", "X4")], roots=["X2"])},
    ],
    ids=["cap", "limit", "knowledge"],
)
@pytest.mark.parametrize("score", ["bic", "bdeu"])
def test_demands_are_obeyed(options, score) -> None:
    table = chained(7, 90, seed=6)
    found = qnml.bootstrap(table, 10, score, seed=2, **options)
    for dag, other in zip(found.dags, drawn_again(table, 10, 2), strict=True):
        assert dag == qnml.learn(other, score, **({"guard": "off"} | options)).dag
    if "knowledge" in options:
        place = {name: i for i, name in enumerate(found.names)}
        assert found.edges[place["X1"], place["X3"]] == 1
        assert found.edges[place["X2"], place["X4"]] == 0
        assert not found.edges[:, place["X2"]].any()


@pytest.mark.parametrize("score", ["bic", "bdeu"])
def test_large_totals_are_counted_in_wider_numbers(score) -> None:
    base = chained(6, 60, seed=2)
    for weight in (600, 2000):  # counts of 16 bits and of 32; bdeu has four sums for both, not three
        table = Table.from_codes([*base.columns], names=base.names, weights=np.full(60, weight))
        found = qnml.bootstrap(table, 3, score, seed=5)
        for dag, other in zip(found.dags, drawn_again(table, 3, 5), strict=True):
            assert dag == qnml.learn(other, score, guard="off").dag


def test_shares_are_those_of_the_classes() -> None:
    table = chained(5, 50, seed=1)
    found = qnml.bootstrap(table, 40, "bic", seed=1)
    names = found.names
    for i, first in enumerate(names):
        for j, second in enumerate(names):
            joined = [dag for dag in found.dags if (first, second) in dag.arcs or (second, first) in dag.arcs]
            assert found.adjacencies[i, j] == pytest.approx(len(joined) / 40)
            sure = sum((first, second) in dag.to_cpdag().directed for dag in found.dags)
            unsure = sum({first, second} in map(set, dag.to_cpdag().undirected) for dag in found.dags)
            assert found.edges[i, j] == pytest.approx((sure + unsure / 2) / 40)
    directed = qnml.bootstrap(table, 10, "k2", seed=1)
    share = np.mean([[(a, b) in dag.arcs for a in names for b in names] for dag in directed.dags], axis=0)
    assert directed.edges.ravel() == pytest.approx(share)


def test_the_same_in_any_order_and_on_any_number_of_threads() -> None:
    table = chained(9, 80, seed=3)
    first = qnml.bootstrap(table, 20, seed=9, n_jobs=1)
    rows = np.random.default_rng(0).permutation(table.n_rows)
    names = list(reversed(table.names))
    turned = Table.from_codes([table.columns[name][rows] for name in names], names=names)
    second = qnml.bootstrap(turned, 20, seed=9, n_jobs=2)
    assert first.dags == second.dags
    assert first.edge_frequencies == second.edge_frequencies
    assert first.threshold == second.threshold
    assert qnml.bootstrap(table, 20, seed=10).dags != first.dags
    longer = qnml.bootstrap(table, 70, seed=9)
    assert longer.dags[:20] == first.dags


def test_strong_arcs_are_joined() -> None:
    generator = np.random.default_rng(7)
    cause = generator.integers(0, 2, 400)
    effect = np.where(generator.random(400) < 0.1, 1 - cause, cause)
    table = Table.from_codes([cause, effect, generator.integers(0, 2, 400)], names=["cause", "effect", "other"])
    found = qnml.bootstrap(table, 50, "bic", seed=1)
    assert {frozenset(arc) for arc in found.dag.arcs} == {frozenset(("cause", "effect"))}
    assert found.averaged.undecided == (("cause", "effect"),)
    assert found.sentence().startswith("1 arc is in more than ")
    assert "50 replicates" in found.sentence()
    assert found.standard_errors[0, 1] == 0
    assert qnml.bootstrap(table, 50, "bic", seed=1, threshold=0).dag.n_arcs >= 1
    assert qnml.bootstrap(table, 50, "bic", seed=1, threshold=1, max_parents=0).sentence().startswith("0 arcs are in ")


@pytest.mark.parametrize("method", ["order", "hill-climbing", "ges"])
def test_searches_that_prove_nothing(method) -> None:
    table = chained(12, 150, seed=8)
    found = qnml.bootstrap(table, 7, "bic", method, seed=5, n_jobs=2)
    assert found.method == method
    for dag, other in zip(found.dags, drawn_again(table, 7, 5), strict=True):
        assert dag == qnml.learn(other, "bic", method, effort="quick", seed=5).dag
    assert found.dags == qnml.bootstrap(table, 7, "bic", method, seed=5, n_jobs=1).dags
    assert "need not be the best" in found.sentence()


def test_rows_with_weights_are_searched_as_rows_that_repeat() -> None:
    base = chained(8, 40, seed=2)
    heavy = Table.from_codes([*base.columns], names=base.names, weights=np.full(40, 50))
    found = qnml.bootstrap(heavy, 4, "bic", "order", seed=5)
    for dag, other in zip(found.dags, drawn_again(heavy, 4, 5), strict=True):
        assert dag == qnml.learn(other, "bic", "order", effort="quick", seed=5).dag


def test_more_variables_than_an_exact_search_takes() -> None:
    table = chained(70, 200, seed=3)
    found = qnml.bootstrap(table, 6, "bic", seed=1)
    assert found.method == "hill-climbing"
    assert found.replicates == 6
    assert qnml.bootstrap(table, 2, "bic", seed=1, effort="default").method == "order"
    # A chain of strong dependences: most arcs are found in every replicate.
    assert found.dag.n_arcs > 50
    cut = qnml.bootstrap(table, 100_000, "bic", "hill-climbing", seed=1, time_limit=1.5)
    assert cut.stop_reason == "time limit"
    assert cut.dags[:3] == qnml.bootstrap(table, 3, "bic", "hill-climbing", seed=1).dags


def test_cut_short_and_refused() -> None:
    table = chained(10, 100, seed=1)
    with pytest.raises(OutOfTimeError, match="no replicate was finished"):
        qnml.bootstrap(table, 10, time_limit=0)
    some = qnml.bootstrap(table, 100_000, seed=1, time_limit=1.5)
    assert some.stop_reason == "time limit"
    assert 0 < some.replicates < 100_000
    assert some.dags[:5] == qnml.bootstrap(table, 5, seed=1).dags
    assert "fewer than asked for" in some.sentence()
    with pytest.raises(TooLargeError, match="bootstrap: 10 variables"):
        qnml.bootstrap(table, memory_limit=1000)


@pytest.mark.parametrize(("method", "replicates"), [("exact", 500), ("hill-climbing", 6)])
def test_an_interrupt_between_batches_leaves_what_is_done(monkeypatch, method, replicates) -> None:
    @contextmanager
    def bar():
        yield interrupt

    def interrupt(stage: str, share: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["qnml._api.bootstrap"], "progress_bar", bar)
    table = chained(6, 60, seed=1)
    some = qnml.bootstrap(table, replicates, "bic", method, seed=1, progress=True, n_jobs=2)
    assert some.stop_reason == "interrupted"
    assert 0 < some.replicates < replicates
    assert some.dags == qnml.bootstrap(table, some.replicates, "bic", method, seed=1).dags
    # After the last replicate nothing is missing.
    assert qnml.bootstrap(table, 1, "bic", method, seed=1, progress=True).stop_reason is None


@pytest.mark.parametrize(("method", "replicates"), [("exact", 500), ("hill-climbing", 6)])
def test_an_interrupt_that_comes_too_late_for_a_batch_ends_the_others(monkeypatch, method, replicates) -> None:
    monkeypatch.setattr(batches, "interruptible", lambda work, *_: (work(), 1))
    some = qnml.bootstrap(chained(6, 60, seed=1), replicates, "bic", method, seed=1, n_jobs=2)
    assert some.stop_reason == "interrupted"
    assert 0 < some.replicates < replicates
    assert "interrupted: fewer than asked for" in some.sentence()


def test_replicates_after_one_that_was_cut_short_do_not_count() -> None:
    """Replicates that are solved quickly would be overrepresented."""
    found = batches.run_batches([[1, 2, 3], [4]], lambda batch, _: [1, None, 3][: len(batch)], 4, None, None, "")
    assert found == ([1], "memory limit")


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("replicates", 0),
        ("replicates", 2.5),
        ("method", "climb"),
        ("effort", "none"),
        ("seed", -1),
        ("threshold", 1.5),
        ("guard", "on"),
        ("time_limit", "soon"),
    ],
)
def test_bad_arguments_are_refused(argument, value) -> None:
    with pytest.raises(InputError, match=rf"bootstrap\({argument}="):
        qnml.bootstrap(Table.from_codes([[0, 1], [0, 1]]), **{argument: value})


def test_a_search_between_classes_takes_an_equivalent_score() -> None:
    with pytest.raises(InputError, match=r"bootstrap\(score='fnml'\).*method='order'"):
        qnml.bootstrap(Table.from_codes([[0, 1], [0, 1]]), 2, "fnml", "ges")
