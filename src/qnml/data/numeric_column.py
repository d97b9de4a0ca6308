"""One column of numbers whose bins are still to be chosen, and a table with bins that were chosen."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from qnml import _core
from qnml.data.binning import Binning, given_cuts
from qnml.data.cut_candidates import CutCandidates, cut_candidates
from qnml.data.table import Table
from qnml.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from qnml.data.labels import Label
    from qnml.data.preparation import ColumnPreparation, Preparation

__all__ = ["Edges", "NumericColumn", "bins_of_their_own", "numeric_columns_of", "rebinned"]

Edges = npt.NDArray[np.int32]

_NO_PIECE = np.iinfo(np.uint16).max
_REASON = "Numbers, binned together with the network."


class NumericColumn:
    """The numbers of a column, where they may be cut, and what bins cost apart from the score of a network.

    Bins are given by the edges between them: numbers of candidate cuts, counted from 1.

    Parameters
    ----------
    call : the calling function, for errors.
    table : a table that has the numbers of the column.
    name : the column.

    Attributes
    ----------
    name : the column.
    candidates : where it may be cut.
    pieces : for every row, the number of the piece between two candidates in which its value lies; a number beyond
        them where the value is missing or infinite.
    missing_label : the level of the missing cells, which is a bin of its own; None if no cell is missing, or if the
        table leaves them missing.
    core : the candidates as the core takes them.
    """

    name: str
    candidates: CutCandidates
    pieces: npt.NDArray[np.uint16]
    missing_label: Label | None
    core: _core.CutCandidates

    def __init__(self, call: str, table: Table, name: str) -> None:
        self.name = name
        self._values = table.numbers[name]
        self.candidates = cut_candidates(call, name, self._values, table.weights)
        self._is_missing = np.isnan(self._values)
        left = table.missing[table.index(name)] is not None
        self.missing_label = None if left else _missing_label(call, table, name, self._is_missing)
        counts = np.ones(table.n_rows, dtype=np.uint64) if table.weights is None else table.weights
        missing_rows = int(counts[self._is_missing].sum())
        self.core = self.candidates.core(missing_rows, int(self.missing_label is not None))
        pieces = np.searchsorted(self.candidates.cuts, self._values).astype(np.uint16)
        pieces[self._is_missing | self.candidates.is_infinite(self._values)] = _NO_PIECE
        self.pieces = pieces
        self._rows = np.concatenate([[0], np.cumsum(self.candidates.counts)])

    @property
    def fixed_bins(self) -> int:
        """Levels that are not bins between cuts: those of infinite values and of missing cells."""
        return sum(count > 0 for count in self.candidates.infinite) + (self.missing_label is not None)

    def equal_parts(self, parts: int) -> Edges:
        """Edges that divide the rows as equally as the candidates allow."""
        shares = self._rows[-1] * np.arange(1, parts) / parts
        edges = np.unique(np.searchsorted(self._rows, shares))
        return edges[(edges > 0) & (edges < len(self._rows) - 1)].astype(np.int32)

    def binning(self, edges: Edges) -> Binning:
        """The bins between these edges."""
        return given_cuts(self.candidates.chosen(edges))

    def positions(self, edges: Edges) -> float:
        """Code length of the positions of the values within their bins, in nats: the sum of h log L over the bins.

        Widths are in the unit of the column; at a precision ε the code is n log ε shorter.
        """
        ends = np.concatenate([[0], edges, [len(self.candidates.counts)]])
        rows = np.diff(self._rows[ends])
        return math.fsum(
            float(count) * self.candidates.log_width(start, end)
            for count, start, end in zip(rows.tolist(), ends[:-1].tolist(), ends[1:].tolist(), strict=True)
            if count
        )

    def choice(self, edges: Edges) -> float:
        """Code length of the choice of the cuts, in nats, when their number is known."""
        return math.fsum(math.log((self.candidates.places - i) / (i + 1)) for i in range(len(edges)))

    def coded(self, edges: Edges) -> tuple[npt.NDArray[np.int64], tuple[Label, ...]]:
        """The level of each row, and the levels, with that of missing cells last."""
        binning = self.binning(edges)
        codes = binning.codes(self._values)
        codes[self._is_missing] = 0 if self.missing_label is None else len(binning.labels)
        return codes, (*binning.labels, *(() if self.missing_label is None else (self.missing_label,)))


def numeric_columns_of(call: str, table: Table) -> dict[str, NumericColumn]:
    """The columns of a table whose numbers are known and whose bins nobody asked for, in order of their names."""
    prepared = table.preparation
    given = () if prepared is None else [one.name for one in prepared.columns if one.is_fixed]
    return {name: NumericColumn(call, table, name) for name in sorted(table.numbers) if name not in given}


def bins_of_their_own(columns: Mapping[str, NumericColumn], n_jobs: int) -> dict[str, Edges]:
    """The bins with the shortest code for each column by itself: NML histograms.

    Parameters
    ----------
    columns : the columns, by name.
    n_jobs : threads.
    """
    edges = _core.nml_histograms([column.core for column in columns.values()], n_jobs)
    return dict(zip(columns, edges, strict=True))


def rebinned(table: Table, columns: Mapping[str, NumericColumn], edges: Mapping[str, Edges]) -> Table:
    """The table with other bins for some columns, recorded in its preparation.

    Parameters
    ----------
    table : the table that the columns were made from.
    columns : columns of numbers, by name.
    edges : the edges between the new bins of each.
    """
    stored: list[npt.NDArray[Any]] = list(table.columns)
    levels = list(table.levels)
    for name, chosen in edges.items():
        place = table.index(name)
        stored[place], levels[place] = columns[name].coded(chosen)
    prepared = _prepared(table, columns, edges)
    return Table._of(
        table.names,
        stored,
        levels,
        table.weights,
        preparation=prepared,
        missing=table.missing,
        numbers=table.numbers,
        interventions=table.interventions,
        frame_kind=table.frame_kind,
    )


def _prepared(table: Table, columns: Mapping[str, NumericColumn], edges: Mapping[str, Edges]) -> Preparation | None:
    before = table.preparation
    if before is None:
        return None
    return before._with_columns(
        _binned(entry, columns[entry.name], edges[entry.name]) if entry.name in edges else entry
        for entry in before.columns
    )


def _binned(entry: ColumnPreparation, column: NumericColumn, edges: Edges) -> ColumnPreparation:
    binning = column.binning(edges)
    return replace(
        entry,
        action="bin",
        reason=_REASON,
        levels=column.coded(edges)[1],
        cuts=tuple(binning.cuts.tolist()),
        bins=binning.labels,
        slack=binning.slack,
        method="joint",
    )


def _missing_label(call: str, table: Table, name: str, is_missing: npt.NDArray[np.bool_]) -> Label | None:
    how = None if table.preparation is None else table.preparation.columns[name]
    if how is not None and how.missing_label is not None:
        return how.missing_label
    used = np.unique(table.codes(name)[is_missing])
    if len(used) > 1 or np.isin(table.codes(name)[~is_missing], used).any():
        raise DataError(f"{call}: column {name!r} has no level of its own for its missing cells.")
    return table.levels[name][used[0]] if len(used) else None
