"""Table 1: regrets by two approximations and exactly."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.paper.printed import REGRETS
from qnml.paper.regrets import METHODS
from qnml.paper.summary.types import Cell, Finding, PartSummary, Table

if TYPE_CHECKING:
    import polars as pl

__all__ = ["summarize_table1"]

_COLUMNS = dict(zip(METHODS, ("eq. (6)", "eq. (7)", "exact"), strict=True))


def summarize_table1(raw: pl.DataFrame) -> PartSummary:
    """Compare the regrets with the printed ones.

    Parameters
    ----------
    raw
        Results of the experiment ``regret``.
    """
    values = {(n, r, method): value for n, r, method, value in raw.select("n", "r", "method", "value").iter_rows()}
    cells = {}
    for (n, r), printed in REGRETS.items():
        for method, expected in zip(METHODS, printed, strict=True):
            value = values[n, r, method]
            cells[_row(n, r), _COLUMNS[method]] = Cell(value, 0.0, expected, None, round(value, 2) == expected)
    table = Table(
        part="table1",
        title="Regret reg(N, r) in nats",
        row_names=tuple(_row(n, r) for n, r in REGRETS),
        column_names=tuple(_COLUMNS.values()),
        cells=cells,
        extra_columns={},
        repetitions={},
        notes=tuple(
            f"{column} at {row} is {cell.ours:.2f}; the paper prints {cell.printed:.2f}."
            for (row, column), cell in cells.items()
            if not cell.within
        ),
        best=None,
    )
    return PartSummary("table1", (table,), (), _findings(values, cells), None)


def _row(n: int, r: int) -> str:
    return f"N = {n}, r = {r}"


def _findings(values: dict[tuple[int, int, str], float], cells: dict[tuple[str, str], Cell]) -> tuple[Finding, ...]:
    first, second, exact = METHODS
    sizes = sorted({n for n, _ in REGRETS})
    worsening = all(
        errors == sorted(errors)
        for errors in ([abs(values[n, r, first] - values[n, r, exact]) for m, r in REGRETS if m == n] for n in sizes)
    )
    largest = max(abs(values[n, r, first] - values[n, r, exact]) for n, r in REGRETS)
    most = max(abs(values[n, r, second] - values[n, r, exact]) for n, r in REGRETS)
    return (
        *(_digits(cells, _COLUMNS[method]) for method in METHODS),
        Finding(
            "For constant N, eq. (6) becomes a worse and worse approximation as r grows.",
            worsening,
            f"At every N the error grows with r, up to {largest:.2f} nats.",
        ),
        Finding(
            "Eq. (7) is a good approximation whatever the ratio of N and r.",
            most < 0.05,
            f"Its largest error in the table is {most:.3f} nats.",
        ),
    )


def _digits(cells: dict[tuple[str, str], Cell], column: str) -> Finding:
    mine = {row: cell for (row, one), cell in cells.items() if one == column}
    others = [f"{row} is {cell.ours:.2f}, printed {cell.printed:.2f}" for row, cell in mine.items() if not cell.within]
    return Finding(
        f"The column “{column}” is reproduced to every printed digit.",
        not others,
        f"{len(mine) - len(others)} of {len(mine)} values do{'; ' + '; '.join(others) if others else ''}.",
    )
