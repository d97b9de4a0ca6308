"""Sparse tables: their content, refused arguments, and that they agree with dense ones."""

import itertools
import pickle

import numpy as np
import pytest
from reference.lookups import all_rows, plain_conditional, random_network

from qnml.errors import InputError, TooLargeError, UnknownNameError
from qnml.graph import Dag
from qnml.model import DenseTable, Network, SparseTable, fit
from qnml.model.tables import same_rows


def densified(net: Network) -> Network:
    return Network(net.dag, net.levels, {name: net.table(name) for name in net.names})


def test_configurations_are_sorted_with_their_rows_and_counts() -> None:
    table = SparseTable(
        [[1, 0], [0, 2], [0, 1]], [[0.1, 0.9], [0.2, 0.8], [0.3, 0.7]], [0.5, 0.5], [[1, 2], [3, 4], [5, 6]]
    )
    assert table.configs.tolist() == [[0, 1], [0, 2], [1, 0]]
    assert table.rows.tolist() == [[0.3, 0.7], [0.2, 0.8], [0.1, 0.9]]
    assert table.counts is not None
    assert table.counts.tolist() == [[5, 6], [3, 4], [1, 2]]
    assert repr(table) == "SparseTable(3 configurations of 2 parents, 2 levels, 21 rows counted)"


def test_nothing_can_be_changed_from_outside() -> None:
    given = np.array([[0.1, 0.9]])
    table = SparseTable([[1]], given, [0.5, 0.5])
    given[0, 0] = 0.7
    assert table.rows[0, 0] == 0.1
    for array in (table.configs, table.rows, table.unseen):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
    with pytest.raises(AttributeError):
        table.rows = given  # type: ignore[misc]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0], [0]], [[1.0], [1.0]], [1.0]), "listed twice"),
        (([[], []], [[1.0], [1.0]], [1.0]), "without parents there is one"),
        (([[0]], [[0.5, 0.5]], [1.0]), r"shapes \(1, 1\) of configs, \(1, 2\) of rows and \(1,\) of unseen"),
        (([0], [[1.0]], [1.0]), "do not fit together"),
        (([[0.5]], [[1.0]], [1.0]), "configs.*whole numbers"),
        (([[-1]], [[1.0]], [1.0]), "between 0 and 65535"),
        (([[0]], [[1.0]], [1.0], [[-1]]), "counts.*at least 0"),
        (([[0]], [[1.0]], [1.0], [[1, 2]]), "counts"),
    ],
)
def test_bad_sparse_tables_are_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        SparseTable(*arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (SparseTable([[0, 0]], [[0.5, 0.5]], [0.5, 0.5]), "2 parents and distributions 2 levels, must have 1 and 2"),
        (SparseTable([[0]], [[0.5, 0.25, 0.25]], [0.5, 0.25, 0.25]), "1 parents and distributions 3 levels"),
        (SparseTable([[3]], [[0.5, 0.5]], [0.5, 0.5]), "code beyond the levels"),
        (SparseTable([[1]], [[0.5, 0.4]], [0.5, 0.5]), r"given \{'a': 'y'\} sum to 0\.9"),
        (SparseTable([[1]], [[0.5, 0.5]], [0.5, 0.4]), "unseen configurations must sum to one"),
        (SparseTable([[1]], [[1.5, -0.5]], [0.5, 0.5]), "negative"),
    ],
)
def test_sparse_tables_that_do_not_fit_the_network_are_refused(table: SparseTable, message: str) -> None:
    levels = {"a": ["x", "y", "z"], "b": ["no", "yes"]}
    with pytest.raises(InputError, match=message):
        Network(Dag.from_arcs(["a", "b"], [("a", "b")]), levels, {"a": [0.2, 0.3, 0.5], "b": table})


def test_a_table_may_list_nothing() -> None:
    net = Network(
        Dag.from_arcs(["a", "b"], [("a", "b")]),
        {"a": ["x", "y"], "b": ["no", "yes"]},
        {"a": SparseTable([], [], [0.25, 0.75]), "b": SparseTable([], [], [0.5, 0.5])},
    )
    assert net.table("a").tolist() == [0.25, 0.75]
    assert net.table("b").tolist() == [[0.5, 0.5], [0.5, 0.5]]


@pytest.mark.parametrize("seed", range(12))
def test_dense_arrays_hold_what_the_plain_search_finds(seed: int) -> None:
    net = random_network(seed, 6)
    for name in net.names:
        family = (*net.dag.parents(name), name)
        array = net.table(name)
        for row in itertools.islice(all_rows(net), 200):
            codes = dict(zip(net.names, row, strict=True))
            assert array[tuple(codes[member] for member in family)] == plain_conditional(net, name, row)


@pytest.mark.parametrize("seed", range(12))
def test_factors_are_slices_of_the_dense_array(seed: int) -> None:
    net = random_network(seed, 7)
    generator = np.random.default_rng(seed)
    for name in net.names:
        family = (*net.dag.parents(name), name)
        for _ in range(5):
            fixed = {
                member: int(generator.integers(len(net.levels[member])))
                for member in net.names
                if generator.random() < 0.4
            }
            names, values = net.factor(name, fixed)
            assert names == tuple(member for member in family if member not in fixed)
            expected = net.table(name)[tuple(fixed.get(member, slice(None)) for member in family)]
            np.testing.assert_array_equal(values, expected)
            assert np.shape(values) == np.shape(expected)


def test_factors_refuse_codes_that_are_no_levels() -> None:
    net = random_network(1, 3)
    with pytest.raises(InputError, match=r"fixed\['V0'\]=9.*a whole number from 0"):
        net.factor("V0", {"V0": 9})
    with pytest.raises(UnknownNameError, match="V9"):
        net.factor("V9", {})


@pytest.mark.parametrize("seed", range(8))
def test_equality_is_about_probabilities_not_about_how_they_are_kept(seed: int) -> None:
    net = random_network(seed, 5)
    again = densified(net)
    assert all(isinstance(again.conditional(name), DenseTable) for name in net.names)
    assert net == again
    assert again == net
    assert pickle.loads(pickle.dumps(net)) == net
    name = max(net.names, key=lambda one: (len(net.levels[one]) > 1, net.table(one).size))
    if len(net.levels[name]) == 1:
        return
    changed = np.array(net.table(name))
    changed.flat[0], changed.flat[1] = changed.flat[0] + 1e-7, changed.flat[1] - 1e-7
    other = Network(net.dag, net.levels, {**{one: net.conditional(one) for one in net.names}, name: changed})
    assert net != other
    assert net.allclose(other, 1e-6)


def test_listing_a_configuration_that_is_as_the_others_changes_nothing() -> None:
    short = SparseTable([[1]], [[0.1, 0.9]], [0.5, 0.5])
    longer = SparseTable([[0], [1]], [[0.5, 0.5], [0.1, 0.9]], [0.5, 0.5])
    assert same_rows(short, longer, [3])
    assert not same_rows(short, SparseTable([[0], [1]], [[0.5, 0.5], [0.2, 0.8]], [0.5, 0.5]), [3])
    # The distribution of unlisted configurations matters only if there are any.
    full = SparseTable([[0], [1]], [[0.5, 0.5], [0.1, 0.9]], [0.3, 0.7])
    assert same_rows(longer, full, [2])
    assert not same_rows(longer, full, [3])


def test_forty_parents_cost_what_their_data_cost() -> None:
    names = [f"V{i}" for i in range(41)]
    generator = np.random.default_rng(3)
    rows = generator.integers(0, 10, (200, 41))
    dag = Dag.from_arcs(names, [(name, "V40") for name in names[:40]])
    net = fit({name: rows[:, i] for i, name in enumerate(names)}, dag)
    table = net.conditional("V40")
    assert isinstance(table, SparseTable)
    assert table.configs.tolist() == sorted(rows[:, :40].tolist())
    assert net.n_parameters == 40 * 9 + 9 * 10**40
    assert repr(net) == f"Network(41 variables, 40 arcs, {net.n_parameters} parameters)"
    with pytest.raises(TooLargeError, match=r"name='V40'.*10\^41\.0 entries.*conditional"):
        net.table("V40")
    with pytest.raises(TooLargeError, match=r"factor\(name='V40'\)"):
        net.factor("V40", {"V0": 1})
    fixed = {name: int(code) for name, code in zip(names[:39], rows[7], strict=False)}
    left, values = net.factor("V40", fixed)
    assert left == ("V39", "V40")
    assert values.shape == (10, 10)
    # The row seen once: weights 4 for its value and 1 for the nine others; never seen ones are uniform.
    expected = np.full((10, 10), 0.1)
    expected[rows[7, 39]] = 1 / 13
    expected[rows[7, 39], rows[7, 40]] = 4 / 13
    np.testing.assert_allclose(values, expected, rtol=1e-14)
    assert pickle.loads(pickle.dumps(net)) == net
    drawn = net.sample(100, seed=1)
    assert set(drawn.arities) == {10}


def test_sparse_and_dense_tables_draw_the_same_rows() -> None:
    for seed in range(5):
        net = random_network(seed, 8, most_levels=12)
        assert net.sample(5000, seed=seed) == densified(net).sample(5000, seed=seed)
