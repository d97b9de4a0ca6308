"""Figure 3: average ranks in recovering the structure.

The paper says only that methods with the same distance were given the same rank. The program that its authors publish
numbers the distinct distances 1, 2, … (``dense``). Two other readings are shown with it: methods share the lowest of
the ranks they occupy (``lowest``) or the average of these (``average``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from qnml.paper.authors import authors_ranks
from qnml.paper.criteria import CRITERIA
from qnml.paper.printed import REPETITIONS
from qnml.paper.structure import TIES
from qnml.paper.subjects import NETWORKS, SIZES
from qnml.paper.summary.types import PAPER_SUFFIX, Cell, Curve, Figure, Finding, Panel, PartSummary, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["READINGS", "summarize_figure3"]

READINGS = {"dense": "dense", "lowest": "min", "average": "average"}
"""Readings of "the same rank", with their names in Polars."""

_BEST_ABOVE = 300
_TIE_WORDS = {
    "canonical": "ties between networks towards fewest parameters",
    "random": "ties between networks at random",
}
_READING_WORDS = {
    "dense": "distinct distances numbered",
    "lowest": "the lowest rank shared",
    "average": "the average rank shared",
}


def summarize_figure3(raw: pl.DataFrame) -> PartSummary:
    """Rank the criteria by distance and check the paper's claims about the average ranks.

    Parameters
    ----------
    raw
        Results of the experiment ``structure``.
    """
    networks = tuple(name for name in NETWORKS if name in raw["network"].unique())
    repetitions = {
        name.capitalize(): raw.filter(pl.col("network") == name)["repetition"].n_unique() for name in networks
    }
    # The claims are about all networks, and a single repetition gives no standard error.
    complete = len(networks) == len(NETWORKS) and min(repetitions.values()) > 1
    figures: list[Figure] = []
    findings: list[Finding] = []
    tables: list[Table] = []
    for ties in TIES:
        panels = []
        for reading in READINGS:
            ranks = _ranks(raw, networks, ties, reading)
            panels.append(_panel(ranks, reading, networks))
            findings += _findings(ranks, ties, reading, complete)
            if reading == "dense":
                tables.append(_table(ranks, ties, networks, repetitions))
        title = f"Average rank over all networks; {_TIE_WORDS[ties]}"
        note = (
            "Dense is the reading of the authors' own program, and the paper's curves are recomputed from the "
            "repetitions that they publish. A rank is averaged over repetitions, then over networks."
        )
        figures.append(Figure("figure3", title, tuple(panels), repetitions, (note,)))
    return PartSummary("figure3", tuple(tables), tuple(figures), tuple(findings), None)


def _ranks(raw: pl.DataFrame, networks: tuple[str, ...], ties: str, reading: str) -> list[NDArray[np.float64]]:
    """Ranks of each network by repetition, size and criterion."""
    ranked = raw.filter(pl.col("ties") == ties).with_columns(
        rank=pl.col("shd").rank(READINGS[reading]).cast(pl.Float64).over("network", "repetition", "size")  # type: ignore[arg-type]
    )
    found = []
    for network in networks:
        wide = ranked.filter(pl.col("network") == network).pivot(
            "criterion", index=["repetition", "size"], values="rank"
        )
        values = wide.sort("repetition", "size").select(list(CRITERIA)).to_numpy()
        found.append(values.reshape(-1, len(SIZES), len(CRITERIA)))
    return found


def _mean_and_error(samples: list[NDArray[np.float64]]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean over networks of means over repetitions, with its standard error; the first axis is the repetition."""
    means = np.mean([sample.mean(axis=0) for sample in samples], axis=0)
    variances = [
        sample.var(axis=0, ddof=1) / len(sample) if len(sample) > 1 else np.zeros(sample.shape[1:])
        for sample in samples
    ]
    return means, np.sqrt(np.sum(variances, axis=0)) / len(samples)


def _authors(networks: tuple[str, ...]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Means over the networks of the authors' dense ranks, with their standard errors, by size and criterion."""
    theirs = [[[authors_ranks()[name, c, size] for c in CRITERIA] for size in SIZES] for name in networks]
    means = np.array([[[one.mean for one in row] for row in rows] for rows in theirs])
    variances = np.array([[[one.variance for one in row] for row in rows] for rows in theirs])
    return means.mean(axis=0), np.sqrt(variances.sum(axis=0) / REPETITIONS) / len(networks)


def _table(
    ranks: list[NDArray[np.float64]], ties: str, networks: tuple[str, ...], repetitions: Mapping[str, int]
) -> Table:
    means, errors = _mean_and_error(ranks)
    theirs, their_errors = _authors(networks)
    rows = tuple(f"N = {size}" for size in SIZES)
    cells = {}
    for s, row in enumerate(rows):
        for c, criterion in enumerate(CRITERIA):
            apart = float(means[s, c] - theirs[s, c])
            error = float(np.hypot(errors[s, c], their_errors[s, c]))
            within = abs(apart) <= 3.0 * error if min(repetitions.values()) > 1 else None
            units = apart / error if error > 0.0 else None
            cells[row, criterion] = Cell(
                float(means[s, c]), float(errors[s, c]), round(float(theirs[s, c]), 3), units, within
            )
    often = dict.fromkeys(rows, min(repetitions.values()))
    title = f"Average dense rank; {_TIE_WORDS[ties]}"
    note = (
        "The paper's values are recomputed from the repetitions that its authors publish. In these ranks the criteria "
        "share the tie rule's effect on fNML: where its distance changes, the ranks of all four do."
    )
    return Table("figure3", title, rows, tuple(CRITERIA), cells, {}, often, (note,), "low", ties != TIES[0])


def _panel(ranks: list[NDArray[np.float64]], reading: str, networks: tuple[str, ...]) -> Panel:
    means, errors = _mean_and_error(ranks)
    everything = np.concatenate(ranks)
    spreads = everything.std(axis=0)
    places = tuple(map(float, SIZES))
    curves = tuple(
        Curve(
            criterion,
            places,
            tuple(means[:, c].tolist()),
            tuple(errors[:, c].tolist()),
            tuple(spreads[:, c].tolist()),
        )
        for c, criterion in enumerate(CRITERIA)
    )
    if reading == "dense":
        theirs, _ = _authors(networks)
        flat = (0.0,) * len(SIZES)
        curves += tuple(
            Curve(f"{criterion}{PAPER_SUFFIX}", places, tuple(theirs[:, c].tolist()), flat, flat)
            for c, criterion in enumerate(CRITERIA)
        )
    return Panel(f"{reading.capitalize()}: {_READING_WORDS[reading]}", "sample size", "average rank", True, curves)


def _findings(ranks: list[NDArray[np.float64]], ties: str, reading: str, complete: bool) -> tuple[Finding, Finding]:
    names = list(CRITERIA)
    ours = names.index("qNML")
    # Criteria are ranked on the same samples, so differences to qNML are averaged within samples.
    gaps, errors = _mean_and_error([sample - sample[:, :, ours, None] for sample in ranks])
    rivals = [c for c in range(len(names)) if c != ours]
    lead = gaps[:, rivals]
    weakest = lead.argmax(axis=1)
    strongest = lead.argmin(axis=1)
    cases = {
        size: (
            _Gap(names[rivals[weakest[s]]], lead[s, weakest[s]], errors[s, rivals[weakest[s]]]),
            _Gap(names[rivals[strongest[s]]], lead[s, strongest[s]], errors[s, rivals[strongest[s]]]),
        )
        for s, size in enumerate(SIZES)
    }
    under = f"({ties} ties, {reading} ranks)"
    last = {size: weak for size, (weak, _) in cases.items() if weak.ranks < 0.0}
    above = [size for size in SIZES if size > _BEST_ABOVE]
    beaten = {size: cases[size][1] for size in above if cases[size][1].ranks < 0.0}
    closest = min(SIZES, key=lambda size: cases[size][0].ranks)
    close = cases[closest][0]
    return (
        Finding(
            f"qNML never has the worst average rank {under}.",
            _verdict(last) if complete else None,
            f"It has at {_listed(last)}."
            if last
            else f"It has at no size. The smallest difference is at N = {closest}, where {close.rival} is "
            f"{close.ranks:.2f} ranks worse.",
        ),
        Finding(
            f"qNML has the best average rank at sample sizes above {_BEST_ABOVE} {under}.",
            _verdict(beaten) if complete else None,
            f"It has at {len(above) - len(beaten)} of {len(above)} sizes"
            + (f"; another is better at {_listed(beaten)}." if beaten else "."),
        ),
    )


@dataclass(frozen=True)
class _Gap:
    """How many ranks a rival is worse than qNML on average, with the standard error."""

    rival: str
    ranks: float
    error: float


def _verdict(against: Mapping[int, _Gap]) -> bool | None:
    """A claim holds if nothing contradicts it; contradictions of less than two standard errors leave it undecided."""
    if not against:
        return True
    return False if any(-gap.ranks > 2.0 * gap.error for gap in against.values()) else None


def _listed(against: Mapping[int, _Gap]) -> str:
    return ", ".join(
        f"{size} ({gap.rival} by {-gap.ranks:.2f} ± {gap.error:.2f} ranks)" for size, gap in against.items()
    )
