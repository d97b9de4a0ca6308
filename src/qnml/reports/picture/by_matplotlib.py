"""Drawing of a scene with matplotlib: as a PNG image or a PDF page."""

from __future__ import annotations

import io
import warnings
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from qnml.errors import MissingExtraError
from qnml.reports.picture import style

if TYPE_CHECKING:
    from qnml.reports.picture.scene import Scene

__all__ = ["NEITHER_DRAWS", "has_matplotlib", "matplotlib_bytes"]

NEITHER_DRAWS = (
    "PNG and PDF need Graphviz (the program dot) or matplotlib, and neither is installed. "
    "Install one (pip install 'qnml[plot]' installs matplotlib), or use SVG, which needs neither."
)
"""The error text if neither can be drawn."""

_POINTS_PER_INCH = 72.0
_DOTS_PER_POINT = 2.0
# matplotlib cannot draw more than 2^16 pixels in either direction; half of that is a large poster.
_MOST_DOTS = 2.0**15
# The default fonts of matplotlib are wider than those the boxes are designed for.
_TEXT_SCALE = 0.92


def has_matplotlib() -> bool:
    """Return whether matplotlib is installed, without importing it."""
    return find_spec("matplotlib") is not None


# No dates and no program names: equal scenes give equal files.
_UNSIGNED: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def matplotlib_bytes(call: str, scene: Scene, kind: str) -> bytes:
    """Draw the scene.

    Parameters
    ----------
    call
        For errors.
    scene
        The scene.
    kind
        ``"png"`` or ``"pdf"``.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError(f"{call}: {NEITHER_DRAWS}") from error
    # Not through pyplot, which would keep the figure and might open a window, depending on the user's settings.
    figure = Figure(figsize=(scene.width / _POINTS_PER_INCH, scene.height / _POINTS_PER_INCH))
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(0.0, scene.width)
    axes.set_ylim(scene.height, 0.0)
    _draw(axes, scene)
    dots = min(_DOTS_PER_POINT, _MOST_DOTS / max(scene.width, scene.height))
    content = io.BytesIO()
    with warnings.catch_warnings():
        # Characters missing from the font are drawn as empty boxes; the caller can do nothing about it.
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        figure.savefig(content, format=kind, dpi=_POINTS_PER_INCH * dots, metadata=_UNSIGNED[kind])
    return content.getvalue()


def _draw(axes: Any, scene: Scene) -> None:
    from matplotlib.patches import FancyBboxPatch, PathPatch, Polygon
    from matplotlib.path import Path

    for curve in scene.curves:
        codes = [Path.MOVETO] + [Path.CURVE4] * (len(curve.route) - 1)
        dashes = (0, (6 / curve.width, 4 / curve.width)) if curve.dashed else "solid"
        look = {"edgecolor": curve.colour, "linewidth": curve.width, "linestyle": dashes, "capstyle": "butt"}
        axes.add_patch(PathPatch(Path(curve.route, codes), facecolor="none", alpha=curve.opacity, **look))
        if curve.head:
            axes.add_patch(Polygon(curve.head, closed=True, facecolor=curve.colour, linewidth=0, alpha=curve.opacity))
    for box in scene.boxes:
        corner = (box.x - box.width / 2, box.y - box.height / 2)
        rounded = FancyBboxPatch(
            corner,
            box.width,
            box.height,
            boxstyle="round,pad=0,rounding_size=6",
            facecolor=style.BOX_FILL,
            edgecolor=style.BOX_LINE,
            linewidth=1.0,
            zorder=2,
        )
        axes.add_patch(rounded)
        _write(axes, box.x, box.y + style.FONT_SIZE * 0.34, box.text, style.FONT_SIZE, style.TEXT_COLOUR)
    for line in scene.captions:
        _write(axes, line.x, line.y, line.text, style.CAPTION_SIZE, style.CAPTION_COLOUR)


def _write(axes: Any, x: float, y: float, text: str, size: float, colour: str) -> None:
    # parse_math: a name such as $x_1$ is a name, not a formula.
    look = {"color": colour, "ha": "center", "va": "baseline", "zorder": 3, "parse_math": False}
    axes.text(x, y, text, fontsize=size * _TEXT_SCALE, **look)
