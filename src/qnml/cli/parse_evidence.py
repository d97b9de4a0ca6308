"""Parsing of command-line arguments about the variables of a network: ``smoke=yes,asia=no`` and ``lung,bronc``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qnml.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import qnml

__all__ = ["parsed_names", "parsed_settings"]


def parsed_names(net: qnml.Network, texts: Sequence[str]) -> list[str]:
    """Return variable names, separated by commas in each text; a name that contains a comma must be given alone."""
    names = []
    for text in texts:
        names += [text] if text in net.levels else [piece.strip() for piece in text.split(",")]
    return names


def parsed_settings(net: qnml.Network, option: str, texts: Sequence[str]) -> dict[str, str]:
    """Return labels by variable, from pairs ``NAME=LABEL`` separated by commas in each text.

    Commas in names and labels that the network has do not separate, nor do commas inside brackets, so that
    ``age=(52, 59],smoke=yes`` are two pairs.
    """
    settings: dict[str, str] = {}
    for text in texts:
        rest: str | None = text
        while rest is not None:
            name, label, rest = _first_pair(net, option, rest)
            if settings.get(name, label) != label:
                piece = f"{name}={label}"
                raise InputError(f"{option} {piece}: {name!r} is already given as {settings[name]!r}. Give one label.")
            settings[name] = label
    return settings


def _first_pair(net: qnml.Network, option: str, text: str) -> tuple[str, str, str | None]:
    """The first name and its label, and the text after the comma that ends them; None if nothing ends them."""
    for place, letter in enumerate(text):
        name = text[:place].strip()
        if letter == "=" and name in net.levels:
            end = _end_of_label(net, name, text, place + 1)
            return name, text[place + 1 : end].strip(), _after(text, end)
    end = _next_comma(text, 0)
    name, equals, label = text[:end].partition("=")
    if not equals:
        raise InputError(f"{option} {text[:end].strip()!r}: must be NAME=LABEL, or several separated by commas.")
    return name.strip(), label.strip(), _after(text, end)


def _end_of_label(net: qnml.Network, name: str, text: str, start: int) -> int:
    """Where the label that starts here ends: at the longest one that the variable has, else at the next comma."""
    known = set(map(str, net.levels[name]))
    ends = [place for place, letter in enumerate(text) if place >= start and letter == ","]
    for end in (len(text), *reversed(ends)):
        if text[start:end].strip() in known:
            return end
    return _next_comma(text, start)


def _next_comma(text: str, start: int) -> int:
    """The place of the next comma that is not inside brackets, as those of intervals are; else the end."""
    depth = 0
    for place in range(start, len(text)):
        if text[place] in "([":
            depth += 1
        elif text[place] in ")]":
            depth -= 1
        elif text[place] == "," and depth <= 0:
            return place
    return len(text) if depth == 0 else _plain_comma(text, start)


def _plain_comma(text: str, start: int) -> int:
    # The brackets do not match, so they are no interval.
    place = text.find(",", start)
    return len(text) if place < 0 else place


def _after(text: str, end: int) -> str | None:
    return text[end + 1 :] if end < len(text) else None
