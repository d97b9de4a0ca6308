"""Documents that people may edit: accepted as plain values, or refused with the name of the entry."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from qnml._schema import DictOf, Kind, ListOf, MisfitError, Number, OneOf, OrNull, Record, Text, Whole

FORM = Record(
    {"version": OneOf((3,)), "sizes": ListOf(Whole(0, 9), 2), "notes": DictOf(OrNull(Text())), "x": Number()},
    frozenset({"x"}),
)
GOOD: dict[str, Any] = {"version": 3, "sizes": [4, 9], "notes": {"a b": None, "c": "text"}}


def test_what_fits_comes_back_plain() -> None:
    given = {**GOOD, "sizes": (np.int64(4), 9), "x": np.float32(0.5)}
    taken = FORM.take(given)
    assert taken == {**GOOD, "x": 0.5}
    assert [type(size) for size in taken["sizes"]] == [int, int]
    assert type(taken["x"]) is float
    taken["notes"]["c"] = "other"
    assert given["notes"]["c"] == "text"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"version": 2}, "version is 2, and must be 3"),
        ({"version": True}, "version is True, and must be 3"),
        ({"version": [3]}, r"version is \[3\], and must be 3"),
        ({"sizes": [4, 10]}, r"sizes\[1\] is 10, and must be a whole number from 0 to 9"),
        ({"sizes": [4, 2.0]}, r"sizes\[1\] is 2.0, and must be a whole number"),
        ({"sizes": [True, 2]}, r"sizes\[0\] is True, and must be a whole number"),
        ({"sizes": [4]}, r"sizes is \[4\], and must be a list of 2, each a whole number from 0 to 9"),
        ({"sizes": "49"}, r"sizes is '49', and must be a list of 2"),
        ({"notes": {"a b": 3}}, r"notes\['a b'\] is 3, and must be null or a text"),
        ({"notes": {3: "x"}}, "a name in notes is 3, and must be text"),
        ({"notes": []}, r"notes is \[\], and must be a dictionary, each entry null or a text"),
        ({"x": math.nan}, "x is nan, and must be a finite number"),
        ({"x": 10**400}, "x is 1000.*, and must be a finite number"),
        ({"x": "1"}, "x is '1', and must be a finite number"),
        ({"y": 1}, "y is 1, and must be left out: entries are version, sizes, notes, x"),
        ({3: 1}, r"\[3\] is 1, and must be left out"),
    ],
    ids=range(16),
)
def test_what_does_not_is_named(changes: dict[Any, Any], said: str) -> None:
    with pytest.raises(MisfitError, match=f"^{said}"):
        FORM.take({**GOOD, **changes})


def test_what_is_missing_is_named() -> None:
    for name in GOOD:
        with pytest.raises(MisfitError, match=f"^{name} is absent, and must be"):
            FORM.take({key: value for key, value in GOOD.items() if key != name})


def test_paths_lead_through_lists_and_dictionaries() -> None:
    deep = ListOf(Record({"parts": ListOf(ListOf(Number(0.0, 1.0)))}))
    with pytest.raises(MisfitError, match=r"^\[1\]\.parts\[0\]\[2\] is -1, and must be a number from 0 to 1") as caught:
        deep.take([{"parts": []}, {"parts": [[0, 1, -1]]}])
    assert (caught.value.place, caught.value.found) == ("[1].parts[0][2]", -1)


@pytest.mark.parametrize(
    "kind", [Whole(0, 1), Number(), Text(), OneOf(("a",)), OrNull(Whole(0, 1)), ListOf(Text(), 3), FORM]
)
def test_any_value_is_taken_or_refused(kind: Kind) -> None:
    nested: Any = []
    for _ in range(100_000):
        nested = [nested]
    for value in (nested, {"a": nested}, 10**5000, b"x", math.inf, object(), np.zeros(3), {1, 2}, "", -0.0):
        with pytest.raises(MisfitError):
            kind.take({"deep": value}, "place")
        try:
            kind.take(value, "place")
        except MisfitError as error:
            assert len(str(error)) < 400  # noqa: PT017
