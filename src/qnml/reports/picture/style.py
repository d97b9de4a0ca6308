"""The style of pictures: sizes, colours and shortened texts.

Strength is shown twice, by width and by darkness of one hue, so that it is visible without colour vision and in a
greyscale printout.
"""

from __future__ import annotations

import math
import unicodedata
from typing import TYPE_CHECKING

from qnml.reports.parts import visible

if TYPE_CHECKING:
    from qnml.reports.picture.drawing import Drawing, Line

__all__ = [
    "BOX_FILL",
    "BOX_HEIGHT",
    "BOX_LINE",
    "CAPTION_COLOUR",
    "CAPTION_SIZE",
    "FONT",
    "FONT_SIZE",
    "TEXT_COLOUR",
    "box_width",
    "caption",
    "described",
    "is_dashed",
    "line_colour",
    "line_opacity",
    "line_width",
    "on_white",
    "shown_name",
    "text_width",
]

FONT = "Helvetica, Arial, Liberation Sans, sans-serif"
FONT_SIZE = 13.0
CAPTION_SIZE = 11.0
BOX_HEIGHT = 28.0
BOX_FILL = "#eef3f8"
BOX_LINE = "#6a8199"
TEXT_COLOUR = "#16212c"
CAPTION_COLOUR = "#4a5866"

_PADDING = 11.0
_LEAST_BOX = 44.0
_PER_LINE = 12.0
_LONGEST_NAME = 30
_CAPTION_LETTERS = 64

# The lightest has a contrast of 3:1 to white, the minimum for graphics in the Web Content Accessibility Guidelines.
_WEAK, _STRONG = (132, 148, 164), (10, 34, 62)
_PLAIN = 0.55
_THIN, _THICK = 1.1, 4.4
_PLAIN_WIDTH = 1.6
_FAINTEST = 0.12
_HEADS = "Arrowhead: at least three quarters of it in that direction."

_NARROW = frozenset("iljtfr.,:;'|![]()I-/\\ ")
_BROAD = frozenset("mwMW@%—…&")


def shown_name(name: str) -> str:
    """Return a name as displayed: control characters are escaped, and a long name is shortened in the middle."""
    text = visible(name)
    if len(text) <= _LONGEST_NAME:
        return text
    end = (_LONGEST_NAME - 1) // 2
    return f"{text[: _LONGEST_NAME - 1 - end]}…{text[-end:]}"


def text_width(text: str, size: float = FONT_SIZE) -> float:
    """Return the approximate width of a text in a typical font, since no font metrics are available."""
    return size * sum(map(_letter_width, text))


def _letter_width(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.0
    if letter in _NARROW:
        return 0.33
    return 0.88 if letter in _BROAD else 0.7 if letter.isupper() else 0.57


def box_width(name: str, n_lines: int = 0) -> float:
    """Return the width of the box of a node, with room for its name and for the ends of `n_lines` lines on one side."""
    return max(_LEAST_BOX, text_width(shown_name(name)) + 2 * _PADDING, _PER_LINE * n_lines)


def line_width(line: Line, drawing: Drawing) -> float:
    """Return the width of a line."""
    share = _share(line, drawing)
    return _PLAIN_WIDTH if share is None else _THIN + (_THICK - _THIN) * share


def line_opacity(line: Line) -> float:
    """Return the opacity of a line: its probability, but never invisible."""
    return 1.0 if line.belief is None else max(_FAINTEST, line.belief.either)


def on_white(colour: str, opacity: float) -> str:
    """Return a colour as it appears on white, for writers without transparency."""
    parts = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return "#" + "".join(f"{round(255 - (255 - part) * opacity):02x}" for part in parts)


def line_colour(line: Line, drawing: Drawing) -> str:
    """Return the colour of a line, as ``#rrggbb``."""
    # Probability is shown as opacity; with a faded colour as well, the line would be invisible.
    share = 1.0 if line.belief is not None else _share(line, drawing)
    share = _PLAIN if share is None else share
    mixed = (round(weak + (strong - weak) * share) for weak, strong in zip(_WEAK, _STRONG, strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def is_dashed(line: Line) -> bool:
    """Return whether the score would improve without the line, which is there because it is required."""
    return line.bits is not None and line.bits < 0


def described(line: Line, drawing: Drawing) -> str:
    """Describe a line in words, for its tooltip."""
    upper, lower = visible(drawing.names[line.upper]), visible(drawing.names[line.lower])
    if line.belief is not None:
        return f"{upper} → {lower}: {line.belief.down:.3f}, {lower} → {upper}: {line.belief.up:.3f}"
    ends = f"{upper} {'→' if line.directed else '—'} {lower}"
    return ends if line.bits is None else f"{ends}: {_bits(line.bits)} bits"


def caption(drawing: Drawing) -> list[str]:
    """Return the legend in short lines; empty for a plain graph."""
    if any(line.belief is not None for line in drawing.lines):
        return ["Opacity and thickness: probability that the two are joined.", _HEADS]
    sentences = []
    extremes = drawing.weakest_and_strongest
    if extremes is not None:
        low, high = map(_bits, extremes)
        span = low if low == high else f"{low} to {high}"
        sentences.append(f"Thickness: bits the score loses without the line, {span}.")
        if extremes[0] < 0:
            sentences.append("Dashed: it would gain.")
    if any(not line.directed for line in drawing.lines):
        sentences.append("No arrowhead: data alone cannot tell the direction.")
    lines: list[str] = []
    for sentence in sentences:
        if lines and len(lines[-1]) + len(sentence) < _CAPTION_LETTERS:
            lines[-1] += f" {sentence}"
        else:
            lines.append(sentence)
    return lines


def _share(line: Line, drawing: Drawing) -> float | None:
    """Return the strength between 0 and 1.

    Bits range from less than one to many thousands, hence the logarithm; its square separates the many arcs of some
    dozens of bits from the few of thousands.
    """
    if line.belief is not None:
        return line.belief.either
    extremes = drawing.weakest_and_strongest
    if line.bits is None or extremes is None:
        return None
    most = math.log1p(max(extremes[1], 1.0))
    return min(math.log1p(max(line.bits, 0.0)) / most, 1.0) ** 2


def _bits(bits: float) -> str:
    return f"{bits:z.0f}" if abs(bits) >= 100 else f"{bits:z.1f}"
