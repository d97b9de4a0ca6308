"""The multinomial regret by definition, by a long sum, and by an integral, to any number of digits."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction

import mpmath as mp

__all__ = [
    "regret_by_definition",
    "regret_by_integral",
    "regret_by_levels",
    "regret_by_sum",
    "szpankowski",
    "szpankowski_weinberger",
]


def regret_by_definition(n: int, r: int) -> float:
    """Paper, eq. (5): log of the sum of maximised likelihoods of all r^n sequences, in exact fractions."""
    total = Fraction(0)
    for sequence in itertools.product(range(r), repeat=n):
        likelihood = Fraction(1)
        for count in Counter(sequence).values():
            likelihood *= Fraction(count, n) ** count
        total += likelihood
    return math.log(total)


def regret_by_levels(n: int, r: int, digits: int = 60) -> mp.mpf:
    """For n of at least a million: C(n, 2) from the series of Ramanujan's Q(n), then the recurrence in r."""
    with mp.workdps(digits):
        root = mp.sqrt(mp.pi / (2 * mp.mpf(n)))
        below = mp.mpf(1)
        current = 1 + n * root - mp.mpf(1) / 3 + root / 12 - mp.mpf(4) / (135 * n) + root / (288 * n)
        for s in range(1, r - 1):
            below, current = current, current + mp.mpf(n) / s * below
        return mp.log(current if r > 1 else 1)


def regret_by_sum(n: int, r: float, digits: int = 60) -> mp.mpf:
    """The sum of all n + 1 positive terms of the polynomial in r."""
    with mp.workdps(digits):
        a = mp.mpf(r) - 1
        term = mp.mpf(1)
        total = mp.mpf(1)
        for k in range(n):
            term = term * (n - k) * (a + k) / (n * (k + 1))
            total += term
        return mp.log(total)


def regret_by_integral(n: int, r: float, digits: int = 30) -> mp.mpf:
    """C(n, r) = 1/Γ(r−1) ∫ t^(r−2) e^(−t) (1 + t/n)^n dt, for r >= 2.

    Follows from the sum by writing each rising factorial (r−1)^(k rising) as an integral of t^(r−2+k) e^(−t).
    The integrand has one peak; it is integrated piece by piece out to where it is below 10^(−digits).
    """
    with mp.workdps(digits + 30):
        a, size = mp.mpf(r) - 2, mp.mpf(n)

        def log_integrand(t: mp.mpf) -> mp.mpf:
            return (a * mp.log(t) if a else mp.mpf(0)) - t + size * mp.log1p(t / size)

        # The peak solves a/t = t/(n + t); the width comes from the second derivative there.
        peak = (a + mp.sqrt(a * (a + 4 * size))) / 2
        width = 1 / mp.sqrt((a / peak**2 if a else 0) + size / (size + peak) ** 2)
        top = log_integrand(peak) if a else mp.mpf(0)
        step = width * 2
        pieces = [peak]
        while not pieces[-1] > peak + 200 * width and log_integrand(pieces[-1] + step) - top > -2.5 * digits - 40:
            pieces.append(pieces[-1] + step)
        pieces.append(pieces[-1] + step)
        low = peak
        while low > step and log_integrand(low - step) - top > -2.5 * digits - 40:
            low -= step
            pieces.insert(0, low)
        if low > 0:
            pieces.insert(0, max(low - step, mp.mpf(0)))
        area = mp.quad(lambda t: mp.exp(log_integrand(t) - top) if t else mp.mpf(0 if a else 1), pieces)
        return mp.log(area) + top - mp.loggamma(a + 1)


def szpankowski(n: int, r: float, digits: int = 60) -> mp.mpf:
    """Paper, eq. (6), as printed."""
    with mp.workdps(digits):
        x, size = mp.mpf(r), mp.mpf(n)
        ratio = mp.exp(mp.loggamma(x / 2) - mp.loggamma((x - 1) / 2))
        return (
            mp.sqrt(2) * x * ratio / (3 * mp.sqrt(size))
            + (x - 1) / 2 * mp.log(size / 2)
            - mp.loggamma(x / 2)
            + mp.log(mp.pi) / 2
            - x**2 * ratio**2 / (9 * size)
            + (2 * x**3 - 3 * x**2 - 2 * x + 3) / (36 * size)
        )


def szpankowski_weinberger(n: int, r: float, digits: int = 60) -> mp.mpf:
    """Paper, eq. (7), as printed: it cancels, so `digits` must exceed twice the digits of r."""
    with mp.workdps(digits):
        size = mp.mpf(n)
        alpha = mp.mpf(r) / size
        c = mp.mpf(1) / 2 + mp.sqrt(1 + 4 / alpha) / 2
        bracket = mp.log(alpha) + (alpha + 2) * mp.log(c) - 1 / c
        return size * bracket - mp.log(c + 2 / alpha) / 2
