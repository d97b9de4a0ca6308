"""Text cells given as Python objects, coded immediately."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from qnml.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qnml.data.cells import Kind, Mask

__all__ = ["MOST_TEXT", "TextCells", "check_text_size", "text_cells"]

MOST_TEXT = 2**28  # bytes of labels: 4096 for each of the 65,536 possible levels


@dataclass(frozen=True, slots=True, eq=False)
class TextCells:
    """Text cells as codes, so that a million cells with few distinct texts do not take a million objects.

    Attributes
    ----------
    codes : the position of each cell in the words, -1 where missing.
    words : distinct texts, sorted by code point; some may no longer occur.
    """

    codes: npt.NDArray[np.int64]
    words: tuple[str, ...]

    @property
    def kind(self) -> Kind:
        """The kind of the cells."""
        return "text"

    @property
    def n_missing(self) -> int:
        """The number of missing cells."""
        return int(np.count_nonzero(self.codes < 0))

    def __len__(self) -> int:
        return len(self.codes)

    def is_missing(self) -> Mask:
        """Return the mask of the missing cells."""
        return self.codes < 0

    def kept(self, rows: Mask) -> TextCells:
        """Return the cells of the rows where the mask is true."""
        return TextCells(self.codes[rows], self.words)

    def spread(self, missing: Mask) -> TextCells:
        """Return the cells spread over the rows where the mask is false; the others are missing."""
        codes = np.full(len(missing), -1, dtype=np.int64)
        codes[~missing] = self.codes
        return TextCells(codes, self.words)

    def numbers(self) -> npt.NDArray[Any]:
        """Raise a `TypeError`: these cells are text."""
        raise TypeError("TextCells holds text, not numbers.")

    def coded_text(self, call: str, name: str) -> tuple[npt.NDArray[Any], tuple[str, ...]]:
        """Return the code of each text that is not missing, and the distinct texts, sorted."""
        codes = self.codes[self.codes >= 0] if self.n_missing else self.codes
        seen = np.bincount(codes, minlength=len(self.words)) > 0
        words = self.words
        if not seen.all():
            words = tuple(words[place] for place in np.flatnonzero(seen))
            codes = (np.cumsum(seen) - 1)[codes]
        check_text_size(call, name, sum(map(_bytes, words)))
        return codes, words


def text_cells(cells: Sequence[Any], *, has_subclasses: bool = False) -> TextCells:
    """Create cells from texts; None is missing.

    Parameters
    ----------
    cells : the texts.
    has_subclasses : whether some are of a subclass of str, such as NumPy's; they become plain text.

    Raises
    ------
    UnicodeEncodeError
        If a text cannot be encoded as UTF-8.
    """
    if has_subclasses:
        cells = [None if cell is None else str.__str__(cell) for cell in cells]
    found = set(cells)
    found.discard(None)
    words = tuple(sorted(found))
    for word in words:
        _bytes(word)
    places: dict[str | None, int] = {word: place for place, word in enumerate(words)}
    places[None] = -1
    return TextCells(np.fromiter(map(places.__getitem__, cells), dtype=np.int64, count=len(cells)), words)


def check_text_size(call: str, name: str, size: int) -> None:
    """Reject a column whose labels together take more bytes than `MOST_TEXT`."""
    if size > MOST_TEXT:
        raise DataError(
            f"{call}: the labels of column {name!r} have more than {MOST_TEXT:,} bytes. "
            "It looks like free text: leave it out, or group its values."
        )


def _bytes(word: str) -> int:
    return len(word) if word.isascii() else len(word.encode())
