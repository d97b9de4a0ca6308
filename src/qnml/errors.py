"""Every exception qnml raises on purpose, and the two helpers that word them.

::

    QnmlError
    ├── InputError (also ValueError)         a bad argument or bad content
    │   ├── DataError                        the table itself: missing cells, real values, no rows
    │   ├── FileFormatError                  a file that cannot be read: path, line, column
    │   ├── UnknownNameError                 a name we do not know, with the nearest we do
    │   └── CycleError                       arcs that do not form an acyclic graph
    ├── TooLargeError                        refused before the work, with the estimate
    ├── OutOfTimeError (also TimeoutError)   the time limit was over, and half the work tells nothing
    ├── DataFolderError (also FileNotFoundError)   the optional data folder is absent
    └── MissingExtraError (also ImportError)       an optional dependency is absent

    MixingWarning (a UserWarning)            Markov chains have not run long enough to be trusted
    OverfullWarning (a UserWarning)          a learned network has families the data cannot fill
    StandInWarning (a UserWarning)           estimates, where exact figures were asked for and not done in time

One wording everywhere: which argument of which call, what was given, what is allowed, what to do.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

__all__ = [
    "CycleError",
    "DataError",
    "DataFolderError",
    "FileFormatError",
    "InputError",
    "MissingExtraError",
    "MixingWarning",
    "OutOfTimeError",
    "OverfullWarning",
    "QnmlError",
    "StandInWarning",
    "TooLargeError",
    "UnknownNameError",
    "bad_argument",
    "shown",
    "unknown_name",
]

_MOST_SHOWN = 12
_LONGEST_SHOWN = 120


class QnmlError(Exception):
    """Base of all errors raised by qnml."""


class InputError(QnmlError, ValueError):
    """An argument or the content behind it is not usable."""


class DataError(InputError):
    """The table cannot be used as it is."""


class FileFormatError(InputError):
    """A file does not follow its format.

    Parameters
    ----------
    path : path of the file, or a short description of the text.
    problem : what is wrong.
    line, column : where, counted from 1, when known.
    """

    def __init__(self, path: str | Path, problem: str, line: int | None = None, column: int | None = None) -> None:
        where = str(path)
        if line is not None:
            where += f", line {line}"
        if column is not None:
            where += f", column {column}"
        super().__init__(f"{where}: {problem}")
        self.path = str(path)
        self.line = line
        self.column = column


class UnknownNameError(InputError):
    """A name that is not among the known ones."""


class CycleError(InputError):
    """The arcs contain a directed cycle, kept in ``cycle`` as a closed walk of names."""

    def __init__(self, call: str, cycle: Sequence[str]) -> None:
        walk = " -> ".join(cycle)
        super().__init__(f"{call}: the arcs form a cycle: {walk}. Remove or turn one of them.")
        self.cycle = tuple(cycle)


class TooLargeError(QnmlError):
    """The work asked for would not fit; nothing was started."""


class OutOfTimeError(QnmlError, TimeoutError):
    """The time limit was over before there was anything to give."""


class DataFolderError(QnmlError, FileNotFoundError):
    """A file of the optional data folder was asked for and is not there."""


class MissingExtraError(QnmlError, ImportError):
    """An optional dependency is needed and not installed."""


class MixingWarning(UserWarning):
    """Markov chains disagree, or are worth few independent draws: run longer before trusting them."""


class OverfullWarning(UserWarning):
    """A learned network has families with more cells than half the number of rows."""


class StandInWarning(UserWarning):
    """Exact figures were asked for and stopped before they were done: the figures given are estimates."""


def shown(value: object) -> str:
    """A value as an error shows it, cut in the middle: a path says most at its end, a list at its beginning.

    Examples
    --------
    >>> shown("a.csv"), shown(10**5000)
    ("'a.csv'", '<int>')
    """
    try:
        text = repr(value)
    except Exception:  # lists in lists without end, numbers of thousands of digits, objects of others
        return f"<{type(value).__name__}>"
    if len(text) <= _LONGEST_SHOWN:
        return text
    half = _LONGEST_SHOWN // 2
    return f"{text[:half]}…{text[-half:]}"


def bad_argument(call: str, argument: str, value: object, allowed: str, advice: str = "") -> InputError:
    """Word an error about one argument.

    Examples
    --------
    >>> print(bad_argument("regret", "r", 0.5, "a real number of at least 1"))
    regret(r=0.5): must be a real number of at least 1.
    """
    tail = f" {advice}" if advice else ""
    return InputError(f"{call}({argument}={shown(value)}): must be {allowed}.{tail}")


def unknown_name(
    call: str, argument: str, value: object, known: Iterable[str], most: int = _MOST_SHOWN
) -> UnknownNameError:
    """Word an error about a name we do not know, listing the known ones (at most so many) and the nearest.

    Examples
    --------
    >>> print(unknown_name("score", "score", "qmnl", ["bic", "qnml"]))
    score(score='qmnl'): unknown. Known: bic, qnml. Did you mean 'qnml'?
    """
    names = list(known)
    listed = ", ".join(names[:most])
    if len(names) > most:
        listed += f" and {len(names) - most} more"
    near = difflib.get_close_matches(str(value), names, n=1, cutoff=0.5)
    hint = f" Did you mean '{near[0]}'?" if near else ""
    return UnknownNameError(f"{call}({argument}={shown(value)}): unknown. Known: {listed}.{hint}")
