"""Summaries of raw results for the report: tables, figures and checked findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.errors import InputError, unknown_name
from qnml.paper.summary.appendix_c import summarize_appendix_c
from qnml.paper.summary.appendix_d import summarize_appendix_d
from qnml.paper.summary.curves import summarize_appendix_e, summarize_figure1
from qnml.paper.summary.figure2 import summarize_figure2
from qnml.paper.summary.figure3 import summarize_figure3
from qnml.paper.summary.table1 import summarize_table1
from qnml.paper.summary.table2 import summarize_table2
from qnml.paper.summary.table3 import summarize_table3

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

    from qnml.paper.summary.types import PartSummary

__all__ = ["summarize"]

_SUMMARIES = {
    "table1": ("regret", summarize_table1),
    "figure1": ("prediction", summarize_figure1),
    "figure2": ("structure", summarize_figure2),
    "figure3": ("structure", summarize_figure3),
    "table2": ("prediction", summarize_table2),
    "table3": ("parsimony", summarize_table3),
    "appendix-c": ("tournaments", summarize_appendix_c),
    "appendix-d": ("quotient", summarize_appendix_d),
    "appendix-e": ("prediction", summarize_appendix_e),
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
    experiment, make = _SUMMARIES[part]
    if experiment not in frames:
        raise InputError(f"summarize(part={part!r}): needs the results of the experiment {experiment!r}. Run it first.")
    return make(frames[experiment])
