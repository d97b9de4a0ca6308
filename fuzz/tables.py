"""Readers of data: a table that was read is valid, survives conversion to other formats, and can be learned from."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

import qnml
from fuzz.reader import Reader
from qnml.data import MISSING_WORDS, open_file, write_bene
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


def _check_guessed(content: bytes, folder: Path) -> None:
    """Check text or a workbook whose separator, decimal sign, encoding and names are guessed."""
    opened = open_file(io.BytesIO(content), name_unnamed=True)
    frame = opened.frame
    assert frame.width > 0
    assert all(frame.columns), "a column has no name"
    assert set(opened.unnamed) <= set(frame.columns)
    for column in frame.iter_columns():
        if column.dtype == pl.String:
            assert not column.is_in(["", *MISSING_WORDS]).any(), "a word for missing cells is left"
    kept = [place for place, dtype in enumerate(frame.dtypes) if dtype in (pl.String, pl.Int64, pl.Boolean)]
    if kept and frame.height:
        table = qnml.read_table(frame[:, kept], missing="category")
        _check_codes(table)
        _check_same(qnml.read_table(table.to_frame()), table)
        _compute(table)


def _check_workbook(content: bytes, folder: Path) -> None:
    """Check a workbook whose sheet, texts, styles and list of sheets are in one input, separated by form feeds."""
    parts = [*content.split(b"\f"), b"", b"", b"", b""][: len(_WRITTEN)]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as package:
        for name, part in (("xl/_rels/workbook.xml.rels", _LINKS), *zip(_WRITTEN, parts, strict=True)):
            package.writestr(name, part)
    _check_guessed(packed.getvalue(), folder)


_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WRITTEN = ("xl/worksheets/sheet1.xml", "xl/sharedStrings.xml", "xl/styles.xml", "xl/workbook.xml")
_LINKS = (
    f'<Relationships><Relationship Id="r1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    f'<Relationship Id="r2" Type="{_OFFICE}/sharedStrings" Target="sharedStrings.xml"/>'
    f'<Relationship Id="r3" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>'
)

TABLE_READERS = (
    Reader("csv", _one_file("input.csv")),
    Reader("tsv", _one_file("input.tsv")),
    Reader("csv-gz", _one_file("input.csv.gz"), "gzip"),
    Reader("bene", _check_pair),
    Reader("parquet", _one_file("input.parquet"), "bytes"),
    Reader("feather", _one_file("input.feather"), "bytes"),
    Reader("text", _check_guessed),
    Reader("xlsx", _check_guessed, "bytes"),
    Reader("workbook", _check_workbook),
)
