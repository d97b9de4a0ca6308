"""Figure 1 and Appendix E: parameters and predictive log-probability against the size of the training sample."""

from __future__ import annotations

import numpy as np
import polars as pl

from qnml.paper.criteria import CRITERIA
from qnml.paper.printed import SETS
from qnml.paper.summary.measures import Estimate, curve, estimate
from qnml.paper.summary.types import Figure, Finding, Panel, PartSummary

__all__ = ["summarize_appendix_e", "summarize_figure1"]

_FIGURE1_SET = "breast_cancer"
_SHOWN = {"log_prob": "mean log-probability of a test row", "parameters": "number of parameters"}


def summarize_figure1(raw: pl.DataFrame) -> PartSummary:
    """Average the numbers of parameters on breast cancer.

    Parameters
    ----------
    raw
        Results of the experiment ``prediction``.
    """
    part = raw.filter(pl.col("dataset") == _FIGURE1_SET)
    if part.is_empty():
        return PartSummary("figure1", (), (), (), f"there are no results for {_FIGURE1_SET}.")
    sizes, found = _estimates(part, "parameters")
    curves = tuple(curve(c, sizes, found[c]) for c in CRITERIA)
    panel = Panel(SETS[_FIGURE1_SET].label, "training rows", "number of parameters", False, curves)
    repetitions = {SETS[_FIGURE1_SET].label: found["BIC"][0].count}
    figure = Figure("figure1", "Number of parameters on breast cancer", (panel,), repetitions, ())
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
    return PartSummary("figure1", (), (figure,), findings, None)


def summarize_appendix_e(raw: pl.DataFrame) -> PartSummary:
    """Average predictions and numbers of parameters, one figure for each data set.

    Parameters
    ----------
    raw
        Results of the experiment ``prediction``.
    """
    figures = []
    for name, about in SETS.items():
        part = raw.filter(pl.col("dataset") == name)
        if part.is_empty():
            continue
        panels = []
        for column, words in (
            ("log_prob", "mean log-probability of a test row"),
            ("parameters", "number of parameters"),
        ):
            sizes, found = _estimates(part, column)
            curves = tuple(curve(c, sizes, found[c]) for c in CRITERIA)
            panels.append(Panel(words.capitalize(), "training rows", words, False, curves))
        repetitions = {about.label: part["repetition"].n_unique()}
        figures.append(Figure("appendix-e", f"{about.label} (N = {about.rows})", tuple(panels), repetitions, ()))
    return PartSummary("appendix-e", (), tuple(figures), (), None)


def _estimates(part: pl.DataFrame, column: str) -> tuple[list[int], dict[str, list[Estimate]]]:
    sizes = sorted(part["n_train"].unique().to_list())
    groups = {
        (int(str(size)), str(criterion)): estimate(frame[column].to_numpy())
        for (size, criterion), frame in part.group_by("n_train", "criterion")
    }
    return sizes, {c: [groups[size, c] for size in sizes] for c in CRITERIA}
