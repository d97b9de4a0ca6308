"""`learn(start=…)`: the score is never below the start's; rules that the start violates are named."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qnml
from qnml import Dag, Table
from qnml.errors import CycleError, InputError, UnknownNameError
from qnml.search import Knowledge

METHODS = ("auto", "exact", "order", "hill-climbing", "ges")


def table_of(n: int, rows: int, seed: int, copies: int = 0) -> Table:
    generator = np.random.default_rng(seed)
    columns = [generator.integers(0, 2, rows)]
    for place in range(1, n):
        noise = generator.integers(0, 3, rows)
        columns.append(np.where(generator.random(rows) < 0.5, columns[int(generator.integers(place))], noise))
    columns += [columns[0]] * copies
    columns.append(np.zeros(rows, dtype=int))
    return Table.from_codes(columns)


def any_dag(names, seed: int, most_parents: int) -> Dag:
    generator = np.random.default_rng(seed)
    order = [names[place] for place in generator.permutation(len(names))]
    arcs = []
    for place, child in enumerate(order):
        count = int(generator.integers(0, min(place, most_parents) + 1))
        arcs += [(order[int(one)], child) for one in generator.permutation(place)[:count]]
    return Dag.from_arcs(names, arcs)


@settings(max_examples=40, deadline=None)
@given(
    n=st.integers(2, 12),
    seed=st.integers(0, 10_000),
    score=st.sampled_from(["qnml", "bic", "bdeu"]),
    method=st.sampled_from(METHODS),
    effort=st.sampled_from(["quick", "default"]),
    seconds=st.sampled_from([None, 0.0]),
)
def test_the_result_never_scores_less_than_the_start(n, seed, score, method, effort, seconds) -> None:
    table = table_of(n, 60, seed, copies=seed % 2)
    # A good start, with noise: the best network of the same columns in other rows.
    near = qnml.learn(table_of(n, 300, seed, copies=seed % 2), score, guard="off").dag
    start = near if seed % 3 else any_dag(table.names, seed, 3)
    result = qnml.learn(
        table, score, method, effort=effort, guard="off", start=start, time_limit=seconds, seed=1, n_jobs=1
    )
    least = qnml.score(table, start, score)
    assert result.score >= least - 1e-9 * abs(least)
    assert result.certificate.bound >= least - 1e-9 * abs(least)


@pytest.mark.parametrize("method", METHODS)
def test_required_arcs_complete_the_start(method) -> None:
    table = table_of(6, 100, 1)
    names = table.names
    known = Knowledge(required=[(names[5], names[4]), (names[6], names[0])], forbidden=[(names[0], names[1])])
    start = [(names[0], names[5]), (names[2], names[3])]
    completed = Dag.from_arcs(names, [*start, (names[5], names[4]), (names[6], names[0])])
    result = qnml.learn(table, method=method, guard="off", knowledge=known, start=start, seed=1)
    assert known.admits(result.dag)
    assert result.score >= qnml.score(table, completed) - 1e-9
    if method != "exact":
        stopped = qnml.learn(table, method=method, guard="off", knowledge=known, start=start, seed=1, time_limit=0.0)
        assert known.admits(stopped.dag)
        assert stopped.score >= qnml.score(table, completed) - 1e-9


def test_a_search_that_stops_at_once_returns_the_class_of_the_start() -> None:
    # A chain of twenty variables: without a start, a search that stops at once does not find it.
    table = table_of(40, 400, 3)
    start = qnml.learn(table, method="order", guard="off", prior="uniform", seed=1).dag
    for method in ("auto", "order", "hill-climbing", "ges"):
        stopped = qnml.learn(table, method=method, guard="off", prior="uniform", start=start, seed=1, time_limit=0.0)
        assert stopped.score >= qnml.score(table, start) - 1e-6
        assert stopped.certificate.trace[0][1] == pytest.approx(qnml.score(table, start))
        alone = qnml.learn(table, method=method, guard="off", prior="uniform", seed=1, time_limit=0.0)
        assert alone.score < stopped.score


def test_exact_searches_find_the_same_from_any_start() -> None:
    table = table_of(8, 80, 5, copies=1)
    for ties in ("canonical", "larger", "random"):
        found = {
            str(qnml.learn(table, method="exact", guard="off", ties=ties, seed=2, start=start).dag)
            for start in (None, any_dag(table.names, 1, 2), any_dag(table.names, 2, 2))
        }
        assert len(found) == 1


def test_all_kinds_of_starts_mean_the_same() -> None:
    table = qnml.datasets.sample("asia", 200, seed=1)
    network = qnml.datasets.load_network("asia")
    dag = network.dag
    kinds = [network, dag, dag.reorder(sorted(dag.names)), dag.to_modelstring(), list(dag.arcs), np.array(dag.arcs)]
    options = {"method": "hill-climbing", "effort": "quick", "guard": "off"}
    assert len({str(qnml.learn(table, start=start, **options).dag) for start in kinds}) == 1


def test_a_start_may_leave_columns_out() -> None:
    table = qnml.datasets.sample("asia", 200, seed=1)
    for start in ([], Dag.from_arcs(["either", "xray"], [("either", "xray")]), "[either][xray|either]"):
        assert qnml.learn(table, guard="off", start=start).dag == qnml.learn(table, guard="off").dag


@pytest.mark.parametrize(
    ("start", "error", "words"),
    [
        (5, InputError, r"learn\(start=5\): must be a qnml.Dag, a qnml.Network, a model string"),
        ("asia.bif", InputError, r"Read a file with qnml.read_structure"),
        ([("xrai", "dysp")], UnknownNameError, r"learn\(start='xrai'\): unknown.*Did you mean 'xray'"),
        ("[xrai][dysp]", UnknownNameError, r"the start names 1 variable\(s\) the data lack: xrai.*'xray'"),
        ([("xray", "dysp"), ("dysp", "xray")], CycleError, "learn: the start: the arcs form a cycle: xray -> dysp"),
        ([("xray",)], InputError, "pairs of node names"),
        (Dag.from_modelstring("[lung][xray|lung]").to_cpdag(), InputError, r"start.consistent_extension\(\)"),
    ],
)
def test_what_is_no_network_of_the_columns_is_refused(start, error, words) -> None:
    with pytest.raises(error, match=words):
        qnml.learn(qnml.datasets.sample("asia", 50, seed=1), start=start)


@pytest.mark.parametrize(
    ("rules", "conflicts"),
    [
        (
            {"knowledge": Knowledge(forbidden=[("either", "xray")], tiers=[["dysp"], ["bronc"]], roots=["lung"])},
            [
                "the arc either -> xray is forbidden",
                "the arc bronc -> dysp goes from tier 2 to tier 1",
                "the root lung has parents: smoke",
            ],
        ),
        ({"max_parents": 1}, ["dysp has 2 parents, at most 1 are allowed", "either has 2 parents"]),
        ({"knowledge": Knowledge(max_parents={"dysp": 1})}, ["dysp has 2 parents, at most 1 are allowed"]),
        ({"knowledge": Knowledge(required=[("xray", "tub")])}, ["form the cycle either -> xray -> tub -> either"]),
        ({"guard": "cap"}, ["dysp and its parents have more cells than half the rows, against guard='cap'"]),
    ],
)
def test_conflicts_with_the_rules_are_named(rules, conflicts) -> None:
    table = qnml.datasets.sample("asia", 15, seed=1)
    start = qnml.datasets.load_network("asia").dag
    with pytest.raises(InputError) as refused:
        qnml.learn(table, start=start, **rules)
    for conflict in conflicts:
        assert conflict in str(refused.value)


def test_indicators_of_missing_cells_have_no_children() -> None:
    generator = np.random.default_rng(1)
    b = ["yes" if one else "no" for one in generator.integers(0, 2, 60)]
    rows = {"a": [None if k % 3 == 0 else one for k, one in enumerate(b)], "b": b}
    table = qnml.read_table(rows, prepare="auto", missing="indicator")
    (indicator,) = [name for name in table.names if name not in rows]
    with pytest.raises(InputError, match=f"{indicator} -> b starts at an indicator of missing cells"):
        qnml.learn(table, "bic", start=[(indicator, "b")])


def test_structural_em_starts_from_it() -> None:
    generator = np.random.default_rng(2)
    a = generator.integers(0, 2, 300)
    b = np.where(generator.random(300) < 0.8, a, 1 - a)
    cells = [None if hole else str(value) for value, hole in zip(a, generator.random(300) < 0.2, strict=True)]
    table = qnml.read_table({"a": cells, "b": b.astype(str)}, missing="em")
    result = qnml.learn(table, "bic", start=[("b", "a")], seed=1)
    assert [name for name, _ in result.structural_em.starts] == ["independent", "given"]
    assert result.score >= max(value for _, value in result.structural_em.starts) - 1e-6
    with pytest.raises(InputError, match="the arc b -> a is forbidden"):
        qnml.learn(table, "bic", start=[("b", "a")], knowledge=Knowledge(forbidden=[("b", "a")]))


def test_bins_that_are_learned_take_no_start() -> None:
    numbers = {"x": np.arange(40) / 7.0, "y": np.arange(40)[::-1] / 3.0}
    with pytest.raises(InputError, match="must be None with discretize='joint'"):
        qnml.learn(numbers, "bic", discretize="joint", start=[("x", "y")])
