"""Folders and patterns of text files, read by DuckDB by the rules of `qnml.data.files`.

Every cell is read as text, cleaned, and stored in a temporary table that spills to disk. A column is numbers only if
every cell of all files is, as where one file is read.
"""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from qnml.data.decimal_sign import decimal_sign
from qnml.data.delimited import checked_text
from qnml.data.engines.duckdb_tables import of_relation, own_connection
from qnml.data.engines.relation import short_reason
from qnml.data.engines.sql_text import DUCKDB
from qnml.data.header_names import column_names
from qnml.data.paths import TEXT_KINDS, file_kind
from qnml.data.separators import guessed_separator
from qnml.data.text_encoding import as_utf8
from qnml.data.thousands import ExaminedColumn
from qnml.data.words import BLANKS, MISSING_WORDS, PATTERNS, Kind
from qnml.errors import DataError, InputError, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.data.file_options import FileOptions

__all__ = ["of_text_files"]

_HEAD = 1 << 20
_EXAMPLES = 1000


def of_text_files(call: str, files: Sequence[str], options: FileOptions, memory_limit: float) -> Any:
    """Text files with the same columns.

    Parameters
    ----------
    call : the calling function, for errors.
    files : their paths, in order.
    options : how to read them.
    memory_limit : bytes that the engine may hold.
    """
    separator, names, notes = _shape(call, files, options, memory_limit)
    purpose = "reads folders and patterns of files, and files larger than memory"
    connection, close = own_connection(call, purpose, memory_limit)
    try:
        _load(connection, files, separator, len(names), options)
        columns = _examined(connection, names)
        sign = decimal_sign(columns, separator, options.decimal)
        parts = [
            f"{_typed(connection, column, place, sign.sign)} AS {DUCKDB.name(column.name)}"
            for place, column in enumerate(columns)
        ]
        relation = connection.sql(f"SELECT {', '.join(parts)} FROM cells")
    except InputError:
        close()
        raise
    except Exception as error:  # duckdb.Error
        close()
        more = "" if len(files) == 1 else f" and {len(files) - 1} more files"
        raise DataError(f"{call}: DuckDB cannot read {files[0]}{more}: {short_reason(error)}") from error
    if grouped := [one.name for one, plain in zip(columns, sign.columns, strict=True) if plain is not one]:
        listed = ", ".join(map(shown, grouped))
        notes.append(f"Text, although the cells may be numbers with thousands signs: {listed}. Read such files alone.")
        return of_relation(call, relation, notes, close)
    return of_relation(call, relation, [*notes, *sign.notes], close)


def _shape(
    call: str, files: Sequence[str], options: FileOptions, limit: float
) -> tuple[str, tuple[str, ...], list[str]]:
    """The separator and the names of the columns, from the beginning of the first file."""
    path = Path(files[0])
    if options.encoding is not None:
        raise InputError(f"{call}(encoding={options.encoding!r}): folders and patterns of text files must be UTF-8.")
    with (gzip.open if path.name.endswith(".gz") else open)(path, "rb") as file:
        head = file.read(_HEAD)
    if len(head) == _HEAD:  # whole lines only
        head = head[: head.rfind(b"\n") + 1] or head
    data, _ = as_utf8(path, head, None, limit)
    data = checked_text(path, data)
    usual = TEXT_KINDS[file_kind(path)]
    separator = options.separator or guessed_separator(
        path, data, usual, limit, decimal=options.decimal, header=options.header
    )
    if separator == " ":
        raise InputError(f"{call}: folders and patterns of text files cannot be separated by runs of blanks.")
    first = pl.read_csv(data.partition(b"\n")[0], separator=separator, has_header=False, infer_schema=False).row(0)
    found = column_names(path, first if options.header else len(first))
    notes = [] if separator == usual else [f"Read with separator {separator!r}."]
    return separator, found.names, notes


def _load(connection: Any, files: Sequence[str], separator: str, width: int, options: FileOptions) -> None:
    """Store the cleaned cells as text, null where missing."""
    words = ("", *(MISSING_WORDS if options.missing_words is None else options.missing_words))
    missing = ", ".join(map(DUCKDB.text, dict.fromkeys(words)))
    blanks = DUCKDB.text(BLANKS)
    minus = DUCKDB.text(PATTERNS["minus"])
    cells = ", ".join(
        f"CASE WHEN trim(c{i}, {blanks}) IN ({missing}) THEN NULL "
        f"ELSE regexp_replace(trim(c{i}, {blanks}), {minus}, '-\\1') END AS c{i}"
        for i in range(width)
    )
    listed = ", ".join(map(DUCKDB.text, files))
    types = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(width))
    source = (
        f"read_csv([{listed}], auto_detect = false, columns = {{{types}}}, delim = {DUCKDB.text(separator)}, "
        f"quote = '\"', escape = '\"', header = {'true' if options.header else 'false'})"
    )
    connection.execute(f"CREATE TEMP TABLE cells AS SELECT {cells} FROM {source}")


def _examined(connection: Any, names: Sequence[str]) -> list[ExaminedColumn]:
    """What all cells of each column are."""
    parts = []
    for place in range(len(names)):
        cell = f"c{place}"
        parts += [f"bool_or(regexp_matches({cell}, {DUCKDB.text(PATTERNS['leading zero'])}))"]
        parts += [
            f"bool_and(regexp_matches({cell}, {DUCKDB.text(PATTERNS[kind])}))" for kind in ("whole", "point", "comma")
        ]
    answer = connection.execute(f"SELECT {', '.join(parts)} FROM cells").fetchall()[0]
    columns = []
    for place, name in enumerate(names):
        led, whole, point, comma = answer[4 * place : 4 * place + 4]
        kind = Kind.TEXT
        if not led and led is not None:
            kind |= Kind.WHOLE if whole else Kind.TEXT
            kind |= Kind.WITH_POINT if point else Kind.TEXT
            kind |= Kind.WITH_COMMA if comma else Kind.TEXT
        examples = connection.execute(
            f"SELECT DISTINCT c{place} FROM cells WHERE c{place} IS NOT NULL LIMIT {_EXAMPLES}"
        )
        cells = pl.Series("", [row[0] for row in examples.fetchall()], dtype=pl.String)
        columns.append(ExaminedColumn(name, cells, kind))
    return columns


def _typed(connection: Any, column: ExaminedColumn, place: int, sign: str) -> str:
    """A column as numbers where all cells are numbers under this decimal sign."""
    if not column.kind & (Kind.WITH_COMMA if sign == "," else Kind.WITH_POINT):
        return f"c{place}"
    if column.kind & Kind.WHOLE:
        # Integers beyond 64 bits stay text: as floats, distinct values could become equal.
        number = f"TRY_CAST(c{place} AS BIGINT)"
        lost = connection.execute(
            f"SELECT count(*) FROM cells WHERE c{place} IS NOT NULL AND {number} IS NULL"
        ).fetchall()[0]
        return f"c{place}" if lost[0] else number
    spelled = f"c{place}" if column.kind & Kind.WITH_POINT else f"replace(c{place}, ',', '.')"
    return f"CAST({spelled} AS DOUBLE)"
