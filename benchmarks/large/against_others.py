"""Sections on the recorded samples: our searches compared with the results of other programs."""

from __future__ import annotations

from collections import defaultdict
from statistics import mean, median
from typing import TYPE_CHECKING

from cases import SHARED
from markdown import listed, seconds, share, table
from results import JUDGES, MAY_FALL_SHORT, NAMES

if TYPE_CHECKING:
    from records import Record
    from results import Line, Results

__all__ = ["default_settings", "distances", "live", "proven", "quick_answers"]

ALIKE = 1e-6  # relative to the score: smaller differences are rounding
ONE_ARC = 1.0
FASTER = 5.0


def _is_level(line: Line, gain: float) -> bool:
    return gain >= -ALIKE * abs(line.worst)


def _pace(lines: list[Line]) -> float | None:
    """How much longer the same searches took here than on the machine of the recorded times."""
    ratios = []
    for line in lines:
        seconds_of = {rival.is_live: rival.seconds for rival in line.climbers("PyBNesian")}
        if len(seconds_of) == 2:
            ratios.append(seconds_of[True] / seconds_of[False])
    return median(ratios) if ratios else None


def default_settings(results: Results) -> str:
    """Score, distance and time of the default search, compared with the best of all others."""
    lines = [line for line in results.lines("default") if line.others]
    if not lines:
        return ""
    rows = []
    for line in lines:
        best, boss = line.best(), line.boss()
        ratio = "–" if boss is None else f"{boss.seconds / line.processor_seconds:.1f}"
        rows.append(
            (
                line.network,
                f"{line.rows:,}",
                NAMES[line.score],
                f"{line.worst:,.1f}",
                f"{best.values[line.score]:,.1f}",
                best.name,
                f"{100 * line.gain(best) / abs(best.values[line.score]):+.3f}",
                seconds(line.processor_seconds),
                seconds(line.two_threads),
                seconds(boss.seconds if boss else None),
                ratio,
            )
        )
    head = ["network", "rows", "score", "ours", "best other", "by", "gain %", "s, 1 thread", "s, 2 threads", "BOSS s"]
    seeds = max(len(line.values) for line in lines)
    reached = [line for line in lines if not line.falls_short()]
    level = [line for line in lines if _is_level(line, line.gain(line.best()))]
    lowest = min(lines, key=lambda line: line.gain(line.best()) / abs(line.worst))
    text = (
        f'The worst of {seeds} seeds of `method="order"` with default settings, compared with the best of all other '
        f"programs, whatever score they optimize. {share(len(level), len(lines)).capitalize()} cases ours is at least "
        f"as good, and {share(len(reached), len(lines))} no more than {100 * MAY_FALL_SHORT:g} % below. The smallest "
        f"margin is {100 * lowest.gain(lowest.best()) / abs(lowest.worst):+.4f} %, on {lowest.case}."
    )
    clocked = [(line, boss) for line in lines if (boss := line.boss()) is not None]
    if clocked:
        single = [boss.seconds / line.processor_seconds for line, boss in clocked]
        by_means = sum(boss.seconds / line.mean_seconds >= FASTER for line, boss in clocked)
        slow = min(clocked, key=lambda pair: pair[1].seconds / pair[0].processor_seconds)
        text += (
            f" Results of Tetrad's BOSS with the same score were recorded for {len(clocked)} of them. On one thread "
            f"ours takes at most a fifth of its time {share(sum(ratio >= FASTER for ratio in single), len(clocked))} "
            f"({share(by_means, len(clocked))} by the mean over seeds instead of the median); the median speed-up is "
            f"{median(single):.0f}, the smallest {min(single):.1f} ({slow[0].case})."
        )
        double = [boss.seconds / line.two_threads for line, boss in clocked if line.two_threads]
        if double:
            text += (
                f" On two threads, in wall-clock time, this holds "
                f"{share(sum(ratio >= FASTER for ratio in double), len(double))}, and the smallest speed-up is "
                f"{min(double):.1f}. The times of BOSS were recorded on another machine."
            )
        if (pace := _pace(lines)) is not None:
            kept = sum(ratio * pace >= FASTER for ratio in single)
            text += (
                f" To compare the machines: hill climbing by PyBNesian takes {pace:.1f} times its recorded time here "
                f"(median). After this correction, ours takes at most a fifth {share(kept, len(clocked))} on one "
                f"thread, and the smallest speed-up is {min(single) * pace:.1f}."
            )
    heading = "## Default settings compared with the best of all others"
    return f"{heading}\n\n{text}\n\n{table([*head, 'times'], rows, words=1)}"


def distances(results: Results) -> str:
    """Distances to the true network, and whether the score or the search causes them."""
    lines = [line for line in results.lines("default") if line.others]
    if not lines:
        return ""
    far = [line for line in lines if line.distance > line.nearest().distance + ONE_ARC]
    same = []
    for line in lines:
        alike = [other for other in line.others if other.score == line.score]
        if alike:
            same.append((line, min(alike, key=lambda other: other.distance)))
    far_of_same = [line for line, other in same if line.distance > other.distance + ONE_ARC]
    text = (
        f"Our mean SHD is at most one arc above the smallest of *all* other programs, with any score or test, "
        f"{share(len(lines) - len(far), len(lines))} cases; compared with programs that optimize the same score, "
        f"{share(len(same) - len(far_of_same), len(same))}. The other cases:"
    )
    if not far:
        return f"## Distance to the true network\n\n{text[: -len(' The other cases:')]}"
    rows = []
    lower = level = truth_lower = truth_known = 0
    for line in far:
        near = line.nearest()
        behind = near.values[line.score] - line.worst
        is_level = _is_level(line, -abs(behind))
        level += is_level
        lower += behind < 0 and not is_level
        truth = results.truth(line.network, line.rows, SHARED)
        beyond = truth["values"][line.score] - line.worst if truth else None
        if beyond is not None:
            truth_known += 1
            truth_lower += beyond < 0
        rows.append(
            (
                line.network,
                f"{line.rows:,}",
                NAMES[line.score],
                f"{line.distance:.1f}",
                near.name,
                f"{near.distance:.0f}",
                f"{behind:+,.1f}",
                "–" if beyond is None else f"{beyond:+,.1f}",
            )
        )
    after = (
        "The last two columns separate search from score: they give the score of the nearer network, and of the "
        "network the rows were drawn from, minus that of the worst of our seeds. The nearer network scores lower "
        f"{share(lower, len(far))}"
        + (f" and the same {share(level, len(far))}" if level else "")
        + f", and the true network scores lower {share(truth_lower, truth_known)}. "
    )
    if lower + level == len(far):
        after += "So the search is not the cause of the distance: its score is at least that of the nearer network. "
    else:
        after += "Where the nearer network scores higher, the search missed it. "
    after += _copies(results)
    after += "Besides, the order of the columns in these samples gives information about the network: see below."
    head = [
        "network",
        "rows",
        "score",
        "SHD ours",
        "nearest other",
        "its SHD",
        "its score − ours",
        "true score − ours",
    ]
    return f"## Distance to the true network\n\n{text}\n\n{table(head, rows)}\n\n{after}"


def _copies(results: Results) -> str:
    """Columns that no program can tell apart."""
    truths = [record for record in results.parts["truth"] if record["sample"] == SHARED and record.get("copies")]
    if not truths:
        return ""
    where = [f"{record['network']} with {record['rows']:,} rows {record['copies']}" for record in truths]
    return (
        "Some columns are copies of others, with the same values in every row: "
        + listed(where)
        + ". Which of two copies is the parent of the other variables, which affects up to some tens of arcs, is then "
        "decided by name (ours) or by the order of columns (others). "
    )


def quick_answers(results: Results) -> str:
    """Quick searches compared with hill climbing with the same score."""
    climb = {(line.network, line.rows, line.score): line for line in results.lines("climb")}
    rows = []
    better: dict[str, list[bool]] = defaultdict(list)
    faster: dict[str, list[bool]] = defaultdict(list)
    faster_by_mean: dict[str, list[bool]] = defaultdict(list)
    for line in results.lines("quick"):
        rivals = line.climbers()
        other = climb.get((line.network, line.rows, line.score))
        if not rivals or other is None:
            continue
        best = line.best(rivals)
        for name, mine in (("quick", line), ("climb", other)):
            better[name].append(_is_level(mine, mine.gain(best)))
        clocked = line.climbers("PyBNesian")
        now = [rival.seconds for rival in clocked if rival.is_live]
        old = [rival.seconds for rival in clocked if not rival.is_live]
        pace = now or old
        if pace:
            for name, mine in (("quick", line), ("climb", other)):
                faster[name].append(mine.processor_seconds <= pace[0])
                faster_by_mean[name].append(mine.mean_seconds <= pace[0])
        rows.append(
            (
                line.network,
                f"{line.rows:,}",
                NAMES[line.score],
                best.name,
                f"{best.values[line.score]:,.1f}",
                f"{other.gain(best):+,.1f}",
                f"{line.gain(best):+,.1f}",
                seconds(other.processor_seconds),
                seconds(line.processor_seconds),
                seconds(old[0] if old else None),
                seconds(now[0] if now else None),
            )
        )
    if not rows:
        return ""
    words = {"climb": '`method="hill-climbing"`, which `"auto"` uses,', "quick": "order search"}
    told = [
        f"with the worst of its seeds, {words[name]} scores at least as high as the better of bnlearn and PyBNesian "
        f"{share(sum(better[name]), len(better[name]))} cases, and is at least as fast as PyBNesian "
        f"{share(sum(faster[name]), len(faster[name]))} "
        f"({share(sum(faster_by_mean[name]), len(faster[name]))} by the mean over seeds)"
        for name in ("climb", "quick")
    ]
    text = (
        '`effort="quick"` compared with plain hill climbing with the same score: '
        + "; ".join(told)
        + ". PyBNesian's times were measured here if it was run, otherwise recorded. Gains are those of our worst "
        "seed over the better of the two."
    )
    head = ["network", "rows", "score", "best of the two", "its score", "gain, climbing", "gain, order search"]
    head += ["s, climbing", "s, order search", "PyBNesian s, recorded", "PyBNesian s, here"]
    return f"## Quick answers\n\n{text}\n\n{table(head, rows)}"


def proven(results: Results) -> str:
    """How often the default search finds the proven optimum."""
    searches: dict[tuple[str, int, str], list[Record]] = defaultdict(list)
    for record in (*results.ours(search="default", guard="off", threads=1), *results.parts["apart"]):
        searches[record["network"], record["rows"], record["sample"]].append(record)
    found: dict[tuple[str, int, str, bool], list[bool]] = defaultdict(list)
    proofs: dict[tuple[str, int, str, bool], list[Record]] = defaultdict(list)
    for optimum in results.parts["optimum"]:
        network, rows, sample, score = (optimum[name] for name in ("network", "rows", "sample", "score"))
        best = optimum["values"][score]
        kind = (network, rows, score, sample == SHARED)
        proofs[kind].append(optimum)
        found[kind] += [
            one["values"][score] >= best - ALIKE * 1e-3 * abs(best)
            for one in searches[network, rows, sample]
            if one["score"] == score
        ]
    if not any(found.values()):
        return ""
    told = []
    for is_recorded, words in ((True, "on the recorded samples"), (False, "on samples not used to choose any setting")):
        hits = [hit for kind, each in found.items() if kind[3] == is_recorded for hit in each]
        if hits:
            told.append(f"{words} {100 * sum(hits) / len(hits):.0f} % of the time ({sum(hits)} of {len(hits)})")
    text = (
        f'Where the optimum can be proven (`method="exact"`), default order search finds it '
        f"{', '.join(told)}, over all seeds. Times are those of a proof on two threads."
    )
    lines = [
        (
            network,
            f"{rows:,}",
            NAMES[score],
            "recorded" if is_recorded else f"{len(proofs[kind])} drawn",
            f"{proofs[kind][0]['values'][score]:,.2f}" if is_recorded else "–",
            f"{sum(found[kind])} of {len(found[kind])}",
            seconds(mean(proof["seconds"] for proof in proofs[kind])),
        )
        for kind in sorted(found, key=lambda kind: (kind[0], kind[1], not kind[3], JUDGES.index(kind[2])))
        for network, rows, score, is_recorded in [kind]
    ]
    head = ["network", "rows", "score", "samples", "optimum", "found", "s, proof"]
    return f"## The proven optimum\n\n{text}\n\n{table(head, lines)}"


def live(results: Results) -> str:
    """The programs run here."""
    tried = defaultdict(list)
    for record in results.live(is_fresh=False):
        tried[record["program"], record["search"], record["score"]].append(record)
    best = {(line.network, line.rows, line.score): line for line in results.lines("default")}
    rows = []
    for (program, search, score), all_of_it in tried.items():
        done = [record for record in all_of_it if record["state"] == "done"]
        late = sum(record["state"] == "time limit" for record in all_of_it)
        gaps, distance, ours = [], [], []
        for record in done:
            line = best.get((record["network"], record["rows"], score))
            if line is None:
                continue
            gaps.append(100 * (record["values"][score] - line.worst) / abs(line.worst))
            distance.append(record["distance"])
            ours.append(line.distance)
        numbers = (
            (f"{mean(gaps):+.3f}", f"{max(gaps):+.4f}", f"{mean(distance):.1f}", f"{mean(ours):.1f}")
            if gaps
            else ("–",) * 4
        )
        spent = [record.get("processor_seconds", record["seconds"]) for record in done]
        rows.append(
            (
                program,
                search,
                NAMES[score],
                len(done),
                late,
                len(all_of_it) - len(done) - late,
                *numbers,
                seconds(median(spent) if spent else None),
                seconds(max(spent) if spent else None),
            )
        )
    if not rows:
        return ""
    text = (
        "Other programs on the recorded samples, run here one after the other, on one thread, with a time limit for "
        "each that includes starting the program; after a table for which it was too slow, larger ones were skipped. "
        "The gap is the score of the network found minus that of our worst default search, in % of the score: mean and "
        "largest over the tables it finished. SHD is compared with ours on the same tables."
    )
    head = ["program", "search", "score", "done", "too slow", "failed", "gap %, mean", "largest", "SHD", "SHD ours"]
    return f"## Programs run here\n\n{text}\n\n{table([*head, 's, median', 's, most'], rows)}"
