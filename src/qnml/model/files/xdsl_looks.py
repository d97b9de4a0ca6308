"""The layout and style of nodes that GeNIe stores in an XDSL file, and their defaults.

GeNIe does not open a file whose nodes have a title but no colours, font and position. Defaults are not annotations:
they are left out when reading and added again when writing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.errors import QnmlError
from qnml.model.files.xml_tree import content_text

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["filled_looks", "is_xml", "own_looks"]

_PLAIN = {
    "interior": '<interior color="e5f6f7" />',
    "outline": '<outline color="0000bb" />',
    "font": '<font color="000000" name="Arial" size="8" />',
}
_ACROSS, _WIDE, _HIGH = 8, 130, 80
_BOX = (90, 50)


def filled_looks(looks: Sequence[str], name: str, identifier: str, place: int) -> list[str]:
    """Add defaults for missing titles, colours, fonts and positions.

    Parameters
    ----------
    looks
        Elements as text.
    name, identifier
        The variable, and its name in the file.
    place
        Index of the node in the file.
    """
    defaults = _defaults(name if is_xml(name) else identifier, place)
    by_tag = {_tag(text): text for text in looks}
    others = [text for text in looks if _tag(text) not in defaults]
    repeated = [text for text in looks if _tag(text) in defaults and by_tag[_tag(text)] is not text]
    return [by_tag.get(tag, text) for tag, text in defaults.items()] + repeated + others


def own_looks(looks: Sequence[str], name: str, identifier: str, place: int) -> list[str]:
    """Leave out what :func:`filled_looks` would add, and titles that only repeat the name."""
    plain = {*_defaults(name if is_xml(name) else identifier, place).values(), f"<name>{identifier}</name>"}
    return [text for text in looks if text not in plain]


def is_xml(text: str) -> bool:
    """Whether an element can hold a text verbatim, including blanks at its ends."""
    try:
        content_text(text)
    except QnmlError:
        return False
    return text == text.strip() and "\r" not in text


def _defaults(title: str, place: int) -> dict[str, str]:
    left, top = 40 + _WIDE * (place % _ACROSS), 40 + _HIGH * (place // _ACROSS)
    box = f"<position>{left} {top} {left + _BOX[0]} {top + _BOX[1]}</position>"
    return {"name": f"<name>{content_text(title)}</name>", **_PLAIN, "position": box}


def _tag(text: str) -> str:
    return text[1:].replace(">", " ").replace("/", " ").split(" ", 1)[0]
