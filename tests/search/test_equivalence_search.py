"""Greedy equivalence search: its answers compared with all classes, and invariants."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.dependent_tables import dependent_tables
from reference.equivalence_classes import all_classes, neighbouring_classes, pattern_of
from reference.exact import admitted
from reference.knowledge import demands, renamed

import qnml
from qnml import Dag, Table
from qnml.datasets import load_network
from qnml.errors import InputError
from qnml.search import Knowledge

EQUIVALENT = sorted(name for name, score in qnml.SCORES.items() if score.is_decomposable and score.is_equivalent)
OTHERS = sorted(name for name, score in qnml.SCORES.items() if score.is_decomposable and not score.is_equivalent)


def table_of(plain) -> Table:
    return Table.from_codes([*plain.columns], levels=[*plain.arities], weights=plain.weights)


def assert_no_neighbour_is_better(network, score: float, local, admits=None) -> None:
    """No neighbouring class that has an admitted network scores more."""
    classes = all_classes(len(network))
    for patterns in neighbouring_classes(classes[pattern_of(network)]).values():
        for pattern in patterns:
            members = [one for one in classes[pattern] if admits is None or admits(one)]
            totals = [math.fsum(local(child, parents) for child, parents in enumerate(one)) for one in members]
            assert max(totals, default=-math.inf) <= score + 1e-6


@pytest.mark.parametrize("score", EQUIVALENT)
@settings(max_examples=10)
@given(plain=dependent_tables(max_columns=5))
def test_no_neighbouring_class_is_better(score, plain, local_of, checked_learn, network_of) -> None:
    table = table_of(plain)
    result = checked_learn(table, score, method="ges")
    empty = qnml.score(table, Dag.from_arcs(table.names, []), score)
    assert result.score >= empty - 1e-9 * abs(empty)
    assert_no_neighbour_is_better(network_of(result.dag, table), result.score, local_of(table, score))


@given(data=st.data(), plain=dependent_tables(max_columns=4), score=st.sampled_from(EQUIVALENT), cap=st.booleans())
@settings(max_examples=150)
def test_knowledge_is_obeyed_and_no_neighbour_that_obeys_is_better(
    data, plain, score, cap, local_of, checked_learn, network_of
) -> None:
    table = table_of(plain)
    wanted = data.draw(demands(len(table.names)))
    known = Knowledge(**renamed(wanted, table.names))
    result = checked_learn(table, score, "cap" if cap else "off", method="ges", knowledge=known)
    assert known.violations(result.dag) == []
    required = tuple(frozenset(a for a, b in wanted["required"] if b == child) for child in range(len(table.names)))
    every, capped = local_of(table, score), local_of(table, score, cap=cap)

    def local(child: int, parents: frozenset[int]) -> float:
        return every(child, parents) if parents == required[child] else capped(child, parents)

    network = network_of(result.dag, table)
    total = math.fsum(local(child, parents) for child, parents in enumerate(network))
    assert result.score == pytest.approx(total, rel=1e-9)  # not minus infinity: no family beyond the cap
    start = math.fsum(local(child, parents) for child, parents in enumerate(required))
    assert result.score >= start - 1e-9 * abs(start)
    assert_no_neighbour_is_better(network, result.score, local, lambda one: admitted(one, **wanted))


@pytest.mark.parametrize("name", ["asia", "cancer", "earthquake", "survey", "sachs"])
@pytest.mark.parametrize("score", ["qnml", "bic", "bdeu"])
def test_with_many_rows_the_true_class_is_found(name, score, checked_learn) -> None:
    network = load_network(name)
    table = network.sample(100_000, seed=1)
    for effort in ("quick", "default"):
        assert checked_learn(table, score, method="ges", effort=effort).dag.is_equivalent(network.dag)


def test_another_program_takes_the_same_steps(data_folder, checked_learn) -> None:
    """Tetrad's FGES, which inserts and removes, ends where we begin to turn: peers.csv has its scores on alarm."""
    table = qnml.read_table(data_folder / "samples" / "alarm_N10000.csv.gz")
    for score, parameters, theirs in (("bic", {}, -107214.996), ("bdeu", {"ess": 1.0}, -105996.472)):
        found = checked_learn(table, score, method="ges", effort="quick", **parameters)
        ends = [value for _, value in found.certificate.trace]
        assert ends[2] == pytest.approx(theirs, abs=1e-3)  # after nothing, insertions, removals
        assert found.score >= ends[2] - 1e-6


def test_neither_threads_nor_the_order_of_columns_matter_when_classes_are_shaken(checked_learn) -> None:
    table = load_network("sachs").sample(30_000, seed=2)  # enough rows that threads are worth it
    known = Knowledge(forbidden=[("PKC", "Raf")], max_parents={"Akt": 1})
    first = checked_learn(table, "bdeu", method="ges", knowledge=known, seed=4, n_jobs=1)
    turned = table.select(table.names[::-1])
    for other, jobs in ((table, 3), (turned, 1), (turned, 2)):
        again = checked_learn(other, "bdeu", method="ges", knowledge=known, seed=4, n_jobs=jobs)
        assert set(again.dag.arcs) == set(first.dag.arcs)


@pytest.mark.parametrize("score", OTHERS)
def test_scores_that_tell_equivalent_networks_apart_are_refused(score) -> None:
    table = Table.from_codes(np.zeros((4, 2), dtype=int))
    with pytest.raises(InputError, match=rf"learn\(score='{score}'\).*equivalent.*method='ges'.*method='order'"):
        qnml.learn(table, score, "ges")


def test_what_the_certificate_says(checked_learn) -> None:
    table = load_network("sachs").sample(2000, seed=3)
    certificate = checked_learn(table, "bic", method="ges").certificate
    assert certificate.method == "ges"
    assert set(certificate.seconds) == {"screening", "equivalence classes", "proving"}
    scores = [score for _, score in certificate.trace]
    assert scores == sorted(set(scores))
    assert scores[-1] == pytest.approx(certificate.score, rel=1e-9)
    assert "a greedy search over equivalence classes" in certificate.sentence()
