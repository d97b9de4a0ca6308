"""The theorems and lemmas of the paper as numbers: each statement on cases that can be computed in full.

The results have one value per row: `item` names the statement, `case` what it was computed on, and `quantity` the
number. Nothing is random but a few small data sets, which are always the same.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from qnml import learn
from qnml._api.scoring import local_score, score
from qnml.data import Table
from qnml.graph import all_dags
from qnml.paper.subjects import load_dataset
from qnml.paper.tournaments import count_by_partitions
from qnml.scores import regret

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

__all__ = ["FAMILIES", "GROWING", "SCHEMA", "learnings", "run_chunk"]

SCHEMA = {"item": pl.String, "case": pl.String, "quantity": pl.String, "value": pl.Float64}
"""Columns of the results."""

FAMILIES = ((1, 2), (1, 3), (2, 2), (4, 3), (16, 2), (27, 4))
"""Configurations q of the parents and levels r of the child, for the distance of qNML to BIC."""

GROWING = (10**2, 10**3, 10**4, 10**6, 10**9)
"""Sample sizes."""

_CRITERIA = ("qnml", "fnml", "bdeu", "bic", "bdq")
_LEVELS = (2, 3, 2, 4)

_Row = tuple[str, str, str, float]


def run_chunk(subject: str, first: int, last: int, seed: int) -> pl.DataFrame:
    """Compute all numbers; the arguments are not used, since there is nothing to repeat."""
    parts = (_equivalence, _likelihood, _penalty, _polynomial, _quotient, _subadditivity, _violations, _counts, _cost)
    return pl.DataFrame([row for part in parts for row in part()], schema=SCHEMA, orient="row")


def learnings(subject: str, repetitions: int) -> int:
    """No network is learned."""
    return 0


def _equivalence() -> Iterator[_Row]:
    """Theorem 1 and Appendix A: covered arcs, and scores of equivalent networks."""
    rng = np.random.default_rng(7)
    table = Table.from_codes([rng.integers(r, size=60) for r in _LEVELS], levels=list(_LEVELS))
    dags = list(all_dags(table.names))
    known = {dag: dag.to_cpdag() for dag in dags}
    agree = arcs = 0
    for dag in dags:
        for tail, head in dag.arcs:
            turned = frozenset(dag.arcs) - {(tail, head)} | {(head, tail)}
            other = next((one for one in dags if frozenset(one.arcs) == turned), None)
            covered = set(dag.parents(head)) == {*dag.parents(tail), tail}
            agree += covered == (other is not None and known[other] == known[dag])
            arcs += 1
    case = "all 543 networks of 4 nodes"
    yield "appendix A, lemma 1", case, "arcs", arcs
    yield "appendix A, lemma 1", case, "arcs for which covered = equivalent when turned", agree
    for name in _CRITERIA:
        by_class: dict[object, list[float]] = {}
        for dag in dags:
            by_class.setdefault(known[dag], []).append(score(table, dag, name, n_jobs=1))
        yield "theorem 1", case, name, max(max(scores) - min(scores) for scores in by_class.values())


def _likelihood() -> Iterator[_Row]:
    """Lemma 1 of the text: the quotient of maximised likelihoods is the conditional one."""
    rng = np.random.default_rng(11)
    table = Table.from_codes([rng.integers(r, size=80) for r in _LEVELS], levels=list(_LEVELS))
    codes = np.stack(table.columns)
    most = 0.0
    for child in range(4):
        others = [i for i in range(4) if i != child]
        for chosen in product((False, True), repeat=3):
            parents = [i for i, taken in zip(others, chosen, strict=True) if taken]
            joint = _log_likelihood(codes[[child, *parents]])
            alone = _log_likelihood(codes[parents]) if parents else 0.0
            fit = local_score(table, f"X{child + 1}", [f"X{p + 1}" for p in parents], "loglik", n_jobs=1)
            most = max(most, abs(joint - alone - fit))
    yield "lemma 1", "32 families, 80 rows", "largest difference", most


def _log_likelihood(codes: NDArray[Any]) -> float:
    counts = np.unique(codes, axis=1, return_counts=True)[1].astype(float)
    return float((counts * np.log(counts / counts.sum())).sum())


def _penalty() -> Iterator[_Row]:
    """Lemma 2 and Theorem 2: the penalty less that of BIC, and its limit."""
    for q, r in FAMILIES:
        case = f"q = {q}, r = {r}"
        for n in GROWING:
            gap = regret(n, q * r) - regret(n, q) - q * (r - 1) / 2 * math.log(n)
            yield "lemma 2", case, f"N = 10^{round(math.log10(n))}", float(gap)
        yield "lemma 2", case, "limit", _constant(q * r) - _constant(q)


def _constant(m: int) -> float:
    """The limit of reg(N, m) - (m - 1)/2 log N: Rissanen (1996) for the multinomial."""
    return 0.5 * math.log(math.pi) - (m - 1) / 2 * math.log(2) - math.lgamma(m / 2)


def _polynomial() -> Iterator[_Row]:
    """Appendix B, Lemma 1: C(N, k) as a polynomial in k, with whole numbers."""
    for n in (1, 2, 5, 10, 20):
        coefficients = _coefficients(n)
        values = [sum(a * k**j for j, a in enumerate(coefficients)) for k in (1, 2, 5, 30)]
        apart = max(abs(math.log(v) - regret(n, k)) for v, k in zip(values, (1, 2, 5, 30), strict=True))
        yield "appendix B, lemma 1", f"N = {n}", "smallest coefficient", float(min(coefficients[1:]))
        yield "appendix B, lemma 1", f"N = {n}", "largest difference from the regret", apart


def _coefficients(n: int) -> list[Fraction]:
    """Coefficients of k^0, …, k^n from the falling and rising factorials of the paper."""
    total = [Fraction(0)] * (n + 1)
    rising = [Fraction(0), Fraction(1)]  # k
    weight = Fraction(1, n)
    for place in range(n):
        for j, a in enumerate(rising):
            total[j] += weight * a
        step = place + 1
        shifted, padded = [Fraction(0), *rising], [*rising, Fraction(0)]
        rising = [a + step * b for a, b in zip(shifted, padded, strict=True)]
        weight *= Fraction(n - 1 - place, n * step)
    return total


def _quotient() -> Iterator[_Row]:
    """Appendix B, Lemma 3 and Theorem 3: C(N, rk) / C(N, k) grows with k, so that parents of no use cost more."""
    least = math.inf
    cases = 0
    for n, r in product((1, 2, 3, 10, 50, 1000, 100_000), (2, 3, 7, 40)):
        penalties = [regret(n, r * k) - regret(n, k) for k in (1, 2, 3, 4, 6, 10, 30, 100, 1000, 10_000)]
        least = min(least, *(b - a for a, b in pairwise(penalties)))
        cases += len(penalties) - 1
    yield "appendix B, lemma 3", f"{cases} pairs of k, N to 100000, r to 40", "smallest growth of the penalty", least


def _subadditivity() -> Iterator[_Row]:
    """Appendix B, Lemma 4 and Theorem 4: reg(N + M, r) <= reg(N, r) + reg(M, r)."""
    least = math.inf
    pairs = list(product((1, 2, 3, 7, 20, 100, 3000), repeat=2))
    for (n, m), r in product(pairs, (2, 3, 5, 20, 200)):
        least = min(least, regret(n, r) + regret(m, r) - regret(n + m, r))
    yield "appendix B, lemma 4", f"{5 * len(pairs)} cases, r to 200", "smallest surplus", least


def _violations() -> Iterator[_Row]:
    """Parents that add nothing to the fit: what they change in each score."""
    # Z determines X, and Y is a copy of Z: Suzuki's example, in which BDeu wants Y as well.
    z = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1]
    yield from _gains("Z determines X, Y = Z, ten rows", Table.from_codes([z, z, z], names=["X", "Z", "Y"]))
    # X and Y are independent and uniform; Z is constant, but has eight declared levels.
    x, z, y = [0, 0, 1, 1], [0, 0, 0, 0], [0, 1, 0, 1]
    table = Table.from_codes([x, z, y], names=["X", "Z", "Y"], levels=[2, 8, 2])
    yield from _gains("X and Y independent, Z constant with eight declared levels, four rows", table)


def _gains(case: str, table: Table) -> Iterator[_Row]:
    for name in (*_CRITERIA, "loglik"):
        gain = local_score(table, "X", ["Z", "Y"], name, n_jobs=1) - local_score(table, "X", ["Z"], name, n_jobs=1)
        yield "regularity", case, name, gain


def _counts() -> Iterator[_Row]:
    """Section 3: the number of networks of tournaments and the Bell numbers below it."""
    bell = [1]
    for n in range(9):
        bell.append(sum(math.comb(n, k) * bell[k] for k in range(n + 1)))
    for n in range(10):
        yield "theorem 3", f"n = {n}", "networks of tournaments", float(count_by_partitions(n))
        yield "theorem 3", f"n = {n}", "Bell number", float(bell[n])


def _cost() -> Iterator[_Row]:
    """Conclusion: the work of an exact search, in families scored."""
    table = load_dataset("wine")
    for name in ("qnml", "bdeu", "fnml", "bic"):
        found = learn(table, name, guard="off", prior="uniform", method="exact", n_jobs=1).certificate
        yield "conclusion, cost", "wine, 14 variables, all rows", name, float(found.families_scored)
