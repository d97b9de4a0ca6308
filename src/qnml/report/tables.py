"""Facts drawn as tables for people, to be printed with rich.

Each function takes the dictionary that the function of the same name in `qnml.report.facts` made and returns
renderables in the order to print them. Numbers are rounded here and nowhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.report.facts import EXACT_REACH
from qnml.report.parts import count, grid, large, line, overfull, visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from qnml.report.facts import Facts

__all__ = ["comparison_page", "information_page", "registry_page", "regret_page", "scoring_page", "visible"]

_MOST_LABELS = 8
_MOST_COLUMNS = 500  # beyond, nobody reads them, and laying them out takes longer than reading the file
_MOST_SUBSETS_SHOWN = 40


def scoring_page(facts: Facts) -> list[RenderableType]:
    """The scores, and where asked for what each is made of."""
    data, network = facts["data"], facts["network"]
    who = {"network": "declared by the network", "data": "taken from the data"}[network["levels"]]
    page: list[RenderableType] = [
        line(f"{data['source']}: {count(data['total'], 'row')}, {count(data['variables'], 'column')}"),
        line(
            f"{network['source']}: {count(network['variables'], 'variable')}, "
            f"{count(network['arcs'], 'arc')}; levels {who}"
        ),
        grid(
            [("score", "left"), ("nats", "right"), ("nats per row", "right")],
            [
                (score["label"], f"{score['value']:z.4f}", f"{score['value'] / data['total']:z.4f}")
                for score in facts["scores"]
            ],
        ),
    ]
    explained = [score for score in facts["scores"] if score["explanation"] is not None]
    for score in explained:
        page += _explanation(score["label"], score["explanation"])
    if explained:
        # Whether a family is over-full does not depend on the score: said once.
        families = explained[0]["explanation"]["families"]
        page += overfull([family for family in families if family["is_overfull"]], data["total"])
    return page


def regret_page(facts: Facts) -> list[RenderableType]:
    """Regrets in nats, one column for each method."""
    methods = facts["methods"]
    heads = [("n", "right"), ("r", "right"), *((method, "right") for method in methods)]
    rows = [(row["n"], row["r"], *(f"{row[method]:z.6f}" for method in methods)) for row in facts["values"]]
    return [line("Regret in nats"), grid(heads, rows)]


def comparison_page(facts: Facts) -> list[RenderableType]:
    """How two networks differ."""
    first, second = facts["first"], facts["second"]
    classes = facts["on"] == "cpdag"
    same = "equivalent: they say the same about independence" if facts["equivalent"] else "not equivalent"
    page: list[RenderableType] = [
        grid(
            [
                ("network", "left"),
                ("variables", "right"),
                ("arcs", "right"),
                ("networks in its class", "right"),
            ],
            [(net["source"], net["variables"], net["arcs"], large(net["class_size"])) for net in (first, second)],
        ),
        line(f"The networks are {same}."),
        line(
            f"Structural Hamming distance {facts['shd']} (compared as "
            f"{'equivalence classes' if classes else 'graphs, arc by arc'}; "
            f"{count(len(facts['matching']), 'edge')} in common)."
        ),
    ]
    rows = [("missing in the second", _edge(edge), "") for edge in facts["missing"]]
    rows += [("extra in the second", "", _edge(edge)) for edge in facts["extra"]]
    rows += [
        ("oriented otherwise", _edge(pair["first_graph"]), _edge(pair["second_graph"]))
        for pair in facts["wrongly_oriented"]
    ]
    if rows:
        page.append(grid([("difference", "left"), ("in the first", "left"), ("in the second", "left")], rows))
    return page


def information_page(facts: Facts) -> list[RenderableType]:
    """What is in a table."""
    rows = []
    variables = facts["variables"]
    for variable in variables[:_MOST_COLUMNS]:
        unseen = variable["n_levels"] - variable["n_observed"]
        levels = f"{variable['n_levels']}" + (f" ({unseen} unseen)" if unseen else "")
        rows.append((variable["name"], levels, variable["missing"] or "", _labels(variable["labels"])))
    counted = f" counting {facts['total']}" if facts["total"] != facts["rows"] else ""
    n = facts["lattice"]["log2_subsets"]
    subsets = f"2^{n}" + (f" = {2**n}" if n <= _MOST_SUBSETS_SHOWN else "")
    reach = (
        "in reach" if facts["lattice"]["exact_in_reach"] else f"out of reach (about {EXACT_REACH} variables at most)"
    )
    lines = [
        f"{facts['source']}: {count(facts['rows'], 'row')}{counted}, {count(n, 'column')}",
        f"Distinct rows: {facts['distinct_rows']} (identical rows are merged before counting)",
        f"Constant columns: {_listed(facts['constant'])}",
        f"Missing cells: {facts['missing_cells'] or 'none'}"
        + ("; here taken as a category of their own" if facts["missing_cells"] else ""),
        f"Sets of variables: {subsets}; exact learning is {reach}",
    ]
    page: list[RenderableType] = [
        *map(line, lines),
        grid([("column", "left"), ("levels", "right"), ("missing", "right"), ("labels", "left")], rows),
    ]
    if len(variables) > _MOST_COLUMNS:
        page.append(line(f"… and {count(len(variables) - _MOST_COLUMNS, 'column')} more. --json lists them all."))
    return page


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_COLUMNS
    return (", ".join(names[:_MOST_COLUMNS]) or "none") + (f" and {more} more" if more > 0 else "")


def registry_page(facts: Facts) -> list[RenderableType]:
    """The known scores, one line each."""
    heads = [
        ("score", "left"),
        ("what it is", "left"),
        ("equivalent", "left"),
        ("regular", "left"),
        ("parameter", "left"),
    ]
    rows = []
    for score in facts["scores"]:
        parameter = score["parameter"]
        shown = f"{parameter['name']}={parameter['default']:g}" if parameter else ""
        rows.append((score["name"], score["title"], _yes(score["equivalent"]), _yes(score["regular"]), shown))
    return [
        grid(heads, rows),
        line("Equivalent: equivalent networks score alike. Regular: a parent that adds no fit never pays."),
    ]


def _explanation(label: str, facts: Facts) -> list[RenderableType]:
    families = [
        (
            family["child"],
            ", ".join(family["parents"]),
            f"{family['score']:z.3f}",
            f"{family['fit']:z.3f}",
            f"{family['penalty']:z.3f}",
            large(family["n_parameters"]),
        )
        for family in facts["families"]
    ]
    heads = [
        ("variable", "left"),
        ("parents", "left"),
        ("score", "right"),
        ("fit", "right"),
        ("penalty", "right"),
        ("parameters", "right"),
    ]
    page: list[RenderableType] = [
        line(f"{label}, variable by variable (nats; score = fit - penalty)"),
        grid(heads, families),
    ]
    if facts["arcs"]:
        # The strongest arcs first: that is what a reader looks for.
        strongest = sorted(facts["arcs"], key=lambda arc: -arc["removal_cost_bits"])
        page += [
            line(f"{label}, arc by arc (bits lost when the arc alone is removed)"),
            grid(
                [("arc", "left"), ("bits", "right")],
                [(f"{arc['parent']} -> {arc['child']}", f"{arc['removal_cost_bits']:z.2f}") for arc in strongest],
            ),
        ]
    return page


def _edge(edge: Facts) -> str:
    return f"{edge['first']} {'->' if edge['directed'] else '--'} {edge['second']}"


def _labels(labels: Sequence[object]) -> str:
    shown = ", ".join(map(str, labels[:_MOST_LABELS]))
    return f"{shown}, … {len(labels) - _MOST_LABELS} more" if len(labels) > _MOST_LABELS else shown


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"
