"""`score` and `local_score`: scores of a given network and of one variable given its parents.

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
from typing import TYPE_CHECKING, Any

from qnml._api.arguments import as_table, refuse_unknown_arguments
from qnml._api.network_families import network_families
from qnml._checks import checked_list, checked_name
from qnml._jobs import resolve_jobs
from qnml.counts import MemoryCounts
from qnml.data.interventions import refuse_interventions
from qnml.data.missing import refuse_incomplete
from qnml.errors import InputError, bad_argument
from qnml.scores import bind_score, find_score, network_regret
from qnml.scores import local_scores as bulk_local_scores

if TYPE_CHECKING:
    from collections.abc import Iterable

    from qnml.data import Table
    from qnml.graph import Dag
    from qnml.model import Network

__all__ = ["local_score", "score"]


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
    prepared = network_families("score", data, dag, n_jobs)
    chosen = find_score("score", score)
    bound = bind_score("score", chosen, prepared.table.total, parameters)
    if chosen.is_decomposable:
        return math.fsum(prepared.local_scores(bound, prepared.families))
    refuse_interventions(
        "score", prepared.table, "The NML distribution of a whole network is defined for observed rows."
    )
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
    table = as_table(data)
    refuse_incomplete("local_score", table)
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


def _column(call: str, argument: str, table: Table, name: str) -> int:
    return table.index(checked_name(call, argument, name, table.names))
