"""The parts of a report page that can be read without scripts: tables and paragraphs of HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from qnml._api.report_contents import Left, fingerprint, versions
from qnml._html import html_table, paragraph
from qnml.data.preparation.showing import as_html
from qnml.reports.parts import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml._api.report_contents import ReportContents
    from qnml._api.search_result import SearchResult
    from qnml.model.residuals import Residual

__all__ = ["sections"]

_MOST_RESIDUALS = 15
_CITATIONS = (
    "Tomi Silander, Janne Leppä-aho, Elias Jääsaari, Teemu Roos: Quotient Normalized Maximum Likelihood Criterion for "
    "Learning Bayesian Network Structures. AISTATS 2018, PMLR 84:948–957.",
)


def sections(contents: ReportContents) -> str:
    """All sections under the picture.

    Parameters
    ----------
    contents
        The contents of the page.
    """
    result = contents.result
    parts = []
    if result is not None:
        parts += [_section("arcs", "Arcs", _arcs(contents, result)), _section("data", "Data", _data(result))]
        parts.append(_section("certificate", "Certificate", _certificate(result)))
    parts.append(_section("probabilities", "Probabilities of arcs", _probabilities(contents)))
    parts.append(_section("residuals", "What the network misses", _residuals(contents.residuals)))
    parts.append(_section("again", "Cite and run again", _again(contents)))
    return "\n".join(parts)


def _section(name: str, heading: str, body: str) -> str:
    return f'<section aria-labelledby="{name}-heading"><h2 id="{name}-heading">{heading}</h2>{body}</section>'


def _arcs(contents: ReportContents, result: SearchResult) -> str:
    undirected = {frozenset(edge) for edge in result.mpdag.undirected}
    found = contents.probabilities
    place = {} if isinstance(found, Left) else {name: k for k, name in enumerate(found.names)}
    heads = [("arc", False), ("bits lost without it", True)]
    if not isinstance(found, Left):
        heads += [(f"{found.word.lower()}: this way", True), ("the other way", True)]
    rows = []
    for arc in sorted(result.explanation.arcs, key=lambda one: -one.removal_cost_bits):
        sign = "—" if frozenset((arc.parent, arc.child)) in undirected else "→"
        row = [f"{arc.parent} {sign} {arc.child}", f"{arc.removal_cost_bits:z.2f}"]
        if not isinstance(found, Left):
            i, j = place[arc.parent], place[arc.child]
            row += [f"{found.arcs[i, j]:.3f}", f"{found.arcs[j, i]:.3f}"]
        rows.append(row)
    if not rows:
        return paragraph("There are none.")
    note = "<p class='muted'>a — b: neither data nor knowledge tell the direction.</p>" if undirected else ""
    return html_table(heads, rows) + note


def _data(result: SearchResult) -> str:
    made = result.table.preparation
    if made is None:
        return paragraph(f"{result.table.total:,} rows, {len(result.table.names)} columns, taken as they are.")
    return as_html(made).replace("<table>", '<div class="scroll"><table>').replace("</table>", "</table></div>")


def _certificate(result: SearchResult) -> str:
    certificate = result.certificate
    rows = [
        ("score", f"{result.score_name} {result.score:z.4f} nats"),
        *([("log prior", f"{result.prior} {result.log_prior:z.4f} nats")] if result.prior != "uniform" else []),
        ("method", certificate.method),
        ("families scored", f"{certificate.families_scored:,}"),
        ("seconds", f"{certificate.total_seconds:.2g}"),
    ]
    return paragraph(result.sentence()) + html_table([("", False), ("", False)], rows)


def _probabilities(contents: ReportContents) -> str:
    found = contents.probabilities
    if isinstance(found, Left):
        return paragraph(f"Left out: {found.reason}")
    return paragraph(found.sentence) + '<div id="heat-map"></div>'


def _residuals(found: Sequence[Residual] | Left) -> str:
    if isinstance(found, Left):
        return paragraph(f"Left out: {found.reason}")
    if not found:
        return paragraph("There is only one variable.")
    limit = 0.01 / len(found)
    missed = [one for one in found if one.p_value < limit]
    if missed:
        said = (
            f"{len(missed)} of {len(found)} pairs depend on each other in a way that the network does not explain "
            f"(G² test, p below 0.01 / {len(found)})."
        )
    else:
        said = (
            f"None of the {len(found)} pairs of variables depends in a way that the network does not explain (G² test, "
            f"p below 0.01 / {len(found)})."
        )
    rows = [
        (f"{one.first}, {one.second}", f"{one.statistic:.1f}", one.freedom, f"{one.p_value:.2g}")
        for one in found[:_MOST_RESIDUALS]
    ]
    heads = [("pair", False), ("G²", True), ("degrees of freedom", True), ("p-value", True)]
    return paragraph(f"{said} The pairs with the smallest p-values:") + html_table(heads, rows)


def _again(contents: ReportContents) -> str:
    commands = "\n".join(visible(command) for command in contents.commands)
    said = [paragraph("To make this page again:"), f"<pre>{escape(commands)}</pre>", paragraph(versions())]
    if contents.result is not None:
        said.append(paragraph(f"SHA-256 of the coded table: {fingerprint(contents.result.table)}"))
    return "".join([*said, paragraph("The score and the method:"), *map(paragraph, _CITATIONS)])
