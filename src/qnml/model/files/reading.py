"""The record of reading one file, shared by all formats: the memory it may take, and what was repaired."""

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
"""How far below zero a probability may be in a file: rounding errors of differences in single precision."""

_BYTES_PER_CELL = 8
_ONE = {"s": "", "do": "does", "are": "is"}
_SEVERAL = {"s": "s", "do": "do", "are": "are"}
_ADVICE = "Give a larger memory_limit if the machine has more."


@dataclass
class _Mend:
    """One kind of fault: the number of occurrences, the largest size, and the line of the first."""

    count: int
    worst: float
    line: int | None


class Reading:
    """The record of reading one file: memory in use and repairs.

    Parameters
    ----------
    source
        The file, for messages.
    memory_limit
        In bytes; nine tenths of the free memory by default.
    wants_titles
        Whether variables are named by their titles, in formats that have titles besides identifiers.

    Attributes
    ----------
    text : str
        The text that is read, for the places of errors.
    """

    def __init__(self, source: str, memory_limit: float | None = None, *, wants_titles: bool = False) -> None:
        self.source = source
        self.text = ""
        self.wants_titles = wants_titles
        self.memory_limit = resolve_memory_limit("read_network", memory_limit)
        self._held = 0
        self._mends: dict[tuple[str, str], _Mend] = {}

    # --- memory

    def hold_text(self, text: str, marks: str, bytes_per_mark: int) -> None:
        """Count the memory of a text and of the objects made from it: some bytes for each occurrence of the marks."""
        self.text = text
        found = sum(text.count(mark) for mark in marks)
        # The text, the part of it with the numbers, and that part stripped to the numbers.
        self.hold(3 * sys.getsizeof(text) + found * bytes_per_mark, "what the file describes")

    def hold(self, size: int, what: str) -> None:
        """Count bytes that remain in use, and refuse them if they exceed the limit."""
        if self._held + size > self.memory_limit:
            raise TooLargeError(
                f"{self.source}: {what} would take {format_bytes(size)} besides the {format_bytes(self._held)} already "
                f"in use, and reading may take {format_bytes(self.memory_limit)}. {_ADVICE}"
            )
        self._held += size

    def release_table(self, sizes: Sequence[int]) -> None:
        """Release a table that was counted and then not made."""
        self._held -= _BYTES_PER_CELL * math.prod(sizes)

    def hold_table(self, child: str, sizes: Sequence[int], line: Callable[[], int | None]) -> None:
        """Count a dense table before it is made.

        Parameters
        ----------
        child
            The variable.
        sizes
            Number of levels of its parents and, last, of itself.
        line
            Returns the line of the table; called only for an error.
        """
        cells = math.prod(sizes)
        # Twice, because its axes are transposed to the order of the graph.
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
            raise TooLargeError(f"{begun}; a full table may have at most {most}.")
        taken = format_bytes(2 * _BYTES_PER_CELL * cells)
        raise TooLargeError(
            f"{begun}; reading it takes {taken} besides the {format_bytes(self._held)} already in use, and reading "
            f"may take {format_bytes(self.memory_limit)}. {_ADVICE}"
        )

    # --- repairs

    def mend(
        self, what: str, done: str, count: int = 1, worst: float = 0.0, line: Callable[[], int] | None = None
    ) -> None:
        """Record a fault that leaves no doubt about the meaning of the file.

        Parameters
        ----------
        what, done
            The fault, and how it was repaired. In the first, ``{count}`` and ``{worst}`` stand for the number of such
            faults in the file and the size of the largest; ``{s}``, ``{do}`` and ``{are}`` agree with the number.
        count, worst, line
            The number of new faults, the size of the largest, and a function that returns the line of the first.
        """
        known = self._mends.get((what, done))
        if known is None:
            known = self._mends[what, done] = _Mend(0, 0.0, None if line is None else line())
        known.count += count
        known.worst = max(known.worst, worst)

    def warn(self) -> None:
        """Issue one warning for each kind of fault."""
        for (what, done), mend in self._mends.items():
            first = "" if mend.line is None else f" (the first in line {mend.line})"
            words = _ONE if mend.count == 1 else _SEVERAL
            found = what.format(count=f"{mend.count:,}", worst=f"{mend.worst:.2g}", **words)
            warnings.warn(f"{self.source}: {found}{first}; {done}.", MendedFileWarning, stacklevel=2)
        self._mends.clear()
