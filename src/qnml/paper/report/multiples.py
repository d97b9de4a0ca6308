"""Small multiples: many similar figures, such as one per data set, as small panels in one figure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from qnml.paper.summary.types import Figure

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["MOST_SHOWN", "at_a_glance"]

MOST_SHOWN = 4
"""More figures than this are shown as small multiples, and individually only on request."""


def at_a_glance(figures: Sequence[Figure]) -> tuple[Figure, ...]:
    """Combine the first panels of all figures into one figure, the second panels into another, and so on.

    Panels of variances are left to the figures themselves.

    Parameters
    ----------
    figures
        Figures with the same panels; other figures, or only a few, are returned unchanged.
    """
    shapes = {tuple(panel.title for panel in figure.panels) for figure in figures}
    if len(figures) <= MOST_SHOWN or len(shapes) != 1:
        return tuple(figures)
    (titles,) = shapes
    repetitions = {subject: number for figure in figures for subject, number in figure.repetitions.items()}
    return tuple(
        Figure(
            part=figures[0].part,
            title=title,
            panels=tuple(replace(figure.panels[place], title=figure.title) for figure in figures),
            repetitions=repetitions,
            notes=(),
        )
        for place, title in enumerate(titles)
        if not title.startswith("Variance")
    )
