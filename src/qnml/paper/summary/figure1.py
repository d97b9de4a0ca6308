"""Figure 1: the number of parameters on breast cancer against the size of the training sample."""

from __future__ import annotations

import numpy as np
import polars as pl

from qnml.paper.criteria import CRITERIA
from qnml.paper.printed import SETS
from qnml.paper.summary.curves import authors_curves, beside_authors, estimates_by_size
from qnml.paper.summary.measures import curve
from qnml.paper.summary.types import Figure, Finding, Panel, PartSummary, Table

__all__ = ["summarize_figure1"]

_SET = "breast_cancer"


def summarize_figure1(raw: pl.DataFrame) -> PartSummary:
    """Average the numbers of parameters on breast cancer and compare them with the paper's curves.

    Parameters
    ----------
    raw
        Results of the experiment ``prediction``.
    """
    part = raw.filter(pl.col("dataset") == _SET)
    if part.is_empty():
        return PartSummary("figure1", (), (), (), f"there are no results for {_SET}.")
    sizes, found = estimates_by_size(part, "parameters")
    curves = tuple(curve(c, sizes, found[c]) for c in CRITERIA)
    theirs = authors_curves(_SET, sizes, "parameters")
    panel = Panel(SETS[_SET].label, "training rows", "number of parameters", False, (*curves, *theirs))
    count = found["BIC"][0].count
    figure = Figure("figure1", "Number of parameters on breast cancer", (panel,), {SETS[_SET].label: count}, ())
    rows = tuple(f"{size} rows" for size in sizes)
    table = Table(
        part="figure1",
        title="Mean number of parameters on breast cancer",
        row_names=rows,
        column_names=tuple(CRITERIA),
        cells={
            (row, c): beside_authors(found[c][place], _SET, c, sizes[place], "parameters")
            for place, row in enumerate(rows)
            for c in CRITERIA
        },
        extra_columns={},
        repetitions=dict.fromkeys(rows, count),
        notes=("The paper's values are those of its Appendix E, read off the curves, with the variances shown there.",),
        best="low",
    )
    first = {c: found[c][0].mean for c in CRITERIA}
    leaner = sum(q.mean < f.mean for q, f in zip(found["qNML"], found["fNML"], strict=True))
    peak = int(np.argmax([one.mean for one in found["fNML"]]))
    largest, last = found["fNML"][peak].mean, found["fNML"][-1].mean
    findings = (
        Finding(
            "The complexity of fNML models behaves strangely as the sample grows.",
            peak < len(sizes) - 1 and largest > 2.0 * last,
            f"Its mean number of parameters does not grow with the sample: {first['fNML']:.0f} at {sizes[0]} rows, "
            f"largest at {sizes[peak]} with {largest:.0f}, {last:.0f} at {sizes[-1]}.",
        ),
        Finding(
            "qNML gives more parsimonious models than fNML.",
            leaner == len(sizes),
            f"It does at {leaner} of {len(sizes)} sizes; at {sizes[0]} rows "
            + ", ".join(f"{c} {value:.0f}" for c, value in first.items())
            + ".",
        ),
    )
    return PartSummary("figure1", (table,), (figure,), findings, None)
