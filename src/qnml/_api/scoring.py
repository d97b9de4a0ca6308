"""The front door for scoring a given network: check the arguments, wire the rooms, return.

Examples
--------
>>> import qnml
>>> table = qnml.datasets.sample("asia", 1000, seed=1)
>>> dag = qnml.datasets.load_network("asia").dag
>>> qnml.score(table, dag) > qnml.score(table, qnml.Dag.empty(table.names))
True
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from qnml._api.problem import refuse_unknown_arguments
from qnml._checks import check_choice, checked_list, checked_name, checked_path, checked_whole_number
from qnml._jobs import resolve_jobs
from qnml._memory import resolve_memory_limit
from qnml._reading import read_file
from qnml._writing import write_file
from qnml.counts import MemoryCounts
from qnml.data import Table, read_table
from qnml.errors import FileFormatError, InputError, UnknownNameError, bad_argument, unknown_name
from qnml.graph import Dag
from qnml.model import Network
from qnml.scores import (
    BoundScore,
    LocalScores,
    best_families,
    bind_score,
    find_score,
    network_regret,
    read_jkl,
    write_jkl,
)
from qnml.scores import local_scores as bulk_local_scores
from qnml.scores.jkl import JKL_STYLES

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable

__all__ = [
    "ArcExplanation",
    "Explanation",
    "FamilyExplanation",
    "explain",
    "local_score",
    "read_local_scores",
    "score",
    "write_local_scores",
]

_NATS_PER_BIT = math.log(2)
# What is made of a letter of a file of local scores, at most: measured, and rounded up.
_BYTES_PER_LETTER = 50.0


@dataclass(frozen=True)
class FamilyExplanation:
    """One variable with its parents.

    Attributes
    ----------
    child, parents : names.
    score : the local score, fit − penalty, in nats.
    fit : maximised log-likelihood of the child given its parents.
    penalty : what the score takes off the fit.
    n_parameters : free parameters, (levels of the child − 1) × configurations of the parents.
    cells : levels of the child × configurations of the parents.
    is_overfull : whether cells exceed half the number of observations. For qNML such a family can win without any
        dependence, because its penalty saturates.
    log_z : log of the sum of exp(local qNML score) over all child columns, parents held fixed; above zero the local
        qNML term is more than a probability ("free bits"). qNML = fNML + log_z.
    """

    child: str
    parents: tuple[str, ...]
    score: float
    fit: float
    penalty: float
    n_parameters: int
    cells: int
    is_overfull: bool
    log_z: float


@dataclass(frozen=True)
class ArcExplanation:
    """One arc, and how many bits the score loses when it alone is removed (negative: it would gain)."""

    parent: str
    child: str
    removal_cost_bits: float


@dataclass(frozen=True)
class Explanation:
    """What a network's score is made of."""

    score_name: str
    score: float
    n_rows: int
    families: tuple[FamilyExplanation, ...]
    arcs: tuple[ArcExplanation, ...]

    @property
    def overfull(self) -> tuple[FamilyExplanation, ...]:
        """The over-full families."""
        return tuple(family for family in self.families if family.is_overfull)


@dataclass(frozen=True)
class _Scored:
    """A table and the network's families as column indices, ready to be scored."""

    table: Table
    dag: Dag
    counts: MemoryCounts
    families: tuple[tuple[int, tuple[int, ...]], ...]
    n_jobs: int

    def local_scores(self, bound: BoundScore, families: Iterable[tuple[int, tuple[int, ...]]]) -> list[float]:
        values = bulk_local_scores(
            self.counts,
            families,
            bound,
            n_variables=self.dag.n_nodes,
            n_jobs=self.n_jobs,
            names=self.table.names,
        )
        return [float(value) for value in values]


def score(
    data: Any,
    dag: Dag | Network | str,
    score: str = "qnml",
    *,
    n_jobs: int | None = None,
    **parameters: float | str,
) -> float:
    """Score of a network given a table, in nats; higher is better.

    Parameters
    ----------
    data : a :class:`Table`, or anything :func:`read_table` takes without options. Columns the network does not name
        are ignored.
    dag : the network's structure, also as a model string such as ``"[a][b|a]"``. A :class:`Network` also declares the
        levels of its variables.
    score : name in :data:`qnml.scores.SCORES`.
    n_jobs : threads; all cores by default. The result does not depend on it.
    **parameters : the score's own parameter: ``ess`` for bdeu and bds, ``alpha`` for bdq (1e-100 to 1e100), ``gamma``
        for ebic (0 to 1e6), which charges ``gamma`` · log(number of variables) for each arc.

    Raises
    ------
    InputError
        The score is beyond the doubles: bic, aic, hqc and ebic charge each parameter, and there are too many.
    """
    refuse_unknown_arguments(_SCORE, [score], parameters)
    prepared = _prepare("score", data, dag, n_jobs)
    chosen = find_score("score", score)
    bound = bind_score("score", chosen, prepared.table.total, parameters)
    if chosen.is_decomposable:
        return math.fsum(prepared.local_scores(bound, prepared.families))
    levels = [prepared.table.arities[child] for child, _ in prepared.families]
    position = {child: i for i, (child, _) in enumerate(prepared.families)}
    parents = [[position[p] for p in family_parents] for _, family_parents in prepared.families]
    price = network_regret(levels, parents, prepared.table.total)
    likelihood = bind_score("score", find_score("score", "loglik"), prepared.table.total, {})
    return math.fsum(prepared.local_scores(likelihood, prepared.families)) - price


_SCORE = score  # within it its own argument has that name


def local_score(
    data: Any,
    child: str,
    parents: Iterable[str] = (),
    score: str = "qnml",
    *,
    n_jobs: int | None = None,
    **parameters: float | str,
) -> float:
    """Score of one variable given its parents, in nats. The local scores of a network add up to its score.

    Parameters are those of :func:`score`; `child` and `parents` are column names.
    """
    refuse_unknown_arguments(local_score, [score], parameters)
    table = _as_table(data)
    chosen = find_score("local_score", score)
    if not chosen.is_decomposable:
        raise bad_argument("local_score", "score", score, "a decomposable score; 'nml' has no local scores")
    parents = tuple(checked_list("local_score", "parents", parents, "a sequence of column names, not one string"))
    indices = [_column("local_score", "parents", table, name) for name in parents]
    child_index = _column("local_score", "child", table, child)
    if child_index in indices:
        raise InputError(f"local_score(child='{child}'): is among its own parents.")
    if len(set(indices)) != len(indices):
        raise bad_argument("local_score", "parents", parents, "distinct column names")
    bound = bind_score("local_score", chosen, table.total, parameters)
    values = bulk_local_scores(
        MemoryCounts(table),
        [(child_index, indices)],
        bound,
        n_variables=len(table.names),
        n_jobs=resolve_jobs("local_score", n_jobs),
        names=table.names,
    )
    return float(values[0])


def explain(
    data: Any,
    dag: Dag | Network | str,
    score: str = "qnml",
    *,
    n_jobs: int | None = None,
    **parameters: float | str,
) -> Explanation:
    """What the score is made of: fit and penalty per variable, and per arc what removing it would cost, in bits.

    Parameters are those of :func:`score`; the score must be decomposable.
    """
    refuse_unknown_arguments(explain, [score], parameters)
    prepared = _prepare("explain", data, dag, n_jobs)
    chosen = find_score("explain", score)
    if not chosen.is_decomposable:
        raise bad_argument("explain", "score", score, "a decomposable score; 'nml' has no local scores")
    total = prepared.table.total
    bound = bind_score("explain", chosen, total, parameters)
    thinned = [
        (child, tuple(p for p in parents if p != removed))
        for child, parents in prepared.families
        for removed in parents
    ]
    values = prepared.local_scores(bound, [*prepared.families, *thinned])
    whole, without = values[: len(prepared.families)], values[len(prepared.families) :]

    def side(name: str) -> list[float]:
        return prepared.local_scores(bind_score("explain", find_score("explain", name), total, {}), prepared.families)

    fits, quotient, factorized = side("loglik"), side("qnml"), side("fnml")
    names, arities = prepared.table.names, prepared.table.arities
    families = []
    arcs = []
    removals = iter(without)
    for i, (child, parents) in enumerate(prepared.families):
        configurations = math.prod(arities[p] for p in parents)
        cells = arities[child] * configurations
        families.append(
            FamilyExplanation(
                child=names[child],
                parents=tuple(names[p] for p in parents),
                score=whole[i],
                fit=fits[i],
                penalty=fits[i] - whole[i],
                n_parameters=(arities[child] - 1) * configurations,
                cells=cells,
                is_overfull=bool(parents) and 2 * cells > total,
                log_z=quotient[i] - factorized[i],
            )
        )
        for parent in parents:
            cost = (whole[i] - next(removals)) / _NATS_PER_BIT
            arcs.append(ArcExplanation(names[parent], names[child], cost))
    return Explanation(bound.label, math.fsum(whole), total, tuple(families), tuple(arcs))


def write_local_scores(
    data: Any,
    path: str | os.PathLike[str],
    score: str | None = None,
    *,
    max_parents: int | None = None,
    style: str = "names",
    n_jobs: int | None = None,
    **parameters: float | str,
) -> LocalScores:
    """Score all families and write them as a JKL file, for other exact solvers to find the best network.

    Families are left out where a subset of the parents scores at least as much: no best network needs them.

    Parameters
    ----------
    data : a :class:`Table`, anything :func:`read_table` takes without options, or the result of :func:`qnml.learn`,
        whose table and score are taken. Its background knowledge is not.
    path : where to, usually ending in ``.jkl``. An existing file is replaced.
    score : name of a decomposable score; ``"qnml"``, or that of the result, when left out.
    max_parents : limit for every variable; none by default.
    style : how variables are written: ``"names"`` (for GOBNILP) or ``"indices"`` counted from 0 (for BLIP).
    n_jobs : threads; all cores by default.
    **parameters : the score's own parameter, as for :func:`score`.

    Returns
    -------
    LocalScores
        What was written.

    Raises
    ------
    TooLargeError
        Before any work, when there are more than 30 million families.
    """
    call = "write_local_scores"
    if max_parents is not None:
        max_parents = checked_whole_number(call, "max_parents", max_parents, or_none=True)
    if score is not None or not isinstance(getattr(data, "bound_score", None), BoundScore):
        refuse_unknown_arguments(write_local_scores, ["qnml" if score is None else score], parameters)
    check_choice(call, "style", style, JKL_STYLES)
    checked_path(call, "path", path)
    bound = getattr(data, "bound_score", None)
    table = _as_table(data.table if isinstance(bound, BoundScore) else data)
    if score is not None or not isinstance(bound, BoundScore):
        chosen = find_score(call, "qnml" if score is None else score)
        if not chosen.is_decomposable:
            raise bad_argument(call, "score", score, "a decomposable score; 'nml' has no local scores")
        bound = bind_score(call, chosen, table.total, parameters)
    elif parameters:
        raise bad_argument(call, next(iter(parameters)), next(iter(parameters.values())), "given with score=")
    jobs = resolve_jobs(call, n_jobs)
    found = best_families(call, MemoryCounts(table), table.names, bound, max_parents=max_parents, n_jobs=jobs)
    write_file(call, "path", path, write_jkl(found, style).encode("utf-8"))
    return found


def read_local_scores(path: str | os.PathLike[str]) -> LocalScores:
    """Read local scores from a JKL file, whoever wrote it.

    Parameters
    ----------
    path : the file.

    Raises
    ------
    FileFormatError
        The file does not follow the format; line and column say where.
    """
    path = checked_path("read_local_scores", "path", path)
    most = resolve_memory_limit("read_local_scores", None) / _BYTES_PER_LETTER
    try:
        text = read_file("read_local_scores", "path", path, most).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileFormatError(str(path), f"not UTF-8 text: {error}") from error
    return read_jkl(text, str(path))


def _as_table(data: Any) -> Table:
    return data if isinstance(data, Table) else read_table(data)


def _column(call: str, argument: str, table: Table, name: str) -> int:
    return table.index(checked_name(call, argument, name, table.names))


def _prepare(call: str, data: Any, dag: Dag | Network | str, n_jobs: int | None) -> _Scored:
    table = _as_table(data)
    structure = dag.dag if isinstance(dag, Network) else dag
    if isinstance(structure, str) and structure.lstrip().startswith("["):
        structure = Dag.from_modelstring(structure)
    if not isinstance(structure, Dag):
        raise bad_argument(
            call,
            "dag",
            dag,
            "a qnml.Dag, a model string or a qnml.Network",
            "Build one with Dag.from_arcs(names, arcs).",
        )
    lacking = [name for name in structure.names if name not in table.names]
    if lacking:
        nearest = str(unknown_name(call, "dag", lacking[0], table.names))
        raise UnknownNameError(
            f"{call}: the network names {len(lacking)} variable(s) the data lack: {', '.join(lacking[:5])}. {nearest}"
        )
    if isinstance(dag, Network):
        table = table.with_levels({name: dag.levels[name] for name in structure.names})
    families = tuple(
        (table.index(name), tuple(table.index(parent) for parent in structure.parents(name)))
        for name in structure.names
    )
    return _Scored(table, structure, MemoryCounts(table), families, resolve_jobs(call, n_jobs))
