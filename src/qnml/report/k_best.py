"""The k best networks or classes as plain facts and as a page; see `qnml.report.facts` for the rules.

k-best
    data {source, rows, total, variables}; score (label); what ("classes" or "dags"); k; proven; bound (null where there
    is none or nothing else is left); is_exhausted; stop_reason; entries [{rank, score, log_weight, directed [{parent,
    child}], undirected [{first, second}], dag [{parent, child}]}], best first, directed and undirected those of the
    class, or the arcs of the network and none; warnings [texts]; sentence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.report.parts import count, grid, line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import RenderableType

    from qnml._api.k_best_result import KBest, RankedNetwork
    from qnml.data import Table
    from qnml.report.facts import Facts

__all__ = ["k_best_facts", "k_best_page"]


def k_best_facts(result: KBest, table: Table, source: str, *, warnings: Sequence[str] = ()) -> Facts:
    """The best structures in order, and what is proven of them.

    Parameters
    ----------
    result
        What `qnml.k_best` returned.
    table
        The data it was given.
    source
        Where the data came from.
    warnings
        What was warned of.
    """
    return {
        "data": {"source": source, "rows": table.n_rows, "total": table.total, "variables": len(table.names)},
        "score": result.score_name,
        "what": result.what,
        "k": result.k,
        "proven": result.proven,
        "bound": result.bound,
        "is_exhausted": result.is_exhausted,
        "stop_reason": result.stop_reason,
        "entries": [_entry(rank, one, result.what) for rank, one in enumerate(result, 1)],
        "warnings": list(warnings),
        "sentence": result.sentence(),
    }


def _entry(rank: int, one: RankedNetwork, what: str) -> Facts:
    directed, undirected = (one.cpdag.directed, one.cpdag.undirected) if what == "classes" else (one.dag.arcs, ())
    return {
        "rank": rank,
        "score": one.score,
        "log_weight": one.log_weight,
        "directed": _arcs(directed),
        "undirected": [{"first": first, "second": second} for first, second in undirected],
        "dag": _arcs(one.dag.arcs),
    }


def _arcs(pairs: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"parent": parent, "child": child} for parent, child in pairs]


def k_best_page(facts: Facts) -> list[RenderableType]:
    """The best structure, in what the others differ from it, and what is proven."""
    data, entries = facts["data"], facts["entries"]
    page: list[RenderableType] = [
        line(f"{data['source']}: {count(data['total'], 'row')}, {count(data['variables'], 'column')}"),
        line(facts["sentence"]),
    ]
    if entries:
        best = _edges(entries[0])
        page.append(line("Best: " + (", ".join(best) or "no arcs")))
        heads = [("rank", "right"), ("score", "right"), ("log weight", "right"), ("compared with the best", "left")]
        rows = [
            (entry["rank"], f"{entry['score']:.4f}", f"{entry['log_weight']:z.4f}", _difference(_edges(entry), best))
            for entry in entries
        ]
        page.append(grid(heads, rows))
    return [*page, *(line(text) for text in facts["warnings"])]


def _edges(entry: Facts) -> list[str]:
    return [
        *(f"{arc['parent']} -> {arc['child']}" for arc in entry["directed"]),
        *(f"{edge['first']} -- {edge['second']}" for edge in entry["undirected"]),
    ]


def _difference(mine: Sequence[str], best: Sequence[str]) -> str:
    """What is there and what is not, seen from the best; nothing for the best itself."""
    more = [edge for edge in mine if edge not in best]
    less = [edge for edge in best if edge not in mine]
    return "; ".join(f"{word} {', '.join(edges)}" for word, edges in (("with", more), ("without", less)) if edges)
