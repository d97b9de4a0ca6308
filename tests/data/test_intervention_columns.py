"""How interventions are given to `read_table`."""

import numpy as np
import pandas
import pytest

from qnml import read_table
from qnml.errors import DataError, InputError, UnknownNameError

CELLS = {"a": [0, 1, 1, 0], "b": [0, 0, 1, 1]}
MASKS = {"a": [True, False, True, False], "b": [False, False, True, False]}


@pytest.mark.parametrize(
    "given",
    [
        MASKS,
        {name: np.array(mask, dtype=int) for name, mask in MASKS.items()},
        pandas.DataFrame(MASKS),
        np.array([*MASKS.values()]).T,
        np.array([*MASKS.values()]).T.tolist(),
    ],
    ids=["mapping", "zeros and ones", "pandas", "array", "list"],
)
def test_masks(given):
    table = read_table(CELLS, interventions=given)
    assert {name: table.interventions.mask(name).tolist() for name in table.names} == MASKS


@pytest.mark.parametrize("nothing", [None, {}, {"a": [False] * 4}])
def test_nothing_was_set(nothing):
    assert read_table(CELLS, interventions=nothing).interventions is None


def test_a_column_of_a_file(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a,b,set\n0,0,a\n1,0,\n1,1,a|b\n0,1,none\n")
    table = read_table(path, interventions="set")
    assert table.names == ("a", "b")
    assert {name: table.interventions.mask(name).tolist() for name in table.names} == MASKS


def test_names_with_the_separator_are_taken_whole():
    table = read_table({"a|b": [0, 1], "c": [0, 1], "how": ["a|b", "c|a|b"[:1]]}, interventions="how")
    assert table.interventions.mask("a|b").tolist() == [True, False]
    assert table.interventions.mask("c").tolist() == [False, True]


def test_unknown_names_are_listed_with_the_known_ones():
    with pytest.raises(DataError, match=r"name no column: A Did you mean 'a'\?, z.*Known: a, b.*'none'") as error:
        read_table({**CELLS, "how": ["A", "", "z", "a"]}, interventions="how")
    assert "joined" in str(error.value) or "join" in str(error.value)
    with pytest.raises(UnknownNameError, match=r"interventions='hwo'\).*Known: a, b"):
        read_table(CELLS, interventions="hwo")
    with pytest.raises(UnknownNameError, match=r"interventions='z'"):
        read_table(CELLS, interventions={"z": [True] * 4})


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"a": [True]}, "4 booleans"),
        ({"a": [0, 1, 2, 0]}, "4 booleans"),
        (np.zeros((3, 2), dtype=bool), "shape 3 × 2"),
        (7, "a single value"),
    ],
)
def test_wrong_masks(given, problem):
    with pytest.raises(InputError, match=problem):
        read_table(CELLS, interventions=given)


def test_the_only_column():
    with pytest.raises(DataError, match="only column"):
        read_table({"how": ["", ""]}, interventions="how")
