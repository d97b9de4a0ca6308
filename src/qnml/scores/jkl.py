"""Local scores as files: JKL, the format that exact solvers such as GOBNILP and BLIP read.

The first line has the number of variables. For every variable there is a line with its name and the number of its
parent sets, and then a line for each: score, number of parents, parents. Lines that begin with ``#`` are comments.
Parents are written as names (GOBNILP) or as numbers counted from 0 (BLIP, which names the variables in the same way).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NoReturn

from qnml.errors import FileFormatError, InputError, unknown_name

__all__ = ["JKL_STYLES", "LocalScores", "read_jkl", "write_jkl"]

JKL_STYLES = ("names", "indices")

_TOKEN = re.compile(r"\S+")
_WHOLE = re.compile(r"[0-9]{1,9}")
_NUMBER = re.compile(r"[+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?", re.ASCII)


@dataclass(frozen=True)
class LocalScores(Mapping[str, Mapping[frozenset[str], float]]):
    """Local scores of parent sets, in nats; higher is better.

    Attributes
    ----------
    families : for every variable, the score of each of its parent sets.

    Examples
    --------
    >>> scores = LocalScores({"A": {frozenset(): -3.0}, "B": {frozenset(): -4.0, frozenset("A"): -2.5}})
    >>> scores["B"][frozenset("A")]
    -2.5
    >>> scores.total({"A": [], "B": ["A"]})
    -5.5
    """

    families: Mapping[str, Mapping[frozenset[str], float]]

    @property
    def names(self) -> tuple[str, ...]:
        """The variables."""
        return tuple(self.families)

    @property
    def n_families(self) -> int:
        """Number of parent sets of all variables together."""
        return sum(map(len, self.families.values()))

    def total(self, parents: Mapping[str, Iterable[str]]) -> float:
        """The score of a network: minus infinity if a parent set is not listed."""
        scores = (self[child].get(frozenset(given), -math.inf) for child, given in parents.items())
        return math.fsum(scores)

    def __getitem__(self, name: str) -> Mapping[frozenset[str], float]:
        if name not in self.families:
            raise unknown_name("LocalScores", "name", name, self.families)
        return self.families[name]

    def __contains__(self, name: object) -> bool:
        return name in self.families

    def __iter__(self) -> Iterator[str]:
        return iter(self.families)

    def __len__(self) -> int:
        return len(self.families)

    def __repr__(self) -> str:
        return f"LocalScores({len(self)} variables, {self.n_families} parent sets)"


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

    Parents that are not names of variables are taken as their numbers, counted from 0.

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
        count = self._whole(number, tokens[0], "the number of variables")
        names: dict[str, int] = {}
        raw: list[list[tuple[int, float, list[re.Match[str]]]]] = []
        for _ in range(count):
            number, tokens = self._line("a variable and the number of its parent sets", 2)
            name = tokens[0][0]
            if name in names:
                self._fail(f"the variable {name!r} comes twice", number, tokens[0])
            names[name] = len(names)
            sets = self._whole(number, tokens[1], "the number of parent sets")
            raw.append([self._parent_set() for _ in range(min(sets, len(self._lines)))])
        if self._at < len(self._lines):
            number, line = self._lines[self._at]
            self._fail("text after the last parent set", number, _TOKEN.search(line))
        listed = list(names)
        families = {}
        for name, sets_of in zip(listed, raw, strict=True):
            found: dict[frozenset[str], float] = {}
            for number, score, parents in sets_of:
                chosen = [self._parent(number, token, names, listed) for token in parents]
                key = frozenset(chosen)
                if name in key or len(key) < len(chosen) or key in found:
                    what = "names the variable itself, or one twice, or was there before"
                    self._fail(f"the parent set of {name!r} {what}", number, parents[0] if parents else None)
                found[key] = score
            families[name] = found
        return LocalScores(families)

    def _parent_set(self) -> tuple[int, float, list[re.Match[str]]]:
        number, tokens = self._line("a score, the number of parents and the parents", None)
        if not _NUMBER.fullmatch(tokens[0][0]) or not math.isfinite(float(tokens[0][0])):
            self._fail(f"expected a score and found {tokens[0][0][:40]!r}", number, tokens[0])
        size = self._whole(number, tokens[1], "the number of parents") if len(tokens) > 1 else -1
        if size != len(tokens) - 2:
            self._fail(f"expected a number of parents and as many parents, found {len(tokens) - 1} words", number, None)
        return number, float(tokens[0][0]), tokens[2:]

    def _parent(self, number: int, token: re.Match[str], names: Mapping[str, int], listed: list[str]) -> str:
        if token[0] in names:
            return token[0]
        if not _WHOLE.fullmatch(token[0]) or int(token[0]) >= len(listed):
            self._fail(f"{token[0][:40]!r} is not a variable of this file", number, token)
        return listed[int(token[0])]

    def _line(self, what: str, length: int | None) -> tuple[int, list[re.Match[str]]]:
        if self._at >= len(self._lines):
            raise FileFormatError(self._source, f"expected {what} and found the end of the file", self._last, 1)
        number, line = self._lines[self._at]
        self._at += 1
        tokens = list(_TOKEN.finditer(line))
        if length is not None and len(tokens) != length:
            self._fail(f"expected {what} and found {line.strip()[:40]!r}", number, tokens[0])
        return number, tokens

    def _whole(self, number: int, token: re.Match[str], what: str) -> int:
        if not _WHOLE.fullmatch(token[0]):
            self._fail(f"expected {what} and found {token[0][:40]!r}", number, token)
        return int(token[0])

    def _fail(self, problem: str, line: int, token: re.Match[str] | None) -> NoReturn:
        raise FileFormatError(self._source, problem, line, token.start() + 1 if token else 1)
