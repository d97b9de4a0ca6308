"""Writing of a scene as SVG text, which every browser displays; tooltips describe nodes and lines."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from qnml.reports.parts import visible
from qnml.reports.picture import style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.reports.picture.layout import Point
    from qnml.reports.picture.scene import Box, Caption, Curve, Scene

__all__ = ["svg_text"]


def svg_text(scene: Scene) -> str:
    """Write the scene; equal scenes give equal texts."""
    width, height = _number(scene.width), _number(scene.height)
    font = f'font-family={quoteattr(style.FONT)} text-anchor="middle"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img">',
        '<rect width="100%" height="100%" fill="white"/>',
        *(_curve(curve) for curve in scene.curves),
        f'<g {font} font-size="{_number(style.FONT_SIZE)}">',
        *(_box(box) for box in scene.boxes),
        "</g>",
        f'<g {font} font-size="{_number(style.CAPTION_SIZE)}" fill="{style.CAPTION_COLOUR}">',
        *(_caption(line) for line in scene.captions),
        "</g>",
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _curve(curve: Curve) -> str:
    start, *rest = curve.route
    path = f"M{_points([start])}C{_points(rest)}"
    dashes = ' stroke-dasharray="6 4"' if curve.dashed else ""
    head = f'<path d="M{_points(curve.head)}Z" fill="{curve.colour}"/>' if curve.head else ""
    faint = f' opacity="{_number(curve.opacity)}"' if curve.opacity < 1 else ""
    return (
        f'<g{faint}><title>{escape(curve.meaning)}</title><path d="{path}" fill="none" stroke="{curve.colour}" '
        f'stroke-width="{_number(curve.width)}"{dashes}/>{head}</g>'
    )


def _box(box: Box) -> str:
    corner = f'x="{_number(box.x - box.width / 2)}" y="{_number(box.y - box.height / 2)}"'
    size = f'width="{_number(box.width)}" height="{_number(box.height)}" rx="6"'
    look = f'fill="{style.BOX_FILL}" stroke="{style.BOX_LINE}"'
    # The baseline of vertically centred text lies a third of the font size below the middle.
    baseline = box.y + style.FONT_SIZE * 0.34
    return (
        f"<g><title>{escape(visible(box.name))}</title><rect {corner} {size} {look}/>"
        f'<text x="{_number(box.x)}" y="{_number(baseline)}" fill="{style.TEXT_COLOUR}" xml:space="preserve">'
        f"{escape(box.text)}</text></g>"
    )


def _caption(line: Caption) -> str:
    return f'<text x="{_number(line.x)}" y="{_number(line.y)}">{escape(line.text)}</text>'


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    return f"{value:z.2f}".rstrip("0").rstrip(".")
