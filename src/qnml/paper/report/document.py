"""``docs/paper.md``: the results as a page of the documentation."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from qnml.paper.printed import CITATION
from qnml.paper.report.about import in_order, part_title
from qnml.paper.report.markdown import grid_markdown, part_markdown
from qnml.paper.report.verdicts import overview_of, total_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from qnml.paper.report.about import About
    from qnml.paper.summary.types import PartSummary

__all__ = ["document"]


def document(summaries: Sequence[PartSummary], about: About, pictures: Mapping[str, Mapping[str, str]]) -> str:
    """The page: the origin of the results, an overview, and every part.

    Parameters
    ----------
    summaries
        The parts, in any order.
    about
        The origin of the results.
    pictures
        For every part the paths of its pictures by title of the figure, relative to the page.
    """
    parts = in_order(summaries)
    blocks = [
        "# The paper's experiments, reproduced",
        f"Written by `make paper` from results of {about.date}; do not edit. qnml {about.version}, seed {about.seed}"
        f"{f', `{about.command}`' if about.command else ''}. The same seed gives the same numbers with any number of "
        "workers, and further repetitions keep the existing ones.",
        *about.remarks,
        f"The paper: {CITATION}",
        "Every table and figure of the paper's experiments, recomputed and compared with the printed one. Each claim "
        "of the paper about them is checked.",
        f"**{total_sentence(parts)}** What differs is named, with the reason where it is known: [errata](errata.md).",
        "## Contents",
        _contents(parts),
        "## Overview",
        _overview(parts),
    ]
    for part in parts:
        mine = pictures.get(part.part, {})
        blocks.append(part_markdown(part, mine, level=2).rstrip())
        shown = {figure.title for figure in part.figures}
        pages = [f"[{title}]({path})" for title, path in mine.items() if title not in shown]
        if pages:
            blocks.append(f"One page each: {', '.join(pages)}.")
    return "\n\n".join(blocks) + "\n"


def _contents(parts: Sequence[PartSummary]) -> str:
    return "\n".join(f"- [{part_title(part.part)}](#{_anchor(part_title(part.part))})" for part in parts)


def _anchor(heading: str) -> str:
    """The anchor that Markdown renderers give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _overview(parts: Sequence[PartSummary]) -> str:
    rows = []
    for part in parts:
        counted = overview_of(part)
        if part.missing is not None and not (part.tables or part.figures):
            rows.append([part_title(part.part), "not run", "", ""])
        else:
            rows.append([part_title(part.part), counted.repetitions or "exact", counted.cells, counted.claims])
    head = ["part", "repetitions", "cells that agree with the paper", "claims that hold"]
    return grid_markdown(head, ["---"] * 4, rows)
