"""`LocalScoreResult`: a network learned from local scores, without data."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from qnml._api.search_result import SearchResult
from qnml.errors import InputError

if TYPE_CHECKING:
    from os import PathLike

    from qnml.graph import Dag
    from qnml.reports.notebook import Picture
    from qnml.scores import LocalScores
    from qnml.search import Certificate, Knowledge

__all__ = ["LocalScoreResult", "refuse_without_data"]


def refuse_without_data(call: str) -> NoReturn:
    """Refuse what takes data where only local scores are at hand.

    Parameters
    ----------
    call
        What was asked for.
    """
    raise InputError(
        f"{call}: local scores say nothing about the data that they came from. They serve learn and k_best; give the "
        "table itself for anything else, with the network as its structure: qnml.fit(table, result.dag)."
    )


class LocalScoreResult(SearchResult):
    """A structure learned from local scores, with its certificate.

    Attributes
    ----------
    dag : the network found.
    score : the sum of its local scores as they were given.
    score_name : ``"local scores"``.
    certificate : what is proven about it among networks of the listed families.
    local_scores : what it was learned from.
    prior, log_prior : the prior over structures, uniform unless asked for, and its logarithm for the network.
    knowledge : the background knowledge that was obeyed; None if there was none.

    Notes
    -----
    What takes data is refused: `fit`, `explanation`, `table`, `overfull`. Fit the network to a table with
    ``qnml.fit(table, result.dag)``.
    """

    score_name = "local scores"
    local_scores: LocalScores

    def __init__(
        self,
        dag: Dag,
        score: float,
        certificate: Certificate,
        local_scores: LocalScores,
        knowledge: Knowledge | None = None,
        *,
        prior: str = "uniform",
        log_prior: float = 0.0,
    ) -> None:
        for name, value in (
            ("dag", dag),
            ("score", score),
            ("certificate", certificate),
            ("local_scores", local_scores),
            ("knowledge", knowledge),
            ("prior", prior),
            ("log_prior", log_prior),
            ("binning", None),
            ("structural_em", None),
        ):
            object.__setattr__(self, name, value)

    @property
    def table(self) -> Any:
        """Refused: there is no table."""
        refuse_without_data("SearchResult.table")

    @property
    def bound_score(self) -> Any:
        """Refused: the formula of the scores is not known."""
        refuse_without_data("SearchResult.bound_score")

    @property
    def explanation(self) -> Any:
        """Refused: fit and penalty are not known. `removal_costs` has what the scores say about arcs."""
        refuse_without_data("SearchResult.explanation")

    @property
    def copies(self) -> tuple[tuple[str, ...], ...]:
        """None: without data no columns are known to be copies of each other."""
        return ()

    @property
    def overfull(self) -> Any:
        """Refused: there are no cells to count."""
        refuse_without_data("SearchResult.overfull")

    @cached_property
    def removal_costs(self) -> dict[tuple[str, str], float]:
        """By arc: how much the score drops without it, if the child then takes the best listed subset of its parents.

        Infinite if there is none.
        """
        costs = {}
        for child in self.dag.names:
            listed = self.local_scores[child]
            parents = frozenset(self.dag.parents(child))
            for parent in self.dag.parents(child):
                left = parents - {parent}
                rest = max((float(score) for given, score in listed.items() if given <= left), default=-math.inf)
                costs[parent, child] = float(listed[parents]) - rest
        return costs

    @property
    def fit(self) -> Any:
        """Refused: there are no data to estimate parameters from."""
        refuse_without_data("SearchResult.fit")

    def plot(self, path: str | PathLike[str] | None = None) -> Picture:
        """Draw the network.

        Parameters
        ----------
        path : a file to save the picture to, ending in ``.svg``, ``.png`` or ``.dot``; ``.save(path)`` does the same.
        """
        from qnml.reports.notebook import Picture

        picture = Picture(self.dag)
        if path is not None:
            picture.save(path)
        return picture
