"""Interventions: in which rows which variables were set, instead of observed.

A variable that was set says nothing about its causes in that row, so the row does not count for its family. It counts
for the families of all other variables.

>>> from qnml.data import read_table
>>> cells = {"dose": [0, 1, 1, 0], "ill": [0, 1, 0, 1], "how": ["", "dose", "dose", ""]}
>>> table = read_table(cells, interventions="how")
>>> table.names, table.interventions
(('dose', 'ill'), Interventions(2 of 4 rows; dose: 2))
>>> table.interventions.mask("dose").tolist()
[False, True, True, False]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from qnml.errors import DataError, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from qnml.data.table import Table

__all__ = ["HOLES_AND_INTERVENTIONS", "Interventions", "refuse_interventions"]

HOLES_AND_INTERVENTIONS = (
    "Missing cells cannot be estimated then: read the data with missing='drop', or make 'missing' a level, by "
    "table.with_missing_level()."
)
_MOST_SHOWN = 6


class Interventions:
    """Which variables were set in which rows. Immutable.

    Attributes
    ----------
    regimes : array of int
        For each row the number of its regime.
    targets : tuple of tuples of str
        For each regime the variables that were set in it, sorted; no two are equal, and each occurs.
    """

    __slots__ = ("regimes", "targets")

    regimes: npt.NDArray[np.int64]
    targets: tuple[tuple[str, ...], ...]

    def __init__(self, regimes: npt.NDArray[Any], targets: Sequence[Iterable[str]]) -> None:
        sets = [tuple(sorted(set(one))) for one in targets]
        used = np.unique(regimes)
        found = sorted({sets[number] for number in used.tolist()}, key=lambda one: (len(one), one))
        places = {one: place for place, one in enumerate(found)}
        recode = np.array([places.get(one, -1) for one in sets], dtype=np.int64)
        made = recode[regimes] if len(recode) else np.zeros(0, dtype=np.int64)
        made.setflags(write=False)
        object.__setattr__(self, "regimes", made)
        object.__setattr__(self, "targets", tuple(found))

    @classmethod
    def from_masks(cls, masks: Mapping[str, npt.NDArray[np.bool_]], n_rows: int) -> Interventions:
        """Create them from the rows in which each variable was set.

        Parameters
        ----------
        masks
            By the name of the variable.
        n_rows
            Number of rows.
        """
        regimes = np.zeros(n_rows, dtype=np.int64)
        targets: list[tuple[str, ...]] = [()]
        for name, mask in masks.items():
            # Numbered anew for each variable, so that the numbers stay small however many variables there are.
            found, regimes = np.unique(regimes * 2 + mask, return_inverse=True)
            targets = [(*targets[one // 2], name) if one % 2 else targets[one // 2] for one in found.tolist()]
        return cls(regimes, targets)

    @property
    def n_rows(self) -> int:
        """The number of rows, with and without interventions."""
        return len(self.regimes)

    @property
    def names(self) -> tuple[str, ...]:
        """The variables that were set in some row, sorted."""
        return tuple(sorted({name for one in self.targets for name in one}))

    def mask(self, name: str) -> npt.NDArray[np.bool_]:
        """The rows in which a variable was set; none for other names."""
        return self._sets(name)[self.regimes]

    @property
    def untouched(self) -> npt.NDArray[np.bool_]:
        """The rows in which nothing was set."""
        return np.array([not names for names in self.targets], dtype=bool)[self.regimes]

    def _sets(self, name: str) -> npt.NDArray[np.bool_]:
        return np.array([name in one for one in self.targets], dtype=bool)

    def parts(self, names: Sequence[str]) -> tuple[list[npt.NDArray[np.bool_]], tuple[int, ...]]:
        """The variables grouped by the rows that count for their families: those rows, and the group of each variable.

        Parameters
        ----------
        names
            All variables, in the order of the answer.
        """
        numbers: dict[bytes, int] = {}
        rows: list[npt.NDArray[np.bool_]] = []
        of_name = []
        for name in names:
            sets = self._sets(name)
            key = sets.tobytes()
            if key not in numbers:
                numbers[key] = len(rows)
                rows.append(~sets[self.regimes])
            of_name.append(numbers[key])
        return rows, tuple(of_name)

    def labels(self) -> npt.NDArray[np.object_]:
        """For each row the variables that were set, joined by ``|``; None where none was."""
        texts = np.array(["|".join(one) or None for one in self.targets], dtype=object)
        found: npt.NDArray[np.object_] = texts[self.regimes]
        return found

    def take(self, rows: npt.NDArray[Any] | slice) -> Interventions:
        """Those of the given rows: positions, a mask or a slice."""
        return Interventions(self.regimes[rows], self.targets)

    def restricted(self, names: Iterable[str]) -> Interventions | None:
        """Those on the given variables alone; None if there are none."""
        kept = set(names)
        left = [[name for name in one if name in kept] for one in self.targets]
        return Interventions(self.regimes, left) if any(left) else None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Interventions):
            return NotImplemented
        return self.targets == other.targets and np.array_equal(self.regimes, other.regimes)

    __hash__ = None  # type: ignore[assignment]

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Interventions.{name}: interventions are immutable.")

    def __repr__(self) -> str:
        touched = int(np.count_nonzero(~self.untouched))
        shown = [f"{name}: {int(self.mask(name).sum())}" for name in self.names[:_MOST_SHOWN]]
        if len(self.names) > _MOST_SHOWN:
            shown.append(f"… {len(self.names)} variables")
        return f"Interventions({touched} of {self.n_rows} rows; {', '.join(shown)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Interventions, (np.array(self.regimes), self.targets)


def refuse_interventions(call: str, table: Table, why: str) -> None:
    """Refuse a table in which variables were set in some rows, for callers that would take them for observed.

    Parameters
    ----------
    call
        The calling function, for errors.
    table
        Any table.
    why
        What does not work, and what to do, in sentences.
    """
    if table.interventions is None:
        return
    names = table.interventions.names
    more = f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else ""
    listed = ", ".join(map(plain, names[:_MOST_SHOWN])) + more
    raise DataError(
        f"{call}: variables were set in some rows of the table ({listed}). {why} table.observational() has the other "
        "rows, and table.with_interventions(None) takes all rows as observed."
    )
