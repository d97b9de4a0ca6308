"""``report.html``: our results and the paper's side by side, in one self-contained file."""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING

from qnml.paper.printed import CITATION
from qnml.paper.report.about import in_order, part_title
from qnml.paper.report.caption import caption
from qnml.paper.report.figures import svg_text
from qnml.paper.report.multiples import at_a_glance
from qnml.paper.report.page_style import STYLE
from qnml.paper.report.page_table import page_table
from qnml.paper.report.verdicts import overview_of, total_sentence, verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from qnml.paper.report.about import About
    from qnml.paper.summary.types import Figure, Finding, PartSummary

__all__ = ["report_page"]

_ENLARGED = 1.2


def report_page(summaries: Sequence[PartSummary], about: About, draw: Callable[[Figure], str] = svg_text) -> str:
    """The whole report as one HTML page.

    Parameters
    ----------
    summaries
        The parts with results, in any order.
    about
        The origin of the results.
    draw
        Draws a figure as SVG; lets callers reuse figures that they have drawn already.
    """
    parts = in_order(summaries)
    links = "".join(f'<a href="#{_id(part.part)}">{escape(_short(part.part))}</a>' for part in parts)
    facts = f"<b>qnml {escape(about.version)}</b> · {escape(about.date)} · seed {about.seed}"
    facts += f" · <code>{escape(about.command)}</code>" if about.command else ""
    remarks = "".join(f"<p>{escape(remark)}</p>" for remark in about.remarks)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>The paper's experiments, reproduced by qnml {escape(about.version)}</title>\n"
        f"<style>{STYLE}</style>\n</head>\n<body>\n"
        "<header><h1>The paper's experiments, reproduced</h1>\n<p>Every number was computed by qnml and is compared "
        "with the printed one. Each claim of the paper about them is checked. "
        f"<b>{escape(total_sentence(parts))}</b></p>\n"
        f'<p class="about">{facts}</p>\n{remarks}</header>\n<nav><div>{links}</div></nav>\n<main>\n'
        f"{_overview(parts)}\n{''.join(_section(part, draw) for part in parts)}</main>\n"
        f"<footer>The paper: {escape(CITATION)}</footer>\n</body>\n</html>\n"
    )


def _overview(parts: Sequence[PartSummary]) -> str:
    rows = []
    for part in parts:
        counted = overview_of(part)
        if part.missing is not None and not (part.tables or part.figures):
            told = f'<td colspan="3">Not run: {escape(part.missing)}</td>'
        else:
            told = f"<td>{counted.repetitions or 'exact'}</td><td>{counted.cells}</td><td>{counted.claims}</td>"
        rows.append(f'<tr><td><a href="#{_id(part.part)}">{escape(part_title(part.part))}</a></td>{told}</tr>')
    return (
        '<section id="overview"><h2>Overview</h2><div class="scroll"><table class="overview"><thead><tr><th>part</th>'
        "<th>repetitions</th><th>cells that agree with the paper</th><th>claims that hold</th></tr></thead><tbody>"
        f"{''.join(rows)}</tbody></table></div></section>"
    )


def _section(part: PartSummary, draw: Callable[[Figure], str]) -> str:
    blocks = [f'<section id="{_id(part.part)}"><h2>{escape(part_title(part.part))}</h2>']
    if part.missing is not None:
        blocks.append(f'<p class="missing">Not run: {escape(part.missing)}</p>')
    if part.findings:
        blocks.append("<h3>Claims of the paper, and our results</h3>")
        blocks.append(f'<ul class="findings">{"".join(map(_finding, part.findings))}</ul>')
    seen = at_a_glance(part.figures)
    blocks += [_figure(figure, f"{_id(part.part)}-{place}", draw) for place, figure in enumerate(seen)]
    if seen != part.figures:
        each = "".join(
            _figure(figure, f"{_id(part.part)}-each-{place}", draw) for place, figure in enumerate(part.figures)
        )
        blocks.append(f"<details><summary>One by one: {len(part.figures)} figures</summary>{each}</details>")
    blocks += map(page_table, part.tables)
    return "\n".join(blocks) + "</section>\n"


def _finding(finding: Finding) -> str:
    kind = "open" if finding.holds is None else "yes" if finding.holds else "no"
    sign = {"yes": "✓ ", "no": "✗ ", "open": ""}[kind]
    return (
        f'<li><span class="verdict {kind}">{sign}{verdict(finding)}</span><div><p>{escape(finding.statement)}</p>'
        f'<p class="evidence">{escape(finding.evidence)}</p></div></li>'
    )


def _figure(figure: Figure, prefix: str, draw: Callable[[Figure], str]) -> str:
    drawn = _inlined(draw(figure), prefix)
    return (
        f'<h3>{escape(figure.title)}</h3><figure role="img" aria-label="{escape(figure.title)}">{drawn}'
        f"<figcaption>{escape(caption(figure))}</figcaption></figure>"
    )


def _inlined(svg: str, prefix: str) -> str:
    """An SVG as part of a page: without its header, and with ids that differ from those of other figures."""
    drawn = svg[svg.index("<svg") :]
    # Text sized for paper is small on a screen.
    drawn = re.sub(r'\b(width|height)="([0-9.]+)pt"', lambda found: _larger(*found.groups()), drawn, count=2)
    drawn = re.sub(r'(\bid=")', rf"\1{prefix}-", drawn)
    drawn = re.sub(r'((?:xlink:)?href="#)', rf"\1{prefix}-", drawn)
    return re.sub(r"(url\(#)", rf"\1{prefix}-", drawn)


def _larger(name: str, points: str) -> str:
    return f'{name}="{float(points) * _ENLARGED:.1f}pt"'


def _id(part: str) -> str:
    return re.sub(r"[^a-z0-9-]+", "-", part.lower())


def _short(part: str) -> str:
    return part_title(part).partition(":")[0]
