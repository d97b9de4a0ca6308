"""The theorems and lemmas of the paper with the numbers that show them, and consistency."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from qnml.paper.consistency import SIZES
from qnml.paper.criteria import CRITERIA
from qnml.paper.subjects import NETWORKS
from qnml.paper.summary.measures import Estimate, curve
from qnml.paper.summary.types import Cell, Figure, Finding, Panel, PartSummary, Table
from qnml.paper.theory import FAMILIES, GROWING

if TYPE_CHECKING:
    from collections.abc import Mapping

    import polars as pl

__all__ = ["summarize_theory"]

_TINY = 1e-9
_SCORES = {"qnml": "qNML", "fnml": "fNML", "bdeu": "BDeu", "bic": "BIC", "bdq": "BDq", "loglik": "log-likelihood"}

_Values = dict[tuple[str, str, str], float]


def summarize_theory(raw: pl.DataFrame, found: pl.DataFrame | None = None) -> PartSummary:
    """Check the statements one by one.

    Parameters
    ----------
    raw
        Results of the experiment ``theory``.
    found
        Results of the experiment ``consistency``, if there are any.
    """
    values: _Values = {(item, case, quantity): value for item, case, quantity, value in raw.iter_rows()}
    findings = [_covered(values), *_equivalent(values), *_asymptotics(values), *_regularity(values), _bell(values)]
    findings.append(_cost(values))
    tables, figures = [_penalty_table(values), _regularity_table(values), _bell_table(values)], []
    if found is not None:
        rates = _rates(found)
        figures.append(_consistency_figure(rates))
        tables.append(_consistency_table(rates))
        findings.insert(6, _consistency(rates))
    return PartSummary("theory", tuple(tables), tuple(figures), tuple(findings), None)


def _of(values: _Values, item: str) -> dict[tuple[str, str], float]:
    return {(case, quantity): value for (one, case, quantity), value in values.items() if one == item}


def _covered(values: _Values) -> Finding:
    (total, _), (agree, case) = sorted(
        ((value, case) for (case, _), value in _of(values, "appendix A, lemma 1").items()), reverse=True
    )
    return Finding(
        "Appendix A, Lemmas 1 and 2: turning an arc gives an equivalent network if and only if the arc is covered.",
        total == agree,
        f"True of {agree:.0f} of {total:.0f} arcs of {case}.",
    )


def _equivalent(values: _Values) -> list[Finding]:
    ranges = {quantity: value for (_, quantity), value in _of(values, "theorem 1").items()}
    flat = ", ".join(f"{_SCORES[name]} {ranges[name]:.0e}" for name in ("qnml", "bdeu", "bic", "bdq"))
    return [
        Finding(
            "Theorem 1: qNML is score equivalent.",
            ranges["qnml"] < _TINY,
            f"Over all 185 classes of 4 nodes on 60 random rows, scores within a class differ by at most: {flat}.",
        ),
        Finding(
            "fNML is not score equivalent.",
            ranges["fnml"] > _TINY,
            f"Within a class its scores differ by up to {ranges['fnml']:.2f} nats.",
        ),
    ]


def _asymptotics(values: _Values) -> list[Finding]:
    (difference,) = _of(values, "lemma 1").values()
    gaps = _of(values, "lemma 2")
    shrinking, most = True, 0.0
    for case in dict.fromkeys(case for case, _ in gaps):
        limit = gaps[case, "limit"]
        apart = [abs(gaps[case, _size(n)] - limit) for n in GROWING]
        shrinking &= all(later < earlier for earlier, later in pairwise(apart))
        most = max(most, apart[-1])
    return [
        Finding(
            "Lemma 1: the quotient of the maximised likelihoods is the likelihood of the child given its parents.",
            difference < _TINY,
            f"Over 32 families the two sides differ by at most {difference:.0e} nats.",
        ),
        Finding(
            "Lemma 2 and Theorem 2: the penalty of qNML is that of BIC plus a bounded term.",
            shrinking,
            f"For {len(FAMILIES)} kinds of families the difference tends to its limit, log Γ(q/2) − log Γ(qr/2) − "
            f"q(r − 1)/2 log 2, from N = 100 on; at N = 10⁹ it is within {most:.2g} nats of it.",
        ),
    ]


def _size(n: int) -> str:
    return f"N = 10^{len(str(n)) - 1}"


def _regularity(values: _Values) -> list[Finding]:
    polynomial = _of(values, "appendix B, lemma 1")
    smallest = {case: v for (case, quantity), v in polynomial.items() if quantity == "smallest coefficient"}
    apart = max(v for (_, quantity), v in polynomial.items() if quantity != "smallest coefficient")
    ((growth_case, _), growth), *_ = _of(values, "appendix B, lemma 3").items()
    ((surplus_case, _), surplus), *_ = _of(values, "appendix B, lemma 4").items()
    gains = _of(values, "regularity")
    cases = list(dict.fromkeys(case for case, _ in gains))
    regular = all(gains[case, name] <= _TINY for case in cases for name in ("qnml", "fnml", "bic"))
    return [
        Finding(
            "Appendix B, Lemma 1: C(N, k) is a polynomial in k with positive coefficients.",
            min(smallest.values()) > 0.0,
            f"In fractions for {', '.join(smallest)}: the smallest coefficient is {min(smallest.values()):.1e}, and "
            f"the values are those of the regret to {apart:.0e} nats.",
        ),
        Finding(
            "Appendix B, Lemma 3: C(N, rk)/C(N, k) grows with k, so that qNML is regular (Theorem 3).",
            growth > -_TINY,
            f"Over {growth_case} the penalty never falls: its smallest growth is {max(growth, 0.0):.1e} nats (it is "
            "constant for N = 1).",
        ),
        Finding(
            "Appendix B, Lemma 4: reg(N + M, r) ≤ reg(N, r) + reg(M, r), so that fNML is regular (Theorem 4).",
            surplus > -_TINY,
            f"Over {surplus_case} the right side is larger by at least {surplus:.2f} nats.",
        ),
        Finding(
            "qNML and fNML are regular in worked examples.",
            regular,
            "; ".join(
                f"{case}: " + ", ".join(f"{_SCORES[name]} {gains[case, name]:+.2f}" for name in ("qnml", "fnml", "bic"))
                for case in cases
            )
            + " nats for a parent that adds nothing to the fit.",
        ),
        Finding(
            "BDeu violates regularity.",
            gains[cases[0], "bdeu"] > _TINY,
            f"{cases[0]}: BDeu gains {gains[cases[0], 'bdeu']:.2f} nats by the second parent.",
        ),
        Finding(
            "BDq is regular, as the paper says.",
            max(gains[case, "bdq"] for case in cases) <= _TINY,
            f"It is not: {cases[1]}: BDq(1/2) gains {gains[cases[1], 'bdq']:.3f} nats by Y, on which nothing depends. "
            "With parents that determine each other it is.",
        ),
    ]


def _bell(values: _Values) -> Finding:
    counts = _of(values, "theorem 3")
    above = all(counts[f"n = {n}", "networks of tournaments"] >= counts[f"n = {n}", "Bell number"] for n in range(10))
    return Finding(
        "The number of networks for which qNML is the NML is at least the Bell number.",
        above,
        f"At n = 9 it is {counts['n = 9', 'networks of tournaments']:,.0f} against "
        f"{counts['n = 9', 'Bell number']:,.0f}.",
    )


def _cost(values: _Values) -> Finding:
    scored = {quantity: value for (_, quantity), value in _of(values, "conclusion, cost").items()}
    return Finding(
        "The computational cost of qNML equals that of BDeu and fNML.",
        scored["qnml"] <= min(scored["bdeu"], scored["fnml"]),
        "Families scored by the exact search on Wine, with all pruning: "
        + ", ".join(f"{_SCORES[name]} {value:,.0f}" for name, value in scored.items())
        + ". Each takes one visit of its counts.",
    )


def _exact(value: float) -> Cell:
    return Cell(value, 0.0, None, None, None)


def _penalty_table(values: _Values) -> Table:
    gaps = _of(values, "lemma 2")
    rows = tuple(dict.fromkeys(case for case, _ in gaps))
    columns = (*(_size(n) for n in GROWING), "limit")
    return Table(
        part="theory",
        title="Penalty of qNML less that of BIC, in nats",
        row_names=rows,
        column_names=columns,
        cells={(row, column): _exact(gaps[row, column]) for row in rows for column in columns},
        extra_columns={},
        repetitions={},
        notes=("q: configurations of the parents; r: levels of the child.",),
        best=None,
    )


def _regularity_table(values: _Values) -> Table:
    gains = _of(values, "regularity")
    rows = tuple(dict.fromkeys(case for case, _ in gains))
    return Table(
        part="theory",
        title="Gain of a score by a parent that does not improve the fit, in nats",
        row_names=rows,
        column_names=tuple(_SCORES.values()),
        cells={(row, words): _exact(gains[row, name]) for row in rows for name, words in _SCORES.items()},
        extra_columns={},
        repetitions={},
        notes=("A regular score never gains.",),
        best=None,
    )


def _bell_table(values: _Values) -> Table:
    counts = _of(values, "theorem 3")
    columns = ("networks of tournaments", "Bell number")
    rows = tuple(f"n = {n}" for n in range(10))
    return Table(
        part="theory",
        title="Networks for which qNML is the NML (OEIS A000262), and Bell numbers",
        row_names=rows,
        column_names=columns,
        cells={(row, column): _exact(counts[row, column]) for row in rows for column in columns},
        extra_columns={},
        repetitions={},
        notes=(),
        best=None,
    )


_Rates = dict[tuple[str, str, int], Estimate]


def _rates(found: pl.DataFrame) -> _Rates:
    rates: _Rates = {}
    for (network, criterion, size), frame in found.group_by("network", "criterion", "size"):
        share, count = float(frame["is_true"].mean()), len(frame)  # type: ignore[arg-type]
        rates[str(network), str(criterion), int(str(size))] = Estimate(share, (share * (1.0 - share)) ** 0.5, count)
    return rates


def _shown(rates: _Rates) -> tuple[str, ...]:
    return tuple(name for name in NETWORKS if (name, "BIC", SIZES[0]) in rates)


def _consistency_figure(rates: _Rates) -> Figure:
    panels = tuple(
        Panel(
            name.capitalize(),
            "sample size",
            "probability of the true class",
            True,
            tuple(curve(c, SIZES, [rates[name, c, size] for size in SIZES]) for c in CRITERIA),
        )
        for name in _shown(rates)
    )
    often = {name.capitalize(): rates[name, "BIC", SIZES[0]].count for name in _shown(rates)}
    return Figure("theory", "Consistency: how often the learned class is the true one", panels, often, ())


def _consistency_table(rates: _Rates) -> Table:
    rows = tuple(f"{name.capitalize()}, N = {size}" for name in _shown(rates) for size in SIZES)
    keys = [(name, size) for name in _shown(rates) for size in SIZES]
    return Table(
        part="theory",
        title="Share of samples whose learned class is the true one",
        row_names=rows,
        column_names=tuple(CRITERIA),
        cells={
            (row, c): Cell(rates[name, c, size].mean, rates[name, c, size].error, None, None, None)
            for row, (name, size) in zip(rows, keys, strict=True)
            for c in CRITERIA
        },
        extra_columns={},
        repetitions={row: rates[name, "BIC", size].count for row, (name, size) in zip(rows, keys, strict=True)},
        notes=("Smaller samples are the first rows of larger ones.",),
        best="high",
    )


def _consistency(rates: _Rates) -> Finding:
    last = {name: rates[name, "qNML", SIZES[-1]] for name in _shown(rates)}
    sure = [name for name, one in last.items() if one.mean + 2.0 * one.error >= 0.9]
    told: Mapping[str, str] = {name.capitalize(): f"{one.mean:.2f}" for name, one in last.items()}
    return Finding(
        "qNML is consistent: the true class wins with a probability tending to one.",
        len(sure) == len(last) if len(last) == len(NETWORKS) else None,
        f"At a million rows qNML finds the true class with probability "
        f"{', '.join(f'{share} ({name})' for name, share in told.items())}. Where it is below one the weakest "
        "dependences of the network, such as asia → tub, need still larger samples.",
    )
