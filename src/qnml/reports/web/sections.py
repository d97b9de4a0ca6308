"""The parts of a report page that can be read without scripts: tables and paragraphs of HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from qnml._api.report_contents import Left, fingerprint, versions
from qnml._html import html_table, isolated, paragraph
from qnml.data.preparation.showing import as_html
from qnml.reports.parts import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml._api.k_best_result import RankedNetwork
    from qnml._api.report_contents import ArcProbabilities, ReportContents
    from qnml._api.search_result import SearchResult
    from qnml.model.residuals import Residual

__all__ = ["sections"]

_MOST_RESIDUALS = 15
_MOST_LISTED = 60
_LEAST_LISTED = 0.005
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
    parts.append(_section("ranked", "Best networks", _ranked(contents)))
    parts.append(_section("residuals", "What the network misses", _residuals(contents.residuals)))
    parts.append(_section("again", "Cite and run again", _again(contents)))
    return "\n".join(parts)


def _section(name: str, heading: str, body: str) -> str:
    return f'<section aria-labelledby="{name}-heading"><h2 id="{name}-heading">{heading}</h2>{body}</section>'


def _arcs(contents: ReportContents, result: SearchResult) -> str:
    undirected = {frozenset(edge) for edge in result.mpdag.undirected}
    found = contents.probabilities
    place = {} if isinstance(found, Left) else {name: k for k, name in enumerate(found.names)}
    heads = [("from", False), ("", False), ("to", False), ("bits lost without it", True)]
    if not isinstance(found, Left):
        heads += [(f"{found.word.lower()}: this way", True), ("the other way", True)]
    rows = []
    for arc in sorted(result.explanation.arcs, key=lambda one: -one.removal_cost_bits):
        sign = "—" if frozenset((arc.parent, arc.child)) in undirected else "→"
        row = [arc.parent, sign, arc.child, f"{arc.removal_cost_bits:z.2f}"]
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
    return f'{paragraph(found.sentence)}<div id="heat-map"></div>{_listed_probabilities(found)}'


def _listed_probabilities(found: ArcProbabilities) -> str:
    """The figures of the heat map, for those who do not see it."""
    pairs = [
        (float(found.arcs[i, j]), float(found.arcs[j, i]), found.names[i], found.names[j])
        for j in range(len(found.names))
        for i in range(j)
    ]
    pairs = sorted((one for one in pairs if one[0] + one[1] >= _LEAST_LISTED), key=lambda one: -one[0] - one[1])
    heads = [("a", False), ("b", False), ("a → b", True), ("b → a", True), ("together", True)]
    rows = [(a, b, f"{there:.3f}", f"{back:.3f}", f"{there + back:.3f}") for there, back, a, b in pairs[:_MOST_LISTED]]
    if not rows:
        return ""
    summary = f"The {len(rows)} most probable pairs as a table"
    return f"<details><summary>{summary}</summary>{html_table(heads, rows)}</details>"


def _ranked(contents: ReportContents) -> str:
    found = contents.ranked
    if isinstance(found, Left):
        return paragraph(f"Left out: {found.reason}")
    heads = [
        ("rank", True),
        ("score" if found.prior == "uniform" else "score and log prior", True),
        ("below the best", True),
        ("added to the first", False),
        ("missing", False),
    ]
    first = _edges_of(found[0])
    rows = [
        (
            rank,
            f"{one.objective:.2f}",
            f"{-one.log_weight:z.2f}",
            ", ".join(sorted(_edges_of(one) - first)),
            ", ".join(sorted(first - _edges_of(one))),
        )
        for rank, one in enumerate(found, 1)
    ]
    return paragraph(found.sentence()) + html_table(heads, rows)


def _edges_of(one: RankedNetwork) -> set[str]:
    directed = {f"{isolated(a)} → {isolated(b)}" for a, b in one.mpdag.directed}
    return directed | {f"{isolated(a)} — {isolated(b)}" for a, b in one.mpdag.undirected}


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
        (one.first, one.second, f"{one.statistic:.1f}", one.freedom, f"{one.p_value:.2g}")
        for one in found[:_MOST_RESIDUALS]
    ]
    heads = [("a", False), ("b", False), ("G²", True), ("degrees of freedom", True), ("p-value", True)]
    return paragraph(f"{said} The pairs with the smallest p-values:") + html_table(heads, rows)


def _again(contents: ReportContents) -> str:
    commands = "\n".join(visible(command) for command in contents.commands)
    said = [paragraph("To make this page again:"), f"<pre>{escape(commands)}</pre>", paragraph(versions())]
    if contents.seed is not None:
        said.append(paragraph(contents.seed))
    if contents.result is not None:
        said.append(paragraph(f"SHA-256 of the coded table: {fingerprint(contents.result.table)}"))
    return "".join([*said, paragraph("The score and the method:"), *map(paragraph, _CITATIONS)])
