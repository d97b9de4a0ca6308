"""Columns that are copies of one another: the result does not depend on which copy a search happened to use."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from reference.exact import admitted, all_networks
from reference.knowledge import demands, renamed

import qnml
from qnml import Dag, Table
from qnml.graph.masks import ancestors_of, permuted
from qnml.search import Knowledge
from qnml.search.running.copies import gather_copies

N = 5
NAMES = tuple("abcde")
FREE = Knowledge().compile(NAMES)


def masks_of(dag: Dag) -> list[int]:
    return [sum(1 << NAMES.index(parent) for parent in dag.parents(name)) for name in NAMES]


def dag_of(masks: Any) -> Dag:
    return Dag.from_masks(NAMES, masks)


@st.composite
def networks(draw) -> tuple[int, ...]:
    """Parents of five variables as masks, in a random order."""
    order = draw(st.permutations(range(N)))
    masks = [0] * N
    for place, child in enumerate(order):
        for parent in order[:place]:
            masks[child] |= draw(st.booleans()) << parent
    return tuple(masks)


@st.composite
def groups(draw) -> list[list[int]]:
    """Up to two groups of copies among five variables."""
    order = draw(st.permutations(range(N)))
    size = draw(st.integers(2, 4))
    found = [sorted(order[:size])]
    if size <= 3 and draw(st.booleans()):
        found.append(sorted(order[size : size + 2]))
    return sorted(found)


def with_copies(copies: list[list[int]], seed: int) -> Table:
    """A table in which the columns of each group are equal up to their labels."""
    generator = np.random.default_rng(seed)
    columns = [generator.integers(0, 3, 40) for _ in range(N)]
    columns[1] = np.where(generator.random(40) < 0.5, columns[0], columns[1])
    for group in copies:
        for member in group[1:]:
            columns[member] = generator.permutation(3)[columns[group[0]]]
    return Table.from_codes(columns, levels=[3] * N, names=NAMES)


@given(networks(), groups(), st.integers(0, 100))
def test_the_score_stays_and_the_first_copy_has_the_children(masks, copies, seed) -> None:
    gathered = dag_of(gather_copies(masks, copies, FREE))  # a Dag has no cycles
    table = with_copies(copies, seed)
    for score in ("qnml", "bdeu", "fnml"):
        before, after = (qnml.score(table, dag, score) for dag in (dag_of(masks), gathered))
        assert after == pytest.approx(before, rel=1e-12)
    for mask in masks_of(gathered):
        for group in copies:
            chosen = [member for member in group if mask >> member & 1]
            assert len(chosen) != 1 or chosen == group[:1]


@given(networks(), groups())
@example((0, 0, 18, 16, 0), [[0, 1, 4]])
@example((4, 0, 0, 1, 0), [[0, 1]])
def test_gathering_a_group_twice_changes_nothing_more(masks, copies) -> None:
    once = gather_copies(masks, copies[:1], FREE)
    assert gather_copies(once, copies[:1], FREE) == once


@given(networks(), st.permutations(range(N)))
def test_it_does_not_matter_which_of_two_copies_has_which_name(masks, order) -> None:
    one, other = sorted(order[:2])
    # If neither of two copies is an ancestor of the other, either may have the children.
    assume(ancestors_of(masks, 1 << one) >> other & 1 or ancestors_of(masks, 1 << other) >> one & 1)
    places = [other if v == one else one if v == other else v for v in range(N)]
    exchanged = permuted(masks, places)
    assert gather_copies(exchanged, [[one, other]], FREE) == gather_copies(masks, [[one, other]], FREE)


@given(st.data())
def test_what_is_admitted_stays_admitted(data) -> None:
    asked = data.draw(demands(4))
    compiled = Knowledge(**renamed(asked, NAMES[:4])).compile(NAMES[:4])
    network = data.draw(st.sampled_from([one for one in all_networks(4) if admitted(one, **asked)]))
    masks = [sum(1 << parent for parent in parents) for parents in network]
    copies = [sorted(data.draw(st.permutations(range(4)))[: data.draw(st.integers(2, 4))])]
    gathered = Dag.from_masks(NAMES[:4], gather_copies(masks, copies, compiled))
    plain = tuple(frozenset(map(NAMES.index, gathered.parents(name))) for name in NAMES[:4])
    assert admitted(plain, **asked)


def test_copies_of_which_different_things_are_known_are_left_alone() -> None:
    masks = masks_of(Dag.from_modelstring("[b][a|b][c|b][d|b][e]"))
    assert gather_copies(masks, [[0, 1]], FREE) == masks_of(Dag.from_modelstring("[a][b|a][c|a][d|a][e]"))
    for known in (
        Knowledge(tiers=[["b"], ["a"]]),
        Knowledge(required=[("b", "c")]),
        Knowledge(forbidden=[("a", "d")]),
        Knowledge(roots=["b"]),
        Knowledge(leaves=["a"]),
        Knowledge(max_parents={"b": 1}),
    ):
        assert gather_copies(masks, [[0, 1]], known.compile(NAMES)) == masks
    # Knowledge about other columns does not matter.
    known = Knowledge(required=[("c", "e")], tiers=[["a", "b"], ["d"]])
    assert gather_copies(masks, [[0, 1]], known.compile(NAMES)) != masks


def hub(n_rows: int = 600) -> tuple[Table, list[str]]:
    """Twelve columns that depend on one column with three copies, and a chain of others."""
    generator = np.random.default_rng(5)
    source = generator.integers(0, 4, n_rows)
    words = ["k", "p", "z"]
    columns = {word: generator.permutation(4)[source] for word in words}
    for place in range(12):
        columns[f"n{place:02}"] = np.where(generator.random(n_rows) < 0.6, source % 3, generator.integers(0, 3, n_rows))
    for place in range(25):
        before = columns[f"m{place - 1:02}"] if place else source % 2
        columns[f"m{place:02}"] = np.where(generator.random(n_rows) < 0.8, before, generator.integers(0, 2, n_rows))
    return Table.from_codes(list(columns.values()), names=list(columns)), words


@pytest.mark.parametrize("method", ["ges", "hill-climbing", "order"])
@pytest.mark.parametrize("score", ["qnml", "bic", "bdeu"])
def test_networks_of_the_same_score_are_the_same_whatever_the_seed(method, score) -> None:
    table, words = hub()
    found = [qnml.learn(table, score, method, guard="off", effort="quick", seed=seed) for seed in range(4)]
    assert found[0].copies == (tuple(words),)
    by_score = {result.score: result.dag for result in found}
    for result in found:
        assert by_score[result.score] == result.dag
        children = {word: set(result.dag.children(word)) - set(words) for word in words}
        alone = {
            word: {child for child in children[word] if len(set(result.dag.parents(child)) & set(words)) == 1}
            for word in words
        }
        assert len(alone["k"]) >= 8
        assert not alone["p"]
        assert not alone["z"]


def test_the_bootstrap_gives_all_arcs_to_one_copy() -> None:
    table, words = hub(300)
    often = qnml.bootstrap(table, 8, seed=1, method="hill-climbing")
    for dag in often.dags:
        assert not [child for word in words[1:] for child in dag.children(word) if child not in words]


def test_without_copies_nothing_is_said() -> None:
    assert qnml.learn(qnml.datasets.sample("asia", 200, seed=1)).copies == ()
