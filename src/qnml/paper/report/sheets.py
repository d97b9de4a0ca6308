"""Whole figures: the layout of panels and labels on matplotlib figures."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from qnml.paper.report.caption import band_of, caption
from qnml.paper.report.drawing import draw_curves, is_tall, label_ends
from qnml.paper.report.layout import Grid, columns_for
from qnml.paper.report.look import MUTED, strokes
from qnml.paper.report.structures import draw_cells, draw_structure, letters, shows_cells, shows_structures
from qnml.paper.summary.types import PAPER_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml.paper.report.look import Stroke
    from qnml.paper.summary.types import Figure, Panel

__all__ = ["page_sheet", "sheet"]

_PAGE = (11.69, 8.27)
_PAGE_LETTERS = 160
_MOST_LABELLED = 4
_LONGEST_LABEL = 8
_MANY = 4
# Width and height of a panel in inches, by the number of columns.
_SIZES = {1: (4.6, 3.0), 2: (2.9, 2.1), 3: (2.15, 1.75), 4: (1.75, 1.3)}
# If a claim of the paper names a sample size, the figure should show it.
_CLAIMED: Mapping[str, tuple[float, str]] = {"figure3": (300.0, "N = 300")}


def sheet(figure: Figure) -> Any:
    """A figure in its own size.

    Parameters
    ----------
    figure
        What to draw.
    """
    if shows_structures(figure):
        return _structure_sheet(figure)
    count, labels = len(figure.panels), _labels(figure.panels)
    columns = columns_for(count)
    labelled = count <= _MOST_LABELLED and all(len(label) <= _LONGEST_LABEL for label in labels)
    width, height = _SIZES[columns]
    grid = Grid(
        panels=count,
        columns=columns,
        width=width,
        height=height,
        left=0.75 if any(map(is_tall, figure.panels)) else 0.55,
        right=0.62 if labelled else 0.2,
        head=0.0 if labelled or count % columns else 0.32,
    )
    drawn = _empty(grid.size)
    looks = strokes(labels)
    _fill(drawn, grid, figure, looks, labelled=labelled)
    if not labelled:
        _legend(drawn, grid, figure, looks)
    return drawn


def page_sheet(figure: Figure) -> Any:
    """A figure as a page of a booklet: the heading, the panels side by side, the caption.

    Parameters
    ----------
    figure
        What to draw.
    """
    count = len(figure.panels)
    room = _PAGE[0] / count
    grid = Grid(count, count, room - 1.6, 5.1, left=0.9, right=0.7, above=0.5, below=1.72, head=0.95)
    drawn = _empty(grid.size)
    _fill(drawn, grid, figure, strokes(_labels(figure.panels)), labelled=True)
    across = grid.left / _PAGE[0]
    drawn.text(across, 1.0 - 0.85 / _PAGE[1], figure.title, fontsize=16, fontweight="bold")
    below = "\n".join(textwrap.wrap(caption(figure), _PAGE_LETTERS))
    drawn.text(across, 0.75 / _PAGE[1], below, fontsize=8, color=MUTED, va="top")
    return drawn


def _structure_sheet(figure: Figure) -> Any:
    """Curves of structures, marked with letters, with pictures of the structures beside them."""
    (panel,) = figure.panels
    names = letters(_labels(figure.panels))
    curves = tuple(replace(curve, label=names[curve.label]) for curve in panel.curves)
    grid = Grid(1, 1, 3.9, 3.0, right=3.3)
    drawn = _empty(grid.size)
    looks = strokes(list(names.values()))
    _fill(drawn, grid, replace(figure, panels=(replace(panel, curves=curves),)), looks, labelled=True)
    rows = -(-len(names) // 2)
    width, height = grid.size
    room = (height - 0.3) / rows
    for place, (modelstring, letter) in enumerate(names.items()):
        row, column = divmod(place, 2)
        left = grid.left + grid.width + 0.45 + 1.42 * column
        corner = (left / width, (height - 0.2 - room * (row + 1)) / height, 1.42 / width, (room - 0.12) / height)
        draw_structure(drawn.add_axes(corner), modelstring, letter, looks[letter].colour)
    return drawn


def _empty(size: tuple[float, float]) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Sheet

    # Not through pyplot, which would keep the figure and open a window if the user's settings say so.
    drawn = Sheet(figsize=size)
    FigureCanvasAgg(drawn)
    return drawn


def _fill(drawn: Any, grid: Grid, figure: Figure, looks: Mapping[str, Stroke], *, labelled: bool) -> None:
    heights = {panel.y_label for panel in figure.panels}
    # Panels this small have no room for their own axis labels: use one for all.
    shared = grid.columns == _MANY and len(heights) == 1
    if shared:
        drawn.text(0.1 / grid.size[0], 0.5, *heights, rotation="vertical", va="center", ha="left", fontsize=9)
    for number, panel in enumerate(figure.panels):
        axes = drawn.add_axes(grid.place(number))
        if shows_cells(panel):
            draw_cells(axes, panel, looks)
        else:
            draw_curves(axes, panel, looks, band_of(figure))
        if figure.part in _CLAIMED:
            _mark(axes, *_CLAIMED[figure.part])
        if grid.is_lowest(number):
            axes.set_xlabel(panel.x_label, labelpad=3)
        told = number % grid.columns > 0 and figure.panels[number - 1].y_label == panel.y_label
        if not (told or shared):
            axes.set_ylabel(panel.y_label, labelpad=4)
        if labelled:
            label_ends(axes, panel, looks, grid.height)


def _mark(axes: Any, place: float, text: str) -> None:
    axes.axvline(place, color=MUTED, linewidth=0.8, zorder=1)
    where = {"xycoords": ("data", "axes fraction"), "xytext": (3, -2), "textcoords": "offset points"}
    axes.annotate(text, (place, 1.0), va="top", fontsize=7, color=MUTED, **where)


def _legend(drawn: Any, grid: Grid, figure: Figure, looks: Mapping[str, Stroke]) -> None:
    from matplotlib.lines import Line2D

    if any(map(shows_cells, figure.panels)):
        lines = list(drawn.axes[-1].get_legend_handles_labels()[0])
        lines.sort(key=lambda line: hasattr(line, "get_marker"))
    else:
        own = {label: look for label, look in looks.items() if not label.endswith(PAPER_SUFFIX)}
        lines = [_sample(Line2D, label, look) for label, look in own.items()]
        if len(own) < len(looks):
            lines.append(Line2D([], [], color=MUTED, linewidth=0.8, label="thin: the paper"))
    size = {"fontsize": 9, "handlelength": 3.4}
    if grid.panels % grid.columns:
        left, bottom, _, height = grid.place(grid.panels)
        middle = (left, bottom + height / 2)
        drawn.legend(handles=lines, loc="center left", bbox_to_anchor=middle, labelspacing=0.9, **size)
    else:
        drawn.legend(handles=lines, loc="upper center", bbox_to_anchor=(0.5, 1.0), ncols=len(lines), **size)


def _sample(line: Any, label: str, look: Stroke) -> Any:
    shape = {"marker": look.marker, "markersize": 4.5, "markeredgewidth": 0.0}
    return line([], [], color=look.colour, linestyle=look.dashes, linewidth=look.width, label=label, **shape)


def _labels(panels: Sequence[Panel]) -> list[str]:
    return list(dict.fromkeys(curve.label for panel in panels for curve in panel.curves))
