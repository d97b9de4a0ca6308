"""Appendix E: means and variances of prediction and parsimony, one page for each data set, ours and the authors'."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from qnml.paper.authors import authors_predictions
from qnml.paper.criteria import CRITERIA
from qnml.paper.printed import SETS
from qnml.paper.summary.curves import authors_curves, beside_authors, estimates_by_size
from qnml.paper.summary.measures import beside, curve, estimate
from qnml.paper.summary.types import Curve, Figure, Finding, Panel, PartSummary, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.paper.summary.measures import Estimate
    from qnml.paper.summary.types import Cell

__all__ = ["summarize_appendix_e"]

_QUANTITIES = {"log_prob": "mean log-probability of a test row", "parameters": "number of parameters"}
_VARIANCES = {"log_prob": "variance of the log-probability", "parameters": "variance of the parameters"}
_SLIP_FROM = 2000
_MOST_DIFFERING = 0.01


@dataclass(frozen=True)
class _Compared:
    """One point of a curve, with the authors'."""

    dataset: str
    criterion: str
    size: int
    quantity: str
    count: int
    cell: Cell

    @property
    def is_slip(self) -> bool:
        """Whether the slip of the authors' fNML concerns it: a sample of more than 2000 rows."""
        return self.criterion == "fNML" and self.size > _SLIP_FROM


def summarize_appendix_e(raw: pl.DataFrame, slip: pl.DataFrame | None = None) -> PartSummary:
    """Average predictions and numbers of parameters, one figure for each data set, and list what differs.

    Parameters
    ----------
    raw
        Results of the experiment ``prediction``.
    slip
        Results of the experiment ``slip``, if there are any.
    """
    figures, compared = [], []
    for name in SETS:
        part = raw.filter(pl.col("dataset") == name)
        if not part.is_empty():
            figure, points = _page(name, part)
            figures.append(figure)
            compared += points
    judged = [one for one in compared if one.cell.within is not None]
    agreeing = sum(one.cell.within is True for one in judged)
    tables = [_differing(judged)]
    findings = [_agreement(judged)] if judged else []
    if slip is not None:
        tables.append(_slip_table(raw, slip))
        findings.append(_slip_finding(tables[-1]))
    return PartSummary(
        "appendix-e", tuple(tables), tuple(figures), tuple(findings), None, compared=(agreeing, len(judged))
    )


def _page(name: str, part: pl.DataFrame) -> tuple[Figure, list[_Compared]]:
    panels, points = [], []
    for column, words in _QUANTITIES.items():
        sizes, found = estimates_by_size(part, column)
        ours = tuple(curve(c, sizes, found[c]) for c in CRITERIA)
        theirs = authors_curves(name, sizes, column)
        panels.append(Panel(words.capitalize(), "training rows", words, False, (*ours, *theirs)))
        spread = tuple(_variances(c, sizes, found[c]) for c in CRITERIA)
        theirs = authors_curves(name, sizes, column, variance=True)
        label = _VARIANCES[column]
        panels.append(Panel(label.capitalize(), "training rows", label, False, (*spread, *theirs)))
        for criterion in CRITERIA:
            for size, one in zip(sizes, found[criterion], strict=True):
                cell = beside_authors(one, name, criterion, size, column)
                points.append(_Compared(name, criterion, size, column, one.count, cell))
    about = SETS[name]
    repetitions = {about.label: part["repetition"].n_unique()}
    return Figure("appendix-e", f"{about.label} (N = {about.rows})", tuple(panels), repetitions, ()), points


def _variances(criterion: str, sizes: Sequence[int], found: Sequence[Estimate]) -> Curve:
    flat = (0.0,) * len(sizes)
    return Curve(criterion, tuple(map(float, sizes)), tuple(one.spread**2 for one in found), flat, flat)


def _differing(judged: Sequence[_Compared]) -> Table:
    """The points that do not agree, one per row."""
    shown = [one for one in judged if one.cell.within is False]
    rows = tuple(
        f"{SETS[one.dataset].label}, {one.criterion}, {one.size} rows, "
        f"{'log-probability' if one.quantity == 'log_prob' else 'parameters'}"
        for one in shown
    )
    return Table(
        part="appendix-e",
        title="Points more than three standard errors from the paper's",
        row_names=rows,
        column_names=("mean",),
        cells={(row, "mean"): one.cell for row, one in zip(rows, shown, strict=True)},
        extra_columns={"why": tuple(_reason(one) for one in shown)},
        repetitions={row: one.count for row, one in zip(rows, shown, strict=True)},
        notes=(
            "Differences are in standard errors of both means, from our variance and theirs. Their values were read "
            "off drawings, to about four digits.",
        ),
        best=None,
        is_alternative=True,
    )


def _reason(one: _Compared) -> str:
    if one.is_slip:
        return "slip of fNML beyond 2000 observations"
    if (one.dataset, one.criterion) == ("tic_tac_toe", "BDeu"):
        return "ties"
    return "chance, or not explained"


def _agreement(judged: Sequence[_Compared]) -> Finding:
    outside = [one for one in judged if not one.is_slip]
    off = [one for one in outside if one.cell.within is False]
    within = sum(one.cell.within is True for one in judged)
    slips = [one for one in judged if one.is_slip]
    wrong = sum(one.cell.within is False for one in slips)
    return Finding(
        "Means of Appendix E are reproduced: at most 1 % of them differ by more than three standard errors, other than "
        "those of fNML beyond 2000 rows.",
        len(off) <= _MOST_DIFFERING * len(outside),
        f"{within} of {len(judged)} agree. Apart from fNML beyond 2000 rows, {len(off)} of {len(outside)} differ "
        f"({100 * len(off) / max(len(outside), 1):.1f} %); of fNML beyond 2000 rows, {wrong} of {len(slips)}.",
    )


def _slip_table(raw: pl.DataFrame, slip: pl.DataFrame) -> Table:
    """FNML with the slip of 2017, as defined, and as the paper draws it."""
    cells: dict[tuple[str, str], Cell] = {}
    repetitions = {}
    for (name, size), frame in slip.group_by("dataset", "n_train", maintain_order=True):
        row = f"{SETS[str(name)].label}, {size} rows"
        theirs = authors_predictions()[str(name), "fNML", int(str(size)), "parameters"]
        ours = raw.filter((pl.col("dataset") == name) & (pl.col("n_train") == size) & (pl.col("criterion") == "fNML"))[
            "parameters"
        ]
        found = estimate(frame["parameters"].to_numpy())
        cells[row, "with the slip"] = beside(found, theirs.mean, half_unit=0.05, variance=theirs.variance)
        if len(ours):
            cells[row, "as defined"] = beside(estimate(ours.to_numpy()), None, half_unit=0.0)
        repetitions[row] = found.count
    return Table(
        part="appendix-e",
        title="Mean number of parameters of fNML with the slip of the authors' program",
        row_names=tuple(repetitions),
        column_names=("with the slip", "as defined"),
        cells=cells,
        extra_columns={},
        repetitions=repetitions,
        notes=(
            "For more than 2000 observations of a configuration the program of 2017 took eq. (6) with 5 log π where it "
            "has ½ log π. With that slip the paper's curves come out; without it fNML is far more parsimonious.",
        ),
        best=None,
        is_alternative=True,
    )


def _slip_finding(table: Table) -> Finding:
    judged = [
        cell for (_, column), cell in table.cells.items() if column == "with the slip" and cell.within is not None
    ]
    agreeing = sum(cell.within is True for cell in judged)
    factors = [
        table.cells[row, "with the slip"].printed / table.cells[row, "as defined"].ours  # type: ignore[operator]
        for row in table.row_names
        if (row, "as defined") in table.cells
    ]
    return Finding(
        "The paper's fNML models of more than 2000 rows are as large as they are because of a slip in its program.",
        agreeing >= 0.9 * len(judged) if judged else None,
        f"With it {agreeing} of {len(judged)} of their means come out within three standard errors; they are "
        f"{min(factors):.2f} to {max(factors):.2f} times those of fNML as defined."
        if factors
        else "Not compared.",
    )
