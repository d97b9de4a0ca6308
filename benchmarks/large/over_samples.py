"""A section on fresh samples: the mean distance to the truth, ours beside programs that were run on the same tables."""

from __future__ import annotations

from collections import defaultdict
from statistics import mean
from typing import TYPE_CHECKING

from markdown import share, table
from results import JUDGES, NAMES

if TYPE_CHECKING:
    from results import Results

__all__ = ["mean_distances"]

ONE_ARC = 1.0


def mean_distances(results: Results) -> str:
    """Mean SHD over the samples of each network and size, beside the nearest of the programs run."""
    rows = []
    of_all = defaultdict(list)  # by our score: whether the nearest of all programs is less than one arc nearer
    of_same = defaultdict(list)
    most_samples = 0
    for network, size in results.tables():
        others = _others(results, network, size)
        samples = set.intersection(*(set(found) for found in others.values())) if others else set()
        if not samples:
            continue
        most_samples = max(most_samples, len(samples))
        means = {name: mean(found[sample] for sample in samples) for name, found in others.items()}
        ours = {}
        for score in JUDGES:
            mine = [one["distance"] for one in results.fresh(network, size, score) if one["sample"] in samples]
            ours[score] = mean(mine)
            of_all[score].append(ours[score] <= min(means.values()) + ONE_ARC)
            alike = [value for (_, _, other), value in means.items() if other == score]
            if alike:
                of_same[score].append(ours[score] <= min(alike) + ONE_ARC)
        nearest = min(means, key=lambda name: means[name])
        rows.append(
            (
                network,
                f"{size:,}",
                len(samples),
                *(f"{ours[score]:.1f}" for score in JUDGES),
                " ".join(nearest),
                f"{means[nearest]:.1f}",
            )
        )
    if not rows:
        return ""
    told = [f"with {NAMES[score]} {share(sum(of_all[score]), len(of_all[score]))}" for score in JUDGES]
    alike = [f"{share(sum(held), len(held))} ({NAMES[score]})" for score, held in of_same.items()]
    text = (
        f"One sample tells little of a distance. On up to {most_samples} fresh ones of each network and size, with the "
        "programs that are installed here and fast enough run on the same tables, our mean SHD is no more than one arc "
        f"above the least mean of *all* of them, whatever their score, {', '.join(told)}; beside those that search "
        f"with the same score, {' and '.join(alike)}."
    )
    head = ["network", "rows", "samples", *(f"SHD {NAMES[score]}" for score in JUDGES), "nearest other", "its SHD"]
    return f"## Distance to the truth over fresh samples\n\n{text}\n\n{table(head, rows)}"


def _others(results: Results, network: str, size: int) -> dict[tuple[str, str, str], dict[str, float]]:
    """Distances by program, search and score, and then by sample."""
    found: dict[tuple[str, str, str], dict[str, float]] = defaultdict(dict)
    for one in results.live(is_fresh=True):
        if (one["network"], one["rows"]) == (network, size) and one["state"] == "done":
            found[one["program"], one["search"], one["score"]][one["sample"]] = one["distance"]
    return found
