"""What the caller asks for single columns: the argument ``columns`` of `read_table`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml._checks import check_choice, checked_whole_number
from qnml.data.preparation.rules import FEW_LEVELS, Decision
from qnml.errors import InputError, bad_argument, did_you_mean, plain, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["METHODS", "checked_discretize", "checked_wishes", "find_unknown"]

METHODS = ("nml", "paper", "width", "frequency")
"""Ways to bin, as in `Discretizer`."""

_WITH_BINS = ("nml", "width", "frequency")
_ASKED = "As asked."
_DEFAULT_BINS = 3
_MOST_BINS = 65_536
_ALLOWED = (
    "'category', 'bins', 'drop', a method ('nml', 'paper', 'width', 'frequency', with a number of bins as in "
    "'width:5') or a list of increasing cut points"
)


def checked_wishes(call: str, columns: object, discretize: str | None, bins: int) -> dict[str, Decision]:
    """Check the argument ``columns``; one error names all entries that are wrong.

    Parameters
    ----------
    call : the calling function, for errors.
    columns : what to do, by column name; None for nothing.
    discretize, bins : how ``"bins"`` is done.
    """
    if columns is None:
        return {}
    if not isinstance(columns, Mapping) or not all(isinstance(name, str) for name in columns):
        raise bad_argument(call, "columns", columns, "a mapping of column names to what is done to them")
    wishes: dict[str, Decision] = {}
    wrong = []
    for name, asked in columns.items():
        wish = _wish(asked, discretize, bins)
        if wish is None:
            wrong.append(f"{plain(name)}: {shown(asked)}")
        else:
            wishes[name] = wish
    if wrong:
        raise InputError(f"{call}(columns=…): {'; '.join(wrong)}: must be {_ALLOWED}.")
    return wishes


def checked_discretize(call: str, discretize: object, bins: object) -> tuple[str | None, int]:
    """Check the arguments ``discretize`` and ``bins`` of `read_table`."""
    if discretize is not None:
        check_choice(call, "discretize", discretize, METHODS)
    number = checked_whole_number(call, "bins", bins, 2, _MOST_BINS)
    return discretize, number  # type: ignore[return-value]


def find_unknown(call: str, wishes: Mapping[str, Decision], names: Sequence[str]) -> None:
    """Reject wishes for columns that are not there; one error names them all."""
    there = set(names)
    lost = [name for name in wishes if name not in there]
    if lost:
        hints = "".join(did_you_mean(name, names) for name in lost[:1])
        raise InputError(f"{call}(columns=…): there is no column {', '.join(map(shown, lost))}.{hints}")


def _wish(asked: Any, discretize: str | None, bins: int) -> Decision | None:
    if isinstance(asked, str):
        return _word(asked, discretize, bins)
    if not isinstance(asked, Iterable) or isinstance(asked, bytes | Mapping):
        return None
    try:
        cuts = np.array(list(asked), dtype=np.float64)
    except Exception:  # not numbers, or any error of a foreign iterator
        return None
    if cuts.ndim != 1 or not len(cuts) or not np.isfinite(cuts).all() or (np.diff(cuts) <= 0).any():
        return None
    return Decision("bin", _ASKED, "cuts", cuts=tuple(cuts.tolist()), is_fixed=True)


def _word(asked: str, discretize: str | None, bins: int) -> Decision | None:
    if asked == "category":
        return Decision("keep", _ASKED)
    if asked == "drop":
        return Decision("drop", _ASKED)
    if asked == "bins":
        method = discretize or "nml"
        return Decision("bin", _ASKED, method, FEW_LEVELS if method == "nml" else bins)
    method, colon, number = asked.partition(":")
    if method not in METHODS or (colon and (method not in _WITH_BINS or not _is_number_of_bins(number))):
        return None
    default = None if method == "nml" else _DEFAULT_BINS
    return Decision("bin", _ASKED, method, int(number) if colon else default, is_fixed=True)


def _is_number_of_bins(text: str) -> bool:
    return text.isascii() and text.isdigit() and 2 <= int(text) <= _MOST_BINS
