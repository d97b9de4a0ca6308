"""`StructuralEm`: what is known about a network that was learned from rows with missing cells."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from qnml._api.clock import seconds_said

if TYPE_CHECKING:
    from qnml._api.explanation import Explanation
    from qnml.model.incomplete import Completed

__all__ = ["StructuralEm"]


@dataclass(frozen=True)
class StructuralEm:
    """How a network was learned from rows with missing cells, and what is known about it; all in nats.

    Attributes
    ----------
    log_likelihood : float
        That of the observed cells, under the parameters that EM found for the network.
    penalty : float
        What the score charges for the network. `SearchResult.score` is `log_likelihood` − `penalty`.
    n_missing, n_incomplete : int
        Missing cells, and observations that have any.
    n_drawn : int
        Observations whose missing cells were drawn, because they have too many joint values to list.
    draws : int
        How often those of one distinct row were drawn at most.
    standard_error : float
        Of the score of the network on the completed rows, by the draws; 0 if none was drawn. The log-likelihood above
        does not depend on draws.
    rounding : float
        How far the weights of the listed completions are from their probabilities, since they are multiples of a
        fraction of an observation: the sum of the Kullback–Leibler divergences.
    starts : tuple of pairs
        The objective that was reached from each start: ``"independent"``, completions by the frequencies of each
        column, and ``"missing as a level"`` or ``"bins"``, a network learned from the table in which missing cells are
        levels.
    trace : tuple of floats
        The objective for the observed cells, score and log prior, after each step from the best start. It never falls.
    searches : int
        Searches for a network, from all starts.
    is_settled : bool
        Whether the last search found no network that scores higher; False after a time limit or Ctrl-C, or if the
        next network was too large for exact sums.
    seconds : float
        Wall-clock time of everything. The times in the certificate are those of the last search.
    explanation : Explanation
        Fit and penalty of the network on the completed rows of the last step.
    completed : Completed
        The completed rows.
    """

    log_likelihood: float
    penalty: float
    n_missing: int
    n_incomplete: int
    n_drawn: int
    draws: int
    standard_error: float
    rounding: float
    starts: tuple[tuple[str, float], ...]
    trace: tuple[float, ...]
    searches: int
    is_settled: bool
    seconds: float
    explanation: Explanation = field(repr=False)
    completed: Completed = field(repr=False)

    def sentence(self) -> str:
        """What is known, in words."""
        cells = f"{self.n_missing:,} missing cell{'s' if self.n_missing != 1 else ''}"
        learned = (
            f"{cells} estimated by structural EM in {seconds_said(self.seconds)} ({self.searches} "
            f"search{'es' if self.searches != 1 else ''} from {len(self.starts)} "
            f"start{'s' if len(self.starts) != 1 else ''}): the score is that of the observed cells."
        )
        if self.n_drawn:
            learned += (
                f" The cells of {self.n_drawn:,} row{'s' if self.n_drawn != 1 else ''} were drawn up to {self.draws} "
                f"times each; the score on completed rows has a standard error of {self.standard_error:.2g} nats."
            )
        if not self.is_settled:
            return f"{learned} Stopped early: another step may find a better network."
        return f"{learned} A local optimum: no step finds a better network."
