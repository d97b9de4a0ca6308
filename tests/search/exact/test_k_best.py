"""The k best networks and classes: against brute force, in any order of columns, and stopped early."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.dependent_tables import dependent_tables
from reference.exact import admitted, all_networks, scored_networks
from reference.knowledge import demands, renamed

import qnml
from qnml import Dag, Knowledge, Table
from qnml.errors import InputError, OverfullWarning, TooLargeError

DECOMPOSABLE = sorted(name for name, entry in qnml.SCORES.items() if entry.is_decomposable)


def table_of(plain) -> Table:
    return Table.from_codes([*plain.columns], levels=[*plain.arities], weights=plain.weights)


def as_dag(names, network) -> Dag:
    return Dag.from_parents({names[child]: [names[p] for p in parents] for child, parents in enumerate(network)})


def assert_lists(best: qnml.KBest, expected: dict, keys: list) -> None:
    """The entries have the highest expected scores, each with its own score, without repetition."""
    wanted = sorted(expected.values(), reverse=True)[: best.k]
    near = pytest.approx(wanted, rel=1e-9, abs=1e-7)
    assert [entry.score for entry in best] == near
    assert [entry.log_weight for entry in best] == pytest.approx([v - wanted[0] for v in wanted], rel=1e-9, abs=1e-7)
    assert len(set(keys)) == len(keys) == best.proven
    for key, entry in zip(keys, best, strict=True):
        assert entry.score == pytest.approx(expected[key], rel=1e-9, abs=1e-7)


def best_of_class(scored, names) -> dict:
    classes: dict = {}
    for value, network in scored:
        classes.setdefault(as_dag(names, network).to_cpdag(), value)
    return classes


@settings(max_examples=40)
@given(
    plain=dependent_tables(min_columns=1, max_columns=4, max_rows=40),
    score=st.sampled_from(DECOMPOSABLE),
    k=st.sampled_from([1, 2, 7, 50, 1000]),
)
def test_all_networks_and_classes_of_small_tables(plain, score, k, local_of) -> None:
    table = table_of(plain)
    scored = scored_networks(len(table.names), local_of(table, score))
    dags = qnml.k_best(table, k, score, "dags", guard="off")
    assert_lists(dags, {as_dag(table.names, network): v for v, network in scored}, [entry.dag for entry in dags])
    assert dags.is_exhausted or dags.proven == k
    classes = qnml.k_best(table, k, score, "classes", guard="off")
    assert_lists(classes, best_of_class(scored, table.names), [entry.cpdag for entry in classes])


@pytest.mark.parametrize("score", ["qnml", "bdeu", "k2"])
def test_five_variables(score, local_of) -> None:
    generator = np.random.default_rng(8)
    first = generator.integers(0, 3, 60)
    second = np.where(generator.random(60) < 0.5, generator.integers(0, 3, 60), first)
    table = Table.from_codes([first, second, *generator.integers(0, 2, (3, 60))])
    scored = scored_networks(5, local_of(table, score))
    dags = qnml.k_best(table, 2000, score, "dags", guard="off")
    assert_lists(dags, {as_dag(table.names, network): v for v, network in scored}, [entry.dag for entry in dags])
    # Class after class its best member comes first, so the first networks have the first classes among them.
    classes = qnml.k_best(table, 200, score, "classes", guard="off")
    assert_lists(classes, best_of_class(scored[:6000], table.names), [entry.cpdag for entry in classes])


@pytest.mark.parametrize("seed", [3, 13, 15, 20])
def test_two_parents_that_cost_less_together(seed, local_of) -> None:
    """Arcs with small gains: bounds on their losses must not be added up if two cost as little as one."""
    generator = np.random.default_rng(seed)
    one, other, unrelated = generator.integers(0, 2, (3, 60))
    parity = np.where(generator.random(60) < 0.6, generator.integers(0, 2, 60), one ^ other)
    table = Table.from_codes([parity, unrelated, one, other])
    scored = scored_networks(4, local_of(table, "bic"))
    for k in (5, 20, 100):
        dags = qnml.k_best(table, k, "bic", "dags", guard="off")
        assert_lists(dags, {as_dag(table.names, network): v for v, network in scored}, [entry.dag for entry in dags])
        classes = qnml.k_best(table, k, "bic", "classes", guard="off")
        assert_lists(classes, best_of_class(scored, table.names), [entry.cpdag for entry in classes])


def test_independent_coins_take_little(local_of) -> None:
    """The best of many nearly equal networks, without listing the networks on every set of variables."""
    coins = np.random.default_rng(1).integers(0, 2, (15, 1000))
    table = Table.from_codes([*coins])
    best = qnml.k_best(table, 100, "bic", guard="off")
    assert best.proven == 100
    assert best.networks_held < 100_000  # one arc in every set of variables would be 860,000
    # The classes on fewer variables, against brute force.
    fewer = Table.from_codes([*coins[:5]])
    scored = scored_networks(5, local_of(fewer, "bic"))
    found = qnml.k_best(fewer, 100, "bic", guard="off")
    assert_lists(found, best_of_class(scored[:6000], fewer.names), [entry.cpdag for entry in found])


@settings(max_examples=40)
@given(data=st.data(), score=st.sampled_from(DECOMPOSABLE))
def test_knowledge_is_obeyed(data, score, local_of) -> None:
    table = table_of(data.draw(dependent_tables(min_columns=2, max_columns=4, max_rows=30)))
    names = table.names
    plain = data.draw(demands(len(names)))
    scored = scored_networks(len(names), local_of(table, score), lambda network: admitted(network, **plain))
    options = {"knowledge": Knowledge(**renamed(plain, names)), "guard": "off"}
    dags = qnml.k_best(table, 200, score, "dags", **options)
    assert_lists(dags, {as_dag(names, network): v for v, network in scored}, [entry.dag for entry in dags])
    classes = qnml.k_best(table, 200, score, "classes", **options)
    assert_lists(classes, best_of_class(scored, names), [entry.cpdag for entry in classes])
    for entry in (*dags, *classes):
        assert options["knowledge"].admits(entry.dag)


def test_limits_on_families(local_of) -> None:
    generator = np.random.default_rng(2)
    table = Table.from_codes(generator.integers(0, 3, (40, 4)))
    every = local_of(table, "qnml")
    few = scored_networks(4, every, lambda network: all(len(parents) <= 1 for parents in network))
    limited = qnml.k_best(table, 1000, what="dags", max_parents=1, guard="off")
    assert_lists(limited, {as_dag(table.names, n): v for v, n in few}, [entry.dag for entry in limited])
    capped = scored_networks(4, local_of(table, "qnml", cap=True))
    admitted_ones = {as_dag(table.names, n): v for v, n in capped if v > -math.inf}
    found = qnml.k_best(table, 1000, what="dags", guard="cap")
    assert_lists(found, admitted_ones, [entry.dag for entry in found])


def test_everything_ties_in_one_row() -> None:
    table = Table.from_codes([[0], [1], [0], [1]], levels=[2, 2, 2, 2])
    best = qnml.k_best(table, 1000, "loglik", "dags")
    assert best.proven == len(all_networks(4))
    assert best.is_exhausted
    assert {entry.log_weight for entry in best} == {0.0}
    # Simpler ones first.
    sizes = [(entry.dag.n_parameters(table.arities), entry.dag.n_arcs) for entry in best]
    assert sizes == sorted(sizes)


@pytest.fixture(scope="module")
def wider() -> Table:
    generator = np.random.default_rng(12)
    columns = [generator.integers(0, 3, 300)]
    for _ in range(9):
        source = columns[int(generator.integers(len(columns)))]
        columns.append(np.where(generator.random(300) < 0.4, generator.integers(0, 3, 300), source))
    return Table.from_codes(columns)


@pytest.mark.parametrize("what", ["dags", "classes"])
@pytest.mark.parametrize("score", ["qnml", "fnml", "bds"])
def test_order_of_columns_and_threads_do_not_matter(what, score, wider) -> None:
    table = wider if score != "bds" else wider.select(wider.names[:7])
    first = qnml.k_best(table, 60, score, what, n_jobs=1)
    turned = table.select(list(reversed(table.names)))
    for other in (qnml.k_best(table, 60, score, what, n_jobs=2), qnml.k_best(turned, 60, score, what)):
        assert [entry.dag for entry in other] == [entry.dag for entry in first]
        assert [entry.score for entry in other] == [entry.score for entry in first]
    assert first[0].score == pytest.approx(qnml.learn(table, score).score, rel=1e-12)
    for entry in first:
        assert entry.score == pytest.approx(qnml.score(table, entry.dag, score), rel=1e-12)


def test_members_of_a_class_come_together(wider) -> None:
    """The best networks are the members of the best classes: as many as the classes have, in the same order."""
    classes = qnml.k_best(wider, 5, "bic", "classes")
    sizes = [qnml.class_size(entry.cpdag) for entry in classes]
    dags = qnml.k_best(wider, sum(sizes), "bic", "dags")
    assert {entry.cpdag for entry in dags} == {entry.cpdag for entry in classes}
    expected = [entry.log_weight for entry, size in zip(classes, sizes, strict=True) for _ in range(size)]
    assert [entry.log_weight for entry in dags] == pytest.approx(expected, abs=1e-9)


def test_the_bound_holds_and_a_longer_list_goes_on_the_same_way(wider) -> None:
    few = qnml.k_best(wider, 10, what="dags")
    more = qnml.k_best(wider, 40, what="dags")
    assert [e.log_weight for e in more][:10] == [e.log_weight for e in few]
    assert few.bound is not None
    assert few.bound >= more[10].score - 1e-6
    assert few.bound <= few[9].score + 1e-6


def test_what_is_proven_when_cut_short(wider) -> None:
    none = qnml.k_best(wider, 10, time_limit=0)
    assert (none.proven, none.stop_reason, none.bound) == (0, "time limit", None)
    assert "The best 0 of 10" in none.sentence()
    whole = qnml.k_best(wider, 20_000, what="dags", time_limit=0.3)
    cramped = qnml.k_best(wider, 20_000, what="dags", memory_limit=2e6)
    assert cramped.stop_reason == "memory limit"
    assert 0 < cramped.proven < 20_000
    shared = min(whole.proven, cramped.proven)
    assert [e.log_weight for e in whole][:shared] == [e.log_weight for e in cramped][:shared]


INTERRUPTED = """
import _thread, threading
import numpy as np, qnml
generator = np.random.default_rng(3)
table = qnml.Table.from_codes(generator.integers(0, 2, (300, 12)))
threading.Timer(0.5, _thread.interrupt_main).start()
best = qnml.k_best(table, 1_000_000, "bic", "dags")
print(best.stop_reason, best.proven > 0, best.proven < 1_000_000, "interrupted" in best.sentence())
"""


def test_interruption_returns_what_is_proven() -> None:
    command = [sys.executable, "-W", "error", "-c", INTERRUPTED]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "interrupted True True True\n"


def test_sentences() -> None:
    table = Table.from_codes([[0, 1, 1], [1, 1, 0]], names=["a", "b"])
    assert "There are 3 networks" in qnml.k_best(table, 5, "bic", "dags").sentence()
    assert "Proven to be the best 1 equivalence classes" in qnml.k_best(table, 1, "bic").sentence()


def test_too_large_is_refused_beforehand(wider) -> None:
    with pytest.raises(TooLargeError, match=r"k_best: 10 variables.*does not fit"):
        qnml.k_best(wider, memory_limit=1000)
    with pytest.raises(TooLargeError, match="at most 24"):
        qnml.k_best(Table.from_codes(np.zeros((2, 25), dtype=int), levels=[2] * 25))


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("k", 0),
        ("k", 1.5),
        ("k", True),
        ("what", "cpdags"),
        ("score", "nml"),
        ("guard", "on"),
        ("max_parents", -1),
        ("memory_limit", 0),
        ("time_limit", -1),
        ("n_jobs", 0),
    ],
)
def test_bad_arguments_are_refused(argument, value) -> None:
    table = Table.from_codes([[0, 1], [0, 1]])
    with pytest.raises(InputError, match=rf"k_best\({argument}="):
        qnml.k_best(table, **{argument: value})


def test_overfull_families_are_warned_of() -> None:
    table = Table.from_codes(np.random.default_rng(5).integers(0, 5, (126, 5)), names=list("abcde"))
    with pytest.warns(OverfullWarning, match=r"k_best: .*half the 126 rows"):
        qnml.k_best(table, 1)


def test_lists_of_the_core_are_copied_once_however_many_networks(monkeypatch) -> None:
    """Each access to the core's list copies it; one access per network made the time quadratic in `k`."""
    looks = []
    door = sys.modules["qnml._api.k_best"]  # the name in the package is the function
    run = door.run_k_best

    class Counted:
        def __init__(self, found):
            self._found = found

        def __getattr__(self, name):
            looks.append(name)
            return getattr(self._found, name)

    def counted(*arguments):
        found, reason = run(*arguments)
        return Counted(found), reason

    monkeypatch.setattr(door, "run_k_best", counted)
    found = qnml.k_best(qnml.datasets.load("iris"), 50, what="dags", guard="off")
    assert len(found) == 50
    assert looks.count("scores") == looks.count("parents") == 1


def test_a_long_list_is_cut_by_the_time_limit_and_keeps_its_bound() -> None:
    table = qnml.datasets.sample("survey", 200, seed=1)
    whole = qnml.k_best(table, 5000, "bic")
    assert len(whole) == 5000
    # The search is done long before, and there is no time to turn more than the first networks into objects.
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys.modules["qnml._api.k_best"], "_SECONDS_TO_RETURN", -1e9)
        cut = qnml.k_best(table, 5000, "bic", time_limit=1000.0)
    assert 0 < len(cut) < 5000
    assert cut.stop_reason == "time limit"
    assert not cut.is_exhausted
    assert [one.dag for one in cut] == [one.dag for one in whole][: len(cut)]
    assert cut.bound == pytest.approx(whole[len(cut)].score, abs=1e-6)
