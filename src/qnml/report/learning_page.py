"""What people see of a learned network: its arcs with their strengths, and how sure it is."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from rich.console import Console

from qnml.report.learning import learning_facts
from qnml.report.parts import count, grid, line, overfull

if TYPE_CHECKING:
    from rich.console import RenderableType

    from qnml._api.search_result import SearchResult
    from qnml.report.facts import Facts

__all__ = ["learning_page", "plan_page", "result_text"]

_TEXT_WIDTH = 80
_SHOWN_AS_ZERO = 0.005


def learning_page(facts: Facts) -> list[RenderableType]:
    """The network, the certificate, the warning if there is one, and where it was written.

    Arcs and edges are drawn with ``->`` and ``--``, which every terminal has; in one without arrows the
    two would look alike.
    """
    data, score, network = facts["data"], facts["score"], facts["network"]
    edges = facts["cpdag"]
    free = [edge for edge in edges if not edge["directed"]]
    page: list[RenderableType] = [
        line(f"{data['source']}: {count(data['total'], 'row')}, {count(data['variables'], 'column')}"),
        line(
            f"{score['label']} {score['value']:z.4f} nats, {count(len(edges), 'arc')}"
            + (f", {len(free)} of them without direction (--)" if free else "")
        ),
    ]
    if edges:
        page.append(
            grid(
                [("arc", "left"), ("bits lost without it", "right")],
                [(_edge(edge), f"{edge['removal_cost_bits']:z.2f}") for edge in edges],
            )
        )
    elif facts["certificate"]["optimal"]:
        page.append(line("No arc pays for itself: the variables look independent."))
    else:
        page.append(line("No arc was found by the search."))
    if free:
        page.append(line("a -- b: data alone cannot tell the direction."))
    if edges and network["isolated"]:
        page.append(line(f"Without arcs: {', '.join(network['isolated'])}"))
    needless = any(edge["removal_cost_bits"] < -_SHOWN_AS_ZERO for edge in edges)
    # In an optimal network there is no other reason for such an arc.
    if needless and facts["certificate"]["optimal"]:
        page.append(line("Where the bits are negative the arc is there because it was required."))
    if facts["copies"]:
        groups = "; ".join(" = ".join(group) for group in facts["copies"])
        page.append(line(f"Copies of one another, so that data cannot tell which of them others depend on: {groups}"))
    page.append(line(facts["certificate"]["sentence"]))
    page += _warning(facts)
    page += [line(f"Written: {file['path']} ({file['holds']})") for file in facts["files"]]
    return page


def plan_page(facts: Facts) -> list[RenderableType]:
    """The forecast of a search."""
    data = facts["data"]
    return [
        line(f"{data['source']}: {count(data['total'], 'row')}, {count(data['variables'], 'column')}"),
        line(facts["plan"]["sentence"]),
    ]


def result_text(result: SearchResult) -> str:
    """The page of a result as plain text, 80 columns wide: what printing the result shows.

    Parameters
    ----------
    result
        What `qnml.learn` returned.
    """
    console = Console(file=io.StringIO(), width=_TEXT_WIDTH, force_terminal=False, color_system=None, highlight=False)
    with console.capture() as captured:
        for part in learning_page(learning_facts(result, "table")):
            console.print(part)
    return "\n".join(text.rstrip() for text in captured.get().splitlines())


def _warning(facts: Facts) -> list[RenderableType]:
    # Only qNML's penalty saturates: for other scores a large family is what the score asked for.
    if facts["guard"] == "off" or facts["score"]["label"] != "qnml" or not facts["overfull"]:
        return []
    return [
        *overfull(facts["overfull"], facts["data"]["total"]),
        line("guard=cap admits no such family; guard=off leaves this out."),
    ]


def _edge(edge: Facts) -> str:
    return f"{edge['first']} {'->' if edge['directed'] else '--'} {edge['second']}"
