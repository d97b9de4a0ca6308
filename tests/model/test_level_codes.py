"""Evidence as labels and as raw values."""

from __future__ import annotations

import decimal
import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reference.preparations import BINS, example, plain_code, prepared_networks

import qnml
from qnml.errors import InputError, UnknownNameError
from qnml.model.preparing import preparation_of

NET = example()


@pytest.mark.parametrize("value", [54.2, 54, "54.2", np.float32(54.2), np.int8(54), decimal.Decimal("54.2"), math.inf])
def test_raw_evidence_is_label_evidence_to_the_last_bit(value: Any) -> None:
    raw, label = {"age": value}, {"age": BINS[2]}
    assert NET.query(["town", "score"], raw).values.tolist() == NET.query(["town", "score"], label).values.tolist()
    assert NET.query("score", do=raw).values.tolist() == NET.query("score", do=label).values.tolist()
    assert NET.most_probable(raw) == NET.most_probable(label)
    assert NET.most_probable(do=raw) == NET.most_probable(do=label)
    assert NET.log_evidence(raw) == NET.log_evidence(label)
    assert NET.do(raw) == NET.do(label)
    assert NET.sample(20, 1, evidence=raw) == NET.sample(20, 1, evidence=label)
    assert NET.level_of("age", value) == BINS[2]


@given(st.data())
def test_values_become_what_the_plain_rules_say(data: st.DataObject) -> None:
    net = data.draw(prepared_networks(st.text("ab5?.", max_size=2)))
    name = data.draw(st.sampled_from(net.names))
    how = preparation_of(net, name)
    is_binned = how is not None and how.action == "bin"
    numbers = st.floats(allow_nan=False) | st.integers(-5, 5) | st.sampled_from((how and how.cuts) or (0.0,))
    value = data.draw(st.none() | numbers | st.text("ab5?.", max_size=3) | st.sampled_from(net.levels[name]))
    # Outside bins whole numbers are labels, of any type.
    plain = int(value) if isinstance(value, float) and value.is_integer() and not is_binned else value
    assume(not is_binned or not isinstance(value, int) or value not in net.levels[name])
    code = plain_code(how, net.levels[name], plain)
    if code < 0:
        with pytest.raises(InputError):
            net.level_of(name, value)
    else:
        assert net.level_of(name, value) == net.levels[name][code]


def test_a_value_on_a_cut_belongs_to_the_lower_bin() -> None:
    assert [NET.level_of("age", value) for value in (30, math.nextafter(30, 31), 50, 50.1)] == [
        *(BINS[0], BINS[1], BINS[1], BINS[2])
    ]


@pytest.mark.parametrize("value", [None, math.nan, pd.NA, np.float64("nan")])
def test_missing_values_are_their_level_or_refused(value: Any) -> None:
    assert NET.level_of("sex", value) == "?"
    assert NET.query("score", {"sex": value}).values.tolist() == NET.query("score", {"sex": "?"}).values.tolist()
    with pytest.raises(InputError, match=r"a level of 'age' or a raw value. Leave out variables"):
        NET.query("score", {"age": value})


def test_merged_labels_belong_to_the_merged_level() -> None:
    assert [NET.level_of("town", town) for town in ("Rome", "Oslo", 7, "(other)", 2**63, -1e30)] == [
        *("Rome", "(other)", "(other)", "(other)", "(other)", "(other)")
    ]


@pytest.mark.parametrize("value", ["abc", "", True, {"age": 54.2}, "nan"])
def test_what_is_neither_a_label_nor_a_number_is_refused(value: Any) -> None:
    with pytest.raises(UnknownNameError) as caught:
        NET.query("score", {"age": value})
    text = str(caught.value)
    assert text.startswith(f"Network.query(evidence['age']={value!r}): unknown. Known: (-inf, 30], (30, 50], (50, inf)")
    assert text.endswith("Numbers are put into these bins.")


def test_errors_without_bins_are_as_without_a_preparation() -> None:
    with pytest.raises(UnknownNameError, match=r"do\['score'\]=7\): unknown. Known: 1, 2\.$"):
        NET.query("age", do={"score": 7})
    with pytest.raises(UnknownNameError, match=r"Network.level_of\(name='agee'\).*Did you mean 'age'"):
        NET.level_of("agee", 3)


def test_a_bin_that_the_network_does_not_have_is_named() -> None:
    few = NET.prepare({"age": [5], "town": ["x"], "sex": ["f"], "score": [1]}).with_observed_levels()
    net = qnml.fit(few, qnml.Dag.empty(["age"]))
    with pytest.raises(UnknownNameError, match=r"=99\): unknown. Known.*no level for its bin, '\(50, inf\)'"):
        net.level_of("age", 99)
