"""Figures of a summary as SVG, PNG and PDF, drawn by matplotlib."""

from __future__ import annotations

import io
import re
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from qnml.errors import MissingExtraError
from qnml.paper.report.look import SETTINGS
from qnml.paper.report.sheets import page_sheet, sheet

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from qnml.paper.summary.types import Figure

__all__ = ["check_figures", "drawing", "pdf_bytes", "png_bytes", "svg_text"]

_NO_MATPLOTLIB = "figures are drawn by matplotlib, which is not installed. Install it: pip install 'qnml[plot]'."
_DOTS_PER_INCH = 200


def check_figures(call: str) -> None:
    """Raise an error if figures cannot be drawn; to be called before a long computation.

    Parameters
    ----------
    call
        The calling function, named in errors.
    """
    if find_spec("matplotlib") is None:
        raise MissingExtraError(f"{call}: {_NO_MATPLOTLIB}")


def svg_text(figure: Figure) -> str:
    """Draw a figure as SVG.

    Parameters
    ----------
    figure
        What to draw.
    """
    content = io.BytesIO()
    with drawing():
        sheet(figure).savefig(content, format="svg", metadata={"Date": None, "Creator": None})
    return _rounded(content.getvalue().decode("utf-8"))


def png_bytes(figure: Figure) -> bytes:
    """Draw a figure as PNG.

    Parameters
    ----------
    figure
        What to draw.
    """
    content = io.BytesIO()
    with drawing():
        sheet(figure).savefig(content, format="png", dpi=_DOTS_PER_INCH, metadata={"Software": None})
    return content.getvalue()


def pdf_bytes(figures: Sequence[Figure], title: str) -> bytes:
    """Draw figures into one PDF, with one page each.

    Parameters
    ----------
    figures
        The figures, one per page.
    title
        The title of the document.
    """
    content = io.BytesIO()
    with drawing():
        from matplotlib.backends.backend_pdf import PdfPages

        information = {"Title": title, "Creator": None, "Producer": None, "CreationDate": None}
        with PdfPages(content, metadata=information) as pages:
            for figure in figures:
                pages.savefig(page_sheet(figure))
    return content.getvalue()


def _rounded(svg: str) -> str:
    """Positions to a hundredth of a point, without indentation: a third of the file is what nobody can see."""
    short = re.sub(r' (?:d|x|y)="[^"]*"', lambda found: re.sub(r"(\.\d\d)\d+", r"\1", found[0]), svg)
    short = re.sub(r' style="[^"]*"', lambda found: found[0].replace("; ", ";").replace(": ", ":"), short)
    short = short.replace("DejaVuSans-Bold-", "B").replace("DejaVuSans-", "D")
    return re.sub(r"\n +", "\n", short)


@contextmanager
def drawing() -> Iterator[None]:
    """Use only our own style, whatever the user's settings; matplotlib is imported here."""
    try:
        import matplotlib
    except ImportError as error:
        raise MissingExtraError(f"qnml paper: {_NO_MATPLOTLIB}") from error
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        settings: Any = matplotlib.rcParams
        settings.update(SETTINGS)
        yield
