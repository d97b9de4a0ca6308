"""Errors: one short line for any value, with the nearest known name as a suggestion."""

from pathlib import Path

import pytest

from qnml import errors


class _Broken:
    def __repr__(self):
        raise RuntimeError


@pytest.mark.parametrize("value", ["a" * 500, "a\nb", list(range(1000)), 10**5000, _Broken()], ids=range(5))
def test_values_are_shown_in_one_short_line(value):
    text = errors.shown(value)
    assert "\n" not in text
    assert len(text) <= 130


def test_a_long_path_keeps_its_end():
    assert errors.shown("/" + "a" * 500 + "/file.csv").endswith("file.csv'")


@pytest.mark.parametrize(
    ("value", "near"), [("BIC", "bic"), ("qmnl", "qnml"), ("zzz", None), (5, None), ("q" * 1000, None)]
)
def test_the_nearest_name_is_suggested(value, near):
    expected = f" Did you mean {near!r}?" if near else ""
    assert errors.did_you_mean(value, ["bic", "qnml"]) == expected


def test_known_names_are_listed_up_to_a_limit():
    error = errors.unknown_name("call", "name", "x", [f"name{i}" for i in range(20)], most=3)
    assert "Known: name0, name1, name2 and 17 more." in str(error)


def test_places_in_files_are_named():
    error = errors.FileFormatError(Path("t.csv"), "is wrong", line=3, column=2)
    assert str(error) == "t.csv, line 3, column 2: is wrong"
    assert (error.path, error.line, error.column) == ("t.csv", 3, 2)


def test_cycles_are_walked():
    error = errors.CycleError("Dag", ["a", "b", "a"])
    assert "a -> b -> a" in str(error)
    assert error.cycle == ("a", "b", "a")


@pytest.mark.parametrize(
    ("kind", "builtin"),
    [
        (errors.InputError, ValueError),
        (errors.OutOfTimeError, TimeoutError),
        (errors.DataFolderError, FileNotFoundError),
        (errors.MissingExtraError, ImportError),
    ],
)
def test_errors_are_also_those_of_python(kind, builtin):
    assert issubclass(kind, errors.QnmlError)
    assert issubclass(kind, builtin)
