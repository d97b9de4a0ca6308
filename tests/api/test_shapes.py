"""`learn(shape=…)`: the best of all networks of the shape, with the rules obeyed or the conflict named."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qnml
from qnml import Dag, Knowledge, Table
from qnml.errors import InputError, QnmlError, TooLargeError, UnknownNameError
from tests.reference.exact import all_networks

if TYPE_CHECKING:
    from collections.abc import Callable

NAMES = tuple("abcde")
SCORES = ("qnml", "bdeu", "bic", "fnml", "k2", "bds")


def table_of(n: int, seed: int, rows: int = 40) -> Table:
    generator = np.random.default_rng(seed)
    columns = [generator.integers(0, 2, rows)]
    for _ in range(1, n):
        source = columns[int(generator.integers(len(columns)))]
        noise = generator.integers(0, int(generator.integers(1, 4)), rows)
        columns.append(np.where(generator.random(rows) < 0.6, source, noise))
    return Table.from_codes(columns, names=NAMES[:n], levels=[int(column.max()) + 1 for column in columns])


def is_of_shape(parents: tuple[frozenset[int], ...], shape: str, target: int | None) -> bool:
    if target is not None:
        others = [given - {target} for child, given in enumerate(parents) if child != target]
        return (
            not parents[target]
            and all(target in given for child, given in enumerate(parents) if child != target)
            and max(map(len, others), default=0) <= 1
        )
    if max(map(len, parents)) > 1:
        return False
    return shape == "forest" or sum(not given for given in parents) == 1


def of_shape(shape: str, n: int, target: int | None) -> tuple[tuple[frozenset[int], ...], ...]:
    return _of_shape(shape, n, target)


@cache
def _of_shape(shape: str, n: int, target: int | None) -> tuple[tuple[frozenset[int], ...], ...]:
    return tuple(one for one in all_networks(n) if is_of_shape(one, shape, target))


def scores_of_all(
    table: Table, score: str, shape: str, target: int | None, admits: Callable[[Dag], bool], prior: str = "uniform"
) -> list[float]:
    """The scores of all admitted networks of a shape with their log priors, each by its local scores."""
    names = table.names
    paid = [math.log(math.comb(len(names) - 1, k)) if prior == "sparse" else 0.0 for k in range(len(names))]
    local = cache(lambda child, given: qnml.local_score(table, names[child], [names[p] for p in sorted(given)], score))
    found = []
    for network in of_shape(shape, len(names), target):
        arcs = [(names[parent], names[child]) for child, given in enumerate(network) for parent in given]
        if admits(Dag.from_arcs(names, arcs)):
            found.append(math.fsum(local(child, given) - paid[len(given)] for child, given in enumerate(network)))
    return found


def drawn_knowledge(names: tuple[str, ...], seed: int) -> Knowledge:
    generator = np.random.default_rng(seed)
    pairs = [(a, b) for a in names for b in names if a != b]
    drawn = [pairs[place] for place in generator.permutation(len(pairs))[:3]]
    required = drawn[:1] if seed % 2 and len(names) > 2 else []
    tiers = [names[: len(names) // 2], names[len(names) // 2 :]] if seed % 5 == 0 and not required else []
    forbidden = [arc for arc in drawn[1:] if arc not in required]
    return Knowledge(required=required, forbidden=forbidden, tiers=tiers)


@settings(max_examples=150, deadline=None)
@given(
    n=st.integers(1, 5),
    seed=st.integers(0, 10_000),
    score=st.sampled_from(SCORES),
    shape=st.sampled_from(["tree", "forest", "tan"]),
    prior=st.sampled_from(["uniform", "sparse"]),
    has_rules=st.booleans(),
)
def test_it_is_the_best_of_all_networks_of_the_shape(n, seed, score, shape, prior, has_rules) -> None:
    table = table_of(n, seed)
    target = seed % n if shape == "tan" else None
    knowledge = drawn_knowledge(table.names, seed) if has_rules and n > 1 else Knowledge()
    wanted = {"shape": shape, "target": None if target is None else table.names[target], "prior": prior}
    scores = scores_of_all(table, score, shape, target, knowledge.admits, prior)
    if not scores:
        with pytest.raises(InputError, match="rules"):
            qnml.learn(table, score, guard="off", knowledge=knowledge, **wanted)
        return
    result = qnml.learn(table, score, guard="off", knowledge=knowledge, **wanted)
    assert math.isclose(result.objective, max(scores), rel_tol=1e-9)
    assert knowledge.admits(result.dag)
    parents = tuple(frozenset(map(table.names.index, result.dag.parents(name))) for name in table.names)
    assert is_of_shape(parents, shape, target)
    assert math.isclose(result.score, qnml.score(table, result.dag, score), rel_tol=1e-12)
    assert result.certificate.optimal
    assert result.certificate.bound == result.certificate.score == result.objective


def test_the_tree_of_the_likelihood_is_that_of_chow_and_liu() -> None:
    import networkx as nx

    table = qnml.datasets.sample("alarm", 500, seed=1)
    result = qnml.learn(table, "loglik", shape="tree", guard="off")
    graph = nx.Graph()
    for place, a in enumerate(table.names):
        for b in table.names[:place]:
            graph.add_edge(a, b, weight=qnml.mutual_information(table, a, b))
    tree = nx.maximum_spanning_tree(graph)
    total = sum(qnml.mutual_information(table, a, b) for a, b in result.dag.arcs)
    assert math.isclose(total, sum(edge["weight"] for *_, edge in tree.edges(data=True)), rel_tol=1e-9)
    assert len(result.dag.arcs) == len(table.names) - 1


@pytest.mark.parametrize("shape", ["tree", "forest"])
def test_the_answer_does_not_depend_on_threads_or_the_order_of_columns(shape: str) -> None:
    table = qnml.datasets.sample("insurance", 300, seed=2)
    one = qnml.learn(table, shape=shape, guard="off", n_jobs=1)
    turned = table.select(list(reversed(table.names)))
    assert set(one.dag.arcs) == set(qnml.learn(turned, shape=shape, guard="off", n_jobs=3).dag.arcs)


def test_a_forest_never_scores_less_than_a_tree_and_no_more_than_the_best_network() -> None:
    table = qnml.datasets.sample("asia", 300, seed=3)
    tree, forest = (qnml.learn(table, shape=shape).score for shape in ("tree", "forest"))
    assert tree <= forest <= qnml.learn(table).score


def test_the_guard_holds_among_arcs_that_can_be_left_out() -> None:
    table = table_of(4, 8, rows=12)
    result = qnml.learn(table, shape="forest", guard="cap")
    for name in table.names:
        family = [name, *result.dag.parents(name)]
        assert len(family) == 1 or math.prod(table.arities[table.index(one)] for one in family) <= 6


def test_the_sentence_says_among_what_it_is_proven() -> None:
    table = table_of(3, 1)
    assert "among trees" in qnml.learn(table, shape="tree").sentence()
    assert "among forests" in qnml.learn(table, shape="forest").sentence()
    assert "among tree-augmented classifiers" in qnml.learn(table, shape="tan", target="a").sentence()
    assert "among" not in qnml.learn(table).sentence()


def test_with_missing_cells_the_network_has_the_shape() -> None:
    full = qnml.datasets.sample("asia", 200, seed=5).to_frame().to_pandas()
    holes = np.random.default_rng(0).random(full.shape) < 0.1
    table = qnml.read_table(full.mask(holes), missing="em")
    result = qnml.learn(table, shape="tree", seed=1)
    assert len(result.dag.arcs) == 7
    assert all(len(result.dag.parents(name)) <= 1 for name in result.dag.names)
    assert result.structural_em is not None


def test_with_bins_the_network_has_the_shape() -> None:
    generator = np.random.default_rng(3)
    x = generator.normal(size=150)
    frame = {"x": x, "y": x + generator.normal(size=150), "z": generator.normal(size=150)}
    table = qnml.read_table(_frame(frame), prepare="auto")
    result = qnml.learn(table, shape="tree", discretize="joint")
    assert len(result.dag.arcs) == 2


def _frame(columns: dict[str, Any]) -> Any:
    import pandas as pd

    return pd.DataFrame(columns)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"shape": "star"}, "star"),
        ({"shape": "tan"}, "target"),
        ({"shape": "tree", "target": "a"}, "target"),
        ({"target": "a"}, "target"),
        ({"shape": "tree", "method": "order"}, "method"),
        ({"shape": "tree", "ties": "random"}, "ties"),
        ({"shape": "tree", "start": []}, "start"),
        ({"shape": "tan", "target": "x"}, "'x'"),
    ],
)
def test_wrong_arguments_are_named(given: dict[str, Any], told: str) -> None:
    with pytest.raises((InputError, UnknownNameError), match=told):
        qnml.learn(table_of(3, 1), **given)


def test_every_conflict_with_the_shape_is_named() -> None:
    knowledge = Knowledge(required=[("b", "a"), ("b", "d"), ("c", "d")], forbidden=[("a", "e")])
    with pytest.raises(InputError) as raised:
        qnml.learn(table_of(5, 1), shape="tan", target="a", knowledge=knowledge)
    for part in ("b -> a is required", "d has 2 required parents beside a (b, c)", "a -> e is not allowed"):
        assert part in str(raised.value)
    with pytest.raises(InputError, match="may have 1 parents, and needs 2"):
        qnml.learn(table_of(3, 1), shape="tan", target="a", knowledge=Knowledge(required=[("b", "c")]), max_parents=1)


def test_where_no_tree_is_admitted_it_says_so() -> None:
    knowledge = Knowledge(roots=["a", "b"])
    with pytest.raises(InputError, match="no tree that connects all variables"):
        qnml.learn(table_of(3, 1), shape="tree", knowledge=knowledge)
    assert qnml.learn(table_of(3, 1), shape="forest", knowledge=knowledge).certificate.optimal


def test_it_is_not_cut_short() -> None:
    with pytest.raises(QnmlError, match="time limit of 0 s"):
        qnml.learn(table_of(5, 1), shape="tree", time_limit=0.0)


def test_the_plan_counts_the_pairs() -> None:
    table = table_of(5, 1)
    plan = qnml.plan(table, shape="tree")
    assert (plan.method, plan.sets, plan.fits, plan.is_exact) == ("tree", 15, True, True)
    with pytest.raises(TooLargeError, match="does not fit"):
        qnml.learn(table, shape="tree", memory_limit=10.0)
