"""Figure 3: average ranks in finding the structure.

The paper says that methods with the same distance were given the same rank, and no more. The program its authors
publish numbers the distinct distances 1, 2, … (``dense``). Two other readings are shown beside it: methods share the
lowest of the ranks they take up (``lowest``) or the average of these (``average``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from qnml.paper.criteria import CRITERIA
from qnml.paper.structure import TIES
from qnml.paper.subjects import NETWORKS, SIZES
from qnml.paper.summary.types import Curve, Figure, Finding, Panel, PartSummary

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ranks = dict[tuple[str, str], NDArray[np.float64]]

__all__ = ["READINGS", "summarize_figure3"]

READINGS = {"dense": "dense", "lowest": "min", "average": "average"}
"""Readings of "the same rank", with what Polars calls them."""

_BEST_ABOVE = 300
_TIE_WORDS = {"canonical": "ties between networks towards fewest parameters", "random": "ties between networks at random"}
_READING_WORDS = {
    "dense": "distinct distances numbered",
    "lowest": "the lowest rank shared",
    "average": "the average rank shared",
}


def summarize_figure3(raw: pl.DataFrame) -> PartSummary:
    """
    Rank the criteria by distance and check what the paper says of the average ranks.

    Parameters
    ----------
    raw
        Results of the experiment ``structure``.
    """
    networks = tuple(name for name in NETWORKS if name in raw["network"].unique())
    repetitions = {
        name.capitalize(): raw.filter(pl.col("network") == name)["repetition"].n_unique() for name in networks
    }
    figures, findings = [], []
    for ties in TIES:
        panels = []
        for reading in READINGS:
            ranks = _ranks(raw, networks, ties, reading)
            panels.append(_panel(ranks, reading))
            findings += _findings(ranks, ties, reading)
        title = f"Average rank over all networks; {_TIE_WORDS[ties]}"
        note = (
            "Dense is the reading of the authors' own program. A rank is averaged over repetitions, then over networks."
        )
        figures.append(Figure("figure3", title, tuple(panels), repetitions, (note,)))
    return PartSummary("figure3", (), tuple(figures), tuple(findings), None)


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


def _panel(ranks: list[NDArray[np.float64]], reading: str) -> Panel:
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
    return Panel(f"{reading.capitalize()}: {_READING_WORDS[reading]}", "sample size", "average rank", True, curves)


def _findings(ranks: list[NDArray[np.float64]], ties: str, reading: str) -> tuple[Finding, Finding]:
    ours = list(CRITERIA).index("qNML")
    others = [c for c in range(len(CRITERIA)) if c != ours]
    # Criteria are ranked on the same samples, so differences are compared sample by sample.
    means, errors = _mean_and_error([sample - sample[:, :, ours, None] for sample in ranks])
    under = f"({ties} ties, {reading} ranks)"
    worst = {size: float(means[s, others].max()) for s, size in enumerate(SIZES)}
    never = _verdict([size for size in SIZES if worst[size] <= 0.0], means, errors, others, worst_of=True)
    above = [size for size in SIZES if size > _BEST_ABOVE]
    lost = [size for size in above if means[SIZES.index(size), others].min() < 0.0]
    best = _verdict(lost, means, errors, others, worst_of=False)
    closest = min(SIZES, key=worst.__getitem__)
    rival = list(CRITERIA)[int(np.argmax(np.where(np.arange(len(CRITERIA)) == ours, -9, means[SIZES.index(closest)])))]
    return (
        Finding(
            f"qNML never has the worst average rank {under}.",
            never[0],
            f"It does at {never[1]}. The closest call is at N = {closest}: {rival} is {worst[closest]:+.2f} ranks off."
            if never[1] != "no size"
            else f"It does at no size; the closest call is N = {closest}, where {rival} is {worst[closest]:.2f} ranks "
            f"worse.",
        ),
        Finding(
            f"qNML has the best average rank at sample sizes above {_BEST_ABOVE} {under}.",
            best[0],
            f"It has at {len(above) - len(lost)} of {len(above)} sizes"
            + (f"; another is better at {best[1]}." if lost else "."),
        ),
    )


def _verdict(
    sizes: list[int],
    means: NDArray[np.float64],
    errors: NDArray[np.float64],
    others: list[int],
    *,
    worst_of: bool,
) -> tuple[bool | None, str]:
    """Judge sizes that speak against a claim, and list them with who is ahead and by how many standard errors."""
    if not sizes:
        return True, "no size"
    shown, certain = [], False
    for size in sizes:
        place = SIZES.index(size)
        pick = max if worst_of else min
        rival = pick(others, key=lambda c, s=place: means[s, c])  # type: ignore[misc]
        apart, error = -float(means[place, rival]), float(errors[place, rival])
        certain |= apart > 2.0 * error
        count = f"{apart / error:.1f} standard errors" if error > 0.0 else "without a standard error"
        shown.append(f"{size} ({list(CRITERIA)[rival]}, by {apart:.2f} ranks, {count})")
    return (False if certain else None), ", ".join(shown)
