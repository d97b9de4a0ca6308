"""The multinomial regret reg(N, r): the price of not knowing the parameters of a categorical variable.

C(N, r) is the sum over all sequences of length N on r letters of their maximised likelihood (paper, eq. 5), and
reg(N, r) = log C(N, r). It is computed exactly from

    C(N, r) = Σ_{k=0..N} N^(k falling) · (r−1)^(k rising) / (N^k k!),

whose terms are all positive and negligible except for a window of O(√N) of them around the largest.
The two approximations the paper compares (eqs. 6 and 7) are here for comparison and are used nowhere else.

Examples
--------
>>> import qnml
>>> round(qnml.regret(50, 10), 2)
13.24
>>> qnml.regret([0, 1, 1], [5, 1, 5]).round(4)
array([0.    , 0.    , 1.6094])

References
----------
Kontkanen and Myllymäki (2007), A linear-time algorithm for computing the multinomial stochastic complexity.
Szpankowski and Weinberger (2012), Minimax pointwise redundancy for memoryless models over large alphabets.
"""

from __future__ import annotations

from numbers import Real
from typing import TYPE_CHECKING, overload

import numpy as np

from qnml import _core
from qnml._checks import check_choice, checked_whole_number
from qnml._memory import available_memory, format_bytes
from qnml.errors import TooLargeError, bad_argument

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from qnml._types import FloatArray

__all__ = ["REGRET_METHODS", "regret", "regret_table"]

REGRET_METHODS = {
    "exact": _core.regret_exact,
    "szpankowski": _core.regret_szpankowski,
    "szpankowski-weinberger": _core.regret_szpankowski_weinberger,
}

_MOST_ROWS = 10**12
_MOST_TABLE_ROWS = 10**9
_MOST_TABLE_STEPS = 10**10  # about half a minute


@overload
def regret(n: int, r: float, method: str = "exact") -> float: ...
@overload
def regret(n: ArrayLike, r: ArrayLike, method: str = "exact") -> float | FloatArray: ...
def regret(n: ArrayLike, r: ArrayLike, method: str = "exact") -> float | FloatArray:
    """Regret of a categorical variable with `r` values in `n` observations, in nats.

    Parameters
    ----------
    n : number of observations, a whole number from 0 to 10^12, or an array of them.
    r : number of values, a real number of at least 1 (up to the largest double), or an array; broadcast with `n`.
    method : ``"exact"`` (about 1e-12 relative error), ``"szpankowski"`` (eq. 6 of the paper, for fixed `r`
        and growing `n`) or ``"szpankowski-weinberger"`` (eq. 7, for all ranges of r/n, in a form that does
        not cancel; 0.15 to 0.18 off at r = 1).

    Returns
    -------
    A float for scalar arguments, otherwise an array.
    """
    check_choice("regret", "method", method, REGRET_METHODS)
    rows = _whole_rows(n)
    allowed = "a real number from 1 to 1.7e308, or an array of them"
    levels = _real_numbers("r", r, allowed)
    if not bool(np.all((levels >= 1) & np.isfinite(levels))):
        raise bad_argument("regret", "r", r, allowed)
    try:
        rows, levels = np.broadcast_arrays(rows, levels)
    except ValueError:
        raise bad_argument("regret", "r", r, f"of a shape that broadcasts with n, {rows.shape}") from None
    flat = REGRET_METHODS[method](np.ascontiguousarray(rows).ravel(), np.ascontiguousarray(levels).ravel())
    return float(flat[0]) if rows.ndim == 0 else flat.reshape(rows.shape)


def regret_table(n: int, r: int) -> FloatArray:
    """Exact reg(m, r) for every m = 0, …, n and one integer r, as an array of n + 1 numbers.

    Much faster than :func:`regret` for many m: the recurrence C(m, r+2) = C(m, r+1) + (m/r) C(m, r)
    is started from the closed forms at r = 1 and 2.

    Raises
    ------
    TooLargeError
        Before any work: the table does not fit in memory, or takes more than 10^10 steps, n for each value.
    """
    n = checked_whole_number("regret_table", "n", n, 0, _MOST_TABLE_ROWS)
    r = checked_whole_number("regret_table", "r", r, 1, 2**32)
    if n * r > _MOST_TABLE_STEPS:
        raise TooLargeError(
            f"regret_table(n={n}, r={r}): takes {n * r:.2g} steps, more than the {_MOST_TABLE_STEPS:.0g} allowed. "
            "Lower n or r, or use regret for the numbers you need."
        )
    if 8.0 * (n + 1) > (there := available_memory()):
        raise TooLargeError(
            f"regret_table(n={n}): takes {format_bytes(8.0 * (n + 1))} of memory, and {format_bytes(there)} are free. "
            "Lower n, or use regret for the numbers you need."
        )
    return _core.regret_table(n, r)


def _is_real(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _real_numbers(argument: str, value: ArrayLike, allowed: str) -> FloatArray:
    # Text and truth values are refused, not read as numbers. Python integers beyond 64 bits are objects.
    try:
        given = np.asarray(value)
        kind = given.dtype.kind
        if kind in "iuf" or (kind == "O" and all(_is_real(item) for item in given.flat)):
            return given.astype(np.float64)
    except Exception:  # no numbers, or whatever an `__array__` of somebody else raises
        pass
    raise bad_argument("regret", argument, value, allowed)


def _whole_rows(n: ArrayLike) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    allowed = "a whole number from 0 to 10^12, or an array of them"
    real = _real_numbers("n", n, allowed)
    if not bool(np.all((real >= 0) & (real <= _MOST_ROWS) & (real == np.floor(real)))):
        raise bad_argument("regret", "n", n, allowed)
    return real.astype(np.int64)
