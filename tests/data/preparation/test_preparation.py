"""`Preparation` as a value: documents, displays, immutability."""

import json

import pytest

from qnml import ColumnPreparation, Preparation
from qnml.errors import InputError, UnknownNameError

BINNED = ColumnPreparation(
    "age", "real", 9, 1, 8, "bin", "Real numbers.", ("a", "b"), (0.1,), ("a", "b"), slack=1e-9, missing="drop"
)
DROPPED = ColumnPreparation("id", "integer", 9, 0, 9, "drop", "It numbers the rows.", missing="drop")


@pytest.fixture
def preparation():
    return Preparation([BINNED, DROPPED], missing="drop", n_rows=9, n_kept=8)


def test_documents_survive_json(preparation):
    document = json.loads(json.dumps(preparation.to_dict()))
    assert Preparation.from_dict(document) == preparation
    assert Preparation.from_dict(document).columns["age"] == BINNED


def test_columns_are_found_by_name(preparation):
    assert preparation.names == ("age", "id")
    assert preparation.used == ("age",)
    assert preparation.dropped == ("id",)
    with pytest.raises(UnknownNameError):
        preparation.columns["agee"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 7}, "version is 7"),
        ({"columns": [{**BINNED.to_dict(), "cuts": [1, "x"]}]}, r"columns\[0\].cuts\[1\]"),
        ({"columns": [{**BINNED.to_dict(), "cuts": [1, 2]}]}, "one more than there are cuts"),
        ({"columns": [{**BINNED.to_dict(), "cuts": [2, 1], "bins": ["a", "b", "c"]}]}, "increasing"),
        ({"columns": [{**DROPPED.to_dict(), "levels": ["a"]}]}, "unless the column is dropped"),
        ({"columns": [DROPPED.to_dict()] * 2}, "the same name"),
        ({"colums": []}, "colums"),
    ],
)
def test_damaged_documents_are_refused(preparation, change, message):
    with pytest.raises(InputError, match=message):
        Preparation.from_dict({**preparation.to_dict(), **change})


def test_a_preparation_is_shown_as_a_table(preparation):
    text = str(preparation)
    assert text.splitlines()[0] == "8 of 9 rows are left: 1 with missing cells were dropped."
    assert "2 bins, cut at 0.1" in text
    assert "It numbers the rows." in text
    html = Preparation([BINNED.__class__("<b>", "text", 1, 0, 1, "drop", "R.")])._repr_html_()
    assert "<td>&lt;b&gt;</td>" in html
    assert repr(preparation) == "Preparation(2 columns: 0 kept, 1 binned, 0 merged, 1 left out)"


def test_a_preparation_is_immutable(preparation):
    with pytest.raises(AttributeError, match="immutable"):
        preparation.missing = "x"
    with pytest.raises(AttributeError, match="immutable"):
        del preparation.missing
