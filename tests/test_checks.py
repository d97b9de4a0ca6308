"""Checks of single arguments: the plain value, or one clear line."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from qnml._checks import (
    check_choice,
    checked_flag,
    checked_number,
    checked_path,
    checked_texts,
    checked_whole_number,
)
from qnml.errors import InputError, UnknownNameError

WRONG = [None, "x", b"x", object(), [1], {}, 1 + 2j, math.nan, np.array([1, 2])]


@pytest.mark.parametrize("value", [3, np.int8(3), np.uint64(3)])
def test_whole_numbers_of_any_library(value: object) -> None:
    number = checked_whole_number("f", "n", value, 0, 3)
    assert number == 3
    assert type(number) is int


@pytest.mark.parametrize("value", [*WRONG, True, np.bool_(True), 2.0, -1, 11, np.array(3)])
def test_what_is_no_whole_number_in_range(value: object) -> None:
    with pytest.raises(InputError, match=r"f\(n=.*must be a whole number from 0 to 10\."):
        checked_whole_number("f", "n", value, 0, 10)


@pytest.mark.parametrize("value", [2, 2.0, np.float32(2), np.int64(2), Fraction(2)])
def test_real_numbers_of_any_library(value: object) -> None:
    assert checked_number("f", "x", value, "a number", 0, 2) == 2.0


@pytest.mark.parametrize("value", [*WRONG, True, 0, -1, math.inf, 10**400, -(10**400), np.datetime64("2020-01-01")])
def test_what_is_no_real_number_in_range(value: object) -> None:
    with pytest.raises(InputError, match=r"f\(x=.*must be a positive number\."):
        checked_number("f", "x", value, "a positive number", highest=1e300, above=0.0)


def test_flags_are_not_numbers() -> None:
    assert checked_flag("f", "x", np.bool_(True)) is True
    for wrong in (*WRONG, 1, 0, "yes"):
        with pytest.raises(InputError, match="True or False"):
            checked_flag("f", "x", wrong)


def test_paths() -> None:
    assert checked_path("f", "path", "a/b") == checked_path("f", "path", Path("a/b")) == Path("a/b")
    for wrong in (None, 3, b"a", "", "a\0b", ["a"]):
        with pytest.raises(InputError, match="a path, as text"):
            checked_path("f", "path", wrong)


def test_texts() -> None:
    assert checked_texts("f", "names", ("a", "b")) == ["a", "b"]
    assert checked_texts("f", "names", (name for name in "ab")) == ["a", "b"]
    for wrong in (None, 3, "ab", b"ab", {"a": 1}, ["a", 1], [None]):
        with pytest.raises(InputError, match="a list of names"):
            checked_texts("f", "names", wrong)


def test_choices_name_the_nearest() -> None:
    check_choice("f", "way", "exact", ("exact", "order"))
    with pytest.raises(UnknownNameError, match="Did you mean 'order'"):
        check_choice("f", "way", "ordre", ("exact", "order"))
    for wrong in (None, 3, ["exact"], {}):
        with pytest.raises(UnknownNameError, match="Known: exact, order"):
            check_choice("f", "way", wrong, ("exact", "order"))
