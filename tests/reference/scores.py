"""Every score by its textbook formula: dictionaries for counts, exact integers for levels, 50 digits."""

from __future__ import annotations

import functools
import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence

import mpmath as mp

from reference.regret import regret_by_levels, regret_by_sum

__all__ = ["DEFAULTS", "SCORE_NAMES", "local_score", "network_score", "nml_score"]

DIGITS = 50
MANY = 1_000_000  # observations: from here on sums over all of them give way to series

Row = tuple[int, ...]
Rows = Sequence[Row]
Parents = Mapping[int, Sequence[int]]

DEFAULTS = {"bdeu": 1.0, "bds": 1.0, "bdq": 0.5, "ebic": 0.5}
SCORE_NAMES = ("loglik", "aic", "bic", "hqc", "ebic", "qnml", "fnml", "bdeu", "bdq", "bds", "bdj", "k2")


@functools.lru_cache(maxsize=10_000)
def _regret(n: int, r: int) -> mp.mpf:
    return regret_by_sum(n, r, DIGITS) if n < MANY else regret_by_levels(n, r, DIGITS)


def _rising(x: mp.mpf, n: int) -> mp.mpf:
    """The difference log Γ(x + n) − log Γ(x): log of x (x + 1) ⋯ (x + n − 1)."""
    if n < 1000:
        return mp.log(mp.fprod(x + i for i in range(n)))
    with mp.workdps(DIGITS + max(0, 2 * int(mp.log10(x)))):  # the digits that the difference cancels
        return mp.loggamma(x + n) - mp.loggamma(x)


def local_score(
    rows: Rows,
    arities: Sequence[int],
    child: int,
    parents: Sequence[int],
    score: str,
    parameter: float | None = None,
    weights: Sequence[int] | None = None,
) -> mp.mpf:
    """Score of one variable given its parents. A row that counts twice is listed twice, or has weight 2."""
    if parameter is None:
        parameter = DEFAULTS.get(score)
    with mp.workdps(DIGITS):
        return +_local_score(rows, arities, child, tuple(parents), score, parameter, weights or [1] * len(rows))


def _local_score(
    rows: Rows,
    arities: Sequence[int],
    child: int,
    parents: tuple[int, ...],
    score: str,
    parameter: float | None,
    weights: Sequence[int],
) -> mp.mpf:
    n = sum(weights)
    r = arities[child]
    q = math.prod(arities[p] for p in parents)
    # N_jk and N_j, only where they are not zero.
    n_jk: Counter[tuple[Row, int]] = Counter()
    n_j: Counter[Row] = Counter()
    for row, weight in zip(rows, weights, strict=True):
        if weight:
            n_jk[tuple(row[p] for p in parents), row[child]] += weight
            n_j[tuple(row[p] for p in parents)] += weight
    if score in ("bdeu", "bds", "bdj", "k2"):
        # Alpha_jk of every cell; the cells and configurations that never occur contribute a factor of 1.
        if score == "bdeu":
            alpha = mp.mpf(parameter) / (r * q)
        elif score == "bds":
            alpha = mp.mpf(parameter) / (r * len(n_j))
        else:
            alpha = mp.mpf(1) / 2 if score == "bdj" else mp.mpf(1)
        cells = mp.fsum(_rising(alpha, count) for count in n_jk.values())
        return cells - mp.fsum(_rising(alpha * r, count) for count in n_j.values())
    if score == "bdq":
        alpha = mp.mpf(parameter)
        joint = mp.fsum(_rising(alpha, count) for count in n_jk.values()) - _rising(alpha * r * q, n)
        marginal = mp.fsum(_rising(alpha, count) for count in n_j.values()) - _rising(alpha * q, n)
        return joint - marginal
    fit = mp.fsum(count * mp.log(mp.mpf(count) / n_j[j]) for (j, _), count in n_jk.items())
    if score == "loglik":
        return fit
    if score == "qnml":
        return fit - (_regret(n, r * q) - _regret(n, q))
    if score == "fnml":
        return fit - mp.fsum(_regret(count, r) for count in n_j.values())
    per_parameter = {
        "aic": mp.mpf(1),
        "bic": mp.log(n) / 2,
        "hqc": mp.log(mp.log(n)) if n > math.e else mp.mpf(0),
        "ebic": mp.log(n) / 2,
    }[score]
    per_arc = mp.mpf(parameter) * mp.log(len(arities)) if score == "ebic" else mp.mpf(0)
    return fit - per_parameter * q * (r - 1) - per_arc * len(parents)


def network_score(
    rows: Rows, arities: Sequence[int], parents: Parents, score: str, parameter: float | None = None
) -> mp.mpf:
    """Sum of the local scores of a network on all variables."""
    return mp.fsum(local_score(rows, arities, child, parents[child], score, parameter) for child in parents)


def _maximised_likelihood(rows: Rows, parents: Parents) -> float:
    likelihood = 1.0
    for child, family_parents in parents.items():
        joint = Counter((tuple(row[p] for p in family_parents), row[child]) for row in rows)
        marginal = Counter(tuple(row[p] for p in family_parents) for row in rows)
        for (configuration, _), count in joint.items():
            likelihood *= (count / marginal[configuration]) ** count
    return likelihood


def nml_score(rows: Rows, arities: Sequence[int], parents: Parents) -> float:
    """Paper, eq. (3): the maximised likelihood divided by its sum over all data sets with the same number of rows."""
    every_row = list(itertools.product(*(range(arity) for arity in arities)))
    total = math.fsum(_maximised_likelihood(data, parents) for data in itertools.product(every_row, repeat=len(rows)))
    return math.log(_maximised_likelihood(rows, parents)) - math.log(total)
