"""The elements of a summary: cells, tables, curves, figures, findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["PAPER_SUFFIX", "Cell", "Curve", "Figure", "Finding", "Panel", "PartSummary", "Table"]

PAPER_SUFFIX = ", the paper"
"""Suffix of the labels of the paper's curves."""


@dataclass(frozen=True)
class Cell:
    """One number of a table, with the paper's.

    Parameters
    ----------
    ours
        Our value.
    error
        Its standard error over repetitions; 0 for an exact value.
    printed
        The value printed in the paper, or None.
    difference_in_errors
        The difference of the two in units of its standard error, or None.
    within
        Whether the two agree by the rule of the part, or None if nothing is printed.
    """

    ours: float
    error: float
    printed: float | None
    difference_in_errors: float | None
    within: bool | None


@dataclass(frozen=True)
class Table:
    """A table of cells, compared with the paper's.

    Parameters
    ----------
    part
        The part of the paper, such as ``"table3"``.
    title
        A heading.
    row_names
        Rows in order.
    column_names
        Columns in order.
    cells
        Cells by (row, column); a missing key is an empty cell.
    extra_columns
        Columns of plain text, such as the sample size, with one entry per row.
    repetitions
        Number of repetitions of each row.
    notes
        Remarks in whole sentences; any numbers in them are computed from the results.
    best
        Whether the smallest or the largest value of a row is the best, or None.
    is_alternative
        Whether it shows what another choice would give: its cells are not counted in the summary of all parts.
    """

    part: str
    title: str
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    cells: Mapping[tuple[str, str], Cell]
    extra_columns: Mapping[str, tuple[str, ...]]
    repetitions: Mapping[str, int]
    notes: tuple[str, ...]
    best: Literal["low", "high"] | None
    is_alternative: bool = False


@dataclass(frozen=True)
class Curve:
    """One line of a figure.

    Parameters
    ----------
    label
        The name in the legend.
    x
        Positions.
    mean
        Means over repetitions.
    error
        Standard errors of the means.
    spread
        Standard deviations over repetitions.
    """

    label: str
    x: tuple[float, ...]
    mean: tuple[float, ...]
    error: tuple[float, ...]
    spread: tuple[float, ...]


@dataclass(frozen=True)
class Panel:
    """One pair of axes.

    Parameters
    ----------
    title
        A heading.
    x_label
        What the horizontal axis shows.
    y_label
        What the vertical axis shows.
    x_log
        Whether the horizontal axis is logarithmic.
    curves
        The lines.
    """

    title: str
    x_label: str
    y_label: str
    x_log: bool
    curves: tuple[Curve, ...]


@dataclass(frozen=True)
class Figure:
    """A figure of one or more panels.

    Parameters
    ----------
    part
        The part of the paper, such as ``"figure2"``.
    title
        A heading.
    panels
        The panels in order.
    repetitions
        Number of repetitions of each subject.
    notes
        Remarks in whole sentences.
    """

    part: str
    title: str
    panels: tuple[Panel, ...]
    repetitions: Mapping[str, int]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Finding:
    """One claim of the paper, checked.

    Parameters
    ----------
    statement
        The claim in our words.
    holds
        Whether it holds here; None if the results cannot tell.
    evidence
        The numbers that decide it.
    """

    statement: str
    holds: bool | None
    evidence: str


@dataclass(frozen=True)
class PartSummary:
    """The summary of one part of the paper.

    Parameters
    ----------
    part
        The part of the paper, such as ``"table2"``.
    tables
        Its tables.
    figures
        Its figures.
    findings
        Its claims, checked one by one.
    missing
        Why the part was not run, or None.
    compared
        Cells that agree with the paper and cells compared, of numbers that no table lists.
    """

    part: str
    tables: tuple[Table, ...]
    figures: tuple[Figure, ...]
    findings: tuple[Finding, ...]
    missing: str | None
    compared: tuple[int, int] = (0, 0)
