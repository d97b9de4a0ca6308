"""Answers about many variables, looked at."""

import pickle

import numpy as np
import pytest

from qnml import datasets
from qnml.errors import UnknownNameError


@pytest.fixture
def found():
    return datasets.load_network("asia").marginals({"xray": "yes"})


def test_they_are_a_mapping_of_distributions(found):
    assert len(found) == 8
    assert "lung" in found
    assert found["lung"].values.tolist() == found.values_of("lung").tolist()
    assert found.levels["lung"] == ("yes", "no")
    assert pickle.loads(pickle.dumps(found)) == found
    with pytest.raises(UnknownNameError, match="lung"):
        found["lng"]
    with pytest.raises(UnknownNameError, match="lung"):
        found.values_of("lng")
    with pytest.raises(ValueError, match="read-only"):
        found.values_of("lung")[0] = 1.0


def test_they_are_shown_and_framed(found):
    assert "  xray: yes 1, no 0\n" in repr(found)
    frame = found.to_frame()
    assert frame.columns == ["variable", "level", "probability"]
    assert frame.shape == (16, 3)
    lung = frame.filter((frame["variable"] == "lung") & (frame["level"] == "yes"))
    assert lung["probability"].to_list() == [found["lung"]["yes"]]


def test_those_of_rows_are_arrays():
    asia = datasets.load_network("asia")
    rows = asia.row_marginals({"xray": ["yes", "no"], "smoke": ["yes", None]})
    assert list(rows) == list(asia.names)
    assert rows["lung"].shape == (2, 2)
    assert rows.labels("xray").tolist() == ["yes", "no"]
    assert rows.to_frame().columns[:2] == ["asia=yes", "asia=no"]
    assert rows == asia.row_marginals({"xray": ["yes", "no"], "smoke": ["yes", None]})
    assert repr(rows) == "RowMarginals(2 rows × 8 variables)"
    with pytest.raises(UnknownNameError, match="lung"):
        rows["lng"]


def test_an_impossible_row_has_no_label():
    asia = datasets.load_network("asia")
    rows = asia.row_marginals({"either": ["no", "yes"], "lung": ["yes", "yes"]}, impossible="nan")
    assert rows.labels("smoke")[0] is None
    assert np.isnan(rows["smoke"][0]).all()
    assert rows.log_evidence[0] == -np.inf
