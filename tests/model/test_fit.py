"""Parameters from counts: values by hand, a plain reference version, and refused arguments."""

import math
import pickle
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reference.tables import plain_tables

from qnml.data import Table, read_table
from qnml.errors import DataError, InputError, TooLargeError, UnknownNameError
from qnml.graph import Dag
from qnml.model.fit import fit
from qnml.model.network import Network
from qnml.model.parameters import RULES

ALL_RULES = ["snml", "bpp", "ml", "laplace", "jeffreys"]


def column(*counts):
    """One variable with the given counts of its levels."""
    codes = [level for level, count in enumerate(counts) for _ in range(count)]
    return Table.from_codes([codes], names=["A"], levels=[len(counts)])


# By hand: for sNML the weights e(N)(N + 1) are 1, 4, 27/4 and 256/27 for N = 0, 1, 2, 3.
@pytest.mark.parametrize(
    ("rule", "counts", "expected"),
    [
        ("snml", (1, 0), [Fraction(4, 5), Fraction(1, 5)]),
        ("snml", (2, 1), [Fraction(27, 43), Fraction(16, 43)]),
        ("snml", (3, 0, 1), [Fraction(256, 391), Fraction(27, 391), Fraction(108, 391)]),
        ("bpp", (1, 0), [Fraction(3, 4), Fraction(1, 4)]),
        ("ml", (3, 0, 1), [Fraction(3, 4), 0, Fraction(1, 4)]),
        ("laplace", (3, 0, 1), [Fraction(4, 7), Fraction(1, 7), Fraction(2, 7)]),
        ("jeffreys", (3, 0, 1), [Fraction(7, 11), Fraction(1, 11), Fraction(3, 11)]),
    ],
)
def test_one_variable_by_hand(rule, counts, expected):
    net = fit(column(*counts), Dag.empty(["A"]), rule)
    assert net.table("A").tolist() == pytest.approx([float(share) for share in expected], rel=1e-14)


def test_snml_is_the_default():
    assert fit(column(2, 1), Dag.empty(["A"])) == fit(column(2, 1), Dag.empty(["A"]), "snml")


def test_the_bayesian_predictive_by_hand():
    # B has 3 levels and A 2: six cells, so each gets ess / 6. The third level of B is never seen.
    table = Table.from_codes([[0, 0, 0, 1], [0, 0, 1, 1]], names=["A", "B"], levels=[2, 3])
    dag = Dag.from_arcs(["A", "B"], [("A", "B")])
    expected = [[2 + 1, 1 + 1, 1], [1, 1 + 1, 1]]
    shares = [[cell / sum(row) for cell in row] for row in expected]
    assert fit(table, dag, "bpp", ess=6).table("B").tolist() == [pytest.approx(row) for row in shares]
    sixth = 1 / 6
    assert fit(table, dag, "bpp").table("B")[1].tolist() == pytest.approx([sixth / 1.5, (1 + sixth) / 1.5, sixth / 1.5])


def weight(rule, seen, value, cells):
    """Reference version: the weight of one value, from the list of values observed with its configuration."""
    if rule == "snml":
        # The definition: the maximised likelihood of the observed values and this one.
        extended = Counter([*seen, value])
        total = len(seen) + 1
        return math.prod(Fraction(count, total) ** count for count in extended.values())
    added = {"bpp": Fraction(1, cells), "ml": 0, "laplace": 1, "jeffreys": Fraction(1, 2)}[rule]
    return added + seen.count(value) if seen or rule != "ml" else Fraction(1)


@given(plain=plain_tables(max_columns=4, max_arity=4, max_rows=12), data=st.data())
@pytest.mark.parametrize("rule", ALL_RULES)
def test_the_plain_twin_agrees(rule, plain, data):
    names = [f"V{i}" for i in range(len(plain.columns))]
    order = data.draw(st.permutations(names))
    pairs = [(a, b) for i, b in enumerate(order) for a in order[:i]]
    arcs = [pair for pair in pairs if data.draw(st.booleans())]
    dag = Dag.from_arcs(data.draw(st.permutations(names)), arcs)
    table = Table.from_codes(plain.columns, names=names, levels=plain.arities, weights=plain.weights)
    net = fit(table, dag, rule)
    assert net.names == dag.names
    for name in names:
        family = [names.index(member) for member in (*dag.parents(name), name)]
        shape = tuple(plain.arities[i] for i in family)
        result = net.table(name)
        assert result.shape == shape
        assert np.abs(result.sum(axis=-1) - 1).max() < 1e-12
        for cell in np.ndindex(shape[:-1]):
            seen = [row[family[-1]] for row in plain.rows if tuple(row[i] for i in family[:-1]) == cell]
            weights = [weight(rule, seen, value, math.prod(shape)) for value in range(shape[-1])]
            expected = [float(one / sum(weights)) for one in weights]
            assert result[cell].tolist() == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.parametrize("rule", ALL_RULES)
def test_configurations_never_seen_are_uniform(rule):
    table = Table.from_codes([[0, 0], [1, 1]], names=["A", "B"], levels=[2, 4])
    net = fit(table, Dag.from_arcs(["A", "B"], [("A", "B")]), rule)
    assert net.table("B")[1].tolist() == [0.25] * 4
    assert net.table("B")[0, 1] > 0.25


def test_a_vanishing_sample_size_leaves_no_gap():
    table = Table.from_codes([[0, 0], [1, 1]], names=["A", "B"], levels=[2, 4])
    net = fit(table, Dag.from_arcs(["A", "B"], [("A", "B")]), "bpp", ess=5e-324)
    assert net.table("B").tolist() == [[0, 1, 0, 0], [0.25] * 4]


def test_counts_of_any_size_keep_their_digits():
    # For large N the weights tend to e·(N + 1/2): compared with the exact integers.
    large = 10**9
    table = Table.from_codes([[0, 1]], names=["A"], levels=[2], weights=[large, 3])
    ratio = float(fit(table, Dag.empty(["A"])).table("A")[1]) / float(fit(table, Dag.empty(["A"])).table("A")[0])
    expected = (256 / 27) / (math.e * (large + 0.5))
    assert ratio == pytest.approx(expected, rel=1e-12)


def test_levels_are_those_of_the_table():
    table = read_table({"a": ["x", "y"], "b": [True, True], "c": [3, 5]})
    net = fit(table, Dag.from_arcs(["c", "a"], [("c", "a")]))
    assert net.names == ("c", "a")
    assert net.levels == {"c": (3, 5), "a": ("x", "y")}
    assert net.table("a").shape == (2, 2)
    assert fit({"a": ["x", "y"]}, Dag.empty(["a"])).levels["a"] == ("x", "y")


def test_a_network_declares_its_levels():
    dag = Dag.empty(["a"])
    declared = Network(dag, {"a": ["z", "y", "x"]}, {"a": [1.0, 0.0, 0.0]})
    net = fit({"a": ["x", "y", "x"]}, declared, "laplace")
    assert net.levels["a"] == ("z", "y", "x")
    assert net.table("a").tolist() == pytest.approx([1 / 6, 2 / 6, 3 / 6])


def test_a_fitted_network_can_be_drawn_from():
    table = Table.from_codes([[0, 1, 1, 0], [2, 0, 0, 2]], names=["A", "B"], levels=[2, 3])
    drawn = fit(table, Dag.from_arcs(["A", "B"], [("A", "B")]), "ml").sample(50, seed=1)
    assert set(zip(drawn.codes("A").tolist(), drawn.codes("B").tolist(), strict=True)) == {(0, 2), (1, 0)}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"parameters": "snlm"}, r"fit\(parameters='snlm'\).*Did you mean 'snml'"),
        ({"parameters": None}, r"parameters=None.*Known: snml, bpp"),
        ({"parameters": "snml", "ess": 2}, r"fit\(ess=2\): the rule 'snml' takes no option; 'bpp' takes ess\."),
        ({"parameters": "bpp", "alpha": 2}, r"fit\(alpha=2\): the rule 'bpp' takes ess\."),
        ({"parameter": "bpp"}, r"fit\(parameter='bpp'\): .*Did you mean 'parameters'"),
        ({"parameters": "bpp", "Ess": 2}, r"fit\(Ess=2\): the rule 'bpp' takes ess\. Did you mean 'ess'"),
        ({"parameters": "bpp", "ess": 0}, r"ess=0.*positive"),
        ({"parameters": "bpp", "ess": math.inf}, r"ess=inf.*positive"),
        ({"parameters": "bpp", "ess": "much"}, r"ess='much'.*positive"),
        ({"parameters": "bpp", "ess": True}, r"ess=True.*positive"),
    ],
)
def test_bad_rules_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        fit(column(1, 1), Dag.empty(["A"]), **arguments)


def test_bad_structures_are_refused():
    with pytest.raises(InputError, match=r"fit\(dag=.*consistent_extension"):
        fit(column(1, 1), Dag.empty(["A"]).to_cpdag())
    with pytest.raises(UnknownNameError, match=r"'a1'.*Known: A.*the data lack"):
        fit(column(1, 1), Dag.empty(["A", "a1"]))


def test_only_what_was_seen_takes_room():
    names = [f"V{i}" for i in range(40)]
    table = Table.from_codes([[0, 1]] * 40, names=names, levels=[10] * 40)
    net = fit(table, Dag.from_arcs(names, [(name, "V0") for name in names[1:]]), "bpp", ess=2)
    kept = net.conditional("V0")
    assert kept.configs.tolist() == [[0] * 39, [1] * 39]
    # ess / 10^40 is negligible beside a count of 1.
    assert kept.rows.tolist() == [[1.0] + [2e-40] * 9, [2e-40, 1.0] + [2e-40] * 8]
    assert kept.unseen.tolist() == [0.1] * 10
    assert net.n_parameters == 9 * 39 + 9 * 10**39


def test_a_product_of_levels_beyond_every_double():
    names = [f"V{i}" for i in range(80)]
    table = Table.from_codes([[0, 1]] * 80, names=names, levels=[60000] * 79 + [2])
    net = fit(table, Dag.from_arcs(names, [(name, "V79") for name in names[:-1]]), "bpp")
    assert net.conditional("V79").rows.tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert net.n_parameters == 79 * 59999 + 60000**79


def test_too_many_probabilities_are_refused_before_the_work():
    # 3000 configurations seen of a variable with 60000 levels.
    codes = list(range(3000))
    table = Table.from_codes([codes, codes], names=["A", "B"], levels=[3000, 60000])
    with pytest.raises(TooLargeError, match=r"180003000 probabilities.*134217728.*'B' with its 1 parents"):
        fit(table, Dag.from_arcs(["A", "B"], [("A", "B")]))


@pytest.mark.parametrize("rule", ALL_RULES)
def test_the_rule_is_remembered(rule):
    net = fit(column(2, 1), Dag.empty(["A"]), rule)
    assert net.parameters.rule == rule
    assert net.parameters.options == ({"ess": 1.0} if rule == "bpp" else {})
    assert str(net.parameters) == ("bpp(ess=1)" if rule == "bpp" else rule)
    assert pickle.loads(pickle.dumps(net)).parameters == net.parameters
    assert Network(net.dag, net.levels, {"A": net.table("A")}).parameters is None


def test_parameters_without_counts_are_refused():
    net = fit(column(2, 1), Dag.empty(["A"]))
    with pytest.raises(InputError, match=r"Network\(parameters\): the table of 'A' has no counts"):
        Network(net.dag, net.levels, {"A": net.table("A")}, parameters=net.parameters)


# Counts added to a network.


@given(plain=plain_tables(max_columns=4, max_arity=4, max_rows=20), data=st.data())
@pytest.mark.parametrize("rule", ALL_RULES)
def test_updating_is_fitting_all_rows(rule, plain, data):
    names = [f"V{i}" for i in range(len(plain.columns))]
    dag = Dag.from_arcs(names, [(a, b) for b in names for a in names if a < b and data.draw(st.booleans())])
    table = Table.from_codes(plain.columns, names=names, levels=plain.arities, weights=plain.weights)
    cut = data.draw(st.integers(1, table.n_rows))
    net = fit(table.take(slice(cut)), dag, rule)
    if cut < table.n_rows:
        net = net.update(table.take(slice(cut, None)))
    whole = fit(table, dag, rule)
    assert net.parameters == whole.parameters
    for name in names:
        mine, full = net.conditional(name), whole.conditional(name)
        assert mine.configs.tolist() == full.configs.tolist()
        assert mine.counts.tolist() == full.counts.tolist()
        assert mine.rows.tobytes() == full.rows.tobytes()
        assert mine.unseen.tobytes() == full.unseen.tobytes()
    assert net == whole


def test_updating_by_labels_and_with_no_rows():
    net = fit(read_table({"a": ["x", "y"], "b": [1, 2]}), Dag.from_arcs(["a", "b"], [("a", "b")]))
    frame = {"b": ["2", "2"], "a": ["y", "x"], "other": [0.5, 0.7]}
    assert net.update(frame).conditional("b").counts.tolist() == [[1, 1], [0, 2]]
    assert net.update({"a": [], "b": []}) == net


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"a": ["x", "z"], "b": [1, 2]}, "does not know: 'z'. Known: 'x', 'y'"),
        ({"a": ["x", None], "b": [1, 2]}, "'a' has missing cells"),
        ({"a": ["x", "x"]}, "no column 'b'"),
    ],
)
def test_rows_that_cannot_be_counted_are_refused(data, message):
    net = fit(read_table({"a": ["x", "y"], "b": [1, 2]}), Dag.empty(["a", "b"]))
    with pytest.raises(DataError, match=message):
        net.update(data)


def test_a_network_without_counts_cannot_be_updated():
    net = fit({"a": ["x", "y"]}, Dag.empty(["a"]))
    given = Network(net.dag, net.levels, {"a": net.table("a")})
    with pytest.raises(InputError, match=r"Network.update.*no counts to add to. fit\(data, net\)"):
        given.update({"a": ["x"]})


def test_every_rule_is_tested_here():
    assert list(RULES) == ALL_RULES
