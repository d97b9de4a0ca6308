"""Captions of figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from qnml.paper.report.about import repeated
from qnml.paper.report.drawing import is_tall
from qnml.paper.report.structures import shows_structures
from qnml.paper.summary.types import PAPER_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Mapping

    from qnml.paper.summary.types import Figure

__all__ = ["Band", "band_of", "caption"]

Band: TypeAlias = Literal["error", "spread"]

_MEANINGS: Mapping[Band, str] = {
    "error": "Bands: two standard errors of the mean either way.",
    "spread": "Bands: one standard deviation over repetitions either way.",
}
# The figures in which the paper shows mean and spread (or variance); in the others it shows only means.
_SPREAD_PARTS = frozenset({"figure1", "appendix-e"})


def band_of(figure: Figure) -> Band:
    """The meaning of the bands of a figure: twice the standard error, or the standard deviation.

    Parameters
    ----------
    figure
        The figure.
    """
    return "spread" if figure.part in _SPREAD_PARTS else "error"


def caption(figure: Figure) -> str:
    """An explanation of a figure in one paragraph; empty if nothing needs to be said.

    Parameters
    ----------
    figure
        The figure.
    """
    curves = [curve for panel in figure.panels for curve in panel.curves]
    said = []
    if any(width > 0.0 for curve in curves for width in (*curve.error, *curve.spread)):
        said.append(_MEANINGS[band_of(figure)])
        if band_of(figure) == "spread" and any(map(is_tall, figure.panels)):
            said.append("On a logarithmic axis a band reaches down to a tenth of the mean at most.")
    if any(curve.label.endswith(PAPER_SUFFIX) for curve in curves):
        said.append("Thin lines: the paper's curves.")
    if shows_structures(figure):
        said.append("Arrows where all networks of a class agree on the direction.")
    often = repeated(figure.repetitions)
    said += [f"{often}."] if often else []
    return " ".join([*said, *figure.notes])
