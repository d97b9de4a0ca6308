"""Approximate marginals by likelihood weighting, for networks in which exact answers do not fit.

Rows are drawn with the observed variables held fixed, and each counts by the probability of what was observed given its
parents (R. Fung, K.-C. Chang, "Weighing and integrating evidence for stochastic simulation in Bayesian networks", UAI
1989). Every estimate comes with its standard error. Drawing and weighing are done in bulk by the core.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from qnml._checks import checked_whole_number
from qnml._frames import made_frame
from qnml.errors import InputError, unknown_name
from qnml.model.inference.given import checked_given
from qnml.model.inference.identification import require_identified
from qnml.model.inference.marginal_answers import Marginals
from qnml.model.inference.question import checked_targets
from qnml.model.inference.surgery import intervened
from qnml.model.sampling import draw_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from qnml._frames import FrameKind
    from qnml._types import FloatArray, Label
    from qnml.data import Table
    from qnml.model.inference.given import EvidenceOf, Given, LikelihoodOf
    from qnml.model.inference.identification import OnUnidentified
    from qnml.model.inference.question import Settings
    from qnml.model.network import Network

__all__ = ["SampledMarginals", "sampled_marginals"]

_CALL = "Network.sampled_marginals"
_MOST_SAMPLES = 10**8


class SampledMarginals(Marginals):
    """Estimates of marginals, each with its standard error; `Network.sampled_marginals` makes it.

    Attributes
    ----------
    samples : number of rows drawn.
    effective_samples : how many rows without weights would tell as much about the evidence, (Σ w)² / Σ w².
    """

    __slots__ = ("_errors", "effective_samples", "samples")

    samples: int
    effective_samples: float
    _errors: FloatArray

    def errors_of(self, name: str) -> FloatArray:
        """The standard errors of the probabilities of one variable, in the order of its levels."""
        if not isinstance(name, str) or name not in self._places:
            raise unknown_name("SampledMarginals.errors_of", "name", name, self._places)
        return self._errors[self._places[name]]

    def to_frame(self, kind: FrameKind | None = None) -> Any:
        """As `Marginals.to_frame`, with a column of standard errors."""
        columns = {**self._columns(), "standard_error": self._errors}
        return made_frame("SampledMarginals.to_frame", columns, kind, self._frame_kind)

    def __reduce__(self) -> tuple[Any, ...]:
        parts = (self._levels, self._values, self._log_evidence, self._errors, self.samples, self.effective_samples)
        return _made, parts

    def __repr__(self) -> str:
        about = f"# estimated from {self.samples:,} rows, worth {self.effective_samples:,.0f}"
        return f"{super().__repr__()}  {about}; largest standard error {np.max(self._errors):.2g}"


def sampled_marginals(
    net: Network,
    evidence: EvidenceOf,
    do: Settings,
    targets: str | Iterable[str] | None,
    likelihood: LikelihoodOf,
    samples: int,
    seed: int | None,
    on_unidentified: OnUnidentified,
    n_jobs: int | None,
) -> SampledMarginals:
    """Estimate marginals; see :meth:`Network.sampled_marginals`."""
    given = checked_given(_CALL, net, evidence, likelihood, do)
    asked = tuple(range(len(net.names))) if targets is None else checked_targets(_CALL, net, targets)
    count = checked_whole_number(_CALL, "samples", samples, 100, _MOST_SAMPLES)
    names = [net.names[node] for node in asked]
    require_identified(_CALL, net, names, (evidence, likelihood, do), on_unidentified)
    rows, logs = _drawn(net, given, count, seed, n_jobs)
    largest = float(logs.max())
    if largest == -np.inf:
        raise InputError(
            f"{_CALL}: none of {count} drawn rows agrees with the evidence. It is impossible, or too rare for this "
            "method; draw more samples."
        )
    weights = np.exp(logs - largest)
    total = float(weights.sum())
    estimates = [_estimated(rows, name, len(net.levels[name]), weights / total) for name in names]
    return _made(
        {name: net.levels[name] for name in names},
        np.concatenate([values for values, _ in estimates]),
        largest + float(np.log(total / count)) + given.log_weight,
        np.concatenate([errors for _, errors in estimates]),
        count,
        total**2 / float(np.square(weights).sum()),
    )


def _drawn(net: Network, given: Given, count: int, seed: int | None, n_jobs: int | None) -> tuple[Table, FloatArray]:
    """Rows in which everything observed is held fixed, and the logarithms of their weights."""

    def labels(codes: dict[int, int]) -> dict[str, Label]:
        return {net.names[node]: net.levels[net.names[node]][code] for node, code in codes.items()}

    changed = intervened(net, labels(given.forced)) if given.forced else net
    held = intervened(changed, labels(given.seen)) if given.seen else changed
    rows = draw_table(held, count, seed, n_jobs)
    # What is observed has probability one in the network that was drawn from, and its own in the other.
    logs = changed.log_prob(rows, n_jobs=n_jobs) - held.log_prob(rows, n_jobs=n_jobs)
    for node, weights in given.weights.items():
        with np.errstate(divide="ignore"):
            logs = logs + np.log(weights)[rows.codes(net.names[node])]
    return rows, logs


def _estimated(rows: Table, name: str, levels: int, shares: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Probabilities of the levels of a variable and their standard errors, from weights that sum to one."""
    codes = rows.codes(name)
    values = np.bincount(codes, shares, levels).astype(np.float64)
    values /= values.sum()  # many small shares add up to not quite one
    squares = np.bincount(codes, np.square(shares), levels).astype(np.float64)
    # The sum of w² (1[level] − p)², by the delta method for a ratio of means.
    variance = squares * (1.0 - 2.0 * values) + np.square(values) * squares.sum()
    return values, np.sqrt(np.maximum(variance, 0.0))


def _made(
    levels: dict[str, Sequence[Label]],
    values: FloatArray,
    log_evidence: float,
    errors: FloatArray,
    samples: int,
    effective: float,
) -> SampledMarginals:
    made = SampledMarginals._made({name: tuple(labels) for name, labels in levels.items()}, values, log_evidence)
    made._errors = errors
    made.samples = samples
    made.effective_samples = effective
    return made
