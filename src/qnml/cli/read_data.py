"""Reading of tables from files, with the options that several commands share."""

from __future__ import annotations

import logging
import sys
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw

import qnml
from qnml.cli.failures import tell
from qnml.cli.options import in_bytes
from qnml.cli.wording import in_shell_words
from qnml.data import is_bene, open_file, open_source, source_rows
from qnml.errors import DroppedRowsWarning, InputError, ReadingWarning

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from qnml.cli.reading_options import ReadingOptions

__all__ = ["STANDARD_INPUT", "column_names", "opened_data", "read_data"]

STANDARD_INPUT = "-"
"""The name under which commands read their data from standard input."""


def read_data(
    source: str,
    file: ReadingOptions,
    *,
    prepare: str = "strict",
    columns: dict[str, str | list[float]] | None = None,
    levels: str | dict[str, list[str]] | None = None,
    missing: str | None = None,
    weights: str | None = None,
    interventions: str | None = None,
    discretize: str | None = None,
    bins: int = 3,
    memory: float | None = None,
) -> qnml.Table:
    """Read and prepare a table.

    Parameters
    ----------
    source, file
        The file, and how to read it.
    prepare, columns, levels, missing, weights, interventions, discretize, bins
        As for `qnml.read_table`.
    memory
        Memory limit for reading, in gigabytes.
    """
    options: dict[str, Any] = {"prepare": prepare, "missing": missing, "levels": levels or "declared"}
    options |= {"columns": columns, "discretize": discretize, "bins": bins}
    options |= {"weights": weights, "interventions": interventions}
    content = _standard_input() if source == STANDARD_INPUT else source
    with warnings.catch_warnings():
        # The pages say how many rows are left, and what was guessed is told below.
        warnings.simplefilter("ignore", DroppedRowsWarning)
        warnings.simplefilter("ignore", ReadingWarning)
        with _told_plans():
            limit = in_bytes(memory)
            table = qnml.read_table(content, **options, sql=file.sql, memory_limit=limit, **file.file_options().given)
    _tell_notes(source, () if table.preparation is None else table.preparation.notes)
    return table


def opened_data(
    source: str, file: ReadingOptions, memory: float | None = None, *, name_unnamed: bool = True, stays: bool = False
) -> Any:
    """Open a data file: as a table if it is bene's, otherwise as a data frame; notes on guesses are told on stderr.

    Parameters
    ----------
    source, file, memory
        As for `read_data`; ``-`` is standard input.
    name_unnamed
        Whether to name columns without a name; otherwise they are an error.
    stays
        Whether data that live in an engine may stay there, for `qnml.read_table` to fetch what it needs.
    """
    options, limit = file.file_options(), in_bytes(memory)
    if source != STANDARD_INPUT:
        relation = open_source(source, file.sql, options, limit)
        if relation is not None:
            return relation if stays else source_rows(relation)
    if source != STANDARD_INPUT and is_bene(Path(source)):
        return qnml.read_table(source, memory_limit=limit, **options.given)
    content = _standard_input() if source == STANDARD_INPUT else source
    opened = open_file(content, options, limit, name_unnamed=name_unnamed)
    _tell_notes(source, opened.notes)
    return opened.frame


def _tell_notes(source: str, notes: Sequence[str]) -> None:
    for note in notes:
        tell(f"{'standard input' if source == STANDARD_INPUT else source}: {in_shell_words(note)}")


def _standard_input() -> Any:
    if sys.stdin is None:
        raise InputError("standard input is closed, and - reads the data from it. Give it a file, or name the file.")
    return getattr(sys.stdin, "buffer", sys.stdin)


def column_names(rows: Any) -> list[str]:
    """The names of the columns that `opened_data` opened."""
    if isinstance(rows, qnml.Table):
        return list(rows.names)
    return list(rows.kinds if hasattr(rows, "kinds") else nw.from_native(rows).columns)


@contextmanager
def _told_plans() -> Iterator[None]:
    """Tell on stderr how data get out of an engine, before the work."""

    class Teller(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            tell(record.getMessage())

    log, teller = logging.getLogger("qnml.data.engines"), Teller()
    before = log.level
    log.addHandler(teller)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(teller)
        log.setLevel(before)
