"""The names of columns from the header of a text or Excel file."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from qnml.data.codes import default_names
from qnml.errors import FileFormatError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["HeaderNames", "column_names"]

_MOST_SHOWN = 5


class HeaderNames(NamedTuple):
    """The names of all columns, the names among them that the header lacks, and notes on these."""

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
        writes its row numbers without a name; otherwise they are an error.
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
    if repeated:
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
    return HeaderNames(tuple(names), tuple(names[place] for place in empty), _notes([names[place] for place in empty]))


def _free_name(name: str, taken: set[str]) -> str:
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name} ({number})"
    return free


def _notes(given: Sequence[str]) -> tuple[str, ...]:
    if not given:
        return ()
    listed = ", ".join(map(repr, given[:_MOST_SHOWN])) + (" …" if len(given) > _MOST_SHOWN else "")
    if len(given) == 1:
        return (f"The header has no name for one column, now called {listed}.",)
    return (f"The header has no names for {len(given)} columns, now called {listed}.",)
