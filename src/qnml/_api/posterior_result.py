"""`Posterior`: probabilities of structures, with names, checks of arguments and sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from qnml._api.arguments import MOST_SEED, MOST_STRUCTURES
from qnml._api.posterior_averages import PosteriorAverages, parameter_rule
from qnml._api.posterior_effect import Effect
from qnml._api.posterior_errors import StandardErrors, errors_of
from qnml._api.posterior_sentence import posterior_sentence
from qnml._api.problem import admitted
from qnml._checks import (
    check_choice,
    checked_flag,
    checked_name,
    checked_number,
    checked_whole_number,
    names_a_picture,
)
from qnml._frames import Texts, made_frame
from qnml.errors import bad_argument
from qnml.graph import Cpdag, Dag, Mpdag
from qnml.graph.arc_shares import ArcShares
from qnml.graph.masks import bits
from qnml.model.inference import Distribution
from qnml.search.posterior.interface import DrawnPosterior, ExactPosterior

if TYPE_CHECKING:
    from collections.abc import Mapping

    from qnml._frames import FrameKind
    from qnml._types import FloatArray
    from qnml.data import Table
    from qnml.model.matching import Unknown
    from qnml.scores import BoundScore
    from qnml.search import Knowledge
    from qnml.search.posterior.interface import StructurePosterior

__all__ = ["Posterior", "RankedGraph"]


class RankedGraph(NamedTuple):
    """A structure, the log of its weight, and its probability.

    A class is a Cpdag; if background knowledge was obeyed, an Mpdag with the members that it admits.
    """

    graph: Dag | Cpdag | Mpdag
    log_weight: float
    probability: float | None


@dataclass(frozen=True, eq=False)
class Posterior:
    """Posterior probabilities of structures given a table, and of arcs, paths and parent sets.

    Attributes
    ----------
    table : the data.
    score_name : the score and its parameter.
    method : ``"enumerate"``, ``"exact"`` or ``"mcmc"``.
    prior : prior over structures.
    weights_are : ``"posterior probabilities"`` for scores that are log marginal likelihoods, ``"NML weights"`` for
        those that are log-likelihoods normalized over data, ``"score weights"`` for the others. In every case the
        weight of a structure is exp(score) times its prior.
    knowledge : the background knowledge that was obeyed; None if there was none.
    seconds : wall-clock time.
    """

    table: Table
    score_name: str
    method: str
    prior: str
    weights_are: str
    seconds: float
    bound_score: BoundScore = field(repr=False)
    found: StructurePosterior = field(repr=False)
    knowledge: Knowledge | None = field(repr=False, default=None)

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in the order of the table."""
        return self.table.names

    # Matrices. Methods number the variables in the order of their names, so results do not depend on column order.

    @cached_property
    def _sorted(self) -> tuple[str, ...]:
        return tuple(sorted(self.names))

    @cached_property
    def _places(self) -> list[int]:
        place = {name: number for number, name in enumerate(self._sorted)}
        return [place[name] for name in self.names]

    def _in_order(self, matrix: FloatArray) -> FloatArray:
        ordered = np.clip(matrix, 0.0, 1.0)[np.ix_(self._places, self._places)]
        ordered.flags.writeable = False
        return ordered

    @cached_property
    def edges(self) -> FloatArray:
        """Matrix with the probability of the arc i → j in row i, column j."""
        return self._in_order(self.found.edges.values)

    @cached_property
    def adjacencies(self) -> FloatArray:
        """Symmetric matrix with the probability of an arc between i and j in either direction."""
        return self._in_order(self.found.adjacencies.values)

    @cached_property
    def ancestors(self) -> FloatArray:
        """Matrix with the probability of a directed path from i to j in row i, column j."""
        return self._in_order(self.found.ancestors.values)

    @cached_property
    def edge_probabilities(self) -> Mapping[tuple[str, str], float]:
        """P(a → b) by the pair (a, b)."""
        listed = {
            (a, b): float(self.edges[i, j])
            for i, a in enumerate(self.names)
            for j, b in enumerate(self.names)
            if i != j
        }
        return MappingProxyType(ArcShares("Posterior.edge_probabilities", self.names, listed))

    @cached_property
    def standard_errors(self) -> StandardErrors | None:
        """Standard errors of the matrices; None if all of them are exact."""
        parts = (self.found.edges, self.found.adjacencies, self.found.ancestors)
        if all(part.standard_errors is None for part in parts):
            return None
        return StandardErrors(*(self._in_order(errors_of(part)) for part in parts))

    @property
    def log_total(self) -> float | None:
        """Log of the sum of the weights of all structures; None if the method knows only ratios."""
        return self.found.log_total if isinstance(self.found, ExactPosterior) else None

    @property
    def diagnostics(self) -> Mapping[str, Any]:
        """Facts about the computation: amount of work, error bounds, convergence."""
        return self.found.diagnostics

    @property
    def state(self) -> Mapping[str, Any] | None:
        """State of the chains, ready for JSON: ``posterior(..., state=…)`` continues from it. None without chains."""
        return self.found.state if isinstance(self.found, DrawnPosterior) else None

    # Structures.

    def parent_sets(self, name: str, most: int | None = None) -> list[tuple[tuple[str, ...], float]]:
        """Parent sets of a variable with their probabilities, most probable first.

        Parameters
        ----------
        name
            The variable.
        most
            Largest number of sets to list; None for all of positive probability.
        """
        child = self._sorted.index(self._known("parent_sets", "name", name))
        return [
            (tuple(sorted((self._sorted[place] for place in bits(mask)), key=self.names.index)), share)
            for mask, share in self.found.parent_sets(child)[: _checked_count("parent_sets", "most", most)]
        ]

    def top_dags(self, k: int = 10) -> list[RankedGraph]:
        """The k most probable DAGs, best first; see `ranking_is_proven`."""
        found, _ = self.found.top_dags(_required_count("top_dags", "k", k))
        return [RankedGraph(self._dag(one.masks), one.log_weight, one.probability) for one in found]

    def top_classes(self, k: int = 10) -> list[RankedGraph]:
        """The k most probable equivalence classes, best first, each with the weight of all its admitted members."""
        found, _ = self.found.top_classes(_required_count("top_classes", "k", k))
        return [RankedGraph(self._class(self._dag(one.masks)), one.log_weight, one.probability) for one in found]

    def _class(self, dag: Dag) -> Cpdag | Mpdag:
        settings = self.table.interventions
        return (
            dag.to_cpdag() if self.knowledge is None and settings is None else admitted(dag, self.knowledge, settings)
        )

    @property
    def rankings_are_proven(self) -> bool:
        """Whether no DAG is more probable than the first of `top_dags`; see `ranking_is_proven` for longer lists."""
        return self.ranking_is_proven("dags", 1)

    def ranking_is_proven(self, what: str = "dags", k: int = 10) -> bool:
        """Whether no other structure is more probable than these k; otherwise they are the best ones found.

        Parameters
        ----------
        what
            ``"dags"`` for `top_dags`, ``"classes"`` for `top_classes`.
        k
            Length of the list.
        """
        check_choice("Posterior.ranking_is_proven", "what", what, ("dags", "classes"))
        count = _required_count("ranking_is_proven", "k", k)
        return bool((self.found.top_dags if what == "dags" else self.found.top_classes)(count)[1])

    def sample_dags(self, m: int, seed: int = 0) -> list[Dag]:
        """Sample DAGs by their probabilities; equal seeds give equal samples.

        Parameters
        ----------
        m
            Number of DAGs, up to a million.
        seed
            An integer from 0 to 2^64 − 1.
        """
        count = _required_count("sample_dags", "m", m)
        whole = checked_whole_number("Posterior.sample_dags", "seed", seed, 0, MOST_SEED)
        return [self._dag(masks) for masks in self.found.sample_dags(count, whole)]

    # Averages.

    def predict_log_prob(
        self,
        data: Any,
        *,
        parameters: str | None = None,
        unknown: Unknown = "uniform",
        errors: bool = False,
        **options: float,
    ) -> Any:
        """Log of the probability of each row, averaged over structures.

        Parameters
        ----------
        data
            Complete rows, as for :meth:`Network.log_prob`.
        parameters
            How the probabilities of each structure are estimated, as in :func:`qnml.fit`. By default the rule that
            matches the score: ``"bpp"`` for bdeu, ``"jeffreys"`` for bdj, ``"laplace"`` for k2, else ``"snml"``.
        unknown
            As for :meth:`Network.log_prob`.
        errors
            Whether to return also the standard errors of the logarithms. If structures are drawn, this is the sampling
            error; if all are known, the probability of those left out (0 up to five variables). On up to ten variables,
            exact sums predict without draws: the probability is the ratio of two totals, without error.
        **options
            ``ess`` of ``"bpp"``; by default that of the score.

        Returns
        -------
        ndarray, or two with `errors`
        """
        given = checked_flag("Posterior.predict_log_prob", "errors", errors)
        averages = self._averages("predict_log_prob", parameters, options)
        values, deviations = averages.log_prob(data, unknown, given)
        return (values, deviations) if given else values

    def effect(self, cause: str, target: str, *, parameters: str | None = None, **options: float) -> Effect:
        """The effect of an intervention on `cause` on `target`, averaged over structures.

        Parameters
        ----------
        cause, target
            Names of two variables.
        parameters, **options
            As for :meth:`predict_log_prob`.
        """
        a, b = (self._known("effect", word, name) for word, name in (("cause", cause), ("target", target)))
        if a == b:
            raise bad_argument("Posterior.effect", "target", target, "another variable than the cause")
        mean, errors, left_out = self._averages("effect", parameters, options).effect(a, b)
        levels = self.table.levels.as_dict()
        return Effect(
            a,
            b,
            {label: Distribution({b: levels[b]}, row) for label, row in zip(levels[a], mean, strict=True)},
            errors,
            left_out,
            float(self.ancestors[self.names.index(a), self.names.index(b)]),
        )

    def _averages(self, call: str, parameters: str | None, options: Mapping[str, float]) -> PosteriorAverages:
        rule = parameter_rule(f"Posterior.{call}", self.bound_score, parameters, options)
        return PosteriorAverages(self.found, self.table.select(self._sorted), rule, f"Posterior.{call}")

    # Presentation.

    def to_frame(self, kind: FrameKind | None = None) -> Any:
        """A frame with a row for every pair of variables, most probable adjacency first.

        ``forward`` is the probability of first → second, ``backward`` of second → first, ``absent`` of neither. If arcs
        are estimated, further columns have the standard errors of both. See :meth:`Table.to_frame` about `kind`.
        """
        pairs = sorted(
            ((i, j) for i in range(len(self.names)) for j in range(i + 1, len(self.names))),
            key=lambda pair: (-round(float(self.adjacencies[pair]), 12), pair),
        )
        first, second = [i for i, _ in pairs], [j for _, j in pairs]
        columns: dict[str, Texts | FloatArray] = {
            "first": Texts([self.names[i] for i in first]),
            "second": Texts([self.names[j] for j in second]),
            "forward": self.edges[first, second],
            "backward": self.edges[second, first],
            "adjacent": self.adjacencies[first, second],
            "absent": 1.0 - self.adjacencies[first, second],
        }
        errors = self.found.edges.standard_errors
        if errors is not None:
            ordered = self._in_order(errors)
            columns["forward_error"], columns["backward_error"] = ordered[first, second], ordered[second, first]
        return made_frame("Posterior.to_frame", columns, kind, self.table.frame_kind)

    def plot(self, kind: str = "graph", *, threshold: float = 0.1) -> Any:
        """Draw the posterior, to show in a notebook or to save with ``.save(path)``.

        Parameters
        ----------
        kind
            ``"graph"``: lines between variables, as opaque as they are probable. ``"heat map"``: the matrix of arcs
            (needs matplotlib). If a file name is given instead, the graph is saved there: ``plot("beliefs.svg")``.
        threshold
            Smallest probability of a line that is drawn.
        """
        if names_a_picture(kind):
            picture = self.plot(threshold=threshold)
            picture.save(kind)
            return picture
        check_choice("Posterior.plot", "kind", kind, ("graph", "heat map"))
        threshold = checked_number("Posterior.plot", "threshold", threshold, "a number from 0 to 1", 0.0, 1.0)
        # The only place where a result knows how it is drawn: notebooks ask objects to show themselves.
        if kind == "heat map":
            from qnml.reports.heat_map import HeatMap

            return HeatMap(self)
        from qnml.reports.notebook import Picture
        from qnml.reports.picture.averaged import averaged_drawing

        return Picture(averaged_drawing(self, threshold))

    def sentence(self) -> str:
        """A description of the posterior and its accuracy, in a sentence or two."""
        return posterior_sentence(self)

    def _repr_html_(self) -> str:
        return f"{self.plot()._repr_html_()}<p>{self.sentence()}</p>"

    def __repr__(self) -> str:
        return (
            f"Posterior({len(self.names)} variables, {self.score_name}, method={self.method!r}, prior={self.prior!r})"
        )

    def _dag(self, masks: tuple[int, ...]) -> Dag:
        return Dag.from_masks(self._sorted, masks).reorder(self.names)

    def _known(self, call: str, argument: str, name: str) -> str:
        return checked_name(f"Posterior.{call}", argument, name, self.names)


def _checked_count(call: str, argument: str, count: int | None) -> int | None:
    return None if count is None else _required_count(call, argument, count)


def _required_count(call: str, argument: str, count: int) -> int:
    return checked_whole_number(f"Posterior.{call}", argument, count, 1, MOST_STRUCTURES)
