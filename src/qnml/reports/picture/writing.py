"""Drawing of a graph as DOT, SVG, PNG or PDF, with or without Graphviz, and writing of the file."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Literal, TypeAlias

from qnml._checks import checked_path
from qnml._writing import write_file
from qnml.errors import MissingExtraError, bad_argument
from qnml.reports.picture.by_matplotlib import NEITHER_DRAWS, has_matplotlib, matplotlib_bytes
from qnml.reports.picture.dot import PATIENCE_SECONDS, dot_program, dot_text, drawn_by_dot
from qnml.reports.picture.drawing import Drawing, drawing_of
from qnml.reports.picture.scene import scene_of
from qnml.reports.picture.svg import svg_text

if TYPE_CHECKING:
    import os

    from qnml.reports.picture.drawing import Drawable, Strengths

__all__ = ["PICTURE_KINDS", "check_picture", "to_dot", "to_pdf", "to_png", "to_svg", "write_picture"]

PICTURE_KINDS = (".svg", ".png", ".pdf", ".dot")
"""Suffixes of the files that `write_picture` writes."""

_IMAGES = (".png", ".pdf")

LayoutBy: TypeAlias = Literal["auto", "dot", "own"]


def to_dot(graph: Drawable, strengths: Strengths | None = None) -> str:
    """Write a graph in DOT, the language of Graphviz.

    Parameters
    ----------
    graph
        A Dag, a Cpdag, an Mpdag, a network, or the result of learning one (drawn as its Mpdag, with strengths).
    strengths
        Bits by pair of names, or an explanation of a score.

    Examples
    --------
    >>> from qnml.graph import Dag
    >>> print(to_dot(Dag.from_arcs(["a", "b"], [("a", "b")])).splitlines()[-2])
      "a" -> "b" [color="#41556c", penwidth="1.28", arrowsize="0.9", tooltip="a → b"];
    """
    return dot_text(drawing_of("to_dot", graph, strengths))


def to_svg(graph: Drawable, strengths: Strengths | None = None, *, layout: LayoutBy = "auto") -> str:
    """Draw a graph as SVG text.

    Parameters
    ----------
    graph, strengths
        As for :func:`to_dot`.
    layout
        The layout: ``"dot"``, the program of Graphviz; ``"own"``, built in, which needs no program; ``"auto"``, dot
        if it is installed and succeeds. If dot fails or takes more than 20 seconds, there is a warning and the
        built-in layout is used.
    """
    drawing = drawing_of("to_svg", graph, strengths)
    drawn = _by_dot("to_svg", drawing, layout, "svg")
    return svg_text(scene_of(drawing)) if drawn is None else drawn.decode("utf-8")


def to_png(graph: Drawable, strengths: Strengths | None = None, *, layout: LayoutBy = "auto") -> bytes:
    """Draw a graph as a PNG image.

    Parameters
    ----------
    graph, strengths, layout
        As for :func:`to_svg`; the built-in layout is drawn by matplotlib.

    Raises
    ------
    MissingExtraError
        If neither dot nor matplotlib is installed.
    """
    return _image("to_png", graph, strengths, layout, "png")


def to_pdf(graph: Drawable, strengths: Strengths | None = None, *, layout: LayoutBy = "auto") -> bytes:
    """Draw a graph as a PDF page.

    Parameters
    ----------
    graph, strengths, layout
        As for :func:`to_svg`; the built-in layout is drawn by matplotlib.

    Raises
    ------
    MissingExtraError
        If neither dot nor matplotlib is installed.
    """
    return _image("to_pdf", graph, strengths, layout, "pdf")


def _image(call: str, graph: Drawable, strengths: Strengths | None, layout: LayoutBy, kind: str) -> bytes:
    drawing = drawing_of(call, graph, strengths)
    drawn = _by_dot(call, drawing, layout, kind)
    return matplotlib_bytes(call, scene_of(drawing), kind) if drawn is None else drawn


def write_picture(
    graph: Drawable,
    path: str | os.PathLike[str],
    strengths: Strengths | None = None,
    *,
    layout: LayoutBy = "auto",
) -> None:
    """Draw a graph to a file in the format given by its suffix.

    Parameters
    ----------
    graph
        As for :func:`to_dot`.
    path
        The file, ending in ``.svg``, ``.png``, ``.pdf`` or ``.dot``. An existing file is replaced.
    strengths, layout
        As for :func:`to_svg`.
    """
    target = checked_path("write_picture", "path", path)
    check_picture("write_picture", target)
    kind = target.suffix.lower()
    if kind in _IMAGES:
        content = (to_png if kind == ".png" else to_pdf)(graph, strengths, layout=layout)
    else:
        text = to_svg(graph, strengths, layout=layout) if kind == ".svg" else to_dot(graph, strengths)
        content = text.encode("utf-8")
    write_file("write_picture", "path", path, content)


def check_picture(
    call: str, path: str | os.PathLike[str], argument: str = "path", kinds: tuple[str, ...] = PICTURE_KINDS
) -> None:
    """Reject a file that `write_picture` could not write, before a long computation and not after it.

    Parameters
    ----------
    call
        The function or command that was called, for messages.
    path
        The file.
    argument
        The argument or option that names it.
    kinds
        The allowed suffixes. PNG and PDF also need a program or library that draws it.
    """
    kind = checked_path(call, argument, path).suffix.lower()
    if kind not in kinds:
        raise bad_argument(call, argument, str(path), f"a file name ending in one of {', '.join(kinds)}")
    if kind in _IMAGES and dot_program() is None and not has_matplotlib():
        raise MissingExtraError(f"{call}({argument}={str(path)!r}): {NEITHER_DRAWS}")


def _by_dot(call: str, drawing: Drawing, layout: LayoutBy, kind: str) -> bytes | None:
    """Draw with Graphviz; None if the built-in layout has to be used."""
    if layout not in ("auto", "dot", "own"):
        raise bad_argument(call, "layout", layout, "'auto', 'dot' or 'own'")
    program = None if layout == "own" else dot_program()
    drawn = None if program is None else drawn_by_dot(program, dot_text(drawing), kind)
    if program is not None and drawn is None and layout == "auto":
        warnings.warn(
            f"Graphviz failed or took more than {PATIENCE_SECONDS:g} s: laid out without it",
            UserWarning,
            stacklevel=5,
        )
    if drawn is None and layout == "dot":
        problem = "is not installed" if program is None else "failed or took too long"
        raise MissingExtraError(
            f"{call}(layout='dot'): the program dot of Graphviz {problem}. Install it, or use layout='own'."
        )
    return drawn
