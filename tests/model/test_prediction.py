"""Log-probabilities and predictions, compared with sums over every row; messages about unknown labels."""

import itertools
import math
from typing import Any

import numpy as np
import polars as pl
import pytest
from reference.lookups import UNKNOWN, all_rows, plain_posterior, plain_probability, random_network

from qnml.data import Table, read_table
from qnml.errors import DataError, InputError, UnknownNameError
from qnml.graph import Dag
from qnml.model import Network, SparseTable, fit

ALL_RULES = ["snml", "bpp", "ml", "laplace", "jeffreys"]


def labelled(net: Network, rows: Any) -> dict[str, list[Any]]:
    """Rows of codes as labels; None stays missing, an unknown code becomes an unknown label."""

    def label(name: str, code: int | None) -> Any:
        return None if code is None else "strange" if code == UNKNOWN else net.levels[name][code]

    columns = zip(net.names, zip(*rows, strict=True), strict=True)
    return {name: [label(name, code) for code in column] for name, column in columns}


def logs(values: list[float]) -> list[float]:
    return [math.log(value) if value else -math.inf for value in values]


@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_log_prob_of_every_row(seed: int, zeros: bool) -> None:
    net = random_network(seed, 6, zeros=zeros)
    rows = list(all_rows(net))
    found = net.log_prob(labelled(net, rows))
    assert found.tolist() == pytest.approx(logs([plain_probability(net, row) for row in rows]), rel=1e-13)
    assert math.fsum(math.exp(value) for value in found) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("rule", ALL_RULES)
def test_a_fitted_network_spreads_one_over_all_rows(rule: str) -> None:
    # One level, seen and unseen levels, unseen configurations.
    codes = np.random.default_rng(5).integers(0, 2, (12, 4))
    table = Table.from_codes(codes * [1, 0, 1, 1], names=list("abcd"), levels=[2, 1, 3, 4])
    dag = Dag.from_arcs(list("abcd"), [("a", "c"), ("b", "c"), ("c", "d"), ("a", "d")])
    net = fit(table, dag, rule)
    rows = Table.from_codes(np.array(list(all_rows(net))), names=list("abcd"), levels=[2, 1, 3, 4])
    assert math.fsum(np.exp(net.log_prob(rows))) == pytest.approx(1.0, abs=1e-12)
    for name in "abcd":
        kept = net.conditional(name)
        assert np.abs(np.vstack([kept.rows, kept.unseen]).sum(axis=1) - 1).max() < 1e-12


def test_log_prob_by_hand() -> None:
    # sNML weights: 1, 4, 27/4 for counts 0, 1, 2.
    table = read_table({"a": ["x", "x", "x", "y"], "b": [1, 1, 2, 1]})
    net = fit(table, Dag.from_arcs(["a", "b"], [("a", "b")]))
    values = net.log_prob({"a": ["x", "y"], "b": [1, 2]})
    a_is_x = (256 / 27) / (256 / 27 + 4)
    assert values.tolist() == pytest.approx([math.log(a_is_x * 27 / 43), math.log((1 - a_is_x) * 1 / 5)], rel=1e-14)


def test_score_is_the_sum_with_weights() -> None:
    net = random_network(3, 4)
    rows = list(all_rows(net))[:7]
    table = read_table(labelled(net, rows))
    weights = [3, 1, 2, 1, 1, 5, 1]
    expected = math.fsum(w * v for w, v in zip(weights, net.log_prob(table).tolist(), strict=True))
    assert net.score(table.with_weights(weights)) == pytest.approx(expected, rel=1e-14)
    assert net.score(table) == pytest.approx(math.fsum(net.log_prob(table)), rel=1e-14)
    assert net.log_prob(table.with_weights(weights)).tolist() == net.log_prob(table).tolist()


@pytest.mark.parametrize("seed", range(10))
def test_unknown_labels_follow_the_stated_rule(seed: int) -> None:
    net = random_network(seed, 6)
    generator = np.random.default_rng(seed)
    rows = [
        [UNKNOWN if generator.random() < 0.3 else code for code in row] for row in itertools.islice(all_rows(net), 60)
    ]
    data = labelled(net, rows)
    expected = logs([plain_probability(net, row) for row in rows])
    assert net.log_prob(data).tolist() == pytest.approx(expected, rel=1e-13)
    with pytest.raises(
        DataError, match=r"log_prob: column 'V\d' holds labels that the network does not know: 'strange'"
    ):
        net.log_prob(data, unknown="raise")
    for target in net.names:
        place = net.names.index(target)
        # The target's own cell is ignored, unknown or not.
        found = net.predict_proba(data, target)
        for row, shares in zip(rows, found, strict=True):
            every = [[*row[:place], code, *row[place + 1 :]] for code in range(len(net.levels[target]))]
            weights = [plain_probability(net, one) for one in every]
            assert shares.tolist() == pytest.approx([weight / sum(weights) for weight in weights], rel=1e-12)


def test_unknown_labels_by_hand() -> None:
    net = fit({"a": ["x", "x", "y"], "b": [1, 1, 2]}, Dag.from_arcs(["a", "b"], [("a", "b")]), "laplace")
    # The unknown cell itself has 1/2; under it, b is as for a configuration never seen: 1/2.
    assert net.log_prob({"a": ["z"], "b": [1]}).tolist() == pytest.approx([math.log(1 / 4)])
    assert net.log_prob({"a": ["x"], "b": [3]}).tolist() == pytest.approx([math.log(3 / 5 * 1 / 2)])
    assert net.predict_proba({"a": ["z"]}, "b").tolist() == [[0.5, 0.5]]
    # An unknown child carries no information.
    assert net.predict_proba({"b": [3]}, "a").tolist() == [pytest.approx([3 / 5, 2 / 5])]


@pytest.mark.parametrize("zeros", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_predictions_from_full_rows_are_those_of_the_joint(seed: int, zeros: bool) -> None:
    net = random_network(seed, 8, most_levels=3, zeros=zeros)
    generator = np.random.default_rng(seed)
    rows = generator.integers(0, [len(net.levels[name]) for name in net.names], (40, 8)).tolist()
    data = labelled(net, rows)
    for target in net.names:
        found = net.predict_proba(data, target, impossible="nan")
        for row, shares in zip(rows, found, strict=True):
            expected = plain_posterior(net, target, row)
            # Evidence away from the blanket can be impossible without bearing on the target.
            if not math.isnan(expected[0]):
                assert shares.tolist() == pytest.approx(expected, rel=1e-12, abs=1e-15)
                assert sum(shares) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_predictions_from_rows_with_holes_are_those_of_the_joint(seed: int) -> None:
    net = random_network(seed, 7)
    generator = np.random.default_rng(seed)
    rows = [
        [None if generator.random() < 0.4 else int(generator.integers(len(net.levels[name]))) for name in net.names]
        for _ in range(25)
    ]
    data = labelled(net, rows)
    for target in net.names[:4]:
        expected = [plain_posterior(net, target, row) for row in rows]
        np.testing.assert_allclose(net.predict_proba(data, target), expected, rtol=1e-10, atol=1e-14)
        labels = [net.levels[target][int(np.argmax(shares))] for shares in expected]
        assert net.predict(data, target).tolist() == labels


@pytest.mark.parametrize("seed", range(4))
def test_holes_and_unknown_labels_together(seed: int) -> None:
    net = random_network(seed, 6)
    generator = np.random.default_rng(seed)
    rows = [
        [
            None if chance < 0.3 else UNKNOWN if chance < 0.45 else int(generator.integers(len(net.levels[name])))
            for name, chance in zip(net.names, generator.random(6), strict=True)
        ]
        for _ in range(25)
    ]
    data = labelled(net, rows)
    for target in net.names:
        expected = [plain_posterior(net, target, row) for row in rows]
        np.testing.assert_allclose(net.predict_proba(data, target), expected, rtol=1e-10, atol=1e-14)


def test_absent_columns_are_missing_cells() -> None:
    net = random_network(4, 5)
    data = labelled(net, list(all_rows(net))[:10])
    assert len(data["V0"]) == 10
    target = max(net.names, key=lambda name: len(net.dag.markov_blanket(name)))
    gone = net.dag.markov_blanket(target)[0]
    holed = {**data, gone: [None] * 10}
    del data[gone]
    np.testing.assert_array_equal(net.predict_proba(data, target), net.predict_proba(holed, target))
    # With nothing but the target itself, the marginal.
    alone = net.predict_proba({target: data[target]}, target)
    marginal = plain_posterior(net, target, [None] * 5)
    np.testing.assert_allclose(alone, [marginal] * 10, rtol=1e-10)


def impossible_net() -> Network:
    return Network(
        Dag.from_arcs(["a", "b"], [("a", "b")]),
        {"a": ["x", "y"], "b": ["u", "v", "w"]},
        {"a": [0.5, 0.5], "b": [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]},
    )


def test_rows_that_contradict_the_network() -> None:
    net = impossible_net()
    data = {"b": ["u", "w", "v"]}
    with pytest.raises(InputError, match=r"predict_proba\(data\): row 1 \(from 0\).*probability zero"):
        net.predict_proba(data, "a")
    with pytest.raises(InputError, match=r"Network.predict\(data\): row 1"):
        net.predict(data, "a")
    found = net.predict_proba(data, "a", impossible="nan")
    assert found[[0, 2]].tolist() == [pytest.approx([2 / 3, 1 / 3]), [0.0, 1.0]]
    assert np.isnan(found[1]).all()
    assert net.log_prob({"a": ["x"], "b": ["w"]}).tolist() == [-math.inf]
    with pytest.raises(InputError, match=r"impossible='zero'"):
        net.predict_proba(data, "a", impossible="zero")  # type: ignore[arg-type]


@pytest.mark.usefixtures("many_cores")
@pytest.mark.parametrize("n_jobs", [1, 2, 5])
def test_threads_do_not_matter(n_jobs: int) -> None:
    net = random_network(4, 8, most_levels=5)
    table = net.sample(5000, seed=1)
    target = max(net.names, key=lambda name: len(net.dag.children(name)))
    assert net.log_prob(table, n_jobs=n_jobs).tobytes() == net.log_prob(table, n_jobs=3).tobytes()
    assert net.predict_proba(table, target, n_jobs=n_jobs).tobytes() == net.predict_proba(table, target).tobytes()


def test_long_rows_and_wide_levels() -> None:
    # 70 parents of 3 levels need two words; the child has more levels than a byte holds.
    names = [f"V{i}" for i in range(71)]
    generator = np.random.default_rng(6)
    codes = np.column_stack([generator.integers(0, 3, (300, 70)), generator.integers(0, 40000, 300)])
    table = Table.from_codes(codes, names=names, levels=[3] * 70 + [40000])
    net = fit(table, Dag.from_arcs(names, [(name, "V70") for name in names[:70]]), "laplace")
    seen, other = table.take(slice(0, 5)), np.array(codes[:5])
    other[:, 3] = (other[:, 3] + 1) % 3
    unseen = Table.from_codes(other, names=names, levels=[3] * 70 + [40000])
    assert isinstance(net.conditional("V70"), SparseTable)
    roots = [math.fsum(math.log(net.table(name)[row[i]]) for i, name in enumerate(names[:70])) for row in codes[:5]]
    expected = [root + math.log(2 / 40001) for root in roots]
    assert net.log_prob(seen).tolist() == pytest.approx(expected, rel=1e-13)
    changed = [
        math.log(net.table("V3")[b]) - math.log(net.table("V3")[a])
        for a, b in zip(codes[:5, 3], other[:, 3], strict=True)
    ]
    expected = [root + change + math.log(1 / 40000) for root, change in zip(roots, changed, strict=True)]
    assert net.log_prob(unseen).tolist() == pytest.approx(expected, rel=1e-13)
    # One parent of it, given all else: the row was seen with one of its three levels.
    for row, shares in zip(codes[:5], net.predict_proba(seen, "V3"), strict=True):
        weights = net.table("V3") * [2 / 40001 if level == row[3] else 1 / 40000 for level in range(3)]
        assert shares.tolist() == pytest.approx((weights / weights.sum()).tolist(), rel=1e-12)


def test_no_rows() -> None:
    net = impossible_net()
    empty = pl.DataFrame({"a": ["x"], "b": ["u"]}).head(0)
    assert net.log_prob(empty).shape == (0,)
    assert net.score(empty) == 0.0
    assert net.predict_proba(empty, "b").shape == (0, 3)
    assert net.predict_proba(empty.drop("a"), "a").shape == (0, 2)
    assert net.predict(empty, "b").shape == (0,)


def test_variables_of_one_level() -> None:
    net = fit({"a": ["x", "x"], "b": [1, 2]}, Dag.from_arcs(["a", "b"], [("a", "b")]))
    assert net.predict_proba({"b": [1, 5, None]}, "a").tolist() == [[1.0]] * 3
    assert net.log_prob({"a": ["x", "new"], "b": [1, 1]}).tolist() == pytest.approx([math.log(0.5)] * 2)


def test_labels_come_back_as_they_are() -> None:
    net = fit({"a": [True, False, True], "b": [1, 2, 1]}, Dag.from_arcs(["a", "b"], [("a", "b")]))
    assert net.predict({"a": [True, False]}, "b").tolist() == [1, 2]
    assert net.predict({"b": [1, 2]}, "a").tolist() == [True, False]
    # Of equally probable labels the first.
    assert net.predict({"a": ["never seen"]}, "b").tolist() == [1]


def test_what_cannot_be_looked_up_is_refused() -> None:
    net = impossible_net()
    with pytest.raises(DataError, match=r"log_prob\(data\): there is no column for 'b'"):
        net.log_prob({"a": ["x"]})
    with pytest.raises(DataError, match=r"score\(data\): cells are missing, in 'a' \(1\), 'b' \(2\)"):
        net.score({"a": [None, "x"], "b": [None, None]})
    with pytest.raises(UnknownNameError, match=r"predict_proba\(target='A'\).*Known: a, b"):
        net.predict_proba({"a": ["x"]}, "A")
    with pytest.raises(UnknownNameError, match=r"predict\(target=3\)"):
        net.predict({"a": ["x"]}, 3)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="no column of the data"):
        net.predict({"q": ["x"]}, "a")
    with pytest.raises(InputError, match="n_jobs=0"):
        net.log_prob({"a": ["x"], "b": ["u"]}, n_jobs=0)


def test_a_target_nobody_knows_is_not_looked_at() -> None:
    net = impossible_net()
    shares = net.predict_proba({"a": ["x", "y"], "b": ["?", None]}, "b", unknown="raise")
    assert shares.tolist() == [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]
