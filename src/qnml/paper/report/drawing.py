"""One panel: its curves with their bands, and labels at the ends of the curves."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from qnml.paper.report.look import GRID_COLOUR, MUTED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml.paper.report.caption import Band
    from qnml.paper.report.look import Stroke
    from qnml.paper.summary.types import Curve, Panel

__all__ = ["draw_curves", "is_tall", "label_ends", "spread_apart"]

_LEAST_TALL = 30.0
_MOST_MARKED = 12
_LABEL_GAP = 0.14


def is_tall(panel: Panel) -> bool:
    """Whether a panel needs a logarithmic vertical axis: counts that span more than one and a half orders of magnitude.

    Parameters
    ----------
    panel
        The panel.
    """
    values = [value for curve in panel.curves for value in curve.mean if math.isfinite(value)]
    counts = "parameters" in panel.y_label.lower()
    return counts and bool(values) and min(values) > 0.0 and max(values) > _LEAST_TALL * min(values)


def draw_curves(axes: Any, panel: Panel, strokes: Mapping[str, Stroke], band: Band) -> None:
    """Draw the curves of a panel, each with its band.

    Parameters
    ----------
    axes
        Axes of matplotlib.
    panel
        The panel.
    strokes
        A stroke for every label.
    band
        The meaning of the bands: twice the standard error, or the standard deviation.
    """
    tall = is_tall(panel)
    if panel.x_log:
        axes.set_xscale("log")
    if tall:
        axes.set_yscale("log")
    for layer, curve in enumerate(panel.curves):
        stroke = strokes[curve.label]
        low, high = _band(curve, band, tall)
        if low != high:
            axes.fill_between(curve.x, low, high, color=stroke.colour, alpha=0.13, linewidth=0, zorder=2)
        # Dense markers hide the curve: mark only every few points, at different positions on each curve.
        step = max(1, math.ceil(len(curve.x) / _MOST_MARKED))
        axes.plot(
            curve.x,
            curve.mean,
            color=stroke.colour,
            linestyle=stroke.dashes,
            linewidth=stroke.width,
            alpha=stroke.opacity,
            marker=stroke.marker,
            markersize=3.6,
            markeredgewidth=0.0,
            markevery=(layer % step, step),
            label=curve.label,
            zorder=3 + (layer / 10 if stroke.opacity == 1.0 else -0.5),
        )
    _dress(axes, panel, tall)


def label_ends(axes: Any, panel: Panel, strokes: Mapping[str, Stroke], height: float) -> None:
    """Write the name of every curve at its right end, without overlaps.

    Parameters
    ----------
    axes, panel, strokes
        As for :func:`draw_curves`, which must be called first.
    height
        Height of the panel in inches.
    """
    # Asking for the limits makes matplotlib compute them; before that it does not know where the curves end.
    axes.set_xlim(axes.get_xlim())
    axes.set_ylim(axes.get_ylim())
    to_axes = axes.transAxes.inverted()
    ends = [to_axes.transform(axes.transData.transform((curve.x[-1], curve.mean[-1]))) for curve in panel.curves]
    heights = spread_apart([float(end[1]) for end in ends], _LABEL_GAP / height)
    for curve, end, level in zip(panel.curves, ends, heights, strict=True):
        colour = strokes[curve.label].colour
        axes.annotate(
            curve.label,
            xy=(float(end[0]), float(end[1])),
            xytext=(1.045, level),
            xycoords="axes fraction",
            textcoords="axes fraction",
            color=colour,
            fontweight="bold",
            fontsize=7.5,
            va="center",
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.5, "shrinkA": 1.0, "shrinkB": 2.5},
        )


def spread_apart(heights: Sequence[float], gap: float) -> list[float]:
    """Move heights as little as necessary so that they are at least a gap apart, in the same order.

    Parameters
    ----------
    heights
        The preferred heights of labels.
    gap
        The smallest distance between two labels.

    Examples
    --------
    >>> [round(height, 2) for height in spread_apart([0.5, 0.5, 0.9], 0.1)]
    [0.45, 0.55, 0.9]
    """
    order = sorted(range(len(heights)), key=lambda place: heights[place])
    # Labels that touch move as one block, centred on the mean of their preferred heights.
    blocks: list[tuple[float, int]] = []
    for place in order:
        middle, size = heights[place], 1
        while blocks and middle - blocks[-1][0] < gap * (size + blocks[-1][1]) / 2:
            before, members = blocks.pop()
            middle = (before * members + middle * size) / (members + size)
            size += members
        blocks.append((middle, size))
    levels = [middle + gap * (step - (size - 1) / 2) for middle, size in blocks for step in range(size)]
    placed = [0.0] * len(heights)
    for place, level in zip(order, levels, strict=True):
        placed[place] = level
    return placed


def _band(curve: Curve, band: Band, tall: bool) -> tuple[list[float], list[float]]:
    widths = [2.0 * value for value in curve.error] if band == "error" else list(curve.spread)
    low = [mean - width for mean, width in zip(curve.mean, widths, strict=True)]
    high = [mean + width for mean, width in zip(curve.mean, widths, strict=True)]
    if tall:
        # A logarithmic axis has no zero: a band that would reach it ends at a tenth of the mean.
        low = [max(value, mean / 10.0) for value, mean in zip(low, curve.mean, strict=True)]
    return low, high


def _dress(axes: Any, panel: Panel, tall: bool) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

    axes.set_title(panel.title, pad=6)
    axes.grid(color=GRID_COLOUR, linewidth=0.6)
    axes.margins(x=0.02)
    for axis, logarithmic in ((axes.xaxis, panel.x_log), (axes.yaxis, tall)):
        if logarithmic:
            axis.set_major_formatter(FuncFormatter(_thousands))
            axis.set_minor_formatter(NullFormatter())
        else:
            axis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 2.5, 5, 10]))
    if not panel.x_log and all(float(x).is_integer() for curve in panel.curves for x in curve.x):
        axes.xaxis.set_major_formatter(FuncFormatter(_thousands))
    axes.tick_params(which="both", length=3, pad=2.5, color=MUTED)


def _thousands(value: float, place: int | None = None) -> str:
    # A thin space between thousands; numbers of four digits need none.
    text = f"{value:,.0f}" if abs(value) >= 1 or value == 0 else f"{value:g}"
    return text.replace(",", "" if abs(value) < 10_000 else "\u2009")
