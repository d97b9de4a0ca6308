"""Conditional tables from text: strictly numbers, of the right count, with distributions that sum to one."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from qnml.model.checks import ROW_SUM_TOLERANCE
from qnml.model.files.reading import TINY
from qnml.model.tables import magnitude

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from qnml._types import FloatArray
    from qnml.model.files.reading import Reading
    from qnml.model.network import Network

__all__ = ["ROUNDING", "lift_negatives", "number_rows", "plain_number", "read_rows", "read_table", "rescale_rounded"]

ROUNDING = 1.0001e-3
"""How far from one the sum of a distribution may be in a file: numbers rounded to three digits are common."""

# float() alone would also accept words such as nan, underscores, and the digits of every script.
_PLAIN = re.compile(r"[0-9eE+\-.\s]*+", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?", re.ASCII)
_TOKEN = re.compile(r"\S+")
_BLANK = re.compile(r"\s")
_STEP = 1 << 12  # rows checked, or turned into Python numbers, at once; limits the memory besides the table
_PIECE = 1 << 16  # characters turned into numbers at once: a word and its number take 100 bytes


def _read_numbers(text: str, most: int, fail: Callable[[str, int], NoReturn]) -> tuple[FloatArray, int]:
    """Read numbers separated by blanks.

    Parameters
    ----------
    text
        The numbers.
    most
        How many to keep; further ones are only counted.
    fail
        Raises the error, given the problem and the position in the text.

    Returns
    -------
    values, count
        The numbers, and how many there are in the text.
    """
    # A number and a blank take two characters, which bounds the count of numbers from above.
    values = np.empty(min(most, len(text) // 2 + 1))
    count = 0
    for start, end in _pieces(text):
        words = text[start:end].split()
        read = _floats(words) if _PLAIN.fullmatch(text, start, end) else None
        if read is None:
            _refuse_words(text, start, end, fail)
            read = list(map(float, words))  # separated by blanks of other scripts
        kept = read[: max(len(values) - count, 0)]
        values[count : count + len(kept)] = kept
        count += len(words)
    return values[:count], count


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        blank = _BLANK.search(text, start + _PIECE)
        end = len(text) if blank is None else blank.end()
        yield start, end
        start = end


def _floats(words: list[str]) -> list[float] | None:
    try:
        return list(map(float, words))
    except ValueError:
        return None


def _refuse_words(text: str, start: int, end: int, fail: Callable[[str, int], NoReturn]) -> None:
    for token in _TOKEN.finditer(text, start, end):
        if not _NUMBER.fullmatch(token[0]):
            fail(f"expected a number and found {token[0][:40]!r}", token.start())


def read_table(
    text: str,
    sizes: Sequence[int],
    child: str,
    reading: Reading,
    line: Callable[[], int],
    fail: Callable[[str, int], NoReturn],
    *,
    weights: bool = False,
) -> FloatArray:
    """Read a conditional table in counting order: the variable itself changes fastest, the first parent slowest.

    Parameters
    ----------
    text
        The numbers, separated by blanks.
    sizes
        Number of levels of the parents and, last, of the variable.
    child
        The variable, for error messages.
    reading
        The record of this read, which counts memory and collects repairs.
    line
        Returns the line of the table.
    fail
        Raises the error, given the problem and the position in the text.
    weights
        Whether rows are weights, which may sum to any positive number.
    """

    if 2 * math.prod(sizes) <= len(text) + 1:
        reading.hold_table(child, sizes, line)
    return read_rows(text, math.prod(sizes[:-1]), sizes[-1], child, reading, line, fail, weights=weights).reshape(sizes)


def read_rows(
    text: str,
    n_rows: int,
    arity: int,
    child: str,
    reading: Reading,
    line: Callable[[], int],
    fail: Callable[[str, int], NoReturn],
    *,
    weights: bool = False,
) -> FloatArray:
    """Read a given number of distributions, as `read_table` does; the caller accounts for their memory."""

    def fail_at(problem: str, number: int) -> NoReturn:
        fail(problem, next(token.start() for i, token in enumerate(_TOKEN.finditer(text)) if i == number))

    wanted = n_rows * arity
    values, count = _read_numbers(text, wanted, fail)
    if count != wanted:
        fail(f"{child!r} needs {magnitude(wanted)} numbers here, {count} are given", 0)
    lift_negatives(values, reading, line)
    rows = values.reshape(-1, arity)
    for start in range(0, len(rows), _STEP):
        _check_rows(rows[start : start + _STEP], start, child, weights, fail_at)
        if weights:
            _divide_weights(rows[start : start + _STEP], start, child, reading, line, fail_at)
    return rows


def _check_rows(
    rows: FloatArray, first: int, child: str, weights: bool, fail_at: Callable[[str, int], NoReturn]
) -> None:
    highest = np.finfo(np.float64).max if weights else 1.0 + ROUNDING
    wrong = ~((rows >= 0.0) & (rows <= highest)).reshape(-1)
    if wrong.any():
        place = int(np.argmax(wrong))
        fail_at(f"{rows.reshape(-1)[place]:.9g} is not a probability", first * rows.shape[1] + place)
    if weights:
        return
    totals = rows.sum(axis=1)
    wrong = np.abs(totals - 1.0) > ROUNDING
    if wrong.any():
        row = int(np.argmax(wrong))
        fail_at(f"a distribution of {child!r} sums to {totals[row]:.9g} instead of 1", (first + row) * rows.shape[1])


def _divide_weights(
    rows: FloatArray,
    first: int,
    child: str,
    reading: Reading,
    line: Callable[[], int],
    fail_at: Callable[[str, int], NoReturn],
) -> None:
    with np.errstate(over="ignore"):
        totals = rows.sum(axis=1)
    unusable = ~((totals > 0.0) & (totals < math.inf))
    if unusable.any():
        row = int(np.argmax(unusable))
        found = f"the numbers of a distribution of {child!r} sum to {totals[row]:.9g}"
        fail_at(f"{found}, and must be weights with a sum above 0", (first + row) * rows.shape[1])
    far = np.abs(totals - 1.0) > ROUNDING
    if far.any():
        rows[far] /= totals[far, None]
        what = "{count} distribution{s} {do} not sum to one: weights, as HUGIN allows"
        reading.mend(what, "each was divided by its sum", int(far.sum()), line=line)


def lift_negatives(values: FloatArray, reading: Reading, line: Callable[[], int]) -> None:
    """Set negative probabilities of at least −`TINY` to zero, in place."""
    if not values.min(initial=0.0) < 0.0:
        return
    tiny = (values < 0.0) & (values >= -TINY)
    if tiny.any():
        what = "{count} number{s} {are} below zero by no more than " + f"{TINY:g} ({{worst}} at most)"
        reading.mend(what, "each was set to zero", int(tiny.sum()), float(-values[tiny].min()), line)
        values[tiny] = 0.0


def rescale_rounded(rows: FloatArray, reading: Reading, line: Callable[[], int]) -> bool:
    """Rescale distributions that were rounded in the file to sum to one, in place; return whether there were any."""
    found = False
    for start in range(0, len(rows), _STEP):
        piece = rows[start : start + _STEP]
        totals = piece.sum(axis=1)
        off = np.abs(totals - 1.0)
        rounded = (off > ROW_SUM_TOLERANCE) & (off <= ROUNDING)
        if rounded.any():
            found = True
            piece[rounded] /= totals[rounded, None]
            what = "{count} distribution{s} {do} not sum to one (by up to {worst}), as if rounded"
            reading.mend(what, "each was rescaled", int(rounded.sum()), float(off[rounded].max()), line)
    return found


def number_rows(net: Network, name: str) -> Iterator[list[str]]:
    """The rows of a table as text that reads back to the last bit, the last parent changing fastest."""
    rows = net.table(name).reshape(-1, len(net.levels[name]))
    for start in range(0, len(rows), _STEP):
        for row in rows[start : start + _STEP].tolist():
            yield list(map(repr, row))


def plain_number(value: float) -> str:
    """Write a number without an exponent, for programs that do not support them; it reads back to the last bit."""
    text = repr(value)
    return np.format_float_positional(value, trim="0") if "e" in text else text
