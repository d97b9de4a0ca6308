"""What the scripts of a report page need, as plain facts that are written as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from qnml._api.report_contents import Answers, Left, SingleAnswers
from qnml.reports.picture.drawing import drawing_of
from qnml.reports.picture.scene import placed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from qnml._api.report_contents import ReportContents
    from qnml.model import Network
    from qnml.reports.fact_parts import Facts
    from qnml.reports.picture.drawing import Drawing
    from qnml.reports.picture.scene import Placed

__all__ = ["script_facts"]

# A page shows tables up to this size; without answers, no others are needed.
_MOST_SHOWN_CELLS = 2_000
_DIGITS = 12
_SHOWN_DIGITS = 5
_OPEN = "neither the data nor background knowledge tell the direction"


def script_facts(contents: ReportContents) -> Facts:
    """Everything that can be clicked: variables, lines, probabilities, and how questions are answered.

    Parameters
    ----------
    contents
        The contents of the page.
    """
    net = contents.network
    number = {name: place for place, name in enumerate(net.names)}
    drawing = drawing_of("report", net.dag)
    places = placed(drawing)
    facts = {
        "nodes": _nodes(contents, places),
        "arcs": _arcs(contents, drawing, places, number),
        "classEdges": None if net.mpdag is None else _edges(net.mpdag, number),
        "undirectedNote": f"{_OPEN[0].upper()}{_OPEN[1:]}.",
        "networkNote": "",
        "classNote": f"Lines without an arrowhead: {_OPEN}.",
        "probabilities": _probabilities(contents, number),
        "ranked": _ranked(contents, number),
        "inference": _inference(contents.answers),
    }
    if net.mpdag is not None and not net.mpdag.undirected:
        facts["classNote"] = "Data and background knowledge direct all arcs."
    if net.mpdag is not None and net.mpdag.undirected:
        facts["networkNote"] = (
            "One of the admitted networks that fit the data equally well; the equivalence class shows which directions "
            "are open."
        )
    return facts


def _nodes(contents: ReportContents, places: Placed) -> list[Facts]:
    net = contents.network
    boxes = {box.name: box for box in places.boxes}
    number = {name: place for place, name in enumerate(net.names)}
    answers = isinstance(contents.answers, Answers)
    nodes = []
    for name in net.names:
        box = boxes[name]
        parents = net.dag.parents(name)
        children = [child for parent, child in net.dag.arcs if parent == name]
        nodes.append(
            {
                "name": name,
                "label": box.text,
                "box": {key: round(getattr(box, key), 2) for key in ("x", "y")}
                | {"w": round(box.width, 2), "h": round(box.height, 2)},
                "levels": [str(level) for level in net.levels[name]],
                "counts": _counts(contents, name),
                "parents": [number[parent] for parent in parents],
                "table": _table(net, name) if answers or _cells(net, name) <= _MOST_SHOWN_CELLS else None,
                "description": f"{name}; parents: {_listed(parents)}; children: {_listed(children)}",
                "prepared": _prepared(contents, name),
            }
        )
    return nodes


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _cells(net: Network, name: str) -> int:
    cells = len(net.levels[name])
    for parent in net.dag.parents(name):
        cells *= len(net.levels[parent])
    return cells


def _table(net: Network, name: str) -> list[float]:
    return [float(f"{value:.{_DIGITS}g}") for value in np.asarray(net.table(name)).ravel()]


def _counts(contents: ReportContents, name: str) -> list[int] | None:
    if contents.result is None:
        return None
    table = contents.result.table
    codes = np.asarray(table.codes(name), dtype=np.int64)
    weights = np.ones(table.n_rows) if table.weights is None else np.asarray(table.weights, dtype=np.float64)
    seen = codes >= 0
    counted = np.bincount(codes[seen], weights=weights[seen], minlength=len(table.levels[name]))
    return [int(count) for count in counted]


def _prepared(contents: ReportContents, name: str) -> str | None:
    made = contents.network.preparation
    column = None if made is None else next((one for one in made.columns if one.name == name), None)
    if column is None or column.action == "keep":
        return None
    return column.reason


def _arcs(contents: ReportContents, drawing: Drawing, places: Placed, number: dict[str, int]) -> list[Facts]:
    net, result = contents.network, contents.result
    bits = {} if result is None else {(arc.parent, arc.child): arc.removal_cost_bits for arc in result.explanation.arcs}
    routes = dict(zip(drawing.arcs, places.routes, strict=True))
    return [
        {
            "from": number[parent],
            "to": number[child],
            "bits": bits.get((parent, child)),
            "route": [[round(x, 1), round(y, 1)] for x, y in routes[number[parent], number[child]]],
        }
        for parent, child in net.dag.arcs
    ]


def _edges(graph: Any, number: dict[str, int]) -> list[Facts]:
    return [
        *({"from": number[a], "to": number[b], "directed": True} for a, b in graph.directed),
        *({"from": number[a], "to": number[b], "directed": False} for a, b in graph.undirected),
    ]


def _probabilities(contents: ReportContents, number: dict[str, int]) -> Facts | None:
    found = contents.probabilities
    if isinstance(found, Left):
        return None
    pairs = []
    for i, one in enumerate(found.names):
        for j in range(i + 1, len(found.names)):
            forward, back = float(found.arcs[i, j]), float(found.arcs[j, i])
            if forward + back >= 0.005:
                pairs.append([number[one], number[found.names[j]], round(forward, 6), round(back, 6)])
    return {"word": found.word, "sentence": found.sentence, "pairs": pairs}


def _ranked(contents: ReportContents, number: dict[str, int]) -> Facts | None:
    found = contents.ranked
    if isinstance(found, Left) or not len(found):
        return None
    entries = []
    called = "score" if found.prior == "uniform" else "score and log prior"
    for one in found:
        entries.append(
            {
                "directed": [[number[a], number[b]] for a, b in one.mpdag.directed],
                "undirected": [[number[a], number[b]] for a, b in one.mpdag.undirected],
                "said": f"{called} {one.objective:.2f} nats, {-one.log_weight:z.2f} below the best",
            }
        )
    return {"sentence": found.sentence(), "entries": entries}


def _inference(answers: Answers | SingleAnswers | Left) -> Facts:
    if isinstance(answers, Left):
        return {"refused": answers.reason}
    if isinstance(answers, SingleAnswers):
        return {
            "none": _rounded(answers.none),
            "single": [[None if rows is None else _rounded(rows) for rows in levels] for levels in answers.single],
        }
    return {
        "tree": {"cliques": answers.tree.cliques, "edges": answers.tree.edges},
        "parentSets": answers.parent_sets,
    }


def _rounded(rows: Iterable[Iterable[float]]) -> list[list[float]]:
    return [[float(f"{value:.{_SHOWN_DIGITS}g}") for value in row] for row in rows]
