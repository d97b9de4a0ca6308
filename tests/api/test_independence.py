"""Independence tests by qNML code lengths, against a plain reference version and their laws."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import qnml
from qnml.errors import DataError, InputError, UnknownNameError

columns = st.integers(8, 40).flatmap(
    lambda rows: st.lists(st.lists(st.integers(0, 2), min_size=rows, max_size=rows), min_size=4, max_size=4)
)


def table_of(codes):
    return qnml.Table.from_codes(codes, names=["a", "b", "c", "d"], levels=[3, 3, 3, 3])


def code_length(table, names):
    """The NML code length of a set of variables, treated as a single variable."""
    counts = Counter(zip(*(table.codes(name).tolist() for name in names), strict=True)) if names else {(): table.total}
    fit = math.fsum(count * math.log(count / table.total) for count in counts.values())
    return -fit + qnml.regret(table.total, 3.0 ** len(names))


@given(columns)
def test_bits_are_the_difference_of_code_lengths(codes):
    table = table_of(codes)
    for x, y, condition in (("a", "b", ()), ("a", "b", ("c",)), (("a", "d"), "b", ("c",)), ("a", ("b", "c"), ())):
        found = qnml.independence(table, x, y, given=condition)
        both = [*found.x, *found.given], [*found.y, *found.given]
        expected = sum(code_length(table, names) for names in both)
        expected -= code_length(table, [*found.x, *found.y, *found.given]) + code_length(table, found.given)
        assert found.bits == pytest.approx(expected / math.log(2), abs=1e-8)
        assert found.is_dependent == (found.bits > 0)


@given(columns)
@settings(max_examples=50)
def test_both_are_symmetric_and_information_adds_up(codes):
    table = table_of(codes)
    one, other = qnml.independence(table, "a", ["b", "c"]), qnml.independence(table, ["b", "c"], "a")
    assert one.bits == pytest.approx(other.bits, abs=1e-8)
    chain = qnml.mutual_information(table, "a", "b") + qnml.mutual_information(table, "a", "c", given=["b"])
    assert qnml.mutual_information(table, "a", ["b", "c"]) == pytest.approx(chain, abs=1e-9)
    assert qnml.mutual_information(table, "a", "b") >= 0.0
    assert one.mutual_information == pytest.approx(chain, abs=1e-9)


@given(columns)
@settings(max_examples=50)
def test_information_is_half_the_g_statistic(codes):
    table = table_of(codes)
    observed = np.zeros((3, 3))
    np.add.at(observed, (table.codes("a"), table.codes("b")), 1)
    observed = observed[observed.sum(1) > 0][:, observed.sum(0) > 0]
    statistic = stats.chi2_contingency(observed, lambda_="log-likelihood", correction=False).statistic
    assert qnml.mutual_information(table, "a", "b") == pytest.approx(statistic / (2 * table.total), abs=1e-9)


def test_an_arc_gains_what_the_test_says():
    table = qnml.datasets.sample("asia", 500, seed=3)
    for x, y, condition in (("smoke", "lung", []), ("bronc", "dysp", ["either"]), ("asia", "xray", ["either"])):
        with_arc = qnml.local_score(table, y, [x, *condition])
        gain = with_arc - qnml.local_score(table, y, condition)
        assert qnml.independence(table, x, y, given=condition).bits * math.log(2) == pytest.approx(gain, abs=1e-8)


def test_weights_are_repeated_rows():
    table = qnml.datasets.sample("asia", 500, seed=3)
    merged, rows = (qnml.independence(one, "smoke", "lung") for one in (table.merged(), table))
    assert (merged.n_rows, merged.bits) == (rows.n_rows, pytest.approx(rows.bits, abs=1e-9))


def test_the_verdict_in_words():
    table = qnml.datasets.sample("asia", 1000, seed=1)
    text = qnml.independence(table, "smoke", "bronc").sentence()
    assert text.startswith("smoke depends on bronc: the dependence saves")
    text = qnml.independence(table, ["asia", "tub"], "smoke", given=["lung"]).sentence()
    assert text.startswith("asia, tub and smoke look independent given lung: a dependence would cost")


def test_wrong_variables_are_named():
    table = qnml.datasets.sample("asia", 50, seed=1)
    with pytest.raises(UnknownNameError, match="Did you mean 'smoke'"):
        qnml.independence(table, "smok", "lung")
    with pytest.raises(InputError, match="smoke is named twice"):
        qnml.independence(table, "smoke", "lung", given=["smoke"])
    with pytest.raises(InputError, match="at least one variable"):
        qnml.independence(table, [], "lung")
    with pytest.raises(InputError, match="given='tub'"):
        qnml.independence(table, "smoke", "lung", given="tub")
    with pytest.raises(DataError, match="missing"):
        qnml.independence(qnml.read_table({"a": ["x", None], "b": [1, 2]}, missing="em"), "a", "b")


def test_errors_of_both_kinds_fall_with_the_rows():
    """Clear cases: no false alarm in 200 independent tables of 1,000 rows, no strong dependence missed."""
    generator = np.random.default_rng(7)
    alarms = missed = 0
    for _ in range(200):
        x, y, noise = generator.integers(0, 2, 1000), generator.integers(0, 2, 1000), generator.random(1000)
        alarms += qnml.independence({"x": x, "y": y}, "x", "y").is_dependent
        missed += not qnml.independence({"x": x, "y": np.where(noise < 0.7, x, y)}, "x", "y").is_dependent
    assert missed == 0
    assert alarms <= 10  # about 1 % are expected


def test_every_pair_of_independent_roots():
    names = list(itertools.combinations(["asia", "smoke"], 2))
    table = qnml.datasets.sample("asia", 5000, seed=11)
    assert not any(qnml.independence(table, *pair).is_dependent for pair in names)
