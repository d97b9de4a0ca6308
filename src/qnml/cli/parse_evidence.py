"""Parsing of command-line arguments about the variables of a network: ``smoke=yes,asia=no`` and ``lung,bronc``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import qnml
from qnml.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["parsed_evidence", "parsed_likelihoods", "parsed_names", "parsed_settings"]


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


def parsed_evidence(net: qnml.Network, option: str, texts: Sequence[str]) -> dict[str, Any]:
    """Return evidence by variable: ``x=a`` is a label, ``x=a|b`` a list of several, ``x!=a|b`` `qnml.AnyBut` these."""
    found: dict[str, Any] = {}
    for written, label in parsed_settings(net, option, texts).items():
        is_negative = written not in net.levels and written.endswith("!")
        name = written[:-1].strip() if is_negative else written
        if name in found:
            raise InputError(
                f"{option} {written}={label}: {name!r} is already given. Say it once, with | between labels."
            )
        known = set(map(str, net.levels.get(name, ())))
        pieces = [label] if label in known else [piece.strip() for piece in label.split("|")]
        found[name] = qnml.AnyBut(*pieces) if is_negative else pieces if len(pieces) > 1 else label
    return found


def parsed_likelihoods(net: qnml.Network, texts: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return likelihoods by variable, from texts such as ``xray:yes=0.8,no=0.2``."""
    found: dict[str, dict[str, float]] = {}
    for text in texts:
        names = [name for name in net.levels if text.strip().startswith(f"{name}:")]
        name = max(names, key=len) if names else text.partition(":")[0].strip()
        if name in found:
            raise InputError(f"--likelihood {text}: {name!r} is already given. Multiply the numbers into one.")
        found[name] = _numbers(net, name, text, text.strip()[len(name) + 1 :])
    return found


def _numbers(net: qnml.Network, name: str, text: str, rest: str) -> dict[str, float]:
    """Numbers by label, separated by commas; labels that the variable has may contain commas."""
    numbers: dict[str, float] = {}
    while rest.strip():
        rest = rest.strip()
        starts = [str(label) for label in net.levels.get(name, ()) if rest.startswith(f"{label}=")]
        label = max(starts, key=len) if starts else rest.partition("=")[0].strip()
        written, _, following = rest[len(label) :].lstrip().removeprefix("=").partition(",")
        try:
            numbers[label] = float(written)
        except ValueError:
            raise InputError(
                f"--likelihood {text!r}: must be NAME:LABEL=NUMBER, with more LABEL=NUMBER after commas; "
                f"{written.strip()!r} is no number."
            ) from None
        rest = following
    return numbers


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
