"""Table 3: the number of parameters of learned networks."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from qnml.paper.authors import authors_predictions
from qnml.paper.criteria import CRITERIA
from qnml.paper.parsimony import TIES
from qnml.paper.printed import PARAMETERS, SETS
from qnml.paper.summary.measures import beside, counted, estimate
from qnml.paper.summary.table3_published import published_finding, published_table
from qnml.paper.summary.types import Cell, Finding, PartSummary, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl
    from numpy.typing import NDArray

__all__ = ["summarize_table3"]

_WANTED = 79
_TITLES = {
    "canonical": "Mean number of parameters; ties broken towards fewest parameters",
    "larger": "Mean number of parameters; ties broken towards larger families",
}

_TAIL = (
    "HeartCl, qNML: the variance in Appendix E at 62 rows is 2.6·10⁷, a standard deviation of 5101, so that the "
    "printed mean of 404 has a standard error of 161. A single permutation with about 161,000 parameters explains it; "
    "without it the mean is 243."
)

# Shares of the mean that come from the largest hundredth of the networks: above the first, the few huge networks
# explain a mean that does not agree; above the second, the share is reported in any case.
_HEAVY = 0.10
_VERY_HEAVY = 0.25

_Counts = dict[tuple[str, str, str], "NDArray[np.float64]"]


def summarize_table3(raw: pl.DataFrame, published: pl.DataFrame | None = None) -> PartSummary:
    """Compare the numbers of parameters with the printed ones.

    Parameters
    ----------
    raw
        Results of the experiment ``parsimony``.
    published
        Results of ``parsimony-as-published``, if there are any.
    """
    counts: _Counts = {
        (str(name), str(criterion), str(ties)): frame["parameters"].to_numpy().astype(float)
        for (name, criterion, ties), frame in raw.group_by("dataset", "criterion", "ties", maintain_order=True)
    }
    names = tuple(sorted((name for name in SETS if (name, "BIC", TIES[0]) in counts), key=_place))
    tables = {ties: _table(names, counts, ties) for ties in TIES}
    notes = _explanations(names, counts, tables["canonical"])
    canonical = replace(tables["canonical"], notes=notes)
    shown: tuple[Table, ...] = (canonical, tables["larger"])
    findings = _findings(names, tables)
    if published is not None:
        table = published_table(raw, published)
        shown, findings = (*shown, table), (*findings, published_finding(raw, published))
    return PartSummary("table3", shown, (), findings, None)


def _place(name: str) -> int:
    # The paper's Table 3 is sorted by N; equal N keep the order of Table 2.
    return SETS[name].parsimony_rows


def _table(names: tuple[str, ...], counts: _Counts, ties: str) -> Table:
    cells = {}
    for name in names:
        for criterion in CRITERIA:
            printed = PARAMETERS[name, criterion]
            found = estimate(counts[name, criterion, ties])
            theirs = authors_predictions()[name, criterion, SETS[name].parsimony_rows, "parameters"]
            cells[SETS[name].label, criterion] = beside(found, printed, half_unit=0.5, variance=theirs.variance)
    return Table(
        part="table3",
        title=_TITLES[ties],
        row_names=tuple(SETS[name].label for name in names),
        column_names=tuple(CRITERIA),
        cells=cells,
        extra_columns={"N": tuple(str(SETS[name].parsimony_rows) for name in names)},
        repetitions={SETS[name].label: len(counts[name, "BIC", ties]) for name in names},
        notes=(),
        best="low",
        is_alternative=ties != TIES[0],
    )


def _explanations(names: tuple[str, ...], counts: _Counts, canonical: Table) -> tuple[str, ...]:
    notes = [
        "Agreement means: at most three standard errors of the difference apart, ours and the paper's, which follows "
        "from the variance that its Appendix E shows for this cell and its 1000 repetitions.",
        "Each N is one or two tenths of the data set, cut into ten parts of which the first have one row more where "
        "the rows do not divide by ten.",
    ]
    if "heart_cleveland" in names:
        notes.append(_TAIL)
    for name in names:
        for criterion in CRITERIA:
            cell = canonical.cells[SETS[name].label, criterion]
            if cell.within is False:
                notes.append(_explanation(name, criterion, cell, counts))
    heavy = [
        f"{SETS[name].label} {criterion} ({100 * share:.0f} %)"
        for name in names
        for criterion in CRITERIA
        if (share := _share_of_largest(counts[name, criterion, "canonical"])) >= _VERY_HEAVY
    ]
    if heavy:
        notes.append(
            f"Some means depend on a few samples that give huge networks, so that their standard errors say too "
            f"little; the share of the mean that the largest hundredth of the networks makes up: {', '.join(heavy)}."
        )
    return tuple(notes)


def _explanation(name: str, criterion: str, cell: Cell, counts: _Counts) -> str:
    """Explain a cell that does not agree, as far as possible."""
    small, large = counts[name, criterion, "canonical"], counts[name, criterion, "larger"]
    where = f"{SETS[name].label}, {criterion}: {cell.ours:.1f} here, {cell.printed:g} printed."
    tied = float(np.mean(large > small))
    if cell.printed is not None and small.mean() < cell.printed < large.mean():
        return (
            f"{where} Ties can explain it: in {100 * tied:.0f} % of the samples networks of different size have "
            f"exactly the same score; broken towards the larger they give {large.mean():.1f}, and the "
            "printed value lies between. The authors' program adds up doubles, so that rounding decides among them."
        )
    share = _share_of_largest(small)
    if share >= _HEAVY:
        return (
            f"{where} The mean depends on a few samples: the median is {np.median(small):.0f}, the largest of "
            f"{counted(len(small), 'network')} has {small.max():.0f} parameters, and the largest hundredth makes up "
            f"{100 * share:.0f} % of the mean, so neither ours nor a mean of 1000 is as certain as its standard "
            f"error says."
        )
    return (
        f"{where} Neither ties ({large.mean():.1f} when broken towards the larger) nor a heavy tail seen in "
        f"{counted(len(small), 'repetition')} explain it."
    )


def _share_of_largest(values: NDArray[np.float64]) -> float:
    largest = np.sort(values)[-max(1, len(values) // 100) :]
    return float(largest.sum() / values.sum()) if len(values) >= 100 else 0.0


def _findings(names: tuple[str, ...], tables: Mapping[str, Table]) -> tuple[Finding, ...]:
    rows = tables["canonical"].row_names
    cells = tables["canonical"].cells
    complete = len(names) == len(SETS)
    simplest = [row for row in rows if cells[row, "BIC"].ours <= min(cells[row, c].ours for c in CRITERIA)]
    leaner = [row for row in rows if cells[row, "qNML"].ours < cells[row, "fNML"].ours]
    richest = [row for row in rows if cells[row, "fNML"].ours >= max(cells[row, c].ours for c in CRITERIA)]
    unsure = [row for row in rows if _is_close(cells, row, "fNML")]
    within = {ties: sum(cell.within is True for cell in table.cells.values()) for ties, table in tables.items()}
    return (
        Finding(
            "BIC prefers simple models: it gives the fewest parameters on 19 of the 20 data sets.",
            len(simplest) == 19 if complete else None,
            f"It does on {len(simplest)} of {len(rows)}{_exceptions(rows, simplest)}.",
        ),
        Finding(
            "qNML gives fewer parameters than fNML on 19 of the 20 data sets.",
            len(leaner) == 19 if complete else None,
            f"It does on {len(leaner)} of {len(rows)}{_exceptions(rows, leaner)}.",
        ),
        Finding(
            "fNML gives the most complex model on 7 of the 20 data sets.",
            _judged(len(richest), 7, len(unsure)) if complete else None,
            f"It does on {len(richest)} of {len(rows)}: {', '.join(richest) or 'none'}."
            + (f" Within two standard errors of changing: {', '.join(unsure)}." if unsure else ""),
        ),
        Finding(
            f"At least {_WANTED} of the 80 printed numbers are reproduced.",
            within["canonical"] >= _WANTED if complete else None,
            f"Within three standard errors: {within['canonical']} of {len(cells)} with ties broken towards "
            f"fewest parameters, {within['larger']} with ties broken towards larger families.",
        ),
    )


def _exceptions(rows: tuple[str, ...], chosen: list[str]) -> str:
    others = [row for row in rows if row not in chosen]
    return f", not on {', '.join(others)}" if others else ""


def _is_close(cells: Mapping[tuple[str, str], Cell], row: str, criterion: str) -> bool:
    """Whether chance may decide if a criterion has the largest value of a row."""
    mine = cells[row, criterion]
    other = max((cells[row, c] for c in CRITERIA if c != criterion), key=lambda cell: cell.ours)
    return abs(mine.ours - other.ours) < 2.0 * float(np.hypot(mine.error, other.error))


def _judged(count: int, claimed: int, unsure: int) -> bool | None:
    if count == claimed:
        return True
    return None if abs(count - claimed) <= unsure else False
