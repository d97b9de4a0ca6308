"""Figures of a summary as SVG, PNG and PDF, drawn by matplotlib."""

from __future__ import annotations

import io
import textwrap
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from qnml.errors import MissingExtraError
from qnml.report.paper.about import repeated
from qnml.report.paper.drawing import BAND_MEANINGS, Band, draw_curves, is_tall, label_ends
from qnml.report.paper.layout import Grid, columns_for
from qnml.report.paper.look import MUTED, SETTINGS, strokes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from qnml.paper.summary.types import Figure, Panel
    from qnml.report.paper.look import Stroke

__all__ = ["band_of", "caption", "check_figures", "pdf_bytes", "png_bytes", "svg_text"]

_NO_MATPLOTLIB = "figures are drawn by matplotlib, which is not installed. Install it: pip install 'qnml[plot]'."
_DOTS_PER_INCH = 200
_PAGE = (11.69, 8.27)
_PAGE_LETTERS = 160
_MOST_LABELLED = 4

# The paper shows mean and spread (or variance) in these, and means alone in the others.
_SPREAD_PARTS = frozenset({"figure1", "appendix-e"})
# Where a claim of the paper names a sample size, the reader should see it in the figure.
_CLAIMED: Mapping[str, tuple[float, str]] = {"figure3": (300.0, "N = 300")}


def check_figures(call: str) -> None:
    """
    Refuse where figures could not be drawn; for those who want to know before a long computation.

    Parameters
    ----------
    call
        Who asks, for the message.
    """
    if find_spec("matplotlib") is None:
        raise MissingExtraError(f"{call}: {_NO_MATPLOTLIB}")


def svg_text(figure: Figure) -> str:
    """
    Draw a figure as SVG.

    Parameters
    ----------
    figure
        What to draw.
    """
    content = io.BytesIO()
    with _settings():
        _drawn(figure).savefig(content, format="svg", metadata={"Date": None, "Creator": None})
    return content.getvalue().decode("utf-8")


def png_bytes(figure: Figure) -> bytes:
    """
    Draw a figure as PNG.

    Parameters
    ----------
    figure
        What to draw.
    """
    content = io.BytesIO()
    with _settings():
        _drawn(figure).savefig(content, format="png", dpi=_DOTS_PER_INCH, metadata={"Software": None})
    return content.getvalue()


def pdf_bytes(figures: Sequence[Figure], title: str) -> bytes:
    """
    Draw figures into one PDF, a page each.

    Parameters
    ----------
    figures
        One for every page.
    title
        The title of the document.
    """
    content = io.BytesIO()
    with _settings():
        from matplotlib.backends.backend_pdf import PdfPages

        information = {"Title": title, "Creator": None, "Producer": None, "CreationDate": None}
        with PdfPages(content, metadata=information) as pages:
            for figure in figures:
                pages.savefig(_page(figure))
    return content.getvalue()


def band_of(figure: Figure) -> Band:
    """
    What the bands of a figure show.

    Parameters
    ----------
    figure
        The figure.
    """
    return "spread" if figure.part in _SPREAD_PARTS else "error"


def caption(figure: Figure) -> str:
    """
    What a reader has to know beside the figure; empty where nothing was repeated.

    Parameters
    ----------
    figure
        The figure.
    """
    widths = [width for panel in figure.panels for curve in panel.curves for width in (*curve.error, *curve.spread)]
    return BAND_MEANINGS[band_of(figure)] if any(width > 0.0 for width in widths) else ""


@contextmanager
def _settings() -> Iterator[None]:
    """Draw in our looks only, whatever the user's settings are; here matplotlib is imported."""
    try:
        import matplotlib
    except ImportError as error:
        raise MissingExtraError(f"qnml paper: {_NO_MATPLOTLIB}") from error
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        settings: Any = matplotlib.rcParams
        settings.update(SETTINGS)
        yield


def _empty(size: tuple[float, float]) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Sheet

    # Not through pyplot, which would keep the figure and ask the user's settings for a window.
    sheet = Sheet(figsize=size)
    FigureCanvasAgg(sheet)
    return sheet


def _drawn(figure: Figure) -> Any:
    count = len(figure.panels)
    columns = columns_for(count)
    labelled = count <= _MOST_LABELLED
    grid = Grid(
        panels=count,
        columns=columns,
        width=4.6 if count == 1 else 2.9 if columns == 2 else 2.15 if columns == 3 else 1.75,
        height=3.0 if count == 1 else 2.1 if columns == 2 else 1.65 if columns == 3 else 1.3,
        left=0.7 if any(map(is_tall, figure.panels)) else 0.55,
        right=0.62 if labelled else 0.2,
        head=0.0 if labelled or count % columns else 0.32,
    )
    sheet = _empty(grid.size)
    looks = strokes(_labels(figure.panels))
    _fill(sheet, grid, figure, looks, labelled)
    return sheet


def _page(figure: Figure) -> Any:
    """A page of a booklet: the heading, the panels side by side, what the bands are."""
    count = len(figure.panels)
    room = _PAGE[0] / count
    grid = Grid(count, count, room - 1.6, 5.1, left=0.9, right=0.7, above=0.5, below=1.72, head=0.95)
    sheet = _empty(grid.size)
    _fill(sheet, grid, figure, strokes(_labels(figure.panels)), labelled=True)
    across = grid.left / _PAGE[0]
    sheet.text(across, 1.0 - 0.85 / _PAGE[1], figure.title, fontsize=16, fontweight="bold")
    often = repeated(figure.repetitions)
    said = [caption(figure), f"{often}." if often else "", *figure.notes]
    below = "\n".join(textwrap.wrap(" ".join(sentence for sentence in said if sentence), _PAGE_LETTERS))
    sheet.text(across, 0.75 / _PAGE[1], below, fontsize=8, color=MUTED, va="top")
    return sheet


def _fill(sheet: Any, grid: Grid, figure: Figure, looks: Mapping[str, Stroke], labelled: bool) -> None:
    said: set[str] = set()
    for number, panel in enumerate(figure.panels):
        axes = sheet.add_axes(grid.place(number))
        draw_curves(axes, panel, looks, band_of(figure))
        if figure.part in _CLAIMED:
            place, text = _CLAIMED[figure.part]
            axes.axvline(place, color=MUTED, linewidth=0.8, zorder=1)
            axes.annotate(
                text, (place, 1.0), xycoords=("data", "axes fraction"), xytext=(3, -2),
                textcoords="offset points", va="top", fontsize=7, color=MUTED,
            )  # fmt: skip
        if grid.is_lowest(number):
            axes.set_xlabel(panel.x_label, labelpad=3)
        if number % grid.columns == 0 or panel.y_label not in said:
            axes.set_ylabel(panel.y_label, labelpad=4)
            said.add(panel.y_label)
        if labelled:
            label_ends(axes, panel, looks, grid.height)
    if not labelled:
        _legend(sheet, grid, looks)


def _legend(sheet: Any, grid: Grid, looks: Mapping[str, Stroke]) -> None:
    from matplotlib.lines import Line2D

    lines = [
        Line2D([], [], color=look.colour, linestyle=look.dashes, linewidth=look.width, marker=look.marker,
               markersize=4.5, markeredgewidth=0.0, label=label)
        for label, look in looks.items()
    ]  # fmt: skip
    size = {"fontsize": 9, "handlelength": 3.4}
    if grid.panels % grid.columns:
        left, bottom, _, height = grid.place(grid.panels)
        sheet.legend(
            handles=lines, loc="center left", bbox_to_anchor=(left, bottom + height / 2), labelspacing=0.9, **size
        )
    else:
        sheet.legend(handles=lines, loc="upper center", bbox_to_anchor=(0.5, 1.0), ncols=len(lines), **size)


def _labels(panels: Sequence[Panel]) -> list[str]:
    return list(dict.fromkeys(curve.label for panel in panels for curve in panel.curves))
