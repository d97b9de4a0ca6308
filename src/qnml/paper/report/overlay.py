"""The paper's own curves, if they are known as numbers, drawn thin behind ours."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from qnml.paper.summary.types import PAPER_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.paper.summary.types import Figure, Panel

__all__ = ["with_the_papers_curves"]


def with_the_papers_curves(figures: Sequence[Figure]) -> tuple[Figure, ...]:
    """Add the curves of the paper's figure to our figures with the same panels.

    Parameters
    ----------
    figures
        Figures of one part. The paper's figure is the one without repetitions and errors; it is kept.
    """
    theirs = next((figure for figure in figures if _is_the_papers(figure)), None)
    if theirs is None:
        return tuple(figures)
    panels = {panel.title: panel for panel in theirs.panels}
    return tuple(
        replace(figure, panels=tuple(_joined(panel, panels.get(panel.title)) for panel in figure.panels))
        if figure is not theirs and any(panel.title in panels for panel in figure.panels)
        else figure
        for figure in figures
    )


def _is_the_papers(figure: Figure) -> bool:
    repeated = any(number > 0 for number in figure.repetitions.values())
    return not repeated and "paper" in figure.title


def _joined(ours: Panel, theirs: Panel | None) -> Panel:
    if theirs is None:
        return ours
    thin = tuple(replace(curve, label=f"{curve.label}{PAPER_SUFFIX}") for curve in theirs.curves)
    return replace(ours, curves=(*ours.curves, *thin))
