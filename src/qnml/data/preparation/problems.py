"""All that keeps a table from being used, in one error with the one argument that solves it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from qnml.errors import DataError, RealValuesError, plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from qnml.data.source import SourceColumn

__all__ = ["Problems"]

_MOST_SHOWN = 8
_AUTO = (
    "prepare='auto' deals with all columns: it bins numbers, estimates missing cells by EM (missing='em') and leaves "
    "out what cannot be used. columns={'name': 'bins'} decides about a single column; so do 'category' and 'drop'."
)


class Problems:
    """Collects the problems of the columns of one table.

    Parameters
    ----------
    call : the calling function, for the error.
    """

    def __init__(self, call: str) -> None:
        self.call = call
        self._missing: list[tuple[str, int]] = []
        self._reals: list[tuple[str, RealValuesError]] = []
        self._others: list[DataError] = []

    def add_missing(self, name: str, count: int) -> None:
        """Note a column with missing cells, which nobody said what to do about."""
        self._missing.append((name, count))

    @contextmanager
    def gathered(self, column: SourceColumn) -> Iterator[None]:
        """Note a `DataError` raised inside, and go on."""
        try:
            yield
        except RealValuesError as error:
            self._reals.append((column.name, error))
        except DataError as error:
            self._others.append(error)

    def raise_if_any(self) -> None:
        """Raise one error about everything noted."""
        parts = [*self._missing_part(), *self._real_part(), *self._other_parts()]
        if not parts:
            return
        only_real = self._reals and not self._missing and not self._others
        text = f"{self.call}: {'; '.join(part.rstrip('.') for part in parts)}. "
        # An error about a single column has its own advice.
        text += "" if self._has_own_advice() else self._advice()
        raise (RealValuesError if only_real else DataError)(text.rstrip())

    def _has_own_advice(self) -> bool:
        return len(self._others) == 1 and not self._missing and not self._reals

    def _advice(self) -> str:
        if len(self._reals) == 1 and not self._missing and not self._others:
            return "prepare='auto' decides about all columns."
        if self._reals or self._others:
            return _AUTO
        return (
            "Use missing='em' to estimate them by EM, missing='drop' to drop their rows, or missing='category' to make "
            "missing a level; or fill them in."
        )

    def _missing_part(self) -> list[str]:
        if not self._missing:
            return []
        count = sum(number for _, number in self._missing)
        listed = _listed([f"{name!r} ({number})" for name, number in self._missing])
        return [f"{'1 cell is' if count == 1 else f'{count:,} cells are'} missing, in {listed}"]

    def _real_part(self) -> list[str]:
        if not self._reals:
            return []
        if len(self._reals) == 1:
            return [str(self._reals[0][1]).removeprefix(f"{self.call}: ")]
        names = _listed([plain(name) for name, _ in self._reals])
        return [f"{len(self._reals)} columns hold real values, not categories: {names}"]

    def _other_parts(self) -> list[str]:
        if self._has_own_advice():
            return [str(self._others[0]).removeprefix(f"{self.call}: ")]
        # The first sentence says what is wrong; the rest is advice, which the whole error gives once.
        return [str(error).removeprefix(f"{self.call}: ").partition(". ")[0] for error in self._others[:_MOST_SHOWN]]


def _listed(parts: Sequence[str]) -> str:
    more = f" and {len(parts) - _MOST_SHOWN} more columns" if len(parts) > _MOST_SHOWN else ""
    return ", ".join(parts[:_MOST_SHOWN]) + more
