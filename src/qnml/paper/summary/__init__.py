"""Summaries of raw results for the report: tables, figures and checked findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.errors import InputError, unknown_name
from qnml.paper.summary.appendix_c import summarize_appendix_c
from qnml.paper.summary.appendix_d import summarize_appendix_d
from qnml.paper.summary.appendix_e import summarize_appendix_e
from qnml.paper.summary.figure1 import summarize_figure1
from qnml.paper.summary.figure2 import summarize_figure2
from qnml.paper.summary.figure3 import summarize_figure3
from qnml.paper.summary.table1 import summarize_table1
from qnml.paper.summary.table2 import summarize_table2
from qnml.paper.summary.table3 import summarize_table3
from qnml.paper.summary.theory import summarize_theory

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import polars as pl

    from qnml.paper.summary.types import PartSummary

__all__ = ["summarize"]

# By part: the function, and the experiments that it takes; it does without those after the first.
_SUMMARIES: Mapping[str, tuple[Callable[..., PartSummary], tuple[str, ...]]] = {
    "table1": (summarize_table1, ("regret",)),
    "figure1": (summarize_figure1, ("prediction",)),
    "figure2": (summarize_figure2, ("structure", "structure-as-published")),
    "figure3": (summarize_figure3, ("structure",)),
    "table2": (summarize_table2, ("prediction",)),
    "table3": (summarize_table3, ("parsimony", "parsimony-as-published")),
    "theory": (summarize_theory, ("theory", "consistency")),
    "appendix-c": (summarize_appendix_c, ("tournaments",)),
    "appendix-d": (summarize_appendix_d, ("quotient",)),
    "appendix-e": (summarize_appendix_e, ("prediction", "slip")),
}


def summarize(part: str, frames: Mapping[str, pl.DataFrame]) -> PartSummary:
    """Summarize one part of the paper.

    Parameters
    ----------
    part
        The name of the part, such as ``"table3"``.
    frames
        Raw results by experiment, including those of the part's experiment.
    """
    if part not in _SUMMARIES:
        raise unknown_name("summarize", "part", part, _SUMMARIES)
    make, (first, *further) = _SUMMARIES[part]
    if first not in frames:
        raise InputError(f"summarize(part={part!r}): needs the results of the experiment {first!r}. Run it first.")
    return make(frames[first], *(frames.get(name) for name in further))
