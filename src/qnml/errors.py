"""The exceptions of qnml, and the helpers that word their messages.

::

    QnmlError
    ├── InputError (also ValueError)         an invalid argument or invalid content
    │   ├── DataError                        invalid data: missing values, no rows
    │   │   └── RealValuesError              a column of real values, which must be discretized first
    │   ├── FileFormatError                  a file that cannot be read: path, line, column
    │   ├── UnknownNameError                 an unknown name, with the nearest known one
    │   ├── CycleError                       arcs that do not form an acyclic graph
    │   └── UnidentifiedEffectError          an effect that differs between the members of a class
    ├── TooLargeError                        too large: raised before any work, with the estimate
    ├── OutOfTimeError (also TimeoutError)   the time limit was reached before any result
    ├── DataFolderError (also FileNotFoundError)   the optional data folder is missing
    └── MissingExtraError (also ImportError)       an optional dependency is missing

    DroppedRowsWarning (a UserWarning)       many rows were dropped for their missing cells
    EmWarning (a UserWarning)                the EM algorithm was stopped before it converged
    MendedFileWarning (a UserWarning)        a file violates its format, but unambiguously
    MixingWarning (a UserWarning)            Markov chains may not have converged
    OverfullWarning (a UserWarning)          a learned network has over-full families
    StandInWarning (a UserWarning)           estimates instead of exact results that were not ready
    UnidentifiedEffectWarning (a UserWarning)   an answer depends on directions that neither data nor knowledge tell

Messages have one form: which argument of which call, what was given, what is allowed, what to do.
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
    "DroppedRowsWarning",
    "EmWarning",
    "FileFormatError",
    "InputError",
    "MendedFileWarning",
    "MissingExtraError",
    "MixingWarning",
    "OutOfTimeError",
    "OverfullWarning",
    "QnmlError",
    "ReadingWarning",
    "RealValuesError",
    "StandInWarning",
    "TooLargeError",
    "UnidentifiedEffectError",
    "UnidentifiedEffectWarning",
    "UnknownNameError",
    "bad_argument",
    "did_you_mean",
    "plain",
    "shown",
    "unknown_argument",
    "unknown_name",
]

_MOST_SHOWN = 12
_LONGEST_SHOWN = 120


class QnmlError(Exception):
    """Base of all errors raised by qnml."""


class InputError(QnmlError, ValueError):
    """An argument, or the content it refers to, is invalid."""


class DataError(InputError):
    """The data cannot be used as they are."""


class RealValuesError(DataError):
    """A column holds real values, not categories: discretize it first."""


class FileFormatError(InputError):
    """A file does not follow its format.

    Parameters
    ----------
    path : path of the file, or a short description of the text.
    problem : what is wrong.
    line, column : where, counted from 1, when known.
    """

    def __init__(self, path: str | Path, problem: str, line: int | None = None, column: int | None = None) -> None:
        where = plain(str(path))
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
        walk = " -> ".join(map(plain, cycle))
        super().__init__(f"{call}: the arcs form a cycle: {walk}. Remove or turn one of them.")
        self.cycle = tuple(cycle)


class UnidentifiedEffectError(InputError):
    """The effect of an intervention differs between the members of an equivalence class."""


class TooLargeError(QnmlError):
    """The requested work would not fit; nothing was started."""


class OutOfTimeError(QnmlError, TimeoutError):
    """The time limit was reached before there was any result."""


class DataFolderError(QnmlError, FileNotFoundError):
    """A requested file of the optional data folder does not exist."""


class MissingExtraError(QnmlError, ImportError):
    """A required optional dependency is not installed."""


class DroppedRowsWarning(UserWarning):
    """More than a fifth of the rows were dropped for their missing cells."""


class EmWarning(UserWarning):
    """The EM algorithm was stopped before it converged."""


class MendedFileWarning(UserWarning):
    """A file violates its format, but its meaning is clear; the warning says what was repaired."""


class MixingWarning(UserWarning):
    """Markov chains disagree, or their effective sample size is small: run them longer before trusting them."""


class OverfullWarning(UserWarning):
    """A learned network has families with more cells than half the number of rows."""


class ReadingWarning(UserWarning):
    """A data file did not say how it is to be read; the warning says what was guessed, and options avoid the guess."""


class UnidentifiedEffectWarning(UserWarning):
    """An answer under an intervention depends on directions of arcs that neither data nor knowledge tell."""


class StandInWarning(UserWarning):
    """Exact results were requested but stopped before they were finished; estimates are returned instead."""


def shown(value: object) -> str:
    """A value as shown in errors: on one short line, whatever its `repr` does.

    Examples
    --------
    >>> shown("two\\nlines"), shown(10**5000)
    ("'two\\\\nlines'", '<int>')
    """
    try:
        text = " ".join(repr(value).split())
    except Exception:  # numbers of thousands of digits, or foreign objects: show the name of the class
        text = f"<{type(value).__name__}>"
    if len(text) <= _LONGEST_SHOWN:
        return text
    # Cut in the middle: the end of a path matters most, and the beginning of a list of names.
    half = _LONGEST_SHOWN // 2
    return f"{text[:half]}…{text[-half:]}"


def plain(name: object) -> str:
    """A name unchanged; quoted if it is empty or would break the line, and shortened if it is long.

    Examples
    --------
    >>> plain("smoke"), plain("two\\nlines"), plain("")
    ('smoke', "'two\\\\nlines'", "''")
    """
    text = name if isinstance(name, str) else ""
    return text if text.isprintable() and 0 < len(text) <= _LONGEST_SHOWN else shown(name)


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
    """Word an error about an unknown name, listing known names (up to a limit) and the nearest.

    Examples
    --------
    >>> print(unknown_name("score", "score", "qmnl", ["bic", "qnml"]))
    score(score='qmnl'): unknown. Known: bic, qnml. Did you mean 'qnml'?
    """
    names = list(known)
    listed = ", ".join(map(plain, names[:most]))
    if len(names) > most:
        listed += f" and {len(names) - most} more"
    return UnknownNameError(f"{call}({argument}={shown(value)}): unknown. Known: {listed}.{did_you_mean(value, names)}")


def unknown_argument(call: str, name: str, known: Iterable[str], elsewhere: str = "") -> UnknownNameError:
    """Word an error about a keyword argument that a call does not have.

    Parameters
    ----------
    call : the function or method.
    name : the argument given.
    known : the arguments it has.
    elsewhere : where such an argument belongs, in a sentence; without it the nearest known one is suggested.

    Examples
    --------
    >>> print(unknown_argument("learn", "max_parent", ["data", "max_parents"]))
    learn(max_parent=…): there is no such argument. Did you mean 'max_parents'?
    """
    advice = f" {elsewhere}" if elsewhere else did_you_mean(name, list(known))
    return UnknownNameError(f"{call}({name}=…): there is no such argument.{advice}")


def did_you_mean(value: object, names: Sequence[str]) -> str:
    """Suggest the nearest of some names in a sentence with a space before it; empty if none is near.

    Case is ignored.

    Examples
    --------
    >>> did_you_mean("Bci", ["bic", "qnml"])
    " Did you mean 'bic'?"
    """
    if not isinstance(value, str) or len(value) > _LONGEST_SHOWN:
        return ""
    by_small_letters = {name.casefold(): name for name in reversed(names)}
    near = difflib.get_close_matches(value, names, n=1, cutoff=0.5)
    if value.casefold() in by_small_letters:
        near = [by_small_letters[value.casefold()]]
    elif not near:
        near = [by_small_letters[one] for one in difflib.get_close_matches(value.casefold(), by_small_letters, 1, 0.5)]
    return f" Did you mean {shown(near[0])}?" if near else ""
