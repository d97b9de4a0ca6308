"""Writing the report of a run: Markdown, figures, the booklet of Appendix E, the HTML page."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from qnml._writing import refuse_same_file, write_file
from qnml.errors import bad_argument
from qnml.paper.report.about import PART_TITLES, in_order, part_title
from qnml.paper.report.document import document
from qnml.paper.report.figures import pdf_bytes, png_bytes, svg_text
from qnml.paper.report.markdown import part_markdown
from qnml.paper.report.multiples import at_a_glance
from qnml.paper.report.overlay import with_the_papers_curves
from qnml.paper.report.page import report_page

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from qnml.paper.report.about import About
    from qnml.paper.summary.types import Figure, PartSummary

__all__ = ["check_document", "write_document", "write_report"]

_BOOKLET = "appendix-e"
_PAGE = "report.html"


def write_report(summaries: Sequence[PartSummary], folder: str | os.PathLike[str], about: About) -> tuple[Path, ...]:
    """Write the report of a run into a folder.

    For every part ``PART.md`` and its figures as ``PART….svg`` and ``.png``; ``appendix-e.pdf`` with a page for each
    data set; and ``report.html``, which shows all of it. Existing files of these names are replaced.

    Parameters
    ----------
    summaries
        The parts with results.
    folder
        The folder, created if it does not exist.
    about
        The origin of the results.

    Returns
    -------
    tuple of paths
        The files written, the page last.
    """
    target = Path(folder)
    written: list[Path] = []
    drawn: dict[int, str] = {}
    parts = [replace(part, figures=with_the_papers_curves(part.figures)) for part in in_order(summaries)]
    for part in parts:
        pictures = {}
        for name, figure in _named(part.part, part.figures):
            pictures[figure.title] = f"{name}.svg"
            drawn[id(figure)] = svg_text(figure)
            written.append(_write(target / f"{name}.svg", drawn[id(figure)].encode("utf-8")))
            written.append(_write(target / f"{name}.png", png_bytes(figure)))
        if part.part == _BOOKLET and part.figures:
            written.append(_write(target / f"{_BOOKLET}.pdf", pdf_bytes(part.figures, part_title(_BOOKLET))))
        written.append(_write(target / f"{part.part}.md", part_markdown(part, pictures).encode("utf-8")))
    page = report_page(parts, about, lambda figure: drawn.get(id(figure)) or svg_text(figure))
    written.append(_write(target / _PAGE, page.encode("utf-8")))
    return tuple(written)


def check_document(call: str, page: str | os.PathLike[str], folder: str | os.PathLike[str]) -> None:
    """Refuse a page that `write_document` could not write, or that would replace a file of the results.

    To be called before the experiments run.
    """
    target = Path(page)
    if not target.suffix or target.is_dir():
        advice = "Its figures go into a folder of that name without the ending."
        raise bad_argument(call, "--document", str(page), "a file name with an ending, such as paper.md", advice)
    names = ("settings.json", "runs.json", _PAGE, *(f"{part}.md" for part in PART_TITLES))
    taken = [Path(folder) / name for name in names]
    refuse_same_file(call, "--document", target, taken, "the results in --out")


def write_document(summaries: Sequence[PartSummary], page: str | os.PathLike[str], about: About) -> tuple[Path, ...]:
    """Write the page of the documentation, with its figures in a folder beside it.

    Parameters
    ----------
    summaries
        The parts with results.
    page
        The file to write, such as ``docs/paper.md``; the figures go into ``docs/paper/``.
    about
        The origin of the results.

    Returns
    -------
    tuple of paths
        The files written, the page last.
    """
    target = Path(page)
    folder = target.with_suffix("")
    written: list[Path] = []
    pictures: dict[str, dict[str, str]] = {}
    whole = [replace(part, figures=with_the_papers_curves(part.figures)) for part in summaries]
    shown = [replace(part, figures=at_a_glance(part.figures)) for part in whole]
    for part, every in zip(shown, whole, strict=True):
        figures = _named(part.part, part.figures)
        if part.figures != every.figures:
            figures += _named(part.part, every.figures)
        for name, figure in figures:
            drawn = folder / f"{name}.svg"
            pictures.setdefault(part.part, {})[figure.title] = f"{folder.name}/{drawn.name}"
            written.append(_write(drawn, svg_text(figure).encode("utf-8")))
    written.append(_write(target, document(shown, about, pictures).encode("utf-8")))
    return tuple(written)


def _named(part: str, figures: Sequence[Figure]) -> list[tuple[str, Figure]]:
    """File names of figures: the name of the part if it has one figure, else with the words that distinguish them."""
    if len(figures) == 1:
        return [(part, figures[0])]
    words = [re.findall(r"[a-z0-9]+", figure.title.lower()) for figure in figures]
    # Number of words that begin all titles.
    shared = next((place for place, said in enumerate(zip(*words, strict=False)) if len(set(said)) > 1), 0)
    names = ["-".join([part, *title[shared:]]) for title in words]
    if len(set(names)) < len(names):
        names = [f"{part}-{place}" for place in range(1, len(figures) + 1)]
    return list(zip(names, figures, strict=True))


def _write(path: Path, content: bytes) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise bad_argument("qnml paper", "out", str(path), "a place that can be written", f"{reason}.") from error
    write_file("qnml paper", "out", path, content)
    return path
