"""Readers of data: a table that was read is valid, survives conversion to other formats, and can be learned from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import qnml
from fuzz.reader import Reader
from qnml.data import write_bene
from qnml.errors import QnmlError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["TABLE_READERS"]

_MOST_COLUMNS, _MOST_ROWS, _MOST_CELLS = 5, 200, 100_000


def _check(path: Path) -> None:
    for missing in ("raise", "category"):
        try:
            table = qnml.read_table(path, missing=missing)
        except qnml.errors.DataError:
            if missing == "category":
                raise
        else:
            break
    _check_codes(table)
    _check_same(qnml.read_table(table.to_frame()), table)
    _check_bene(table, path.with_name("again"))
    _compute(table)


def _check_codes(table: qnml.Table) -> None:
    assert len(table) > 0
    assert len(set(table.names)) == len(table.names) > 0
    for name in table.names:
        levels, codes = table.levels[name], np.asarray(table.codes(name))
        assert len(codes) == len(table)
        assert codes.min() >= 0, f"{name!r} has a negative code"
        assert codes.max() < len(levels), f"{name!r} has a code beyond its levels"
        assert len(set(levels)) == len(levels), f"{name!r} has a level twice"


def _check_bene(table: qnml.Table, stem: Path) -> None:
    try:
        paths = write_bene(table, stem)
    except QnmlError:
        return  # the format has no quotes, so some names cannot be written
    _check_same(qnml.read_table(paths[1]), table)


def _check_same(again: qnml.Table, table: qnml.Table) -> None:
    """Check equality up to the types of labels: frames and bene's files hold numbers mixed with text as text."""
    assert again.names == table.names, "names change when a table is converted"
    for name in table.names:
        texts, were = ([str(label) for label in one.levels[name]] for one in (again, table))
        assert texts == were, f"the levels of {name!r} change when a table is converted"
        assert np.array_equal(again.codes(name), table.codes(name)), f"{name!r} changes when a table is converted"


def _compute(table: qnml.Table) -> None:
    if len(table) * len(table.names) > _MOST_CELLS:
        return
    empty = qnml.score(table, qnml.Dag.empty(table.names), n_jobs=1)
    assert np.isfinite(empty)
    if len(table.names) <= _MOST_COLUMNS and len(table) <= _MOST_ROWS:
        found = qnml.learn(table, guard="off", n_jobs=1)
        assert found.score >= empty - 1e-6 * abs(empty), "the learned network scores lower than the empty one"


def _one_file(name: str) -> Callable[[bytes, Path], None]:
    def check(content: bytes, folder: Path) -> None:
        path = folder / name
        path.write_bytes(content)
        _check(path)

    return check


def _check_pair(content: bytes, folder: Path) -> None:
    """Check the two files of bene in one input, separated by a form feed."""
    variables, _, rows = content.partition(b"\f")
    (folder / "input.vd").write_bytes(variables)
    (folder / "input.idt").write_bytes(rows)
    _check(folder / "input.vd")


TABLE_READERS = (
    Reader("csv", _one_file("input.csv")),
    Reader("tsv", _one_file("input.tsv")),
    Reader("csv-gz", _one_file("input.csv.gz"), "gzip"),
    Reader("bene", _check_pair),
    Reader("parquet", _one_file("input.parquet"), "bytes"),
    Reader("feather", _one_file("input.feather"), "bytes"),
)
