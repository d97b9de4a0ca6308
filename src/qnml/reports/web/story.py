"""The story of a report page in three sentences: the data, the network, and how sure it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml._api.report_contents import ArcProbabilities
from qnml._html import isolated
from qnml.reports.parts import count, visible
from qnml.reports.preparation import preparation_facts, preparation_sentences

if TYPE_CHECKING:
    from qnml._api.report_contents import ReportContents
    from qnml._api.search_result import SearchResult

__all__ = ["story"]

_SURE = 0.95


def story(contents: ReportContents) -> list[str]:
    """Say what the data were, what was found, and how certain it is.

    Parameters
    ----------
    contents
        The contents of the page.
    """
    if contents.result is None:
        net = contents.network
        return [
            f"{_named(contents.source)} is a Bayesian network of {count(len(net.names), 'variable')} and "
            f"{count(net.dag.n_arcs, 'arc')}, taken as it is: no data came with it, so nothing is said about how "
            "certain it is."
        ]
    return [_data(contents, contents.result), _network(contents.result), _certainty(contents, contents.result)]


def _data(contents: ReportContents, result: SearchResult) -> str:
    table = result.table
    size = (
        f"{_named(contents.source)} has {table.total:,} rows; {count(len(table.names), 'column')} entered the network"
    )
    done = preparation_sentences(preparation_facts(table))
    return f"{size}. {'. '.join(done)}." if done else f"{size}, as they are."


def _network(result: SearchResult) -> str:
    arcs = sorted(result.explanation.arcs, key=lambda arc: -arc.removal_cost_bits)
    if not arcs:
        return f"By {result.score_name} the network has no arcs: the variables look independent."
    strongest = arcs[0]
    undirected = {frozenset(edge) for edge in result.mpdag.undirected}
    joint = "and" if {strongest.parent, strongest.child} in undirected else "→"
    text = (
        f"The network found by {result.score_name} has {count(len(arcs), 'arc')}; the strongest dependence is "
        f"{isolated(strongest.parent)} {joint} {isolated(strongest.child)}, {strongest.removal_cost_bits:,.0f} bits"
    )
    if undirected:
        return f"{text}. Neither data nor knowledge tell the direction of {len(undirected)} of the arcs."
    return f"{text}."


def _certainty(contents: ReportContents, result: SearchResult) -> str:
    text = result.sentence()
    found = contents.probabilities
    arcs = result.dag.arcs
    if isinstance(found, ArcProbabilities) and arcs:
        place = {name: k for k, name in enumerate(found.names)}
        joined = [found.arcs[place[a], place[b]] + found.arcs[place[b], place[a]] for a, b in arcs]
        sure = sum(float(p) >= _SURE for p in joined)
        text += (
            f" {found.word} that the two variables are joined: at least {_SURE:.0%} for {sure} of the "
            f"{count(len(arcs), 'arc')}."
        )
    return text


def _named(source: str) -> str:
    text = visible(source)
    return text[:1].upper() + text[1:] if text in ("a table", "a network") else text
