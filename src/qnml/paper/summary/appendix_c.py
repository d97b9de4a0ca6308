"""Appendix C: networks for which qNML is the true NML."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from qnml.paper.printed import TOURNAMENT_COUNTS
from qnml.paper.summary.types import Cell, Finding, PartSummary, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["summarize_appendix_c"]

_EXACT = 1e-9
_COLUMNS = {
    ("largest", True): "largest |qNML − NML|, tournaments",
    ("smallest", False): "smallest |qNML − NML|, others",
    ("largest", False): "largest |qNML − NML|, others",
    ("fnml_empty", None): "|fNML − NML|, no arcs",
    ("fnml_smallest", None): "smallest |fNML − NML|, with arcs",
}

_Values = dict[tuple[str, str, int, bool | None], float]


def summarize_appendix_c(raw: pl.DataFrame) -> PartSummary:
    """Compare counts with the paper's, and the scores with each other.

    Parameters
    ----------
    raw
        Results of the experiment ``tournaments``.
    """
    counts = {
        (quantity, n): value
        for quantity, n, value in raw.filter(pl.col("levels").is_null()).select("quantity", "n", "value").iter_rows()
    }
    cases: _Values = {
        (quantity, levels, rows, tournament): value
        for quantity, levels, rows, tournament, value in raw.filter(pl.col("levels").is_not_null())
        .select("quantity", "levels", "rows", "tournament", "value")
        .iter_rows()
    }
    tables = (_count_table(counts), _case_table(cases))
    return PartSummary("appendix-c", tables, (), _findings(counts, cases), None)


def _count_table(counts: Mapping[tuple[str, int], float]) -> Table:
    cells = {}
    for n, printed in enumerate(TOURNAMENT_COUNTS):
        for quantity, column in (("formula", "formula"), ("enumerated", "by enumeration")):
            if (quantity, n) in counts:
                value = counts[quantity, n]
                cells[f"n = {n}", column] = Cell(value, 0.0, float(printed), None, value == printed)
    return Table(
        part="appendix-c",
        title="Networks of n nodes whose components are tournaments",
        row_names=tuple(f"n = {n}" for n in range(len(TOURNAMENT_COUNTS))),
        column_names=("formula", "by enumeration"),
        cells=cells,
        extra_columns={},
        repetitions={},
        notes=("Enumeration goes through all networks of up to five nodes.",),
        best=None,
    )


def _case_table(cases: _Values) -> Table:
    keys = list(dict.fromkeys((levels, rows) for _, levels, rows, _ in cases))
    names = {key: f"levels {key[0]}, {key[1]} rows" for key in keys}
    cells = {
        (names[levels, rows], _COLUMNS[quantity, tournament]): Cell(value, 0.0, None, None, None)
        for (quantity, levels, rows, tournament), value in cases.items()
        if (quantity, tournament) in _COLUMNS
    }
    return Table(
        part="appendix-c",
        title="Distance from the true NML over all networks, in nats",
        row_names=tuple(names.values()),
        column_names=tuple(_COLUMNS.values()),
        cells=cells,
        extra_columns={
            "tournament networks": tuple(f"{cases['networks', *key, True]:.0f}" for key in keys),
            "other networks": tuple(f"{cases['networks', *key, False]:.0f}" for key in keys),
        },
        repetitions={},
        notes=(
            "Small random data sets; the normalizing sum of NML goes over all data sets of the same size, and every "
            "network on the variables is scored.",
        ),
        best=None,
    )


def _findings(counts: Mapping[tuple[str, int], float], cases: _Values) -> tuple[Finding, ...]:
    right = all(counts["formula", n] == printed for n, printed in enumerate(TOURNAMENT_COUNTS))
    enumerated = [n for quantity, n in counts if quantity == "enumerated"]
    agree = all(counts["enumerated", n] == counts["formula", n] for n in enumerated)
    largest = max(value for (quantity, *_, tournament), value in cases.items() if quantity == "largest" and tournament)
    others = min(
        value for (quantity, *_, tournament), value in cases.items() if quantity == "smallest" and not tournament
    )
    empty = max(value for (quantity, *_), value in cases.items() if quantity == "fnml_empty")
    arcs = min(value for (quantity, *_), value in cases.items() if quantity == "fnml_smallest")
    networks = sum(
        value for (quantity, *_, tournament), value in cases.items() if quantity == "networks" and tournament
    )
    return (
        Finding(
            "The number of networks whose components are tournaments is 1, 1, 3, 13, 73, 501, 4051, …",
            right and agree,
            f"The paper's formula gives all {len(TOURNAMENT_COUNTS)} printed numbers, and enumeration the same up to "
            f"{max(enumerated)} nodes."
            if right and agree
            else "Formula, enumeration and printed numbers do not all agree; see the table.",
        ),
        Finding(
            "For these networks qNML is the true NML.",
            largest < _EXACT,
            f"On {networks:.0f} such networks the two differ by {largest:.1e} nats at most; on others by "
            f"{others:.1e} at least.",
        ),
        Finding(
            "fNML equals NML only for the network without arcs.",
            empty < _EXACT < arcs,
            f"Without arcs they differ by {empty:.1e} nats at most, with arcs by {arcs:.1e} at least.",
        ),
    )
