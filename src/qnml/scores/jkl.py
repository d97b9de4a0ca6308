"""Local scores as files: JKL, the format that exact solvers such as GOBNILP and BLIP read.

The first line has the number of variables. For every variable there is a line with its name and the number of its
parent sets, and then a line for each: score, number of parents, parents. Lines that begin with ``#`` are comments.
Parents are written as names (GOBNILP) or as numbers counted from 0 (BLIP, which names the variables in the same way).
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NoReturn

from qnml.errors import FileFormatError, InputError, unknown_name
from qnml.scores.local_score_lists import LocalScores

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["JKL_STYLES", "read_jkl", "write_jkl"]

JKL_STYLES = ("names", "indices")

_TOKEN = re.compile(r"\S+")
_WHOLE = re.compile(r"[0-9]{1,9}")
_NUMBER = re.compile(r"[+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?", re.ASCII)


def write_jkl(scores: LocalScores, style: str = "names") -> str:
    """Format a JKL file, best sets first; numbers survive a round trip to the last bit.

    Parameters
    ----------
    scores
        The scores.
    style
        ``"names"``, or ``"indices"`` for numbers counted from 0 instead of all names.
    """
    return "".join(_lines(scores, style))


def _lines(scores: LocalScores, style: str) -> Iterator[str]:
    if not isinstance(style, str) or style not in JKL_STYLES:
        raise unknown_name("write_jkl", "style", style, JKL_STYLES)
    written = {name: name if style == "names" else str(place) for place, name in enumerate(scores)}
    place = {name: place for place, name in enumerate(scores)}
    for name, text in written.items():
        if not _TOKEN.fullmatch(text) or text.startswith("#"):
            raise InputError(
                f"write_local_scores: the format cannot hold the name {name!r}, which has blanks, is empty or begins "
                "with '#'. Say style='indices'."
            )
    yield f"{len(scores)}\n"
    for name, sets in scores.items():
        yield f"{written[name]} {len(sets)}\n"
        ordered = [(-score, sorted(place[parent] for parent in parents)) for parents, score in sets.items()]
        names = list(written.values())
        for negative, parents in sorted(ordered):
            listed = "".join(f" {names[parent]}" for parent in parents)
            yield f"{0.0 - negative!r} {len(parents)}{listed}\n"


def read_jkl(text: str, source: str = "JKL text") -> LocalScores:
    """Read the text of a JKL file.

    Parents that are not names of variables are taken as their numbers, counted from 0. Where a parent set comes several
    times, its best score counts.

    Parameters
    ----------
    text
        The content.
    source
        Its source, for error messages.

    Raises
    ------
    FileFormatError
        With line and column, for anything that does not follow the format.
    """
    return _JklReader(text, source).read()


class _JklReader:
    def __init__(self, text: str, source: str) -> None:
        self._source = source
        self._lines = [
            (number, line)
            for number, line in enumerate(text.split("\n"), 1)
            if line.strip() and not line.lstrip().startswith("#")
        ]
        self._last = text.count("\n") + 1
        self._at = 0

    def read(self) -> LocalScores:
        number, tokens = self._line("the number of variables", 1)
        count = self._whole(number, tokens, 0, "the number of variables")
        names: dict[str, int] = {}
        raw: list[list[tuple[int, float, list[str]]]] = []
        for _ in range(count):
            number, tokens = self._line("a variable and the number of its parent sets", 2)
            name = tokens[0]
            if name in names:
                self._fail(f"the variable {name!r} comes twice", number, 0)
            names[name] = len(names)
            sets = self._whole(number, tokens, 1, "the number of parent sets")
            raw.append([self._parent_set() for _ in range(min(sets, len(self._lines)))])
        if self._at < len(self._lines):
            self._fail("text after the last parent set", self._lines[self._at][0], 0)
        listed = list(names)
        families = {}
        for name, sets_of in zip(listed, raw, strict=True):
            found: dict[frozenset[str], float] = {}
            for number, score, parents in sets_of:
                chosen = [
                    word if word in names else self._by_number(number, word, place, listed)
                    for place, word in enumerate(parents, 2)
                ]
                key = frozenset(chosen)
                if name in key or len(key) < len(chosen):
                    self._fail(f"the parent set of {name!r} names the variable itself, or one twice", number, 2)
                # The best of repeated parent sets counts.
                found[key] = max(score, found.get(key, score))
            families[name] = found
        return LocalScores(families)

    def _parent_set(self) -> tuple[int, float, list[str]]:
        number, words = self._line("a score, the number of parents and the parents", None)
        score = float(words[0]) if _NUMBER.fullmatch(words[0]) else math.nan
        if not math.isfinite(score):
            self._fail(f"expected a score and found {words[0][:40]!r}", number, 0)
        size = self._whole(number, words, 1, "the number of parents") if len(words) > 1 else -1
        if size != len(words) - 2:
            self._fail(f"expected a number of parents and as many parents, found {len(words) - 1} words", number, None)
        return number, score, words[2:]

    def _by_number(self, number: int, word: str, place: int, listed: list[str]) -> str:
        if not _WHOLE.fullmatch(word) or int(word) >= len(listed):
            self._fail(f"{word[:40]!r} is not a variable of this file", number, place)
        return listed[int(word)]

    def _line(self, what: str, length: int | None) -> tuple[int, list[str]]:
        if self._at >= len(self._lines):
            raise FileFormatError(self._source, f"expected {what} and found the end of the file", self._last, 1)
        number, line = self._lines[self._at]
        self._at += 1
        words = line.split()
        if length is not None and len(words) != length:
            self._fail(f"expected {what} and found {line.strip()[:40]!r}", number, 0)
        return number, words

    def _whole(self, number: int, words: list[str], place: int, what: str) -> int:
        if not _WHOLE.fullmatch(words[place]):
            self._fail(f"expected {what} and found {words[place][:40]!r}", number, place)
        return int(words[place])

    def _fail(self, problem: str, number: int, place: int | None) -> NoReturn:
        """Refuse a line, at the word at this place if there is one."""
        line = next(text for at, text in self._lines if at == number)
        words = [*_TOKEN.finditer(line)]
        column = 1 if place is None or place >= len(words) else words[place].start() + 1
        raise FileFormatError(self._source, problem, number, column)
