"""Figure 2: distance of the learned structure from the true one, by sample size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from qnml.paper.authors import SOURCE, authors_distances
from qnml.paper.criteria import CRITERIA, WITH_REGRETS
from qnml.paper.structure import TIES
from qnml.paper.subjects import NETWORKS, SIZES
from qnml.paper.summary.measures import Estimate, beside, curve, estimate
from qnml.paper.summary.types import Cell, Curve, Figure, Finding, Panel, PartSummary, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["summarize_figure2"]

_TITLES = {
    "canonical": "Mean SHD; ties broken towards fewest parameters",
    "random": "Mean SHD; ties broken at random",
}
_SHOWN_SIZES = (10, 30, 100, 300, 1000, 3000, 10000)
_SMALL = 100
_MOST_CHANGED = 0.01

_Means = dict[tuple[str, str, str, int], Estimate]


def summarize_figure2(raw: pl.DataFrame, published: pl.DataFrame | None = None) -> PartSummary:
    """Average the distances and check the paper's claims about them.

    Parameters
    ----------
    raw
        Results of the experiment ``structure``.
    published
        Results of ``structure-as-published``, if there are any.
    """
    found: _Means = {
        (str(network), str(criterion), str(ties), int(str(size))): estimate(frame["shd"].to_numpy())
        for (network, criterion, ties, size), frame in raw.group_by("network", "criterion", "ties", "size")
    }
    networks = tuple(name for name in NETWORKS if (name, "BIC", TIES[0], SIZES[0]) in found)
    repetitions = {_shown(name): found[name, "BIC", TIES[0], SIZES[0]].count for name in networks}
    closeness = _closeness(networks, found)
    figures = [_figure(networks, found, ties, repetitions, closeness) for ties in TIES]
    figures.append(_drawn(networks))
    tables = tuple(_table(networks, found, ties, repetitions) for ties in TIES)
    findings = _findings(networks, found, raw, closeness)
    if published is not None:
        findings += (_regrets(raw, published),)
    return PartSummary("figure2", tables, tuple(figures), findings, None, compared=_further(networks, found))


def _shown(network: str) -> str:
    return network.capitalize()


def _figure(
    networks: tuple[str, ...],
    found: _Means,
    ties: str,
    repetitions: Mapping[str, int],
    closeness: Mapping[tuple[str, str, bool], float],
) -> Figure:
    panels = []
    for network in networks:
        curves = tuple(curve(c, SIZES, [found[network, c, ties, size] for size in SIZES]) for c in CRITERIA)
        panels.append(Panel(_shown(network), "sample size", "mean SHD", True, curves))
    below = ", ".join(f"{c} {closeness[c, ties, True]:.2f}" for c in CRITERIA)
    above = ", ".join(f"{c} {closeness[c, ties, False]:.2f}" for c in CRITERIA)
    note = (
        f"Mean distance, in arcs, of these curves from the paper's: up to {_SMALL} rows {below}; from {2 * _SMALL} "
        f"rows on {above}."
    )
    return Figure("figure2", _TITLES[ties], tuple(panels), repetitions, (note,))


def _drawn(networks: tuple[str, ...]) -> Figure:
    """The paper's own curves, for comparison."""
    flat = (0.0,) * len(SIZES)
    panels = tuple(
        Panel(
            _shown(network),
            "sample size",
            "mean SHD",
            True,
            tuple(
                Curve(c, tuple(map(float, SIZES)), tuple(_printed(network, c, size) for size in SIZES), flat, flat)
                for c in CRITERIA
            ),
        )
        for network in networks
    )
    note = f"The curves the paper draws, from the repetitions that its authors publish ({SOURCE}); 1000 repetitions."
    return Figure("figure2", "Mean SHD as in the paper", panels, {}, (note,))


def _table(networks: tuple[str, ...], found: _Means, ties: str, repetitions: Mapping[str, int]) -> Table:
    cells, rows, often = {}, [], {}
    for network in networks:
        for size in _SHOWN_SIZES:
            row = f"{_shown(network)}, N = {size}"
            rows.append(row)
            often[row] = repetitions[_shown(network)]
            for criterion in CRITERIA:
                cells[row, criterion] = _cell(found, network, criterion, ties, size)
    note = (
        f"The paper's values are the means of the repetitions that its authors publish ({SOURCE}). Agreement means: at "
        "most three standard errors of the difference apart, from our variance and theirs."
    )
    rule = ties != TIES[0]
    return Table("figure2", _TITLES[ties], tuple(rows), tuple(CRITERIA), cells, {}, often, (note,), "low", rule)


def _printed(network: str, criterion: str, size: int) -> float:
    return round(authors_distances()[network, criterion, size].mean, 3)


def _cell(found: _Means, network: str, criterion: str, ties: str, size: int) -> Cell:
    theirs = authors_distances()[network, criterion, size]
    one = found[network, criterion, ties, size]
    return beside(one, _printed(network, criterion, size), half_unit=0.0005, variance=theirs.variance)


def _further(networks: tuple[str, ...], found: _Means) -> tuple[int, int]:
    """Cells that agree and cells compared at the sizes that the table leaves out."""
    cells = [
        _cell(found, network, criterion, TIES[0], size)
        for network in networks
        for criterion in CRITERIA
        for size in SIZES
        if size not in _SHOWN_SIZES
    ]
    judged = [cell.within for cell in cells if cell.within is not None]
    return sum(judged), len(judged)


def _regrets(raw: pl.DataFrame, published: pl.DataFrame) -> Finding:
    """Whether the regrets of the authors' program change what is learned."""
    keys = ["network", "repetition", "size", "criterion", "ties"]
    joined = published.join(raw.select(*keys, exact="shd"), on=keys)
    changed = {
        c: int((part["shd"] != part["exact"]).sum())
        for c in WITH_REGRETS
        for part in (joined.filter((pl.col("criterion") == c) & (pl.col("ties") == "canonical")),)
    }
    total = joined.filter(pl.col("ties") == "canonical").height
    return Finding(
        "The approximate regrets of the authors' program change next to nothing.",
        sum(changed.values()) <= _MOST_CHANGED * total if total else None,
        f"Of {total} networks learned from the same samples, {sum(changed.values())} have another distance "
        f"({', '.join(f'{c} {number}' for c, number in changed.items())}).",
    )


def _closeness(networks: tuple[str, ...], found: _Means) -> dict[tuple[str, str, bool], float]:
    """Mean absolute distance from the paper's curves by criterion, tie-breaking rule and whether samples are small."""
    distances: dict[tuple[str, str, bool], float] = {}
    for criterion in CRITERIA:
        for ties in TIES:
            for small in (True, False):
                apart = [
                    abs(found[network, criterion, ties, size].mean - _printed(network, criterion, size))
                    for network in networks
                    for size in SIZES
                    if (size <= _SMALL) == small
                ]
                distances[criterion, ties, small] = float(np.mean(apart))
    return distances


def _findings(
    networks: tuple[str, ...], found: _Means, raw: pl.DataFrame, closeness: Mapping[tuple[str, str, bool], float]
) -> tuple[Finding, ...]:
    findings = [_dominance(networks, found), _near_empty(networks, raw)]
    findings += [
        _second_best(network, found, ties) for network in ("earthquake", "asia") if network in networks for ties in TIES
    ]
    findings.append(_nearer(networks, found, closeness))
    return tuple(findings)


def _nearer(networks: tuple[str, ...], found: _Means, closeness: Mapping[tuple[str, str, bool], float]) -> Finding:
    total = {ties: np.mean([closeness[c, ties, small] for c in CRITERIA for small in (True, False)]) for ties in TIES}
    by_criterion = "; ".join(
        f"{c} {closeness[c, 'canonical', True]:.2f} against {closeness[c, 'random', True]:.2f}" for c in CRITERIA
    )
    below = [(network, place) for network in networks for place, size in enumerate(SIZES) if size <= _SMALL]
    between = 0
    for network, place in below:
        ends = sorted(found[network, "fNML", ties, SIZES[place]].mean for ties in TIES)
        between += ends[0] <= _printed(network, "fNML", SIZES[place]) <= ends[1]
    return Finding(
        "The paper's curves are closer with ties broken towards fewest parameters than at random.",
        bool(total["canonical"] < total["random"]) if len(networks) == len(NETWORKS) else None,
        f"Mean distance over criteria, networks and sizes: {total['canonical']:.3f} arcs against "
        f"{total['random']:.3f}. Up to {_SMALL} rows: {by_criterion}. From {2 * _SMALL} rows on the two differ by "
        f"{_gap(closeness):.3f} at most. Only fNML depends strongly on the rule: where a column is constant in the "
        f"sample it is a parent of anything at no cost. The paper's fNML lies between the two rules in {between} of "
        f"{len(below)} cases of up to {_SMALL} rows. It was made by another program than that of the paper's other "
        f"experiments: on Cancer at 10000 rows that one gives 4.92, the paper draws 3.01, and here it is "
        f"{_fnml_on_cancer(found)}. How it breaks ties is not published, so that fNML at 30 rows and fewer stays "
        "unexplained in part.",
    )


def _fnml_on_cancer(found: _Means) -> str:
    one = found.get(("cancer", "fNML", TIES[0], SIZES[-1]))
    return "not known" if one is None else f"{one.mean:.2f}"


def _gap(closeness: Mapping[tuple[str, str, bool], float]) -> float:
    return max(abs(closeness[c, TIES[0], False] - closeness[c, TIES[1], False]) for c in CRITERIA)


def _dominance(networks: tuple[str, ...], found: _Means) -> Finding:
    best = dict.fromkeys(CRITERIA, 0)
    for network in networks:
        for size in SIZES:
            means = {c: found[network, c, "canonical", size].mean for c in CRITERIA}
            for criterion in CRITERIA:
                best[criterion] += means[criterion] <= min(means.values())
    cases = len(networks) * len(SIZES)
    shown = ", ".join(f"{c} in {count}" for c, count in best.items())
    return Finding(
        "None of the criteria dominates in all settings.",
        max(best.values()) < cases if len(networks) == len(NETWORKS) else None,
        f"Combinations of network and size, of {cases}, with the lowest mean SHD (including ties): {shown}.",
    )


def _near_empty(networks: tuple[str, ...], raw: pl.DataFrame) -> Finding:
    small = raw.filter((pl.col("ties") == "canonical") & (pl.col("size") == SIZES[0]))
    arcs = {
        (str(network), str(criterion)): float(value)
        for network, criterion, value in small.group_by("network", "criterion")
        .agg(pl.col("arcs").mean())
        .select("network", "criterion", "arcs")
        .iter_rows()
    }
    fewest = all(arcs[n, "BIC"] <= min(arcs[n, c] for c in CRITERIA) + 1e-12 for n in networks)
    shown = "; ".join(
        f"{_shown(n)} " + ", ".join(f"{c} {arcs[n, c]:.1f}" for c in ("BIC", "BDeu", "fNML", "qNML")) for n in networks
    )
    few = [_shown(n) for n in networks if arcs[n, "BIC"] <= 1.0]
    return Finding(
        "BIC tends to give a nearly empty network when the sample is small.",
        fewest,
        f"Mean arcs at N = {SIZES[0]}: {shown}. At most one arc on average: {', '.join(few) or 'on none'}. Fewest "
        f"arcs of the four {'on every network' if fewest else 'not on every network'}.",
    )


def _second_best(network: str, found: _Means, ties: str) -> Finding:
    failures, certain = [], False
    for size in SIZES:
        means = {c: found[network, c, ties, size] for c in CRITERIA}
        ours = means["qNML"]
        better = sorted((c for c in CRITERIA if means[c].mean < ours.mean - 1e-12), key=lambda c: means[c].mean)
        if len(better) > 1:
            failures.append(size)
            second = means[better[1]]
            certain |= ours.mean - second.mean > 2.0 * float(np.hypot(ours.error, second.error))
    shown = ", ".join(map(str, failures))
    return Finding(
        f"qNML is the best or second best at all sample sizes on {_shown(network)} ({ties} ties).",
        True if not failures else False if certain else None,
        f"It is at {len(SIZES) - len(failures)} of {len(SIZES)} sizes"
        + (f"; not at {shown}{'' if certain else ', within two standard errors'}." if failures else "."),
    )
