"""`learn(discretize="joint")`: the code length against its definition and an exhaustive search, options, errors."""

from __future__ import annotations

import itertools
import math
import os
import signal
import threading
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference.joint_binning import all_cuts, joint_code_length

import qnml
from qnml._api import joint_learning
from qnml.errors import DataError, InputError

SCORES = ("qnml", "bic", "aic", "hqc", "ebic")


def _table(columns, **options) -> qnml.Table:
    """Floats are binned, integers are categories."""
    how = {name: "bins" if np.asarray(column).dtype.kind == "f" else "category" for name, column in columns.items()}
    return qnml.read_table(pl.DataFrame(columns), columns=how, missing="category", **options)


def _learn(table, **options):
    return qnml.learn(table, **{"discretize": "joint", "n_jobs": 1, **options})


@pytest.fixture(scope="module")
def chain():
    """A class determines the mean of x, and x that of y; u is noise."""
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 2, 800)
    x = rng.normal(3.0 * kind, 1.0)
    y = np.where(x > 2.0, rng.uniform(1, 3, 800), rng.uniform(0, 2, 800))
    return {"kind": kind, "x": x, "y": y, "u": rng.random(800)}


@pytest.fixture(scope="module")
def learned(chain):
    return _learn(_table(chain))


def _tiny(seed: int, n: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    rng = np.random.default_rng(seed)
    label = rng.integers(0, 2, n)
    x = np.round(rng.normal(2.0 * label, 1.0) * 2) / 2
    y = np.round((x + rng.normal(0, 1, n)) * 1.0)
    x = np.clip(x, -1, 3)
    y = np.clip(y, -2, 4)
    if seed % 3 == 0:
        x[rng.random(n) < 0.1] = np.nan
    return {"x": x, "y": y}, {"label": label}


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(20, 60), st.sampled_from(SCORES), st.sampled_from(["cap", "off"]))
def test_no_other_bins_of_a_column_have_a_shorter_code(seed: int, n: int, score: str, guard: str) -> None:
    numbers, categories = _tiny(seed, n)
    result = _learn(_table(numbers | categories), score=score, guard=guard)
    assert result.binning.is_settled
    parents = {name: result.dag.parents(name) for name in result.dag.names}

    def length(cuts) -> float:
        return joint_code_length(numbers, categories, cuts, parents, score)

    found = length(result.binning.cuts)
    assert result.binning.code_length == pytest.approx(found, rel=1e-10, abs=1e-8)
    for name, values in numbers.items():
        for cuts in all_cuts(values):
            other = {**result.binning.cuts, name: cuts}
            if guard == "off" or _is_admitted(result, name, len(cuts) + 1, n):
                assert length(other) >= found - 1e-7


def _is_admitted(result, name: str, bins: int, n: int) -> bool:
    """Whether no family with the column has more cells than half the rows."""
    table = result.table
    arities = dict(zip(table.names, table.arities, strict=True))
    arities[name] = bins + (table.levels[name][-1] == "?")
    families = [(child, *result.dag.parents(child)) for child in table.names]
    return all(
        math.prod(arities[one] for one in family) <= n / 2 or len(family) == 1 for family in families if name in family
    )


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), st.integers(30, 300), st.sampled_from(SCORES), st.sampled_from(["exact", "ges", "order"]))
def test_the_code_never_becomes_longer(seed: int, n: int, score: str, method: str) -> None:
    rng = np.random.default_rng(seed)
    columns = {"a": rng.random(n), "b": rng.integers(0, 3, n)}
    columns["c"] = columns["a"] ** 2 + rng.normal(0, 0.1 + rng.random(), n)
    columns["d"] = np.where(columns["b"] == 1, rng.exponential(1, n), columns["c"])
    result = _learn(_table(columns), score=score, method=method, seed=1)
    lengths = [length for _, length in result.binning.trace]
    assert result.binning.trace[0][0] == result.binning.trace[-1][0] == "network"
    assert all(later <= earlier + 1e-9 * abs(earlier) for earlier, later in itertools.pairwise(lengths))
    assert result.binning.code_length == lengths[-1] == min(length for _, length in result.binning.starts)
    assert result.binning.code_length <= result.binning.separate


def test_the_parts_add_up_to_the_code_of_the_result(chain, learned) -> None:
    binning = learned.binning
    assert binning.code_length == pytest.approx(binning.network + binning.positions + binning.choices)
    assert binning.network == pytest.approx(-qnml.score(learned.table, learned.dag))
    assert learned.score == pytest.approx(-binning.network)
    numbers = {name: column for name, column in chain.items() if column.dtype.kind == "f"}
    parents = {name: learned.dag.parents(name) for name in learned.dag.names}
    assert binning.code_length == pytest.approx(
        joint_code_length(numbers, {"kind": chain["kind"]}, binning.cuts, parents), abs=1e-6
    )


def test_the_network_is_the_best_for_its_bins(learned) -> None:
    again = qnml.learn(learned.table, guard="cap")
    assert again.dag == learned.dag
    assert again.score == pytest.approx(learned.score)
    assert learned.certificate.optimal
    assert learned.certificate.score == learned.score


def test_bins_that_columns_need_for_each_other_are_found(learned) -> None:
    """Alone, y has other cuts than 1 and 2, the ends of its two ranges."""
    assert set(map(frozenset, learned.dag.arcs)) == {frozenset({"kind", "x"}), frozenset({"x", "y"})}
    assert learned.binning.cuts["u"] == ()
    assert any(abs(cut - 2.0) < 0.1 for cut in learned.binning.cuts["x"])
    np.testing.assert_allclose(learned.binning.cuts["y"], [1, 2], atol=0.05)


def test_columns_that_are_uniform_by_themselves_are_no_trap() -> None:
    rng = np.random.default_rng(1)
    a = rng.random(1000)
    b = (a + rng.uniform(0, 0.5, 1000)) % 1.0
    result = _learn(_table({"a": a, "b": b}))
    assert result.dag.n_arcs == 1
    assert dict(result.binning.starts)["frequency"] < dict(result.binning.starts)["nml"]
    assert result.binning.code_length < result.binning.separate - 100


def test_the_table_is_binned_as_it_says_and_new_rows_are_binned_alike(chain, learned) -> None:
    table = learned.table
    for name in ("x", "y", "u"):
        assert table.preparation.columns[name].cuts == learned.binning.cuts[name]
        assert "together" in table.preparation.columns[name].reason
        assert table.arities[name] == len(learned.binning.cuts[name]) + 1
        np.testing.assert_array_equal(table.numbers[name], chain[name])
    assert table.preparation.apply(pl.DataFrame(chain)) == table
    net = learned.fit()
    rows = pl.DataFrame({"kind": [0, 1], "x": [-10.0, 10.0], "y": [0.5, 2.5], "u": [0.5, 0.5]})
    assert net.predict(rows, "kind").tolist() == [0, 1]


@pytest.mark.parametrize("n_jobs", [2, 4])
def test_threads_do_not_matter(chain, learned, n_jobs: int) -> None:
    again = _learn(_table(chain), n_jobs=n_jobs)
    assert replace(again.binning, seconds=0.0) == replace(learned.binning, seconds=0.0)
    assert again.dag == learned.dag


def test_the_order_of_rows_and_columns_does_not_matter(chain, learned) -> None:
    order = np.random.default_rng(3).permutation(800)
    shuffled = {name: chain[name][order] for name in ("u", "y", "kind", "x")}
    again = _learn(_table(shuffled))
    assert dict(again.binning.cuts) == dict(learned.binning.cuts)
    assert set(again.dag.arcs) == set(learned.dag.arcs)
    assert again.binning.code_length == pytest.approx(learned.binning.code_length)


def test_weights_are_repeated_rows() -> None:
    numbers, categories = _tiny(3, 60)
    weights = np.random.default_rng(0).integers(0, 4, 60)
    columns = numbers | categories
    one = _learn(_table(columns, weights=weights))
    other = _learn(_table({name: np.repeat(column, weights) for name, column in columns.items()}))
    assert dict(one.binning.cuts) == dict(other.binning.cuts)
    assert one.dag == other.dag
    assert one.binning.code_length == pytest.approx(other.binning.code_length)


def test_missing_cells_have_a_bin_that_never_moves() -> None:
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 2, 400)
    x = rng.normal(4.0 * kind, 1.0)
    x[(kind == 1) & (rng.random(400) < 0.5)] = np.nan
    result = _learn(_table({"kind": kind, "x": x}))
    assert result.table.levels["x"][-1] == "?"
    np.testing.assert_array_equal(result.table.labels("x") == "?", np.isnan(x))
    assert result.dag.n_arcs == 1
    assert result.table.preparation.apply(pl.DataFrame({"kind": kind, "x": x}, nan_to_null=True)) == result.table


def test_cells_left_missing_are_estimated_once_the_bins_are_chosen() -> None:
    """Missing cells are a level while the bins are chosen; structural EM then learns with these bins."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=50)
    x[:5] = np.nan
    frame = pl.DataFrame({"x": x, "k": rng.integers(0, 2, 50)}, nan_to_null=True)
    table = qnml.read_table(frame, columns={"x": "bins"}, missing="em")
    by_level, estimated = _learn(table.with_missing_level()), _learn(table)
    assert by_level.table.levels["x"][-1] == "?"
    assert by_level.structural_em is None
    assert estimated.table.levels["x"] == by_level.table.levels["x"][:-1]
    assert (np.flatnonzero(estimated.table.missing[estimated.table.index("x")]) == np.arange(5)).all()
    assert estimated.structural_em is not None


def test_infinite_values_keep_their_bins() -> None:
    rng = np.random.default_rng(0)
    x = np.concatenate([[-np.inf] * 5, rng.normal(size=200), [np.inf] * 3])
    y = x + np.where(np.isfinite(x), rng.normal(size=208), 0.0)
    result = _learn(_table({"x": x, "y": rng.permutation(y)}))
    codes = result.table.codes("x")
    assert (codes[:5] == 0).all()
    assert set(codes[-3:]) == {result.table.arities["x"] - 1}
    assert not set(codes[5:-3]) & {0, result.table.arities["x"] - 1}


def test_a_source_is_read_with_its_numbers(tmp_path, chain) -> None:
    path = tmp_path / "chain.csv"
    frame = pl.DataFrame(chain)
    frame.write_csv(path)
    result = _learn(str(path))
    assert sorted(result.binning.cuts) == ["u", "x", "y"]
    assert dict(_learn(frame).binning.cuts) == dict(result.binning.cuts)


def test_bins_that_were_asked_for_stay_and_rules_give_way(chain) -> None:
    how = {"x": [0.0, 1.0], "y": "bins", "u": "width:7"}
    result = _learn(qnml.read_table(pl.DataFrame(chain), columns=how))
    assert sorted(result.binning.cuts) == ["y"]
    assert result.table.preparation.columns["x"].cuts == (0.0, 1.0)
    assert len(result.table.preparation.columns["u"].cuts) == 6
    every = _learn(qnml.read_table(pl.DataFrame(chain), discretize="width", bins=7))
    assert {"u", "x", "y"} <= set(every.binning.cuts)


def test_categories_alone_have_nothing_to_bin() -> None:
    rows = {"a": [0, 1] * 20, "b": [0, 1] * 20}
    result = _learn(qnml.read_table(rows, prepare="auto"))
    assert result.binning.cuts == {}
    assert result.binning.code_length == pytest.approx(-result.score)
    assert result.dag == qnml.learn(rows, guard="cap").dag
    assert "no numbers" in result.sentence()


def test_knowledge_and_limits_are_obeyed(chain) -> None:
    knowledge = qnml.Knowledge(required=[("u", "y")], forbidden=[("kind", "x"), ("x", "kind")])
    result = _learn(_table(chain), knowledge=knowledge, max_parents=1)
    assert ("u", "y") in result.dag.arcs
    assert not {("kind", "x"), ("x", "kind")} & set(result.dag.arcs)
    assert max(len(result.dag.parents(name)) for name in result.dag.names) == 1
    assert result.binning.is_settled


@pytest.mark.parametrize("guard", ["warn", "cap"])
def test_no_family_has_more_cells_than_half_the_rows(guard: str) -> None:
    rng = np.random.default_rng(2)
    columns = {f"v{i}": rng.random(60) for i in range(5)} | {"k": rng.integers(0, 2, 60)}
    result = _learn(_table(columns), guard=guard)
    arities = result.table.arities
    for child in result.dag.names:
        family = (child, *result.dag.parents(child))
        assert len(family) == 1 or math.prod(arities[one] for one in family) <= 30


def test_a_search_that_finds_less_does_not_make_the_code_longer(chain, monkeypatch) -> None:
    """A heuristic search may miss the current network."""
    table = _table(chain)

    def solve(problem, seconds):
        solve.calls += 1
        if solve.calls == 1:
            return qnml.learn(problem.table, guard="cap")
        nothing = qnml.Knowledge(forbidden=[(a, b) for a in chain for b in chain if a != b])
        return qnml.learn(problem.table, knowledge=nothing, method="order", seed=0)

    solve.calls = 0
    prepare = lambda table: joint_learning_problem(table)  # noqa: E731
    result, _ = joint_learning.learn_jointly("learn", table, prepare, solve, None, None)
    assert solve.calls > 2
    lengths = [length for _, length in result.binning.trace]
    assert lengths == sorted(lengths, reverse=True)
    assert result.dag.n_arcs == 2
    assert not result.certificate.optimal
    assert result.score == pytest.approx(qnml.score(result.table, result.dag))


def joint_learning_problem(table):
    from qnml._api.problem import prepare

    return prepare("learn", table, "qnml", None, None, "cap", None, 1, {})


def test_a_time_limit_of_nothing_returns_bins_and_a_network(chain) -> None:
    result = _learn(_table(chain), time_limit=0)
    assert not result.binning.is_settled
    assert "Stopped early" in result.sentence()
    assert result.binning.code_length == pytest.approx(result.binning.separate)
    assert result.table.arities["x"] == len(result.binning.cuts["x"]) + 1


def test_ctrl_c_returns_the_best_so_far() -> None:
    rng = np.random.default_rng(0)
    base = rng.normal(size=(20_000, 1))
    columns = dict(zip("abcdefghijklmnopqrst", (base + rng.normal(size=(20_000, 20))).T, strict=True))
    table = _table(columns)
    timer = threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    result = _learn(table, n_jobs=None, method="order", effort="quick", seed=0)
    timer.join()
    assert not result.binning.is_settled
    assert result.binning.code_length <= result.binning.separate + 1e-6
    assert result.score == pytest.approx(qnml.score(result.table, result.dag))


def test_unusable_data_and_arguments_are_refused(chain) -> None:
    with pytest.raises(DataError, match=r"discretize='joint'.*prepare='auto'"):
        _learn(qnml.Table.from_codes([[0, 1], [1, 0]]))
    with pytest.raises(InputError, match="discretize='width'"):
        qnml.learn(_table(chain), discretize="width")
    for score, reason in (("fnml", "not a fit minus a price"), ("bdeu", "not a fit"), ("loglik", "charges nothing")):
        with pytest.raises(InputError, match=f"score='{score}'.*one of qnml, bic, aic, hqc, ebic .*{reason}"):
            _learn(_table(chain), score=score)


def test_people_read_what_is_known(learned) -> None:
    sentence = learned.sentence()
    assert sentence.startswith("Bins of 3 columns learned together with the network")
    assert "local optimum" in sentence
    assert "For these bins: Proven optimal" in sentence
    assert f"{learned.binning.separate - learned.binning.code_length:.2f} nats shorter" in sentence
