"""The names of columns from the header of a text or Excel file."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from qnml.data.codes import default_names
from qnml.errors import FileFormatError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import polars as pl

__all__ = ["HeaderNames", "column_names", "data_note"]

_MOST_SHOWN = 5
_MOST_JUDGED = 100
_NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?")
_REAL = re.compile(r"[+-]?[0-9]+[.,][0-9]+")


class HeaderNames(NamedTuple):
    """The names of all columns, those among them that the header lacks, and notes on what was named."""

    names: tuple[str, ...]
    unnamed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def column_names(
    path: str | Path,
    cells: Sequence[str | None] | int,
    line: int = 1,
    numbers: Sequence[int] | None = None,
    *,
    name_unnamed: bool = False,
) -> HeaderNames:
    """Return the names of the columns.

    Parameters
    ----------
    path : the file, for errors.
    cells : the header, or the number of columns if there is none; they are then named ``X1``, ``X2``, ….
    line : the line of the header.
    numbers : the positions of the columns in the file, counted from 1, where some are left out.
    name_unnamed : whether to name columns without a name ``column 1``, ``column 2``, … by their positions, as pandas
        writes its row numbers without a name, and columns that repeat a name ``x (2)``, ``x (3)``, …; otherwise they
        are an error. So are numbers that are repeated: such a header may be data.
    """
    if isinstance(cells, int):
        return HeaderNames(default_names(cells))
    names = [(cell or "").strip() for cell in cells]
    numbers = numbers or range(1, len(names) + 1)
    empty = [place for place, name in enumerate(names) if not name]
    if empty and not name_unnamed:
        problem = "the header has no name here; if the column holds row numbers, save the file without them"
        raise FileFormatError(path, problem, line=line, column=numbers[empty[0]])
    repeated = [name for name, count in Counter(names).items() if count > 1 and name]
    if repeated and (not name_unnamed or any(map(_NUMBER.fullmatch, repeated))):
        place = len(names) - names[::-1].index(repeated[0])
        problem = (
            f"the header repeats {repeated[0]!r}; column names must differ (or is there no header? then give "
            "header=False)"
        )
        raise FileFormatError(path, problem, line=line, column=numbers[place - 1])
    taken = set(names)
    for place in empty:
        names[place] = _free_name(f"column {numbers[place]}", taken)
        taken.add(names[place])
    given = [names[place] for place in empty]
    renamed = _numbered(names, set(repeated), taken)
    return HeaderNames(tuple(names), tuple(given), (*_notes(given), *_repeats_note(renamed)))


def data_note(names: Sequence[str], columns: Sequence[pl.Series]) -> tuple[str, ...]:
    """A note if the header looks like a row of data: most names occur in their own columns, or are real numbers.

    Parameters
    ----------
    names : the header.
    columns : the cells of each column as text.
    """
    names = names[:_MOST_JUDGED]
    alike = [
        name for name, cells in zip(names, columns, strict=False) if _REAL.fullmatch(name) or (cells == name).any()
    ]
    if 2 * len(alike) <= len(names):
        return ()
    listed = ", ".join(map(repr, alike[:_MOST_SHOWN])) + (" …" if len(alike) > _MOST_SHOWN else "")
    return (f"The header looks like data ({listed}). If the first line holds data and no names, give header=False.",)


def _numbered(names: list[str], repeated: set[str], taken: set[str]) -> list[str]:
    """Number the repeats of names, in place, and return the new names."""
    seen: set[str] = set()
    renamed = []
    for place, name in enumerate(names):
        if name in repeated and name in seen:
            names[place] = _free_name(name, taken)
            taken.add(names[place])
            renamed.append(names[place])
        seen.add(name)
    return renamed


def _free_name(name: str, taken: set[str]) -> str:
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name} ({number})"
    return free


def _repeats_note(renamed: Sequence[str]) -> tuple[str, ...]:
    if not renamed:
        return ()
    listed = ", ".join(map(repr, renamed[:_MOST_SHOWN])) + (" …" if len(renamed) > _MOST_SHOWN else "")
    return (f"The header repeats names; the later columns are now called {listed}.",)


def _notes(given: Sequence[str]) -> tuple[str, ...]:
    if not given:
        return ()
    listed = ", ".join(map(repr, given[:_MOST_SHOWN])) + (" …" if len(given) > _MOST_SHOWN else "")
    if len(given) == 1:
        return (f"The header has no name for one column, now called {listed}.",)
    return (f"The header has no names for {len(given)} columns, now called {listed}.",)
