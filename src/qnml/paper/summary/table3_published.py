"""Table 3 as the authors' program ran it: its regrets, and ties broken by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from qnml.paper.authors import authors_predictions
from qnml.paper.criteria import CRITERIA, WITH_REGRETS
from qnml.paper.printed import PARAMETERS, SETS
from qnml.paper.summary.measures import beside, estimate
from qnml.paper.summary.types import Finding, Table

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["published_finding", "published_table"]

_MOST_CHANGED = 0.01


def published_table(raw: pl.DataFrame, published: pl.DataFrame) -> Table:
    """Means with the program's regrets and a random choice among networks of equal score, beside the printed ones.

    Parameters
    ----------
    raw
        Results of the experiment ``parsimony``.
    published
        Results of ``parsimony-as-published``.
    """
    counts = {
        (str(name), str(criterion)): frame["parameters"].to_numpy().astype(float)
        for (name, criterion), frame in published.filter(pl.col("ties") == "random").group_by("dataset", "criterion")
    }
    names = sorted((name for name in SETS if (name, "BIC") in counts), key=lambda name: SETS[name].parsimony_rows)
    changed = _changed(raw, published)
    cells = {}
    for name in names:
        for criterion in CRITERIA:
            theirs = authors_predictions()[name, criterion, SETS[name].parsimony_rows, "parameters"]
            cells[SETS[name].label, criterion] = beside(
                estimate(counts[name, criterion]),
                PARAMETERS[name, criterion],
                half_unit=0.5,
                variance=theirs.variance,
            )
    return Table(
        part="table3",
        title="Mean number of parameters as published; approximate regrets, ties broken at random",
        row_names=tuple(SETS[name].label for name in names),
        column_names=tuple(CRITERIA),
        cells=cells,
        extra_columns={
            f"{criterion} networks changed by the regrets": tuple(
                "{} of {}".format(*changed.get((name, criterion), (0, 0))) for name in names
            )
            for criterion in WITH_REGRETS
        },
        repetitions={SETS[name].label: len(counts[name, "BIC"]) for name in names},
        notes=(
            "fNML has exact regrets up to 2000 observations of a configuration and eq. (6) beyond, qNML exact ones up "
            "to 99 cells and eq. (7) beyond, as in the authors' program. That program adds up doubles, so that "
            "rounding decides between networks of equal score; a uniform choice among them stands for it.",
            "A network is changed if it has another number of parameters than with exact regrets, on the same rows and "
            "with the same rule for ties.",
        ),
        best="low",
        is_alternative=True,
    )


def published_finding(raw: pl.DataFrame, published: pl.DataFrame) -> Finding:
    """Whether approximate regrets change the numbers of parameters.

    Parameters
    ----------
    raw, published
        As for :func:`published_table`.
    """
    changed = _changed(raw, published)
    many, total = (sum(pair[place] for pair in changed.values()) for place in (0, 1))
    where = ", ".join(
        f"{SETS[name].label} {c} {pair[0]} of {pair[1]}" for (name, c), pair in changed.items() if pair[0]
    )
    return Finding(
        "The approximate regrets of the authors' program change next to nothing.",
        many <= _MOST_CHANGED * total if total else None,
        f"Of {total} networks of fNML and qNML learned from the same rows, {many} have another number of parameters"
        f"{f' ({where})' if where else ''}.",
    )


def _changed(raw: pl.DataFrame, published: pl.DataFrame) -> Mapping[tuple[str, str], tuple[int, int]]:
    """By data set and criterion: how many networks differ, and how many were compared."""
    keys = ["dataset", "repetition", "criterion"]
    theirs = published.filter((pl.col("ties") == "canonical") & pl.col("criterion").is_in(WITH_REGRETS))
    ours = raw.filter(pl.col("ties") == "canonical").select(*keys, exact="parameters")
    joined = theirs.join(ours, on=keys)
    return {
        (str(name), str(criterion)): (int((frame["parameters"] != frame["exact"]).sum()), len(frame))
        for (name, criterion), frame in joined.group_by("dataset", "criterion", maintain_order=True)
    }
