"""``qnml k-best``: the best networks or equivalence classes, in order.

k-best
    data (as in learn; of local scores {source, variables, families}); score (label); prior; what ("classes" or "dags");
    k; proven; bound (null if there is none or all networks are listed); is_exhausted; stop_reason; entries [{rank,
    score, log_prior, objective, log_weight, directed [{parent, child}], undirected [{first, second}], dag [{parent,
    child}]}], best first, where directed and undirected are the edges of the class (`mpdag`), or the arcs of the
    network and none; warnings [texts]; sentence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.reports.fact_parts import arc_facts, data_facts
from qnml.reports.parts import arc_text, data_lines, grid, line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from qnml._api.k_best_result import KBest, RankedNetwork
    from qnml.data import Table
    from qnml.reports.fact_parts import Facts
    from qnml.scores import LocalScores

__all__ = ["k_best_facts", "k_best_page"]


def k_best_facts(result: KBest, table: Table | LocalScores, source: str, *, warnings: Sequence[str] = ()) -> Facts:
    """The best structures in order, and what is proven about them.

    Parameters
    ----------
    result
        The result of `qnml.k_best`.
    table
        The data, or the local scores.
    source
        Where the data came from.
    warnings
        Warnings that the search gave.
    """
    return {
        "data": data_facts(table, source),
        "score": result.score_name,
        "prior": result.prior,
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
    directed, undirected = (one.mpdag.directed, one.mpdag.undirected) if what == "classes" else (one.dag.arcs, ())
    return {
        "rank": rank,
        "score": one.score,
        "log_prior": one.log_prior,
        "objective": one.objective,
        "log_weight": one.log_weight,
        "directed": arc_facts(directed),
        "undirected": [{"first": first, "second": second} for first, second in undirected],
        "dag": arc_facts(one.dag.arcs),
    }


def k_best_page(facts: Facts) -> list[RenderableType]:
    """The best structure, and how each of the others differs from it."""
    entries = facts["entries"]
    page: list[RenderableType] = [*data_lines(facts["data"]), line(facts["sentence"])]
    if entries:
        best = _edges(entries[0])
        page.append(line("Best: " + (", ".join(best) or "no arcs")))
        best_by = "score" if facts["prior"] == "uniform" else "objective"
        heads = [("rank", "right"), (best_by, "right"), ("log weight", "right"), ("compared with the best", "left")]
        rows = [
            (entry["rank"], f"{entry[best_by]:.4f}", f"{entry['log_weight']:z.4f}", _difference(_edges(entry), best))
            for entry in entries
        ]
        page.append(grid(heads, rows))
    return [*page, *(line(text) for text in facts["warnings"])]


def _edges(entry: Facts) -> list[str]:
    return [
        *map(arc_text, entry["directed"]),
        *(f"{edge['first']} -- {edge['second']}" for edge in entry["undirected"]),
    ]


def _difference(mine: Sequence[str], best: Sequence[str]) -> str:
    """Edges that the best structure lacks, and edges of the best that this one lacks."""
    more = [edge for edge in mine if edge not in best]
    less = [edge for edge in best if edge not in mine]
    return "; ".join(f"{word} {', '.join(edges)}" for word, edges in (("with", more), ("without", less)) if edges)
