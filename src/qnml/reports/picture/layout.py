"""A layered layout: rows, order and positions from `qnml.graph.layered`, and the curves between nodes.

Connected components are laid out separately and placed side by side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from qnml.graph.layered import column_positions, components, ordered_layers, rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.graph.layered import Layers

__all__ = ["COLUMN_GAP", "ROW_GAP", "Layout", "Point", "layered"]

Point: TypeAlias = tuple[float, float]

COLUMN_GAP = 22.0
"""Least distance between boxes of a row, in points."""

_BEND_WIDTH = 2.0
_PIECE_GAP = 34.0
ROW_GAP = 31.0
"""Least distance between rows, in points."""

_WIDEST_ROW_GAP = 90.0
# Rows are further apart where an arc crosses much of the page; otherwise it would be almost horizontal.
_STEEPNESS = 0.05
# How far arcs vertically leave a bend or a box, as a share of the height they have.
_HANDLE = 0.33
# An arc leaves a box on the side of its other end: by this share of the way there, within this share of the box.
_LEAN = 0.4
_PORT_STEP = 11.0
_PORT_SHARE = 0.8
_PAGE = 1.5  # target ratio of width to height for packing


@dataclass(frozen=True)
class Layout:
    """The positions of all elements, in points; y increases downwards.

    Attributes
    ----------
    width, height : size of the drawing.
    centres : centres of the nodes.
    routes : for each arc a chain of cubic curves: its start, then three points for each curve (two handles and an
        end). Arcs leave boxes at the bottom and reach them at the top, vertically.
    """

    width: float
    height: float
    centres: list[Point]
    routes: list[list[Point]]


def layered(sizes: Sequence[tuple[float, float]], arcs: Sequence[tuple[int, int]]) -> Layout:
    """Lay out an acyclic graph.

    Parameters
    ----------
    sizes
        Width and height of the box of each node.
    arcs
        Pairs (upper, lower) of node numbers.
    """
    laid: list[tuple[Layout, list[int], list[int]]] = []
    for members in components(len(sizes), arcs):
        number = {node: place for place, node in enumerate(members)}
        own = [which for which, (upper, _) in enumerate(arcs) if upper in number]
        inner = [(number[arcs[which][0]], number[arcs[which][1]]) for which in own]
        laid.append((_connected([sizes[node] for node in members], inner), members, own))
    # Large components first and single nodes last; components of equal size stay in node order.
    laid.sort(key=lambda one: -len(one[1]))
    corners, width, height = _packed([(piece.width, piece.height) for piece, _, _ in laid])
    centres: list[Point] = [(0.0, 0.0)] * len(sizes)
    routes: list[list[Point]] = [[]] * len(arcs)
    for (left, top), (piece, members, own) in zip(corners, laid, strict=True):
        for node, (x, y) in zip(members, piece.centres, strict=True):
            centres[node] = (x + left, y + top)
        for which, route in zip(own, piece.routes, strict=True):
            routes[which] = [(x + left, y + top) for x, y in route]
    return Layout(width, height, centres, routes)


def _connected(sizes: Sequence[tuple[float, float]], arcs: Sequence[tuple[int, int]]) -> Layout:
    """Lay out one connected component."""
    rows = ordered_layers(rows_of(len(sizes), arcs), arcs)
    n_bends = rows.n_vertices - len(sizes)
    widths = [width for width, _ in sizes] + [_BEND_WIDTH] * n_bends
    xs = column_positions(rows, widths, COLUMN_GAP)
    tall = max(height for _, height in sizes)
    tops = _row_tops(rows, xs, tall)
    row_of = {vertex: row for row, members in enumerate(rows.order) for vertex in members}
    starts, ends = _ports(rows, xs, widths, len(sizes))
    routes = []
    for which, chain in enumerate(rows.chains):
        first, last = chain[0], chain[-1]
        here = (starts[which], tops[row_of[first]] + (tall + sizes[first][1]) / 2)
        route = [here]
        for bend in chain[1:-1]:
            top = tops[row_of[bend]]
            _curve(route, (xs[bend], top))
            _line(route, (xs[bend], top + tall))
        _curve(route, (ends[which], tops[row_of[last]] + (tall - sizes[last][1]) / 2))
        routes.append(route)
    centres = [(xs[node], tops[row_of[node]] + tall / 2) for node in range(len(sizes))]
    width = max(xs[vertex] + widths[vertex] / 2 for vertex in range(rows.n_vertices))
    return Layout(width, tops[-1] + tall, centres, routes)


def _row_tops(rows: Layers, xs: Sequence[float], tall: float) -> list[float]:
    row_of = {vertex: row for row, members in enumerate(rows.order) for vertex in members}
    reach = [0.0] * len(rows.order)
    for upper, lower in rows.pieces:
        here = row_of[upper]
        reach[here] = max(reach[here], abs(xs[upper] - xs[lower]) / (row_of[lower] - here))
    tops = [0.0]
    for across in reach[:-1]:
        tops.append(tops[-1] + tall + min(max(ROW_GAP, _STEEPNESS * across), _WIDEST_ROW_GAP))
    return tops


def _ports(
    rows: Layers, xs: Sequence[float], widths: Sequence[float], n_nodes: int
) -> tuple[dict[int, float], dict[int, float]]:
    """Return where each arc starts and ends on its boxes: towards its other end, in the order of these ends."""
    leaving: list[list[tuple[float, int]]] = [[] for _ in range(n_nodes)]
    reaching: list[list[tuple[float, int]]] = [[] for _ in range(n_nodes)]
    for which, chain in enumerate(rows.chains):
        leaving[chain[0]].append((xs[chain[1]] - xs[chain[0]], which))
        reaching[chain[-1]].append((xs[chain[-2]] - xs[chain[-1]], which))
    starts: dict[int, float] = {}
    ends: dict[int, float] = {}
    for ports, sides in ((starts, leaving), (ends, reaching)):
        for node, side in enumerate(sides):
            side.sort()
            offsets = _spread([_LEAN * across for across, _ in side], _PORT_SHARE * widths[node] / 2)
            ports.update((which, xs[node] + offset) for (_, which), offset in zip(side, offsets, strict=True))
    return starts, ends


def _spread(wanted: Sequence[float], reach: float) -> list[float]:
    """Return increasing numbers between -reach and reach, near the wanted ones, which increase, but a step apart."""
    last = len(wanted) - 1
    step = min(_PORT_STEP, 2 * reach / max(last, 1))
    # Half-way between pushing all to the right and all to the left.
    right, left = list(wanted), list(wanted)
    for place in range(last):
        right[place + 1] = max(right[place + 1], right[place] + step)
        left[last - place - 1] = min(left[last - place - 1], left[last - place] - step)
    # Less the steps, the bounds are the same for all.
    return [
        max(-reach, min((a + b) / 2 - place * step, reach - last * step)) + place * step
        for place, (a, b) in enumerate(zip(right, left, strict=True))
    ]


def _curve(route: list[Point], end: Point) -> None:
    """Extend a route to a point, leaving and arriving vertically."""
    x, y = route[-1]
    drop = _HANDLE * (end[1] - y)
    route += [(x, y + drop), (end[0], end[1] - drop), end]


def _line(route: list[Point], end: Point) -> None:
    x, y = route[-1]
    third_x, third_y = (end[0] - x) / 3, (end[1] - y) / 3
    route += [(x + third_x, y + third_y), (end[0] - third_x, end[1] - third_y), end]


def _packed(sizes: Sequence[tuple[float, float]]) -> tuple[list[Point], float, float]:
    """Pack rectangles on shelves from left to right; return their corners, and the total width and height."""
    area = sum((width + _PIECE_GAP) * (height + _PIECE_GAP) for width, height in sizes)
    shelf = max([math.sqrt(_PAGE * area), *(width for width, _ in sizes)], default=0.0)
    corners: list[Point] = []
    left = top = deep = across = 0.0
    for width, height in sizes:
        if left > 0 and left + width > shelf:
            left, top, deep = 0.0, top + deep + _PIECE_GAP, 0.0
        corners.append((left, top))
        across, deep = max(across, left + width), max(deep, height)
        left += width + _PIECE_GAP
    return corners, across, top + deep
