"""All elements of a picture, in points, as drawn by both the SVG writer and the PNG writer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from qnml.graph.layered import neighbours
from qnml.reports.picture import style
from qnml.reports.picture.layout import layered

if TYPE_CHECKING:
    from qnml.reports.picture.drawing import Drawing
    from qnml.reports.picture.layout import Point

__all__ = ["Box", "Caption", "Curve", "Placed", "Scene", "placed", "scene_of"]

_MARGIN = 14.0
_HEAD_LENGTH, _HEAD_PER_WIDTH = 6.5, 1.7
_HEAD_SLIMNESS = 0.42
_CAPTION_STEP = 15.0


@dataclass(frozen=True)
class Box:
    """A node: centre, size, displayed text and full name."""

    x: float
    y: float
    width: float
    height: float
    text: str
    name: str


@dataclass(frozen=True)
class Curve:
    """A line: cubic curves as in `Layout.routes`, the corners of its head if it has one, and its style."""

    route: tuple[Point, ...]
    head: tuple[Point, ...]
    width: float
    colour: str
    dashed: bool
    meaning: str
    opacity: float = 1.0


@dataclass(frozen=True)
class Caption:
    """A line of text under the picture, centred at x with its baseline at y."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Scene:
    """The page."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    curves: tuple[Curve, ...]
    captions: tuple[Caption, ...]


@dataclass(frozen=True)
class Placed:
    """Where everything is: the size, the boxes of the nodes, and a route for each line, from box to box."""

    width: float
    height: float
    boxes: tuple[Box, ...]
    routes: tuple[tuple[Point, ...], ...]


def placed(drawing: Drawing) -> Placed:
    """Lay out nodes and lines with the built-in layout."""
    above, below = neighbours(len(drawing.names), drawing.arcs)
    sizes = [
        (style.box_width(name, max(len(uppers), len(lowers))), style.BOX_HEIGHT)
        for name, uppers, lowers in zip(drawing.names, above, below, strict=True)
    ]
    layout = layered(sizes, drawing.arcs)
    boxes = tuple(
        Box(x, y, *size, style.shown_name(name), name)
        for (x, y), size, name in zip(layout.centres, sizes, drawing.names, strict=True)
    )
    return Placed(layout.width, layout.height, boxes, tuple(map(tuple, layout.routes)))


def scene_of(drawing: Drawing) -> Scene:
    """Lay out a drawing with the built-in layout, and describe how everything looks."""
    layout = placed(drawing)
    texts = style.caption(drawing)
    inner = max([layout.width, *(style.text_width(text, style.CAPTION_SIZE) for text in texts)])
    left = _MARGIN + (inner - layout.width) / 2
    boxes = tuple(replace(box, x=box.x + left, y=box.y + _MARGIN) for box in layout.boxes)
    curves = []
    for line, route in zip(drawing.lines, layout.routes, strict=True):
        width = style.line_width(line, drawing)
        moved = [(x + left, y + _MARGIN) for x, y in route]
        head = _pointed(moved, width) if line.directed else ()
        look = (
            width,
            style.line_colour(line, drawing),
            style.is_dashed(line),
            style.described(line, drawing),
            style.line_opacity(line),
        )
        curves.append(Curve(tuple(moved), head, *look))
    # Strong lines last, so that they are drawn on top.
    curves.sort(key=lambda curve: curve.width)
    bottom = _MARGIN + layout.height
    captions = tuple(
        Caption(_MARGIN + inner / 2, bottom + _CAPTION_STEP * (place + 1.4), text) for place, text in enumerate(texts)
    )
    height = bottom + _MARGIN + (_CAPTION_STEP * (len(texts) + 0.4) if texts else 0.0)
    return Scene(inner + 2 * _MARGIN, height, boxes, tuple(curves), captions)


def _pointed(route: list[Point], width: float) -> tuple[Point, ...]:
    """Shorten a route by the length of its head, and return the head: lines end vertically."""
    x, y = route[-1]
    length = _HEAD_LENGTH + _HEAD_PER_WIDTH * width
    half = _HEAD_SLIMNESS * length
    route[-1] = (x, y - length * 0.9)
    return ((x, y), (x - half, y - length), (x + half, y - length))
