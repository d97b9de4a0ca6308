"""Table 2: average ranks in predicting unseen rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from qnml.paper.criteria import CRITERIA
from qnml.paper.printed import RANK_MEANS, RANK_SPREADS, RANKS, SETS
from qnml.paper.subjects import BEYOND_2000
from qnml.paper.summary.measures import Estimate, beside, estimate
from qnml.paper.summary.types import Cell, Finding, PartSummary, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["average_ranks", "summarize_table2"]

_TITLE = "Average predictive rank"
_OTHER_TITLE = "Average predictive rank; another member of each class for BIC and qNML"
MEAN, SPREAD = "mean", "standard deviation"
_SLIP = " The paper's fNML has a slip beyond 2000 rows (see Appendix E), which moves the ranks of all four."
_SAME = 1e-9
_HALF_UNIT = 0.005
_MEAN_ALLOWANCE = 0.1
_WANTED_WINNERS = 19


def summarize_table2(raw: pl.DataFrame) -> PartSummary:
    """Rank the criteria and compare the average ranks with the printed ones.

    Parameters
    ----------
    raw
        Results of the experiment ``prediction``.
    """
    found, tied = _estimates(raw, "log_prob")
    other, _ = _estimates(raw, "log_prob_other")
    names = tuple(name for name in SETS if (name, "BIC") in found)
    table = _table(names, found, _TITLE)
    table = replace(table, notes=_notes(names, found, other, tied))
    return PartSummary(
        "table2",
        (table, replace(_table(names, other, _OTHER_TITLE), is_alternative=True)),
        (),
        (*_findings(names, table), *_by_size(raw, names)),
        None,
    )


def _estimates(raw: pl.DataFrame, column: str) -> tuple[dict[tuple[str, str], Estimate], dict[str, float]]:
    """Average ranks by data set and criterion, and the share of comparisons with ties by data set."""
    found: dict[tuple[str, str], Estimate] = {}
    tied: dict[str, float] = {}
    for name in SETS:
        part = raw.filter(pl.col("dataset") == name)
        if part.is_empty():
            continue
        ranks = _ranks(part, column)
        tied[name] = float(np.mean([len(set(row)) < len(row) for row in ranks.reshape(-1, len(CRITERIA)).tolist()]))
        # Fractions of one permutation are not independent, permutations are.
        for place, criterion in enumerate(CRITERIA):
            found[name, criterion] = estimate(ranks[:, :, place].mean(axis=1))
    return found, tied


def average_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rank the columns of each row, highest first; values equal to nine digits share their average rank.

    Parameters
    ----------
    values
        One row per comparison.
    """
    slack = _SAME * np.abs(values)[:, :, None]
    above = values[:, None, :] - values[:, :, None]
    better = (above > slack).sum(axis=2)
    same = (np.abs(above) <= slack).sum(axis=2)
    ranks: NDArray[np.float64] = better + (same + 1) / 2
    return ranks


def _ranks(part: pl.DataFrame, column: str) -> NDArray[np.float64]:
    """Ranks by permutation, fraction and criterion."""
    wide = part.pivot("criterion", index=["repetition", "fraction"], values=column).sort("repetition", "fraction")
    ranks = average_ranks(wide.select(list(CRITERIA)).to_numpy())
    return ranks.reshape(wide["repetition"].n_unique(), -1, len(CRITERIA))


def _table(names: tuple[str, ...], found: Mapping[tuple[str, str], Estimate], title: str) -> Table:
    cells = {
        (SETS[name].label, criterion): beside(found[name, criterion], RANKS[name, criterion], half_unit=_HALF_UNIT)
        for name in names
        for criterion in CRITERIA
    }
    complete = len(names) == len(SETS)
    for criterion in CRITERIA:
        means = np.array([found[name, criterion].mean for name in names])
        error = float(np.sqrt(np.sum([found[name, criterion].error ** 2 for name in names])) / len(names))
        printed = RANK_MEANS[criterion] if complete else None
        within = bool(abs(means.mean() - printed) <= _MEAN_ALLOWANCE) if printed is not None else None
        # The paper's mean of twenty sets has an error of its own; what matters here is the allowance.
        cells[MEAN, criterion] = Cell(float(means.mean()), error, printed, None, within)
        spread = RANK_SPREADS[criterion] if complete else None
        if len(names) > 1:
            cells[SPREAD, criterion] = Cell(float(means.std()), 0.0, spread, None, None)
    labels = tuple(SETS[name].label for name in names)
    return Table(
        part="table2",
        title=title,
        row_names=(*labels, MEAN, *((SPREAD,) if len(names) > 1 else ())),
        column_names=tuple(CRITERIA),
        cells=cells,
        extra_columns={"N": (*(str(SETS[name].rows) for name in names), *([""] * (2 if len(names) > 1 else 1)))},
        repetitions={SETS[name].label: found[name, "BIC"].count for name in names},
        notes=(),
        best="low",
    )


def _notes(
    names: tuple[str, ...],
    found: Mapping[tuple[str, str], Estimate],
    other: Mapping[tuple[str, str], Estimate],
    tied: Mapping[str, float],
) -> tuple[str, ...]:
    shifts = {key: abs(other[key].mean - one.mean) for key, one in found.items()}
    furthest = max(shifts, key=shifts.__getitem__)
    least, most = min(tied, key=tied.__getitem__), max(tied, key=tied.__getitem__)
    notes = [
        "The paper gives no variance of its average ranks: differences are in standard errors from our own.",
        "BDeu networks have Bayesian predictive parameters (equivalent sample size 1), the others those of sequential "
        "NML. Criteria whose log-probabilities are the same to nine digits share the average of their ranks, in "
        f"{100 * tied[least]:.0f} % ({SETS[least].label}) to {100 * tied[most]:.0f} % ({SETS[most].label}) of the "
        "comparisons.",
        "A data set is cut into ten parts, of which the first have one row more where the rows do not divide by ten; "
        "the first one to nine parts of a permutation are for learning. That rule gives every N of the paper's "
        "Table 3.",
        "BIC and qNML do not tell equivalent networks apart, but the predictions of sequential NML differ between "
        "them, and programs differ in which one they report. The second table has another member of each class: "
        f"average ranks move by up to {shifts[furthest]:.2f} ({SETS[furthest[0]].label}, {furthest[1]}).",
    ]
    if "bc_wisconsin" in names:
        ours = ", ".join(f"{found['bc_wisconsin', c].mean:.3f} ({c})" for c in ("BIC", "qNML"))
        notes.append(f"BcWisco: BIC and qNML are level, {ours}; the paper prints 2.03 and 2.02.")
    for name in names:
        apart = []
        for criterion in CRITERIA:
            printed = RANKS[name, criterion]
            if beside(found[name, criterion], printed, half_unit=_HALF_UNIT).within is False:
                agrees = beside(other[name, criterion], printed, half_unit=_HALF_UNIT).within
                apart.append(
                    f"{criterion} {found[name, criterion].mean:.2f}, printed {printed:.2f}, with another member of "
                    f"each class {other[name, criterion].mean:.2f}{' (which agrees)' if agrees else ''}"
                )
        if apart:
            slip = _SLIP if name in BEYOND_2000 else ""
            notes.append(f"{SETS[name].label}, more than three standard errors apart: {'; '.join(apart)}.{slip}")
    return tuple(notes)


def _winner(values: Mapping[str, float]) -> str:
    return min(values, key=values.__getitem__)


def _findings(names: tuple[str, ...], table: Table) -> tuple[Finding, ...]:
    cells = table.cells
    complete = len(names) == len(SETS)
    differing = []
    for name in names:
        label = SETS[name].label
        ours = {c: cells[label, c].ours for c in CRITERIA}
        theirs = {c: RANKS[name, c] for c in CRITERIA}
        if _winner(ours) != _winner(theirs):
            first, second = _winner(ours), _winner(theirs)
            differing.append(
                f"{label}: {first} ({ours[first]:.2f} against {ours[second]:.2f} of {second}; the paper has "
                f"{theirs[first]:.2f} against {theirs[second]:.2f})"
            )
    same = len(names) - len(differing)
    means = {c: cells[MEAN, c].ours for c in CRITERIA}
    spreads = {c: cells[SPREAD, c].ours for c in CRITERIA if (SPREAD, c) in cells}
    shown = {
        "mean": ", ".join(f"{c} {value:.2f}" for c, value in means.items()),
        "spread": ", ".join(f"{c} {value:.2f}" for c, value in spreads.items()),
    }
    most = max(abs(means[c] - RANK_MEANS[c]) for c in CRITERIA)
    order = sorted(means, key=means.__getitem__)
    large = [SETS[name].label for name in names if SETS[name].rows >= 1000]
    worst_large = [label for label in large if cells[label, "BIC"].ours == max(cells[label, c].ours for c in CRITERIA)]
    return (
        Finding(
            f"The winner is the printed one on at least {_WANTED_WINNERS} of the 20 data sets.",
            same >= _WANTED_WINNERS if complete else None,
            f"It is on {same} of {len(names)}{'; not on ' + '; '.join(differing) if differing else ''}.",
        ),
        Finding(
            "The means of the columns are 2.95, 2.57, 2.10 and 2.37.",
            most <= _MEAN_ALLOWANCE if complete else None,
            f"{shown['mean']}; at most {most:.2f} apart (tolerance 0.1).",
        ),
        Finding(
            "fNML has the best rank on average, and qNML is the runner-up.",
            order[:2] == ["fNML", "qNML"] if complete else None,
            f"In order: {', '.join(f'{c} {means[c]:.2f}' for c in order)}.",
        ),
        Finding(
            "qNML is the most robust: its ranks have the lowest standard deviation over data sets.",
            min(spreads, key=spreads.__getitem__) == "qNML" if complete else None,
            f"{shown['spread']} (the paper: 0.49, 0.90, 0.76, 0.43)." if spreads else "It takes several data sets.",
        ),
        Finding(
            "BIC is the worst on the larger data sets.",
            len(worst_large) == len(large) if large else None,
            f"Of the sets of 1000 rows and more it is on {len(worst_large)} of {len(large)}.",
        ),
    )


def _by_size(raw: pl.DataFrame, names: tuple[str, ...]) -> tuple[Finding, ...]:
    """What the text says about small and large samples, from the ranks by data set and training share."""
    complete = len(names) == len(SETS)
    means = {name: _ranks(raw.filter(pl.col("dataset") == name), "log_prob").mean(axis=0) for name in names}
    order = list(CRITERIA)
    bic, fnml, qnml = (order.index(name) for name in ("BIC", "fNML", "qNML"))
    cases = [row for rows in means.values() for row in rows]
    between = sum(min(row[bic], row[fnml]) <= row[qnml] <= max(row[bic], row[fnml]) for row in cases)
    extreme = sum(int(row.argmax()) == qnml for row in cases)
    small = [SETS[name].label for name in names if SETS[name].rows < 1000]
    large = [name for name in names if SETS[name].rows >= 1000]
    wins = {name: order[int(means[name].mean(axis=0).argmin())] for name in names}
    wins_small = {c: sum(wins[name] == c for name in names if name not in large) for c in order}
    fnml_large = [SETS[name].label for name in large if wins[name] == "fNML"]
    shares = np.mean(list(means.values()), axis=0)
    first, last = ({c: float(shares[place, k]) for k, c in enumerate(order)} for place in (0, -1))
    return (
        Finding(
            "qNML is usually between BIC and fNML for all the sample sizes.",
            between > len(cases) / 2 if complete else None,
            f"Its average rank is in {between} of {len(cases)} combinations of data set and training share; it is the "
            f"worst of the four in {extreme}.",
        ),
        Finding(
            "BIC often wins with small samples.",
            wins_small["BIC"] == max(wins_small.values()) if complete else None,
            f"On the {len(small)} sets of fewer than 1000 rows the best rank is "
            f"{', '.join(f'that of {c} on {number}' for c, number in wins_small.items())}; with a tenth of the rows "
            f"the average ranks over all sets are {_listed(first)}, with nine tenths {_listed(last)}.",
        ),
        Finding(
            "fNML is good with large samples.",
            len(fnml_large) > len(large) / 2 if large else None,
            f"It has the best rank on {len(fnml_large)} of the {len(large)} sets of 1000 rows and more: "
            f"{', '.join(fnml_large) or 'none'}.",
        ),
    )


def _listed(ranks: Mapping[str, float]) -> str:
    return ", ".join(f"{c} {value:.2f}" for c, value in ranks.items())
