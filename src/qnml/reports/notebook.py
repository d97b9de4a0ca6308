"""Pictures for notebooks: an object that displays itself, optionally with the probability tables of a network."""

from __future__ import annotations

from html import escape
from itertools import islice, product
from typing import TYPE_CHECKING

from qnml._checks import checked_flag
from qnml.reports.picture import to_svg, write_picture

if TYPE_CHECKING:
    import os

    from qnml.reports.picture.drawing import Drawable, Strengths

__all__ = ["Picture"]

_MOST_ROWS = 64


class Picture:
    """A drawn network. Notebooks show it; `save` writes it as SVG, PNG, PDF or DOT.

    Parameters
    ----------
    graph
        A Dag, a Cpdag, an Mpdag, a Network, or the result of learning.
    strengths
        Bits by pair of names, or an explanation of a score.
    tables
        Whether to show the probability tables of a Network below the picture, collapsed.

    Examples
    --------
    >>> import qnml
    >>> picture = Picture(qnml.datasets.load_network("asia"), tables=True)
    >>> picture.svg.startswith("<"), "<summary>either</summary>" in picture._repr_html_()
    (True, True)
    """

    def __init__(self, graph: Drawable, strengths: Strengths | None = None, *, tables: bool = False) -> None:
        self._graph = graph
        self._strengths = strengths
        self._tables = checked_flag("Picture", "tables", tables)

    @property
    def svg(self) -> str:
        """The picture as SVG text."""
        return to_svg(self._graph, self._strengths)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a file ending in ``.svg``, ``.png``, ``.pdf`` or ``.dot``."""
        write_picture(self._graph, path, self._strengths)

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        svg = self.svg[self.svg.index("<svg") :]
        return f"<div>{svg}{_tables(self._graph) if self._tables else ''}</div>"


def _tables(graph: object) -> str:
    """Return one collapsed HTML table for each variable of a network; nothing for a graph."""
    if not hasattr(graph, "conditional"):
        return ""
    return "".join(_table(graph, name) for name in graph.names)  # type: ignore[attr-defined]


def _table(network: object, name: str) -> str:
    levels = network.levels  # type: ignore[attr-defined]
    parents = network.dag.parents(name)  # type: ignore[attr-defined]
    header = "".join(f"<th>{escape(str(cell))}</th>" for cell in (*parents, *levels[name]))
    configurations = list(islice(product(*(range(len(levels[parent])) for parent in parents)), _MOST_ROWS + 1))
    rows = []
    for codes in configurations[:_MOST_ROWS]:
        _, chances = network.factor(name, dict(zip(parents, codes, strict=True)))  # type: ignore[attr-defined]
        given = "".join(f"<th>{escape(str(levels[p][c]))}</th>" for p, c in zip(parents, codes, strict=True))
        rows.append(f"<tr>{given}" + "".join(f"<td>{chance:.4g}</td>" for chance in chances) + "</tr>")
    more = f"<p>The first {_MOST_ROWS} configurations.</p>" if len(configurations) > _MOST_ROWS else ""
    return f"<details><summary>{escape(name)}</summary><table><tr>{header}</tr>{''.join(rows)}</table>{more}</details>"
