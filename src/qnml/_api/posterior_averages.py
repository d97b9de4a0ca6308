"""Predictions and effects of interventions, averaged over the structures of a posterior."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml.model.averaging import NetworkMixture
from qnml.model.parameters import Parameters, chosen_rule
from qnml.search.posterior.interface import ProductAverages

if TYPE_CHECKING:
    from collections.abc import Mapping

    from qnml._types import FloatArray
    from qnml.data import Table
    from qnml.model.matching import Unknown
    from qnml.scores import BoundScore
    from qnml.search.posterior.interface import StructurePosterior

__all__ = ["PosteriorAverages", "parameter_rule"]

# Largest number of structures in an average: all DAGs on five variables.
_MOST_AVERAGED = 30_000
# Scores whose own predictive distribution is one of the rules for parameters.
_RULES = {"bdeu": "bpp", "bdj": "jeffreys", "k2": "laplace"}


def parameter_rule(call: str, score: BoundScore, parameters: str | None, options: Mapping[str, float]) -> Parameters:
    """The rule that estimates the probabilities of each structure; by default the one that belongs to the score.

    Parameters
    ----------
    call
        The public method, for messages.
    score
        The score of the posterior.
    parameters, options
        As for `Posterior.predict_log_prob`.
    """
    given = dict(options)
    if parameters is None:
        parameters = _RULES.get(score.score.name, "snml")
        if parameters == "bpp":
            given.setdefault("ess", score.value)
    chosen_rule(call, parameters, given)
    return Parameters(parameters, given)


@dataclass(frozen=True, eq=False)
class PosteriorAverages:
    """Averages over the structures of a posterior.

    Attributes
    ----------
    found : the posterior.
    table : the data, columns sorted by name.
    rule : how the probabilities of each structure are estimated.
    call : the public method, for messages.
    """

    found: StructurePosterior
    table: Table
    rule: Parameters
    call: str

    def log_prob(self, data: Any, unknown: Unknown, errors: bool) -> tuple[FloatArray, FloatArray | None]:
        """Log probability of each row, and with `errors` its standard error or the probability of structures left out.

        Parameters
        ----------
        data, unknown, errors
            As for `Posterior.predict_log_prob`.
        """
        exact = self._exact_log_prob(data, unknown)
        if exact is not None:
            return exact, np.zeros(len(exact))
        mixture, left_out, size = self._mixture()
        first, second = mixture.log_prob(data, unknown=unknown, call=self.call)
        if not errors:
            return first, None
        if size is None:
            return first, np.full(len(first), left_out)
        with np.errstate(invalid="ignore"):
            spread = np.where(np.isfinite(first), np.expm1(second - 2 * first), 0.0)
        return first, np.sqrt(np.maximum(spread, 0.0) / size)

    def effect(self, cause: str, target: str) -> tuple[FloatArray, FloatArray | None, float]:
        """Probabilities of the target by level of the cause, their standard errors, and the probability left out."""
        mixture, left_out, size = self._mixture()
        names = self.table.names
        mean, variance = mixture.effect(names.index(cause), names.index(target))
        return mean, None if size is None else np.sqrt(variance / size), left_out

    def _exact_log_prob(self, data: Any, unknown: Unknown) -> FloatArray | None:
        """Exact averages from sums over all structures; None if the posterior has none, or if they take too long."""
        found = self.found
        if not isinstance(found, ProductAverages) or not found.can_average(1):
            return None
        mixture = NetworkMixture(self.table, (), np.zeros(0), self.rule)
        factors, places = mixture.row_factors(data, unknown=unknown, call=self.call)
        return found.log_averages(factors)[places] if found.can_average(len(factors)) else None

    def _mixture(self) -> tuple[NetworkMixture, float, float | None]:
        """The networks to average over, the probability of the others, and the effective number of draws, if drawn."""
        drawn = self.found.mixture(_MOST_AVERAGED)
        made = NetworkMixture(self.table, drawn.dags, drawn.shares, self.rule)
        return made, drawn.left_out, drawn.effective_size
