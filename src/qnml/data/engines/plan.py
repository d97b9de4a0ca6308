"""`ReadingPlan`: how data get from an engine into a table, and what that takes; known before the work."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from qnml._memory import format_bytes
from qnml.errors import TooLargeError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["WAYS", "ReadingPlan", "Way", "made_plan", "takes_rows"]

Way: TypeAlias = Literal["rows", "compress", "stream"]
WAYS = ("auto", "rows", "compress", "stream")

# Tables of up to so many cells come as they are: a table in memory can do more (bins chosen with the network).
_FEW_CELLS = 1_000_000
# Measured on grouped rows of 20 columns: fetched, coded, merged and stored, all held at once.
_PER_CELL = 45
_PER_MOVED_CELL = 9
_PER_STREAMED_CELL = 60
_BATCH_ROWS = 65_536
# Grouping pays if it at least halves the rows.
_LEAST_GAIN = 2


@dataclass(frozen=True)
class ReadingPlan:
    """How data get from an engine into a table, and what that takes.

    Attributes
    ----------
    engine : the engine.
    n_rows : rows of the source.
    n_columns : columns that are used.
    n_distinct : about how many different rows there are after preparation; -1 where the engine cannot say.
    way : ``"rows"`` (fetched as they are), ``"compress"`` (grouped and counted in the engine) or ``"stream"`` (coded
        batch by batch).
    bytes_moved : about what leaves the engine.
    memory_bytes : about what is held here at the peak.
    disk_bytes : about what coded columns take on disk, if they are memory-mapped; 0 otherwise.
    memory_limit : bytes that may be held.
    """

    engine: str
    n_rows: int
    n_columns: int
    n_distinct: int
    way: Way
    bytes_moved: float
    memory_bytes: float
    disk_bytes: float
    memory_limit: float

    def sentence(self) -> str:
        """The plan in words."""
        size = f"{self.engine}: {self.n_rows:,} rows, {self.n_columns} columns"
        moved = f"about {format_bytes(self.bytes_moved)} moved, {format_bytes(self.memory_bytes)} of memory"
        if self.way == "rows":
            return f"{size}, fetched as they are ({moved})."
        if self.way == "compress":
            about = f"about {self.n_distinct:,} different rows" if self.n_distinct >= 0 else "different rows"
            return f"{size}; {about} grouped and counted in the engine ({moved})."
        where = f", {format_bytes(self.disk_bytes)} on disk" if self.disk_bytes else ""
        return f"{size}, coded batch by batch ({moved}{where})."


def takes_rows(n_rows: int, n_columns: int) -> bool:
    """Whether a table is so small that its rows are fetched as they are."""
    return n_rows * n_columns <= _FEW_CELLS


def made_plan(
    call: str,
    engine: str,
    n_rows: int,
    arities: Sequence[int],
    n_distinct: int,
    asked: str,
    memory_limit: float,
) -> ReadingPlan:
    """Choose between grouping in the engine and coding batch by batch.

    Parameters
    ----------
    call : the calling function, for errors.
    engine : the engine.
    n_rows : rows of the source.
    arities : about how many levels each used column has.
    n_distinct : about how many different rows; -1 if not known.
    asked : one of `WAYS`.
    memory_limit : bytes that may be held.

    Raises
    ------
    TooLargeError
        If neither fits.
    """
    width = len(arities)
    known = n_rows if n_distinct < 0 else min(n_distinct, n_rows)
    grouped = float(_PER_CELL * known * width)
    coded = float(n_rows * sum(1 if arity <= 256 else 2 for arity in arities))
    streamed = float(_PER_STREAMED_CELL * _BATCH_ROWS * width)
    stays = coded + streamed <= memory_limit
    way: Way
    if asked in ("rows", "compress", "stream"):
        way = asked  # type: ignore[assignment]
    elif n_distinct < 0 or (grouped <= memory_limit and _LEAST_GAIN * known <= n_rows):
        way = "compress"
    elif coded + streamed <= memory_limit or grouped > memory_limit:
        way = "stream"
    else:
        way = "compress"
    if way == "stream":
        disk, memory = (0.0, coded + streamed) if stays else (coded, streamed)
        plan = ReadingPlan(
            engine, n_rows, width, n_distinct, way, _PER_MOVED_CELL * n_rows * width, memory, disk, memory_limit
        )
        _check_disk(call, plan)
        return plan
    moved = _PER_MOVED_CELL * (n_rows if way == "rows" else known) * width
    held = float(_PER_CELL * n_rows * width) if way == "rows" else grouped
    plan = ReadingPlan(engine, n_rows, width, n_distinct, way, moved, held, 0.0, memory_limit)
    if held > memory_limit and n_distinct >= 0:
        raise TooLargeError(f"{call}(way={way!r}): {plan.sentence()} Only {_limit(plan)}. way='stream' takes less.")
    return plan


def _check_disk(call: str, plan: ReadingPlan) -> None:
    if plan.memory_bytes > plan.memory_limit:
        raise TooLargeError(f"{call}: {plan.sentence()} Only {_limit(plan)}. Leave out columns, or allow more memory.")
    free = shutil.disk_usage(tempfile.gettempdir()).free
    if plan.disk_bytes > free:
        raise TooLargeError(
            f"{call}: {plan.sentence()} Only {format_bytes(free)} are free in {tempfile.gettempdir()}. Leave out "
            "columns, or set TMPDIR to a larger disk."
        )


def _limit(plan: ReadingPlan) -> str:
    return f"{format_bytes(plan.memory_limit)} of memory may be used"
