"""`Bootstrap`: the share of replicates with each arc, and the averaged network."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml._frames import Texts, made_frame
from qnml._html import paragraph
from qnml.graph.arc_shares import ArcShares
from qnml.graph.averaging import Averaged, averaged_network
from qnml.search.running.certificate import SEARCHES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from os import PathLike

    from numpy.typing import NDArray

    from qnml._frames import Columns, FrameKind
    from qnml.graph import Dag
    from qnml.reports.notebook import Picture

__all__ = ["Bootstrap"]


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Shares of replicates with each arc, and the averaged network.

    Attributes
    ----------
    names : the variables, in the order of the table.
    dags : the network of each replicate.
    edges : ``edges[i, j]`` is the share of replicates with the arc from i to j. With a score-equivalent score an arc
        that data cannot direct counts half each way, unless background knowledge directs it (`SearchResult.mpdag`).
    threshold : the strength above which a pair is joined in the averaged network.
    score_name : the score and its parameter.
    method : the search used: ``"exact"``, whose networks are proven optimal for their rows, or one whose networks need
        not be the best.
    seed : seed of the resampling; None if not given.
    stop_reason : None, ``"time limit"`` or ``"interrupted"``: there are then fewer replicates than asked for.
    prior : the prior over structures, ``"uniform"`` or ``"sparse"``.
    """

    names: tuple[str, ...]
    dags: tuple[Dag, ...]
    edges: NDArray[np.float64]
    threshold: float
    score_name: str
    method: str
    seed: int | None
    stop_reason: str | None
    prior: str = "uniform"
    frame_kind: str | None = field(default=None, compare=False, repr=False)

    @property
    def replicates(self) -> int:
        """The number of replicates."""
        return len(self.dags)

    @property
    def adjacencies(self) -> NDArray[np.float64]:
        """The strength of each pair: the share of replicates in which it is joined, either way."""
        return self.edges + self.edges.T

    @property
    def edge_frequencies(self) -> Mapping[tuple[str, str], float]:
        """The share of replicates with each arc (parent, child): those found at all, most frequent first; others 0."""
        found = {
            (self.names[i], self.names[j]): float(self.edges[i, j]) for i, j in zip(*self.edges.nonzero(), strict=True)
        }
        ordered = dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))
        return ArcShares("Bootstrap.edge_frequencies", self.names, ordered)

    @cached_property
    def averaged(self) -> Averaged:
        """The network of the pairs stronger than the threshold; see :mod:`qnml.graph.averaging`."""
        return averaged_network(self.names, self.edges, self.threshold)

    @property
    def dag(self) -> Dag:
        """The averaged network."""
        return self.averaged.dag

    @property
    def standard_errors(self) -> NDArray[np.float64]:
        """The Monte Carlo standard error of `adjacencies`."""
        strength = self.adjacencies
        return np.asarray(np.sqrt(strength * (1.0 - strength) / self.replicates))

    def sentence(self) -> str:
        """A summary in one sentence."""
        cut = "" if self.stop_reason is None else f" ({self.stop_reason}: fewer than asked for)"
        arcs = "1 arc is" if self.dag.n_arcs == 1 else f"{self.dag.n_arcs} arcs are"
        each = (
            "with a network proven optimal for its rows"
            if self.method == "exact"
            else f"with the network that {SEARCHES[self.method]} found, which need not be the best"
        )
        return (
            f"{arcs} in more than {self.threshold:.1%} of {self.replicates} replicates{cut}, each {each} "
            f"({self.score_name})."
        )

    def to_frame(self, kind: FrameKind | None = None) -> Any:
        """One row for each pair of variables joined in any replicate, the strongest first.

        Parameters
        ----------
        kind
            As for :meth:`Table.to_frame`.
        """
        strength = self.adjacencies
        first, second = np.triu(strength, 1).nonzero()
        order = np.argsort(-strength[first, second], kind="stable")
        first, second = first[order], second[order]
        columns: Columns = {
            "first": Texts([self.names[i] for i in first]),
            "second": Texts([self.names[j] for j in second]),
            "forward": self.edges[first, second],
            "backward": self.edges[second, first],
            "adjacent": strength[first, second],
            "standard_error": self.standard_errors[first, second],
        }
        return made_frame("Bootstrap.to_frame", columns, kind, self.frame_kind)

    def plot(self, path: str | PathLike[str] | None = None) -> Picture:
        """Draw the averaged network, lines as opaque as they are frequent.

        Parameters
        ----------
        path
            A file to save the picture to, ending in ``.svg``, ``.png``, ``.pdf`` or ``.dot``.
        """
        from qnml.reports.notebook import Picture
        from qnml.reports.picture.averaged import averaged_drawing

        picture = Picture(averaged_drawing(self, self.threshold))
        if path is not None:
            picture.save(path)
        return picture

    def _repr_html_(self) -> str:
        return f"{self.plot()._repr_html_()}{paragraph(self.sentence())}"

    def __repr__(self) -> str:
        return (
            f"Bootstrap({self.replicates} replicates, {len(self.names)} variables, {self.dag.n_arcs} arcs in more than "
            f"{self.threshold:.1%}, {self.score_name})"
        )
