"""`KBest`: the best networks or equivalence classes, in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml._api.problem import admitted
from qnml._checks import checked_whole_number
from qnml._frames import Texts, made_frame
from qnml._html import html_table, paragraph
from qnml.errors import bad_argument

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    from qnml._frames import Columns, FrameKind
    from qnml.data.interventions import Interventions
    from qnml.graph import Cpdag, Dag, Mpdag
    from qnml.reports.notebook import Picture
    from qnml.search import Knowledge

__all__ = ["KBest", "RankedNetwork"]

_MOST_SHOWN = 20


@dataclass(frozen=True)
class RankedNetwork:
    """One of the best networks, or the best member of one of the best classes.

    Attributes
    ----------
    dag : the network; for a class, a member that is admitted and scores as much as any.
    score : the score of the data in nats, computed afresh from the table.
    log_weight : its objective less that of the best network, from the sums of the search: equal ones are equal here.
    knowledge : the background knowledge that was obeyed; None if there was none.
    log_prior : the log prior of its structure; 0 under the uniform prior.
    interventions : which variables were set in which rows of the data; None if none was.
    """

    dag: Dag
    score: float
    log_weight: float
    knowledge: Knowledge | None = None
    log_prior: float = 0.0
    interventions: Interventions | None = None

    @property
    def objective(self) -> float:
        """What networks are ranked by: `score` + `log_prior`."""
        return self.score + self.log_prior

    @cached_property
    def cpdag(self) -> Cpdag:
        """The equivalence class of the network."""
        return self.dag.to_cpdag()

    @cached_property
    def mpdag(self) -> Mpdag:
        """The members of the class that the background knowledge admits; see :attr:`SearchResult.mpdag`."""
        return admitted(self.dag, self.knowledge, self.interventions)


@dataclass(frozen=True)
class KBest:
    """The best networks or classes, best first; indexed and iterated over as a sequence.

    Attributes
    ----------
    entries : what was found. Every entry is proven: nothing that is not listed has a higher objective than the last.
    what : ``"dags"`` or ``"classes"``.
    k : the number asked for.
    score_name : the score and its parameter.
    prior : the prior over structures, ``"uniform"`` or ``"sparse"``.
    bound : nothing that is not listed has a higher objective than this; ``-inf`` when all are listed, None when the
        search was stopped before it had a bound.
    is_exhausted : whether all networks are listed.
    stop_reason : None, ``"time limit"``, ``"interrupted"``, ``"memory limit"``, or ``"score limit"`` when all others
        have a family whose price is beyond what the sums of the search hold.
    seconds : wall-clock time per stage.
    networks_held : number of networks on subsets of the variables that the search listed: a measure of its work.
    """

    entries: tuple[RankedNetwork, ...]
    what: str
    k: int
    score_name: str
    prior: str
    bound: float | None
    is_exhausted: bool
    stop_reason: str | None
    seconds: dict[str, float]
    networks_held: int
    frame_kind: str | None = field(default=None, compare=False, repr=False)

    @property
    def proven(self) -> int:
        """The number of entries proven to be the best, in this order: all that are listed."""
        return len(self.entries)

    def sentence(self) -> str:
        """What is proven, in one sentence."""
        things = {"dags": "networks", "classes": "equivalence classes"}[self.what]
        took = f"{sum(self.seconds.values()):.2g} s"
        if self.stop_reason is not None:
            why = "interrupted" if self.stop_reason == "interrupted" else f"{self.stop_reason} reached"
            return f"The best {self.proven} of {self.k} {things} wanted are proven ({why}, {took})."
        if self.is_exhausted:
            return f"There are {self.proven} {things}, and these are all of them in order ({took})."
        return f"Proven to be the best {self.proven} {things}, in order ({took})."

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[RankedNetwork]:
        return iter(self.entries)

    def __getitem__(self, place: int) -> RankedNetwork:
        try:
            return self.entries[place]
        except Exception as error:  # IndexError, TypeError, or whatever an `__index__` of somebody else raises
            raise bad_argument("KBest", "place", place, f"a whole number below {len(self.entries)}") from error

    def to_frame(self, kind: FrameKind | None = None) -> Any:
        """One row for each network or class, best first; arcs as a model string of `dag`.

        Parameters
        ----------
        kind
            As for :meth:`Table.to_frame`.
        """
        columns: Columns = {
            "rank": np.arange(1, len(self) + 1),
            "score": np.array([one.score for one in self], dtype=float),
            "log_prior": np.array([one.log_prior for one in self], dtype=float),
            "log_weight": np.array([one.log_weight for one in self], dtype=float),
            "n_arcs": np.array([one.dag.n_arcs for one in self], dtype=np.int64),
            "network": Texts([one.dag.to_modelstring() for one in self]),
        }
        return made_frame("KBest.to_frame", columns, kind, self.frame_kind)

    def plot(self, rank: int = 1, path: str | PathLike[str] | None = None) -> Picture:
        """Draw one of them.

        Parameters
        ----------
        rank
            Which, from 1, the best.
        path
            A file to save the picture to, ending in ``.svg``, ``.png``, ``.pdf`` or ``.dot``.
        """
        from qnml.reports.notebook import Picture

        rank = checked_whole_number("KBest.plot", "rank", rank, 1, len(self))
        one = self[rank - 1]
        picture = Picture(one.mpdag if self.what == "classes" else one.dag)
        if path is not None:
            picture.save(path)
        return picture

    def _repr_html_(self) -> str:
        heads = [
            ("rank", True),
            ("score" if self.prior == "uniform" else "objective", True),
            ("below the best", True),
            ("arcs", True),
        ]
        rows = [
            (rank, f"{one.objective:.4f}", f"{-one.log_weight:z.4f}", one.dag.n_arcs)
            for rank, one in enumerate(self.entries[:_MOST_SHOWN], 1)
        ]
        more = len(self) - _MOST_SHOWN
        rest = paragraph(f"And {more} more.") if more > 0 else ""
        shown = self.plot()._repr_html_() if self.entries else ""
        return f"{shown}{paragraph(self.sentence())}{html_table(heads, rows)}{rest}"

    def __repr__(self) -> str:
        best = f", best {self.entries[0].score:.4f}" if self.entries else ""
        return f"KBest({len(self)} {self.what} by {self.score_name}{best})"
