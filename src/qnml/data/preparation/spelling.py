"""Numbers written with more than digits: with a unit, a percent or currency sign, or beside words for nothing.

``12.3 kg``, ``45 %``, ``$1,234.50`` and columns of numbers in which ``-`` stands for a missing cell are text.
The rules take such a column for numbers if every cell is one, in the same unit, but for words that can only stand for a
missing cell. What was found is a `Spelling`; new rows are read by it.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from qnml.data.cells import ArrayCells
from qnml.data.preparation.labelled import numbered_labels, relabelled
from qnml.data.source import SourceColumn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.data.labels import Label

__all__ = ["Spelling", "find_spelling", "respelled", "spelled_numbers"]

FEW_VALUES = 10
"""Up to so many different texts are categories, whatever they look like."""

_NOTHING = {
    "-",
    "--",
    "---",
    "–",
    "—",
    ".",
    "..",
    "...",
    "…",
    "*",
    "?",
    "n/a",
    "na",
    "n.a.",
    "nan",
    "null",
    "<na>",
    "#n/a",
}
_NOTHING |= {"none", "unknown", "missing", "not available", "not known"}
_UNIT = re.compile(r"(.*[0-9.,])\s*([^\d\s.,;:()<>=+\-'\"]{1,12})", re.DOTALL)
_BLANKS = "\\s"
_MINUS = "\u2212"
_GROUPS = {".": f"[,'’{_BLANKS}]", ",": f"[.'’{_BLANKS}]"}
_BODY = {
    sign: re.compile(
        rf"[+-]?(([1-9][0-9]{{0,2}}({group}[0-9]{{3}})+|0|[1-9][0-9]*)({mark}[0-9]*)?|{mark}[0-9]+)([eE][+-]?[0-9]+)?"
    )
    for sign, group, mark in ((".", _GROUPS["."], r"\."), (",", _GROUPS[","], ","))
}
_THREE_AFTER_COMMA = re.compile(r"[+-]?[0-9]{1,3}(,[0-9]{3})?")
_SAMPLE = 16


@dataclass(frozen=True)
class Spelling:
    """How the numbers of a column of text are written.

    Attributes
    ----------
    unit : what stands before or after every number; empty if nothing does.
    decimal : the decimal sign; the other one may separate thousands.
    missing_words : texts that stand for missing cells.
    """

    unit: str = ""
    decimal: str = "."
    missing_words: tuple[str, ...] = ()

    def number(self, text: str) -> float | None:
        """The number that a text stands for, with the unit or without it; None if it is no number.

        >>> Spelling("kg").number("1,012.5 kg"), Spelling("kg").number("7"), Spelling("kg").number("7 lb")
        (1012.5, 7.0, None)
        """
        body = _without(text.strip(), self.unit)
        if not _BODY[self.decimal].fullmatch(body):
            return None
        return float(re.sub(_GROUPS[self.decimal], "", body).replace(",", "."))

    def sentence(self) -> str:
        """What was read as what."""
        unit = f"Read as numbers in {self.unit}." if self.unit else "Read as numbers."
        words = " and ".join(map(repr, self.missing_words))
        return (
            f"{unit} {words} {'stands' if len(self.missing_words) == 1 else 'stand'} for missing cells."
            if words
            else unit
        )


def find_spelling(texts: Sequence[str]) -> Spelling | None:
    """How different texts are numbers; None if they are not, or too few, or whole numbers without any addition.

    Parameters
    ----------
    texts : the distinct texts of a column.
    """
    # A few texts tell most columns, which saves matching all of them.
    sample = [text for text in texts[:: max(1, len(texts) // _SAMPLE)] if any(map(str.isdecimal, text))]
    if len(texts) <= FEW_VALUES or len(sample) < _SAMPLE // 2:
        return None
    words = tuple(text for text in texts if text.strip().lower() in _NOTHING)
    numbers = [text.strip() for text in texts if text not in words]
    unit = _unit_of(numbers[0]) if len(numbers) > FEW_VALUES else None
    if unit is None or not all(_has(text, unit) for text in numbers):
        return None
    bodies = [_without(text, unit) for text in numbers]
    decimal = _decimal_of(bodies)
    if decimal is None or (not unit and not words and all(map(str.isdecimal, bodies))):
        return None
    return Spelling(unit, decimal, words)


def spelled_numbers(call: str, column: SourceColumn) -> tuple[SourceColumn, Spelling | None]:
    """A column of text as numbers if it has a spelling; any other column unchanged.

    Parameters
    ----------
    call : the calling function, for errors.
    column : the raw column.
    """
    if column.declared is not None or column.values.kind != "text":
        return column, None
    codes, words = numbered_labels(call, column)
    texts = [str(word) for word in words]
    spelling = find_spelling(texts)
    if spelling is None:
        return column, None
    values = [np.nan if (value := spelling.number(text)) is None else value for text in texts]
    cells = np.array([*values, np.nan])[codes]
    missing = np.isnan(cells)
    return SourceColumn(column.name, ArrayCells(cells[~missing], missing if missing.any() else None, "real")), spelling


def respelled(call: str, column: SourceColumn, spelling: Spelling | None, kept: Sequence[Label]) -> SourceColumn:
    """New cells of a column that had a spelling: texts become plain numbers, and words for missing cells missing.

    Parameters
    ----------
    call : the calling function, for errors.
    column : new cells; numbers are not changed, nor are texts that are neither.
    spelling : how numbers were written; None changes nothing.
    kept : labels that stay as they are.
    """
    if spelling is None or (column.declared is None and column.values.kind != "text"):
        return column
    codes, labels = numbered_labels(call, column)
    known = {*kept}
    nothing = np.array([label in spelling.missing_words and label not in known for label in labels] + [False])
    plain: list[Label] = []
    for label in labels:
        value = spelling.number(label) if isinstance(label, str) and label not in known else None
        plain.append(label if value is None else repr(value))
    return relabelled(call, column.name, np.where(nothing[codes], -1, codes), plain, ())


def _unit_of(text: str) -> str | None:
    """The sign of a currency before a number, or what stands after it; None if there is no number."""
    bare = text.lstrip("+-" + _MINUS)
    if bare and unicodedata.category(bare[0]) == "Sc":
        return bare[0]
    if any(pattern.fullmatch(text.replace(_MINUS, "-", 1)) for pattern in _BODY.values()):
        return ""
    found = _UNIT.fullmatch(text)
    return None if found is None else found[2]


def _has(text: str, unit: str) -> bool:
    return text.lstrip("+-" + _MINUS).startswith(unit) or text.endswith(unit)


def _without(text: str, unit: str) -> str:
    """A text without its unit, and with a plain minus."""
    text = text.replace(_MINUS, "-", 1) if text.startswith(_MINUS) else text
    if unit and text.endswith(unit):
        return text[: -len(unit)].rstrip()
    sign, bare = (text[0], text[1:]) if text[:1] in ("+", "-") else ("", text)
    return sign + bare[len(unit) :].lstrip() if unit and bare.startswith(unit) else text


def _decimal_of(bodies: Sequence[str]) -> str | None:
    """The decimal sign under which all of them are numbers; None if there is none, or if that is not sure."""
    if all(map(_BODY["."].fullmatch, bodies)):
        is_doubtful = any("," in body for body in bodies) and all(map(_THREE_AFTER_COMMA.fullmatch, bodies))
        return None if is_doubtful else "."
    return "," if all(map(_BODY[","].fullmatch, bodies)) else None
