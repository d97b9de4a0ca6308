"""Files as data frames.

Text (``.csv``, ``.tsv``, either with ``.gz``) is UTF-8 with one header line; quotes, CRLF and a byte-order
mark are understood. Blanks around a cell are not part of it. A cell that is empty or reads ``?``, ``NA``,
``N/A``, ``#N/A``, ``NaN``, ``nan``, ``null`` or ``NULL`` is missing; to keep such a word as a label, read the
file yourself and hand over the frame. A column is integers, or real numbers, only if every cell in the file
is; otherwise, and when a number is written with leading zeros (``007`` is a code, not seven), it is text.

Arrow files (``.parquet``, ``.feather``, ``.arrow``, ``.ipc``) bring their own types. Those with dictionary
columns are opened by PyArrow, which keeps the declared levels where Polars forgets them; the rest by Polars.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl

from qnml.data.arrow import damage
from qnml.data.delimited import checked_text, split_cells
from qnml.data.words import MISSING_WORDS, typed
from qnml.errors import FileFormatError, InputError, MissingExtraError, QnmlError, bad_argument

__all__ = ["FILE_KINDS", "MISSING_WORDS", "file_kind", "is_bene", "read_bytes", "read_frame"]

FILE_KINDS = (
    ".csv", ".csv.gz", ".tsv", ".tsv.gz", ".parquet", ".feather", ".arrow", ".ipc",
    ".vd", ".vd.gz", ".idt", ".idt.gz",
)  # fmt: skip


def file_kind(path: Path) -> str:
    """Return which of the known endings a path has."""
    name = path.name.lower()
    for kind in FILE_KINDS:
        if name.endswith(kind):
            return kind
    raise bad_argument("read_table", "source", str(path), f"a file ending in {', '.join(FILE_KINDS)}")


def is_bene(path: Path) -> bool:
    """Say whether a path is one of bene's two files."""
    return file_kind(path).removesuffix(".gz") in (".vd", ".idt")


def read_bytes(path: Path) -> bytes:
    """Return the content of a file, unpacked when it ends in ``.gz``."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"read_table(source={str(path)!r}): there is no such file. Check the path.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"read_table(source={str(path)!r}): the file cannot be read: {reason}.") from None
    if path.name.lower().endswith(".gz"):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise FileFormatError(path, f"not a whole gzip file ({error})") from None
    return data


def read_frame(path: str | Path) -> Any:
    """Read a text or Arrow file as a data frame, by the rules at the top of this module.

    Returns
    -------
    polars.DataFrame
        Or a ``pyarrow.Table`` when the file has dictionary columns. Real-valued columns are kept, so that
        `Discretizer` can bin them.
    """
    path = Path(path)
    kind = file_kind(path)
    data = read_bytes(path)
    if kind.startswith(".csv"):
        return _read_text(path, data, ",")
    if kind.startswith(".tsv"):
        return _read_text(path, data, "\t")
    if is_bene(path):
        raise bad_argument("read_frame", "path", str(path), "a text or Arrow file", "Use read_table for bene's files.")
    return _read_arrow(path, data, parquet=kind == ".parquet")


def _read_text(path: Path, data: bytes, separator: str) -> pl.DataFrame:
    cells = split_cells(path, checked_text(path, data), separator)
    names = [(name or "").strip() for name in cells.row(0)]
    _check_header(path, names, separator)
    # Typed before they are named: polars takes a name such as ^a$ for a pattern wherever it computes with a column.
    columns = [typed(column) for column in cells.slice(1).iter_columns()]
    return pl.DataFrame([column.alias(name) for column, name in zip(columns, names, strict=True)])


def _check_header(path: Path, names: list[str], separator: str) -> None:
    if "" in names:
        problem = "the header has no name here; if the column is row numbers, save the file without them"
        raise FileFormatError(path, problem, line=1, column=names.index("") + 1)
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        place = len(names) - names[::-1].index(repeated[0])
        problem = f"the header repeats {repeated[0]!r}; column names must differ (or is there no header?)"
        raise FileFormatError(path, problem, line=1, column=place)
    other = next((mark for mark in ";\t|," if mark in names[0]), None)
    if len(names) == 1 and other is not None:
        problem = (
            f"the header is one column with {other!r} in its name, so the cells seem not to be separated by "
            f"{separator!r}; read it with polars.read_csv(path, separator={other!r}) and hand over the frame"
        )
        raise FileFormatError(path, problem, line=1)


def _read_arrow(path: Path, data: bytes, parquet: bool) -> Any:
    if not data:
        raise FileFormatError(path, "the file is empty")
    kind = "Parquet" if parquet else "Arrow (feather, version 2)"
    try:
        schema = (pl.read_parquet_schema if parquet else pl.read_ipc_schema)(io.BytesIO(data))
        if any(dtype == pl.Categorical for dtype in schema.values()):
            return _read_dictionaries(path, data, parquet)
        return (pl.read_parquet if parquet else pl.read_ipc)(io.BytesIO(data))
    except QnmlError:
        raise
    # PanicException, Polars' own accident, is no Exception
    except (Exception, pl.exceptions.PanicException) as error:
        first = (str(error).splitlines() or [type(error).__name__])[0]
        raise FileFormatError(path, f"not a readable {kind} file ({first})") from None


def _read_dictionaries(path: Path, data: bytes, parquet: bool) -> Any:
    try:
        import pyarrow.feather
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtraError(
            f"read_table(source={str(path)!r}): the file has dictionary columns, whose declared levels "
            "only PyArrow reads. Install it (pip install pyarrow), or hand over a frame."
        ) from error
    table = (pyarrow.parquet.read_table if parquet else pyarrow.feather.read_table)(pyarrow.BufferReader(data))
    for name, column in zip(table.column_names, table.columns, strict=True):
        problem = damage(column)
        if problem is not None:
            raise FileFormatError(path, f"column {name!r} is damaged ({problem})")
    return table
