"""Sections on the scores themselves: distance to the true network, effect of the guard, cost."""

from __future__ import annotations

import math
from collections import defaultdict
from statistics import mean, stdev
from typing import TYPE_CHECKING

from cases import SHARED
from markdown import listed, seconds, table
from results import NAMES

if TYPE_CHECKING:
    from results import Results

__all__ = ["costs", "guard", "scale", "scores"]

ONE_ARC = 1.0


def scores(results: Results) -> str:
    """Compare the scores by their distances on fresh samples."""
    rows = []
    names = list(NAMES)
    ranks: dict[str, list[float]] = defaultdict(list)
    nearest: dict[str, int] = defaultdict(int)
    farthest: dict[str, int] = defaultdict(int)
    by_size: dict[int, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    behind, ahead, compared = [], [], 0
    all_means = []
    for network, size in results.tables():
        runs = {score: results.fresh(network, size, score) for score in names}
        samples = {score: [run["sample"] for run in found] for score, found in runs.items()}
        if not samples["qnml"] or any(given != samples["qnml"] for given in samples.values()):
            continue
        means = {score: mean(run["distance"] for run in found) for score, found in runs.items()}
        all_means.append((network, size, means))
        truth = results.truth(network, size, samples["qnml"][0])
        arcs = "–" if truth is None else truth["arcs"]
        least, most = min(means.values()), max(means.values())
        for score in names:
            lower = sum(value < means[score] for value in means.values())
            equal = sum(value == means[score] for value in means.values())
            ranks[score].append(lower + (equal + 1) / 2)
            nearest[score] += means[score] == least
            farthest[score] += means[score] == most
            by_size[size][score].append(means[score])
        for score in names:
            if score == "qnml":
                continue
            gaps = [
                mine["distance"] - theirs["distance"] for mine, theirs in zip(runs["qnml"], runs[score], strict=True)
            ]
            compared += len(gaps) > 1
            noise = stdev(gaps) / math.sqrt(len(gaps)) if len(gaps) > 1 else float("inf")
            if abs(mean(gaps)) > max(2 * noise, ONE_ARC):
                where = f"{network} with {size:,} rows ({mean(gaps):+.1f} to {NAMES[score]})"
                (behind if mean(gaps) > 0 else ahead).append(where)
        extra = [f"{means[score]:.1f}" + (" **" if means[score] == least else "") for score in names]
        found = [f"{mean(run['arcs'] for run in runs[score]):.0f}" for score in names]
        rows.append(
            (network, f"{size:,}", len(samples["qnml"]), *(cell.replace(" **", "") for cell in extra), arcs, *found)
        )
    if not rows:
        return ""
    total = len(rows)
    order = sorted(names, key=lambda score: mean(ranks[score]))
    text = (
        f"The same search with four scores on fresh samples of {len({row[0] for row in rows})} networks, so that "
        f"distances differ only by the score. Mean rank of the distance over the {total} rows of the table (1 is "
        f"nearest): "
        + listed([f"{NAMES[score]} {mean(ranks[score]):.2f}" for score in order])
        + ". Nearest, alone or tied: "
        + listed([f"{NAMES[score]} {nearest[score]}" for score in order])
        + "; farthest: "
        + listed([f"{NAMES[score]} {farthest[score]}" for score in order])
        + "."
    )
    for size, found in sorted(by_size.items()):
        text += f" With {size:,} rows the distances average " + listed(
            [f"{mean(found[score]):.1f} ({NAMES[score]})" for score in order]
        )
        text += "."
    not_nearest = [
        f"{network} with {size:,} rows ({means['qnml']:.1f}; {NAMES[best]} {means[best]:.1f})"
        for network, size, means in all_means
        if means[best := min(means, key=lambda score: means[score])] < means["qnml"]
    ]
    after = (
        f"qNML is not the nearest on {'; '.join(not_nearest) or 'none of them'}. Of {compared} comparisons of qNML "
        "with another score on several samples of a network, it is **worse** by more than one arc and two standard "
        f"errors of the paired differences in {len(behind)}{': ' + '; '.join(behind) if behind else ''}; it is better "
        f"by as much in {len(ahead)}. With so few samples each, some of these differences are expected by chance."
    )
    head = ["network", "rows", "samples", *(f"SHD {NAMES[score]}" for score in names), "true arcs"]
    head += [f"arcs {NAMES[score]}" for score in names]
    return f"## qNML compared with BIC, BDeu and fNML\n\n{text}\n\n{table(head, rows)}\n\n{after}"


def guard(results: Results) -> str:
    """The effect of guard="cap" under qNML."""
    rows = []
    nearer = farther = same = 0
    change = []
    for network, size in results.tables():
        off, cap = (results.fresh(network, size, "qnml", setting) for setting in ("off", "cap"))
        if not cap or [run["sample"] for run in off] != [run["sample"] for run in cap]:
            continue
        gap = mean(b["distance"] - a["distance"] for a, b in zip(off, cap, strict=True))
        nearer, farther, same = nearer + (gap < 0), farther + (gap > 0), same + (gap == 0)
        change.append(gap)
        rows.append(
            (
                network,
                f"{size:,}",
                *tuple(f"{mean(run['distance'] for run in runs):.1f}" for runs in (off, cap)),
                *tuple(f"{mean(run['arcs'] for run in runs):.0f}" for runs in (off, cap)),
                *tuple(max(run["most_parents"] for run in runs) for runs in (off, cap)),
                f"{mean(b['values']['qnml'] - a['values']['qnml'] for a, b in zip(off, cap, strict=True)):+,.1f}",
            )
        )
    if not rows:
        return ""
    text = (
        'Under qNML a family with more cells than half the rows can be preferred without any dependence; `guard="cap"` '
        f"excludes such families. In {len(rows)} lines the distance is smaller with the cap in {nearer}, larger in "
        f"{farther} and the same in {same}; the mean change is {mean(change):+.1f} arcs, the largest decrease "
        f"{min(change):+.1f}, the largest increase {max(change):+.1f}. The last column is the change in score: apart "
        "from chance in the search, the cap can only lower it."
    )
    head = ["network", "rows", "SHD off", "SHD cap", "arcs off", "arcs cap", "most parents off", "most parents cap"]
    return f'## The effect of guard="cap"\n\n{text}\n\n{table([*head, "qNML score"], rows)}'


def costs(results: Results) -> str:
    """The cost of qNML compared with BIC."""
    lines = {(line.network, line.rows, line.score): line for line in results.lines("default")}
    quick = {(line.network, line.rows, line.score): line for line in results.lines("climb")}
    rows = []
    ratios: dict[int, list[float]] = defaultdict(list)
    for network, size in results.tables(SHARED):
        cells = []
        for found in (lines, quick):
            both = [found.get((network, size, score)) for score in ("bic", "qnml")]
            if any(line is None for line in both):
                continue
            spent = [line.processor_seconds for line in both if line is not None]
            cells += [seconds(spent[0]), seconds(spent[1]), f"{spent[1] / spent[0]:.2f}"]
            if found is lines:
                ratios[size].append(spent[1] / spent[0])
        if cells:
            rows.append((network, f"{size:,}", *cells))
    if not rows:
        return ""
    told = [
        f"{math.exp(mean(math.log(ratio) for ratio in found)):.2f} times as long with {size:,} rows (geometric mean; "
        f"at most {max(found):.2f} times)"
        for size, found in sorted(ratios.items())
    ]
    text = (
        "CPU seconds on one thread. The regrets of qNML are tabulated, so a local score costs the same as under BIC; "
        "the searches differ in length, since qNML admits larger families. With default settings qNML takes, compared "
        f"with BIC, {listed(told)}."
    )
    head = ["network", "rows", "BIC default", "qNML default", "ratio", "BIC climbing", "qNML climbing", "ratio"]
    return f"## The cost of qNML\n\n{text}\n\n{table(head, rows)}"


def scale(results: Results) -> str:
    """How time and memory scale with the table."""
    rows = [
        (
            f"{run['variables']:,} × {run['rows']:,}",
            run["search"],
            seconds(run["seconds"]),
            seconds(run["processor_seconds"]),
            f"{run['memory'] / 1e9:.2f}",
            run["distance"],
            run["arcs"],
            run["true_arcs"],
        )
        for run in results.parts["scale"]
    ]
    if not rows:
        return ""
    text = (
        "Tables drawn from random networks of up to three parents and two to four levels, BIC, two threads. `climb` is "
        '`method="hill-climbing", effort="quick"`; `quick` and `default` are order search. '
        "GB is the peak memory of the whole process, including the table."
    )
    head = ["variables × rows", "search", "s", "s, CPU", "GB", "SHD", "arcs", "true arcs"]
    return f"## How it scales\n\n{text}\n\n{table(head, rows)}"
