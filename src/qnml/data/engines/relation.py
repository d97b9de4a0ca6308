"""`Relation`: what is asked of an engine that holds the data.

Three questions are enough: how often does each combination of these columns occur, about how many are there, and the
rows, batch by batch. A column enters a group as it is, as the number of its bin, or with its rare labels merged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["COUNT", "Binned", "Blank", "Cell", "CellKind", "Kept", "Raw", "Relation", "short_reason"]

CellKind: TypeAlias = Literal["text", "integer", "real", "boolean", "declared", "date", "other"]

COUNT = "n"
"""The name of the column of counts in what an engine answers; the columns before it are ``c0``, ``c1``, …."""


@dataclass(frozen=True)
class Raw:
    """A column as it is."""

    name: str


@dataclass(frozen=True)
class Binned:
    """The number of the bin of a numeric column: how many cuts lie below the value; null where it is missing."""

    name: str
    cuts: tuple[float, ...]


@dataclass(frozen=True)
class Kept:
    """A text column with all labels but a few replaced by one; null where it is missing."""

    name: str
    labels: tuple[str, ...]
    other: str


@dataclass(frozen=True)
class Blank:
    """Whether a cell is missing: for columns of values that cannot be compared."""

    name: str


Cell: TypeAlias = Raw | Binned | Kept | Blank


class Relation(Protocol):
    """A table that an engine holds.

    Attributes
    ----------
    engine : the engine's name, for people.
    kinds : what the cells of each column are, by name, in the order of the columns.
    notes : remarks about how the source is read.
    """

    @property
    def engine(self) -> str: ...

    @property
    def kinds(self) -> Mapping[str, CellKind]: ...

    @property
    def notes(self) -> tuple[str, ...]: ...

    def weighted(self, call: str, weights: str) -> Relation:
        """The same table with rows that count as often as a column says, which is then no variable."""

    def complete(self, names: Sequence[str]) -> Relation:
        """The rows without missing cells in these columns."""

    def sizes(self, cells: Sequence[Cell]) -> list[int]:
        """The number of stored rows, and about how many different values each column has; -1 where unknown."""

    def distinct(self, cells: Sequence[Cell]) -> int:
        """About how many different combinations of these cells there are; -1 where the engine cannot say."""

    def grouped(self, cells: Sequence[Cell]) -> Any:
        """A frame with the different combinations of these cells, and how often each occurs, in any order."""

    def batches(self, names: Sequence[str], rows: int) -> Iterator[Any]:
        """The rows as Arrow tables of about so many rows, in the order of the engine; the weights come last."""

    def close(self) -> None:
        """Let go of what was opened for this relation, and remove temporary files."""


_LONGEST_REASON = 500


def short_reason(error: BaseException) -> str:
    """The first line of an engine's error, cut where it repeats a long query."""
    line = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
    return line if len(line) <= _LONGEST_REASON else f"{line[:_LONGEST_REASON]}…"
