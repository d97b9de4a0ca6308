"""Predictions compared with known labels."""

import math

import numpy as np
import pytest

import qnml
from qnml.errors import InputError
from qnml.model.evaluation import judged

NET = qnml.Network(
    qnml.Dag.from_arcs(["a", "b"], [("a", "b")]),
    {"a": ["x", "y"], "b": ["u", "v", "w"]},
    {"a": [0.5, 0.5], "b": [[0.8, 0.2, 0.0], [0.4, 0.6, 0.0]]},
)


def test_probabilities_codes_and_judgement_agree_with_predict_proba() -> None:
    rows = {"a": ["x", "y", None, "y", "z"], "b": ["u", "v", "u", "w", "v"]}
    found = NET.evaluate(rows, "a")
    expected = NET.predict_proba(rows, "a", impossible="nan")
    assert np.array_equal(found.probabilities, expected, equal_nan=True)
    assert (found.target, found.levels) == ("a", ("x", "y"))
    # w has probability zero; a row without a known label is predicted and not compared.
    assert found.codes.tolist() == [0, 1, 0, -1, 1]
    assert found.judgement is not None
    assert (found.judgement.rows, found.judgement.accuracy) == (2, 1.0)
    assert found.judgement.log_loss == pytest.approx(-(math.log(2 / 3) + math.log(3 / 4)) / 2)
    assert found.unknown_cells == {"a": 1}


def test_without_the_target_in_the_data_there_is_nothing_to_compare() -> None:
    assert NET.evaluate({"b": ["u", "v"]}, "a").judgement is None


def test_unknown_labels_are_refused_in_the_other_columns_only() -> None:
    found = NET.evaluate({"a": ["?", "x"], "b": ["u", "u"]}, "a", unknown="raise")
    assert found.judgement is not None
    assert found.judgement.rows == 1
    with pytest.raises(InputError, match=r"Network\.evaluate"):
        NET.evaluate({"a": ["x"], "b": ["?"]}, "a", unknown="raise")
    table = qnml.Table.from_codes([[0], [0]], ["a", "b"], [["?"], ["u"]])
    assert NET.evaluate(table, "a", unknown="raise").judgement is None


def test_a_frame_has_null_where_a_row_contradicts_the_network() -> None:
    found = NET.evaluate({"b": ["u", "w"]}, "a")
    assert found.to_frame().to_dict(as_series=False) == {"a": ["x", None]}
    frame = found.to_frame(proba=True)
    assert frame.columns == ["a", "a=x", "a=y"]
    assert frame["a=x"][0] == pytest.approx(2 / 3)


def test_an_unknown_target_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="Did you mean 'a'"):
        NET.evaluate({"b": ["u"]}, "A")


def test_predictions_are_judged_by_what_is_known() -> None:
    shares = np.array([[0.8, 0.2], [0.25, 0.75], [math.nan, math.nan], [0.5, 0.5]])
    judgement = judged(shares, np.array([0, 0, 1, -1]))
    assert judgement is not None
    assert (judgement.rows, judgement.accuracy) == (2, 0.5)
    assert judgement.log_loss == pytest.approx(-(math.log(0.8) + math.log(0.25)) / 2)
    assert judged(shares, np.array([-1, -2, 0, -1])) is None
