"""Appendix D: posterior probabilities of structures, with small pictures of them, and their predictions."""

from __future__ import annotations

import math
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from qnml.graph import Dag
from qnml.paper.report.look import MUTED, TEXT_COLOUR

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml.paper.report.look import Stroke
    from qnml.paper.summary.types import Figure, Panel

__all__ = ["draw_cells", "draw_structure", "letters", "shows_cells", "shows_structures"]

_BAR_COLOUR = "#c9d1d9"
_LEAST_SHOWN = 0.002


def shows_structures(figure: Figure) -> bool:
    """Whether the curves of a figure are structures, named in the notation ``[A][B|A]``.

    Parameters
    ----------
    figure
        The figure.
    """
    return all(curve.label.startswith("[") for panel in figure.panels for curve in panel.curves)


def shows_cells(panel: Panel) -> bool:
    """Whether the positions of a panel are cells or classes, with nothing between two of them.

    Parameters
    ----------
    panel
        The panel.
    """
    return panel.x_label.startswith(("cell", "class"))


def letters(labels: Sequence[str]) -> dict[str, str]:
    """A letter for each structure, which marks its curve and its picture.

    Parameters
    ----------
    labels
        Structures in the notation ``[A][B|A]``; at most 26.
    """
    return dict(zip(labels, ascii_uppercase, strict=False))


def draw_structure(axes: Any, modelstring: str, letter: str, colour: str) -> None:
    """Draw an equivalence class: nodes in a ring, arrows if all members agree on the direction, else plain lines.

    Parameters
    ----------
    axes
        Axes of matplotlib.
    modelstring
        One member of the class.
    letter, colour
        Those of its curve.
    """
    graph = Dag.from_modelstring(modelstring).to_cpdag()
    # Every node has the same position in every picture, whichever member names the class.
    names = sorted(graph.names)
    turn = 2.0 * math.pi / len(names)
    places = {name: (math.cos(turn * (k + 0.5)), math.sin(turn * (k + 0.5))) for k, name in enumerate(names)}
    for edges, style in ((graph.directed, "-|>,head_length=0.35,head_width=0.16"), (graph.undirected, "-")):
        for first, second in edges:
            look = {"arrowstyle": style, "color": colour, "linewidth": 1.1, "shrinkA": 8.0, "shrinkB": 8.0}
            axes.annotate("", xy=places[second], xytext=places[first], arrowprops=look)
    for name, (x, y) in places.items():
        axes.text(x, y, name, ha="center", va="center", fontsize=7, color=TEXT_COLOUR)
    axes.text(-1.9, 0.0, letter, ha="center", va="center", fontsize=11, fontweight="bold", color=colour)
    axes.set_xlim(-2.2, 1.3)
    axes.set_ylim(-1.2, 1.2)
    axes.set_aspect("equal")
    axes.set_axis_off()


def draw_cells(axes: Any, panel: Panel, strokes: Mapping[str, Stroke]) -> None:
    """Draw probabilities of cells: the first as bars, the others as points on them.

    Parameters
    ----------
    axes
        Axes of matplotlib.
    panel
        What to draw.
    strokes
        A stroke for every label.
    """
    bars, *others = panel.curves
    # Points on the axis tell nothing, and there may be a hundred of them.
    least = max(value for curve in panel.curves for value in curve.mean) * _LEAST_SHOWN
    axes.bar(bars.x, bars.mean, width=0.8, color=_BAR_COLOUR, label=bars.label, zorder=2)
    for place, curve in enumerate(others):
        stroke = strokes[curve.label]
        # Side by side, so that equal values can both be seen.
        offset = 0.2 * (2 * place - (len(others) - 1))
        shown = [(x + offset, value) for x, value in zip(curve.x, curve.mean, strict=True) if value >= least]
        axes.plot(
            [x for x, _ in shown],
            [value for _, value in shown],
            linestyle="none",
            marker=stroke.marker,
            markersize=3.4,
            markeredgewidth=0.0,
            color=stroke.colour,
            label=curve.label,
            zorder=3,
        )
    axes.set_title(panel.title, pad=6)
    axes.tick_params(length=3, pad=2.5, color=MUTED)
    axes.margins(x=0.02)
