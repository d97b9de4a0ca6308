"""The matrix of arc probabilities as a heat map, drawn by matplotlib."""

from __future__ import annotations

import io
import warnings
from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING, Any

from qnml._api.posterior_result import Posterior
from qnml._checks import checked_path
from qnml._writing import write_file
from qnml.errors import MissingExtraError, bad_argument
from qnml.reports.picture import style

if TYPE_CHECKING:
    import os


__all__ = ["HEAT_MAP_KINDS", "HeatMap"]

HEAT_MAP_KINDS = (".png", ".svg", ".pdf")
"""Suffixes of the files to which a heat map can be written."""

_INCHES_PER_CELL = 0.52
_LARGEST_INCHES = 24.0
# With more variables the numbers would not fit into their cells.
_MOST_WITH_FIGURES = 20
_LEAST_WRITTEN = 0.005
_PALE, _DARK = "#f7f9fb", "#0a223e"
# No dates and no program names: equal posteriors give equal files.
_UNSIGNED: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


class HeatMap:
    """Probabilities of arcs from the row to the column. Notebooks show it; `save` writes it.

    Parameters
    ----------
    posterior
        The result of `qnml.posterior`.
    """

    def __init__(self, posterior: Posterior) -> None:
        if not isinstance(posterior, Posterior):
            raise bad_argument("HeatMap", "posterior", posterior, "the result of qnml.posterior")
        self._posterior = posterior

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the heat map to a file ending in ``.png``, ``.svg`` or ``.pdf``."""
        kind = checked_path("HeatMap.save", "path", path).suffix.lower()
        if kind not in HEAT_MAP_KINDS:
            allowed = f"a file name ending in one of {', '.join(HEAT_MAP_KINDS)}"
            raise bad_argument("HeatMap.save", "path", str(path), allowed)
        write_file("HeatMap.save", "path", path, _drawn(self._posterior, kind[1:]))

    def _repr_png_(self) -> bytes:
        return _drawn(self._posterior, "png")

    def _repr_html_(self) -> str:
        picture = b64encode(self._repr_png_()).decode("ascii")
        return f'<img alt="{escape(_title(self._posterior))}" src="data:image/png;base64,{picture}"/>'


def _title(posterior: Posterior) -> str:
    return f"P(row → column), {posterior.weights_are} by {posterior.score_name}"


def _drawn(posterior: Posterior, kind: str) -> bytes:
    try:
        import matplotlib
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError(
            "HeatMap: matplotlib is not installed. pip install 'qnml[plot]' adds it; plot('graph') does not need it."
        ) from error
    side = min(_INCHES_PER_CELL * len(posterior.names), _LARGEST_INCHES)
    figure = Figure(figsize=(side + 2.6, side + 1.6), layout="constrained")
    FigureCanvasAgg(figure)
    _draw_matrix(figure, posterior)
    content = io.BytesIO()
    with warnings.catch_warnings(), matplotlib.rc_context({"svg.hashsalt": "qnml"}):
        # Characters missing from the font are drawn as empty boxes; the caller can do nothing about it.
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        figure.savefig(content, format=kind, dpi=144, metadata=_UNSIGNED[kind])
    return content.getvalue()


def _draw_matrix(figure: Any, posterior: Posterior) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    n = len(posterior.names)
    axes = figure.add_subplot()
    colours = LinearSegmentedColormap.from_list("probability", [_PALE, _DARK])
    image = axes.imshow(_without_diagonal(posterior), cmap=colours, vmin=0.0, vmax=1.0)
    names = [style.shown_name(name) for name in posterior.names]
    axes.set_xticks(range(n), names, rotation=45, ha="right", rotation_mode="anchor", parse_math=False)
    axes.set_yticks(range(n), names, parse_math=False)
    axes.tick_params(length=0, labelsize=9, labelcolor=style.TEXT_COLOUR)
    for spine in axes.spines.values():
        spine.set_color(style.BOX_LINE)
    below = f"{posterior.weights_are} by {posterior.score_name}, prior: {posterior.prior}"
    if n <= _MOST_WITH_FIGURES:
        _write_figures(axes, posterior)
        below += f"; no figure: below {_LEAST_WRITTEN}"
    axes.set_title("P(row → column)", fontsize=11, color=style.TEXT_COLOUR, loc="left", parse_math=False)
    axes.set_xlabel(below, fontsize=8, color=style.CAPTION_COLOUR, parse_math=False)
    bar = figure.colorbar(image, ax=axes, shrink=0.8, ticks=[0.0, 0.25, 0.5, 0.75, 1.0])
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=8, labelcolor=style.TEXT_COLOUR)


def _without_diagonal(posterior: Posterior) -> Any:
    matrix = posterior.edges.copy()
    matrix[range(len(matrix)), range(len(matrix))] = float("nan")
    return matrix


def _write_figures(axes: Any, posterior: Posterior) -> None:
    for row in range(len(posterior.names)):
        for column in range(len(posterior.names)):
            share = float(posterior.edges[row, column])
            if row == column or share < _LEAST_WRITTEN:
                continue
            # Rounding must not turn a probability below 1 into certainty.
            text = ">.99" if 0.995 <= share < 1.0 else f"{share:.2f}"
            colour = "white" if share > 0.55 else style.TEXT_COLOUR
            axes.text(column, row, text, ha="center", va="center", fontsize=8, color=colour)
