"""The checks of a table cannot be bypassed: parts that do not fit together are always refused."""

from __future__ import annotations

import copyreg
import io
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from qnml.data import Table
from qnml.errors import DataError, InputError, QnmlError

_NAMES = ("a", "b")
_COLUMNS = (np.array([0, 1, 1], dtype=np.uint8), np.array([2, 0, 0], dtype=np.uint8))
_LEVELS = (("no", "yes"), ("low", "middle", "high"))


def _made(**changed: Any) -> Table:
    parts = {"names": _NAMES, "columns": _COLUMNS, "levels": _LEVELS, "weights": None}
    return Table._of(**{**parts, **changed})


def test_parts_that_fit_make_a_table() -> None:
    table = _made()
    assert table == Table.from_codes([[0, 1, 1], [2, 0, 0]], _NAMES, _LEVELS)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"names": ("a", "a")}, "repeated: 'a'"),
        ({"names": ("a", "")}, "non-empty"),
        ({"names": ("a", 1)}, "non-empty"),
        ({"names": ("a", "b", "c")}, "3 entries"),
        ({"names": None}, "names"),
        ({"columns": _COLUMNS[:1]}, "2 entries"),
        ({"columns": None}, "2 entries"),
        ({"columns": (_COLUMNS[0], _COLUMNS[1][:2])}, "'b' has 2 rows"),
        ({"columns": (_COLUMNS[0], np.array([3, 0, 0], np.uint8))}, "'b' holds the level number 3"),
        ({"columns": (_COLUMNS[0], np.array([30_000, 0, 0]))}, "level number 30000"),
        ({"columns": (_COLUMNS[0], np.array([256, 0, 0], np.uint16))}, "level number 256"),
        ({"columns": (_COLUMNS[0], np.array([2**63, 0, 0], np.uint64))}, "level number 9223372036854775808"),
        ({"columns": (_COLUMNS[0], np.array([-1, 0, 0]))}, "level number -1"),
        ({"columns": (_COLUMNS[0], np.array([0.5, 0, 0]))}, "'b' must be a one-dimensional array"),
        ({"columns": (_COLUMNS[0], np.zeros((3, 1), np.uint8))}, "'b' must be a one-dimensional array"),
        ({"columns": (_COLUMNS[0], [0, 0, 0])}, "'b' must be a one-dimensional array"),
        ({"columns": ([0, 0, 0], _COLUMNS[1])}, "'a' must be a one-dimensional array"),
        ({"levels": _LEVELS[:1]}, "2 entries"),
        ({"levels": (("no",), _LEVELS[1])}, "'a' holds the level number 1"),
        ({"levels": (("no", "no"), _LEVELS[1])}, "'a' repeat 'no'"),
        ({"levels": (("1", 1), _LEVELS[1])}, "'a' repeat 1"),
        ({"levels": ((True, 1), _LEVELS[1])}, "'a' repeat 1"),
        ({"levels": ((), _LEVELS[1])}, "'a' must be a tuple"),
        ({"levels": (("no", None), _LEVELS[1])}, "'a' must be a tuple"),
        ({"levels": ("ny", _LEVELS[1])}, "'a' must be a tuple"),
        ({"levels": (tuple(range(65_537)), _LEVELS[1])}, "65,537 different values"),
        ({"weights": np.array([1, 2])}, "There are 3 rows"),
        ({"weights": np.array([1, -2, 1])}, "Row 1"),
        ({"weights": np.zeros(3, np.uint64)}, "no rows"),
        ({"names": (), "columns": (), "levels": ()}, "no columns"),
    ],
)
def test_refuses_parts_that_do_not_fit(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        _made(**changed)


@st.composite
def _edited_parts(draw: st.DrawFn) -> tuple[Any, ...]:
    """The parts of a valid table with one invalid code or list of levels."""
    n_rows = draw(st.integers(1, 6))
    arities = draw(st.lists(st.sampled_from([1, 2, 3, 256, 257, 65_536]), min_size=1, max_size=4))
    columns = [
        np.array(draw(st.lists(st.integers(0, arity - 1), min_size=n_rows, max_size=n_rows))) for arity in arities
    ]
    levels = [tuple(f"l{k}" for k in range(arity)) for arity in arities]
    table = Table.from_codes(columns, levels=levels)
    stored, labels = [column.copy() for column in table.columns], list(table.levels)
    place, row = draw(st.integers(0, len(arities) - 1)), draw(st.integers(0, n_rows - 1))
    if draw(st.booleans()):
        stored[place] = stored[place].astype(np.int64)
        stored[place][row] = draw(st.integers(-(2**31), -1) | st.integers(arities[place], 2**31))
    else:
        assume(stored[place].max() > 0)
        labels[place] = labels[place][: draw(st.integers(0, int(stored[place].max())))]
    return table.names, tuple(stored), tuple(labels), None


class _Disguised(pickle.Pickler):
    """Pickles any object as a table of the given parts."""

    def __init__(self, file: io.BytesIO, parts: tuple[Any, ...]) -> None:
        super().__init__(file)
        self.dispatch_table = {**copyreg.dispatch_table, object: lambda _: (Table._of, parts)}


@given(_edited_parts())
def test_pickles_with_edited_codes_or_levels_are_refused(parts: tuple[Any, ...]) -> None:
    file = io.BytesIO()
    _Disguised(file, parts).dump(object())
    with pytest.raises(QnmlError):
        pickle.loads(file.getvalue())


def test_a_pickle_whose_bytes_were_edited_is_refused() -> None:
    table = Table.from_codes([[0, 1, 1, 0, 1, 0, 1, 1]], levels=[["no", "yes"]])
    written = pickle.dumps(table, protocol=4)
    codes = bytes([0, 1, 1, 0, 1, 0, 1, 1])
    assert written.count(codes) == 1
    assert pickle.loads(written) == table
    with pytest.raises(DataError, match="level number 200"):
        pickle.loads(written.replace(codes, codes[:-1] + b"\xc8"))


def test_arrays_given_stay_apart_from_the_table() -> None:
    # A read-only view of memory that its owner can still write must not become part of a table.
    given_codes = np.array([0, 1, 1], dtype=np.uint8)
    given_codes.setflags(write=False)
    table = Table.from_codes([given_codes.view()])
    given_codes.setflags(write=True)
    given_codes[:] = 200
    assert table.codes(0).tolist() == [0, 1, 1]


def test_no_one_can_write_to_a_table() -> None:
    table = _made(weights=[1, 2, 3])
    for array in [*table.columns, table.weights, *table.take(slice(1, 3)).columns, *table.merged().columns]:
        assert array is not None
        while isinstance(array, np.ndarray):
            with pytest.raises(ValueError, match="WRITEABLE"):
                array.setflags(write=True)
            array = array.base


def test_derived_tables_share_their_columns() -> None:
    table = _made()
    assert table.select(["b"]).codes("b") is table.codes("b")
    assert table.with_weights([1, 1, 2]).codes("a") is table.codes("a")
