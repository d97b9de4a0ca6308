"""What reading one file may take, and what was mended on the way: shared by the readers of all formats."""

from __future__ import annotations

import math
import sys
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qnml._memory import format_bytes, resolve_memory_limit
from qnml.errors import MendedFileWarning, TooLargeError
from qnml.model.tables import MOST_AXES, MOST_ENTRIES, magnitude

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["TINY", "Reading"]

TINY = 1e-6
"""How far below zero a probability may be in a file: what is left of differences in single precision."""

_BYTES_PER_CELL = 8
_ONE = {"s": "", "do": "does", "are": "is"}
_SEVERAL = {"s": "s", "do": "do", "are": "are"}
_ADVICE = "Give a larger memory_limit (--memory in the shell) where there is more."


@dataclass
class _Mend:
    """One kind of fault: how often it was found, how large it was, and where first."""

    count: int
    worst: float
    line: int | None


class Reading:
    """The bookkeeping of one read.

    Parameters
    ----------
    source
        The file, for messages.
    memory_limit
        In bytes; nine tenths of what is free when left out.
    wants_titles
        Whether variables are called by their titles, where a format has such beside identifiers.
    """

    def __init__(self, source: str, memory_limit: float | None = None, *, wants_titles: bool = False) -> None:
        self.source = source
        self.wants_titles = wants_titles
        self.memory_limit = resolve_memory_limit("read_network", memory_limit)
        self._held = 0
        self._mends: dict[tuple[str, str], _Mend] = {}

    # --- memory

    def hold_text(self, text: str, marks: str, bytes_per_mark: int) -> None:
        """Count a text, and what is made of it: so many bytes wherever one of some characters stands."""
        found = sum(text.count(mark) for mark in marks)
        # The text, the part of it that holds the numbers, and that part with nothing but numbers.
        self.hold(3 * sys.getsizeof(text) + found * bytes_per_mark, "what the file describes")

    def hold(self, size: int, what: str) -> None:
        """Count bytes that stay, and refuse them where they do not fit."""
        if self._held + size > self.memory_limit:
            raise TooLargeError(
                f"{self.source}: {what} would take {format_bytes(size)} beside the {format_bytes(self._held)} already "
                f"in use, and reading may take {format_bytes(self.memory_limit)}. {_ADVICE}"
            )
        self._held += size

    def release_table(self, sizes: Sequence[int]) -> None:
        """Take back a table that was counted and then not made."""
        self._held -= _BYTES_PER_CELL * math.prod(sizes)

    def hold_table(self, child: str, sizes: Sequence[int], line: Callable[[], int | None]) -> None:
        """Count a dense table before it is made.

        Parameters
        ----------
        child
            The variable.
        sizes
            Levels of its parents and itself.
        line
            Says where the table stands, which only the error needs to know.
        """
        cells = math.prod(sizes)
        # Twice: its axes are turned to the order of the graph.
        if (
            cells <= MOST_ENTRIES
            and len(sizes) <= MOST_AXES
            and self._held + 2 * _BYTES_PER_CELL * cells <= self.memory_limit
        ):
            self._held += _BYTES_PER_CELL * cells
            return
        at = line()
        where = self.source if at is None else f"{self.source}, line {at}"
        begun = f"{where}: the table of {child!r} has {magnitude(cells)} entries over its {len(sizes)} variables"
        if cells > MOST_ENTRIES or len(sizes) > MOST_AXES:
            most = f"{MOST_ENTRIES} entries and {MOST_AXES} variables"
            raise TooLargeError(f"{begun}; {most} are the most a table in full may have.")
        taken = format_bytes(2 * _BYTES_PER_CELL * cells)
        raise TooLargeError(
            f"{begun}; reading it takes {taken} beside the {format_bytes(self._held)} already in use, and reading "
            f"may take {format_bytes(self.memory_limit)}. {_ADVICE}"
        )

    # --- mending

    def mend(
        self, what: str, done: str, count: int = 1, worst: float = 0.0, line: Callable[[], int] | None = None
    ) -> None:
        """Note a fault that leaves no doubt about what is meant.

        Parameters
        ----------
        what, done
            What was found, and what was done about it. ``{count}`` and ``{worst}`` in the first stand for the number
            of all such faults in the file and the largest of them; ``{s}``, ``{do}`` and ``{are}`` agree with the
            number.
        count, worst, line
            How many were found now, the largest, and what says the line of the first.
        """
        known = self._mends.get((what, done))
        if known is None:
            known = self._mends[what, done] = _Mend(0, 0.0, None if line is None else line())
        known.count += count
        known.worst = max(known.worst, worst)

    def warn(self) -> None:
        """Say what was mended, one warning for each kind of fault."""
        for (what, done), mend in self._mends.items():
            first = "" if mend.line is None else f" (the first in line {mend.line})"
            words = _ONE if mend.count == 1 else _SEVERAL
            found = what.format(count=f"{mend.count:,}", worst=f"{mend.worst:.2g}", **words)
            warnings.warn(f"{self.source}: {found}{first}; {done}.", MendedFileWarning, stacklevel=2)
        self._mends.clear()
