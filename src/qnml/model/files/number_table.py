"""Conditional tables from text: strict numbers, the right count, distributions that sum to one."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from qnml.errors import TooLargeError
from qnml.model.files.assemble import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from qnml._types import FloatArray
    from qnml.model.network import Network

__all__ = ["MOST_CELLS", "check_size", "number_rows", "plain_number", "read_numbers", "read_table"]

# A dense table of 1 GiB. Only what a file leaves out (default rows, missing data) can ask for more than it holds.
MOST_CELLS = 2**27

# float() alone would also take words such as nan, underscores, and the digits of every script.
_PLAIN = re.compile(r"[0-9eE+\-.\s]*+", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?", re.ASCII)
_TOKEN = re.compile(r"\S+")


def read_numbers(text: str, fail: Callable[[str, int], NoReturn]) -> FloatArray:
    """Read numbers with blanks between them.

    Parameters
    ----------
    text
        The numbers.
    fail
        Raises the error: what is wrong, and at which character of the text.
    """
    if _PLAIN.fullmatch(text):
        try:
            return np.array(list(map(float, text.split())), dtype=np.float64)
        except ValueError:
            pass
    for token in _TOKEN.finditer(text):
        if not _NUMBER.fullmatch(token[0]):
            fail(f"expected a number and found {token[0][:40]!r}", token.start())
    return np.array(list(map(float, text.split())), dtype=np.float64)


def read_table(text: str, sizes: Sequence[int], child: str, fail: Callable[[str, int], NoReturn]) -> FloatArray:
    """Read a conditional table in counting order: the variable itself changes fastest, the first parent slowest.

    Parameters
    ----------
    text
        The numbers, with blanks between them.
    sizes
        Levels of the parents and, last, of the variable.
    child
        The variable, for error messages.
    fail
        Raises the error: what is wrong, and at which character of the text.
    """

    def fail_at(problem: str, number: int) -> NoReturn:
        fail(problem, next(token.start() for i, token in enumerate(_TOKEN.finditer(text)) if i == number))

    values = read_numbers(text, fail)
    if len(values) != math.prod(sizes):
        fail(f"{child!r} needs {math.prod(sizes)} numbers here, {len(values)} are given", 0)
    wrong = ~((values >= 0.0) & (values <= 1.0 + ROUNDING))
    if wrong.any():
        first = int(np.argmax(wrong))
        fail_at(f"{values[first]:.9g} is not a probability", first)
    rows = values.reshape(-1, sizes[-1])
    totals = rows.sum(axis=1)
    off = np.abs(totals - 1.0) > ROUNDING
    if off.any():
        row = int(np.argmax(off))
        fail_at(f"a distribution of {child!r} sums to {totals[row]:.9g} instead of 1", row * sizes[-1])
    return rows.reshape(tuple(sizes))


def check_size(source: str, line: int | None, child: str, sizes: Sequence[int]) -> None:
    """Refuse a table that would be too large, before it is made."""
    if math.prod(sizes) > MOST_CELLS:
        where = source if line is None else f"{source}, line {line}"
        raise TooLargeError(
            f"{where}: the table of {child!r} would have {math.prod(sizes)} entries; "
            f"{MOST_CELLS} are the most a dense table may have."
        )


def number_rows(net: Network, name: str) -> Iterator[list[str]]:
    """The rows of a table as text that reads back to the last bit, the last parent changing fastest."""
    for row in net.table(name).reshape(-1, len(net.levels[name])).tolist():
        yield list(map(repr, row))


def plain_number(value: float) -> str:
    """Write a number without an exponent, for programs that know none; it reads back to the last bit."""
    text = repr(value)
    return np.format_float_positional(value, trim="0") if "e" in text else text
