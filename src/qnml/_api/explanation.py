"""`explain`: split the score of a given network into fit and penalty, and value each arc.

Examples
--------
>>> import qnml
>>> table = qnml.datasets.sample("asia", 1000, seed=1)
>>> explanation = qnml.explain(table, qnml.datasets.load_network("asia"))
>>> strongest = max(explanation.arcs, key=lambda arc: arc.removal_cost_bits)
>>> strongest.parent, strongest.child
('bronc', 'dysp')
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from qnml._api.arguments import refuse_unknown_arguments
from qnml._api.network_families import NetworkFamilies, network_families
from qnml._checks import check_choice
from qnml._frames import Texts, made_frame
from qnml._html import html_table, paragraph
from qnml.errors import bad_argument
from qnml.graph import Dag
from qnml.scores import bind_score, find_score
from qnml.search.priors import SEARCH_PRIORS, prior_term, resolved_prior

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from qnml._frames import FrameKind
    from qnml.model import Network
    from qnml.reports.notebook import Picture
    from qnml.scores import BoundScore

__all__ = ["ArcExplanation", "Explanation", "FamilyExplanation", "explain", "explain_families"]

_NATS_PER_BIT = math.log(2)


@dataclass(frozen=True)
class FamilyExplanation:
    """One variable with its parents.

    Attributes
    ----------
    child, parents : names.
    score : the local score, fit − penalty, in nats.
    fit : maximised log-likelihood of the child given its parents.
    penalty : fit − score.
    log_prior : what the family pays for its parents under the prior over structures, at most 0; 0 under the uniform
        prior.
    n_parameters : free parameters, (levels of the child − 1) × configurations of the parents.
    cells : levels of the child × configurations of the parents.
    is_overfull : whether cells exceed half the number of observations. For qNML such a family can win without any
        dependence, because its penalty saturates.
    log_z : log of the sum of exp(local qNML score) over all child columns, parents held fixed; above zero the local
        qNML term is more than a probability ("free bits"). qNML = fNML + log_z. None where counts are expected ones,
        which fNML does not take.
    """

    child: str
    parents: tuple[str, ...]
    score: float
    fit: float
    penalty: float
    log_prior: float
    n_parameters: int
    cells: int
    is_overfull: bool
    log_z: float | None


@dataclass(frozen=True)
class ArcExplanation:
    """One arc, and the bits that score and log prior lose if only this arc is removed (negative: they gain)."""

    parent: str
    child: str
    removal_cost_bits: float


@dataclass(frozen=True)
class Explanation:
    """The terms of a network's score, and of its log prior under `prior`."""

    score_name: str
    score: float
    n_rows: int
    families: tuple[FamilyExplanation, ...]
    arcs: tuple[ArcExplanation, ...]
    prior: str = "uniform"
    frame_kind: str | None = field(default=None, compare=False, repr=False)

    @property
    def log_prior(self) -> float:
        """The log prior of the structure: what all families pay for their parents."""
        return math.fsum(family.log_prior for family in self.families)

    @property
    def objective(self) -> float:
        """Score and log prior together."""
        return self.score + self.log_prior

    @property
    def overfull(self) -> tuple[FamilyExplanation, ...]:
        """The over-full families."""
        return tuple(family for family in self.families if family.is_overfull)

    def to_frame(self, kind: FrameKind | None = None) -> Any:
        """One row for each variable with its parents; scores in nats. See :meth:`Table.to_frame` about `kind`."""
        families = [asdict(family) for family in self.families]
        texts = {"child": Texts([one["child"] for one in families])}
        texts["parents"] = Texts([list(one["parents"]) for one in families], is_list=True)
        rest = [field.name for field in fields(FamilyExplanation) if field.name not in texts]
        columns = {name: np.array([one[name] for one in families]) for name in rest if name != "log_z"}
        log_z = [one["log_z"] for one in families]
        return made_frame("Explanation.to_frame", {**texts, **columns, "log_z": log_z}, kind, self.frame_kind)

    def plot(self, path: str | PathLike[str] | None = None) -> Picture:
        """Draw the network with arcs as thick as they are strong, to show in a notebook or to save.

        Parameters
        ----------
        path
            A file to save the picture to, ending in ``.svg``, ``.png``, ``.pdf`` or ``.dot``.
        """
        from qnml.reports.notebook import Picture

        names = [family.child for family in self.families]
        picture = Picture(Dag.from_arcs(names, [(arc.parent, arc.child) for arc in self.arcs]), self)
        if path is not None:
            picture.save(path)
        return picture

    def _repr_html_(self) -> str:
        heads = [("variable", False), ("parents", False), ("score", True), ("fit", True), ("penalty", True)]
        rows = [
            (
                family.child,
                ", ".join(family.parents),
                *(f"{x:z.2f}" for x in (family.score, family.fit, family.penalty)),
            )
            for family in self.families
        ]
        arcs = sorted(self.arcs, key=lambda arc: -arc.removal_cost_bits)
        lost = [(f"{arc.parent} → {arc.child}", f"{arc.removal_cost_bits:z.2f}") for arc in arcs]
        said = paragraph(f"{self.score_name} {self.score:.4f} nats")
        return f"{said}{html_table(heads, rows)}{html_table([('arc', False), ('bits lost without it', True)], lost)}"

    def __repr__(self) -> str:
        return f"Explanation({self.score_name} {self.score:.4f}, {len(self.families)} variables, {len(self.arcs)} arcs)"


def explain(
    data: Any,
    dag: Dag | Network | str,
    score: str = "qnml",
    *,
    prior: str = "uniform",
    n_jobs: int | None = None,
    **parameters: float | str,
) -> Explanation:
    """Split the score into fit and penalty per variable, and give the cost of removing each arc, in bits.

    Parameters are those of :func:`score`; the score must be decomposable. Under ``prior="sparse"`` each family also
    shows what it pays for its parents, and the cost of removing an arc counts it.
    """
    refuse_unknown_arguments(explain, [score], parameters)
    check_choice("explain", "prior", prior, SEARCH_PRIORS)
    prepared = network_families("explain", data, dag, n_jobs)
    chosen = find_score("explain", score)
    if not chosen.is_decomposable:
        raise bad_argument("explain", "score", score, "a decomposable score; 'nml' has no local scores")
    bound = bind_score("explain", chosen, prepared.table.total, parameters)
    return explain_families(prepared, bound, resolved_prior(prior, chosen, len(prepared.table.names)))


def explain_families(prepared: NetworkFamilies, bound: BoundScore, prior: str) -> Explanation:
    """Split the score of families that are numbered already; see `explain`.

    Parameters
    ----------
    prepared : the table and the families of a network; an observation may have more than one count.
    bound : the score.
    prior : the prior over structures, ``"uniform"`` or ``"sparse"``.
    """
    thinned = [
        (child, tuple(p for p in parents if p != removed))
        for child, parents in prepared.families
        for removed in parents
    ]
    values = prepared.local_scores(bound, [*prepared.families, *thinned])
    whole, without = values[: len(prepared.families)], values[len(prepared.families) :]
    names = prepared.table.names
    costs = iter(without)

    def step(n_parents: int) -> float:
        """What the last of so many parents changes in the log prior."""
        return prior_term(prior, len(names), n_parents) - prior_term(prior, len(names), n_parents - 1)

    arcs = tuple(
        ArcExplanation(names[parent], names[child], (local - next(costs) + step(len(parents))) / _NATS_PER_BIT)
        for (child, parents), local in zip(prepared.families, whole, strict=True)
        for parent in parents
    )
    total = prepared.table.total // bound.scale
    explained = _explained_families(prepared, whole, bound.scale, prior)
    return Explanation(bound.label, math.fsum(whole), total, explained, arcs, prior, prepared.table.frame_kind)


def _explained_families(
    prepared: NetworkFamilies, scores: Sequence[float], scale: int, prior: str
) -> tuple[FamilyExplanation, ...]:
    table, families, total = prepared.table, prepared.families, prepared.table.total // scale

    def side(name: str) -> list[float]:
        bound = bind_score("explain", find_score("explain", name), total, {})
        return prepared.local_scores(replace(bound, scale=scale), families)

    def explained(
        family: tuple[int, tuple[int, ...]], score: float, fit: float, log_z: float | None
    ) -> FamilyExplanation:
        child, parents = family
        configurations = math.prod(table.arities[p] for p in parents)
        cells = table.arities[child] * configurations
        return FamilyExplanation(
            child=table.names[child],
            parents=tuple(table.names[p] for p in parents),
            score=score,
            fit=fit,
            penalty=fit - score,
            log_prior=prior_term(prior, len(table.names), len(parents)),
            n_parameters=(table.arities[child] - 1) * configurations,
            cells=cells,
            is_overfull=bool(parents) and 2 * cells > prepared.counts.total_of(child) // scale,
            log_z=log_z,
        )

    log_zs: Sequence[float | None] = [None] * len(families)
    if scale == 1:
        log_zs = [quotient - factorized for quotient, factorized in zip(side("qnml"), side("fnml"), strict=True)]
    return tuple(explained(*one) for one in zip(families, scores, side("loglik"), log_zs, strict=True))
