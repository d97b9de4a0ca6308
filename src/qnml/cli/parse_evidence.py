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
    """Return labels by variable, separated by commas in each text; a pair that contains a comma must be given alone."""
    settings: dict[str, str] = {}
    for text in texts:
        whole = _pair(net, text)
        is_one = whole is not None and whole[1] in map(str, net.levels[whole[0]])
        for piece in [text] if is_one else text.split(","):
            name, label = _pair(net, piece) or _unknown_pair(option, piece)
            if settings.get(name, label) != label:
                raise InputError(f"{option} {piece}: {name!r} is already given as {settings[name]!r}. Give one label.")
            settings[name] = label
    return settings


def _pair(net: qnml.Network, text: str) -> tuple[str, str] | None:
    """Split at the first equals sign that is preceded by the name of a variable."""
    for place, letter in enumerate(text):
        if letter == "=" and text[:place].strip() in net.levels:
            return text[:place].strip(), text[place + 1 :].strip()
    return None


def _unknown_pair(option: str, text: str) -> tuple[str, str]:
    name, equals, label = text.partition("=")
    if not equals:
        raise InputError(f"{option} {text!r}: must be NAME=LABEL, or several separated by commas.")
    return name.strip(), label.strip()
